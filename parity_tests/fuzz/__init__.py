"""Random programs, on which engines are compared with each other."""
