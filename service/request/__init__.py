"""What a client sent -> a checked request, or the errors in it."""
