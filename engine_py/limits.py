"""Bounds on a request, handed to the engine as a value."""

from typing import NamedTuple


class Limits(NamedTuple):
    """How large a request may be (CONTRACT.md R32)."""

    characters: int = 65_536
    """Code points of the expression."""
    variables: int = 1_000
    """Entries of `values`, and of `parameters`."""
    nodes: int = 10_000
    """Nodes of the graph, in the view that was asked for."""


DEFAULT_LIMITS = Limits()
