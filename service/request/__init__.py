"""What a client sent -> a checked request; what it accepts."""
