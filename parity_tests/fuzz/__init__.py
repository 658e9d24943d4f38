"""Random programs: the engines compared with each other."""
