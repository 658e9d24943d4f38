"""`gradient`: the engine on the command line. Later commands are one function each, in `main`."""
