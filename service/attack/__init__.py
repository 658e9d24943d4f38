"""Attacks on a running server, and what they do to its memory, its probes and a good client."""
