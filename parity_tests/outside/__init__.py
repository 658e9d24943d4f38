"""Oracles that are nobody's port of the engines: PyTorch, and the definition of a derivative."""
