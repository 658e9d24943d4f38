"""Bytes or query from a client -> a checked request, or the errors in it."""
