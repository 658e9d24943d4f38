"""Bounds on the size of a request, passed to the engine as a value."""

from typing import NamedTuple


class Limits(NamedTuple):
    """How large a request may be (CONTRACT.md R32, and R36 to R41 for the lab)."""

    characters: int = 65_536
    """Code points of the expression."""
    variables: int = 1_000
    """Entries of `values`, and of `parameters`."""
    nodes: int = 10_000
    """Nodes of the graph, in the requested view."""
    sweep_nodes: int = 1_000_000
    """Nodes times points of a sweep."""
    steps: int = 20_000
    """Passes times edges of an experiment: the rows of its ledger."""
    path_edges: int = 20_000
    """Edges of the paths that are listed, together."""
    truth_work: int = 1_000_000
    """What the bits of true numbers cost, in nodes and exponentials; about a microsecond each."""
    evaluations: int = 1_000_000
    """Nodes that are computed for central differences."""
    descent_nodes: int = 5_000_000
    """Nodes that a descent computes, at all steps and rows together."""
    descent_numbers: int = 100_000
    """Parameters that a descent lists, at all points together."""
    tangents: int = 200_000
    """Edges walked for second derivatives, in all directions together."""


DEFAULT_LIMITS = Limits()


def check_limits(limits: Limits) -> Limits:
    """Accept whole numbers from 0 up.

    Raises:
        ValueError: a limit is something else, which is the calling program's mistake.
    """
    if limits is DEFAULT_LIMITS:
        return limits
    for name, limit in zip(Limits._fields, limits, strict=True):
        if type(limit) is not int or limit < 0:
            message = f"limits.{name} must be a whole number, 0 or more, not {limit!r}"
            raise ValueError(message)
    return limits
