"""Bounds on the size of a request, passed to the engine as a value."""

from typing import NamedTuple


class Limits(NamedTuple):
    """How large a request may be (CONTRACT.md R32)."""

    characters: int = 65_536
    """Code points of the expression."""
    variables: int = 1_000
    """Entries of `values`, and of `parameters`."""
    nodes: int = 10_000
    """Nodes of the graph, in the requested view."""
    sweep_nodes: int = 1_000_000
    """Nodes times points of a sweep."""


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
