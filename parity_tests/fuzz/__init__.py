"""Random programs: the engines compared with each other, and with PyTorch."""
