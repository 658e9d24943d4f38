"""`gradient`: the engine on the command line."""
