"""Sharing nothing with the engines: MPFR's document, and the definition of a derivative."""
