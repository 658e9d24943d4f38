"""Document or error -> reply, in the form that the client accepts."""
