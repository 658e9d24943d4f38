"""Bounds on the size of a request, passed to the engine as a value."""

from typing import NamedTuple

from engine_py.tables import LIMITS


class Limits(NamedTuple):
    """How large a request may be (CONTRACT.md R32). `help(Limits)` shows what each one counts."""

    characters: int = LIMITS["characters"]["default"]
    variables: int = LIMITS["variables"]["default"]
    nodes: int = LIMITS["nodes"]["default"]
    sweep_nodes: int = LIMITS["sweep_nodes"]["default"]
    steps: int = LIMITS["steps"]["default"]
    path_edges: int = LIMITS["path_edges"]["default"]
    truth_work: int = LIMITS["truth_work"]["default"]
    evaluations: int = LIMITS["evaluations"]["default"]
    descent_nodes: int = LIMITS["descent_nodes"]["default"]
    descent_numbers: int = LIMITS["descent_numbers"]["default"]
    tangents: int = LIMITS["tangents"]["default"]


for _name in Limits._fields:
    getattr(Limits, _name).__doc__ = LIMITS[_name]["description"]

DEFAULT_LIMITS = Limits()


def check_limits(limits: Limits) -> Limits:
    """Check that all limits are whole numbers, 0 or more.

    Raises:
        ValueError: a limit is anything else, which is a bug in the caller.
    """
    if limits is DEFAULT_LIMITS:
        return limits
    for name, limit in zip(Limits._fields, limits, strict=True):
        if type(limit) is not int or limit < 0:
            message = f"limits.{name} must be a whole number, 0 or more, not {limit!r}"
            raise ValueError(message)
    return limits
