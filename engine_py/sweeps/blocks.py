"""Prepared text + axes -> results and gradients, a few thousand points at a time.

If numpy is installed, a block is computed operation by operation on columns. Otherwise, and at
points where a number is not finite, it is computed point by point, to the same bits.
"""

from array import array
from collections.abc import Iterator, Mapping
from math import nan
from typing import Any, NamedTuple

from engine_py.backward import backward
from engine_py.deadline import NEVER, Deadline, passes_per_check
from engine_py.errors import GradientError, LimitExceeded
from engine_py.forward import forward
from engine_py.introspect import Prepared, refuse_missing_values
from engine_py.limits import Limits
from engine_py.sweeps.axes import LARGEST, Axes, Points, numpy

POINTS = 16_384
"""The maximum number of points of a block: columns of 128 KiB, so that they stay in the cache."""

NODES_PER_BLOCK = 2**20
"""The maximum of nodes times points in a block, which bounds its memory to about 32 MB."""

NODES_ONE_BY_ONE = 2**12
"""The same bound for points that are computed one by one: a few milliseconds."""

HINT_FOR_TOO_MANY = "use fewer points or a larger `limits.sweep_nodes`"
"""The end of the message. Callers without a `limits` parameter replace it."""

Doubles = Any
"""An array of doubles, Python's or numpy's, with a length, items, `tolist` and a buffer."""


Problem = tuple[int, GradientError]
"""The index of a point without a result, and why."""


class Block(NamedTuple):
    """Neighbouring points, from the index `first` on."""

    first: int
    columns: list[Doubles]
    """The results, then the gradients in the order of the template's variables; NaN at problems."""
    problems: list[Problem]


def blocks(
    prepared: Prepared,
    axes: Axes,
    limits: Limits,
    chosen: range | None = None,
    *,
    deadline: Deadline = NEVER,
) -> Iterator[Block]:
    """Yield the blocks of the chosen points, or of all points.

    Raises:
        GradientError: a variable has no value, or there are too many points.
        DeadlineExceeded: the deadline has passed; a block may raise it, too.
        ValueError: the chosen indices are not a range of the points.
    """
    points = check_points(prepared, axes, limits, deadline)
    chosen = range(points.count) if chosen is None else chosen
    return blocks_of(prepared, points, chosen, deadline=deadline)


def check_points(
    prepared: Prepared, axes: Axes, limits: Limits, deadline: Deadline = NEVER
) -> Points:
    """Make the points of the axes.

    Raises:
        GradientError: a variable has no value, or there are too many points.
    """
    refuse_missing_values(prepared.graph, axes.names)
    _refuse_too_many(len(prepared.order), axes, limits)
    return Points(axes, deadline)


def blocks_of(
    prepared: Prepared, points: Points, chosen: range, *, deadline: Deadline = NEVER
) -> Iterator[Block]:
    """Yield the blocks of the chosen points.

    Raises:
        ValueError: the chosen indices are not a range of the points.
    """
    if chosen.step != 1 or not 0 <= chosen.start <= chosen.stop <= points.count:
        raise ValueError(f"{chosen} is not a range within {points.count} points")
    size = _size(len(prepared.order))
    starts = range(chosen.start, chosen.stop, size)
    return (
        _block(prepared, points, first, min(first + size, chosen.stop), deadline)
        for first in starts
    )


def _size(nodes: int) -> int:
    """Return how many points a block has for a program of `nodes` nodes."""
    most = NODES_ONE_BY_ONE if numpy() is None else NODES_PER_BLOCK
    return max(1, min(POINTS, most // nodes))


def _block(prepared: Prepared, points: Points, first: int, last: int, deadline: Deadline) -> Block:
    deadline.check()
    columns, left = _columns(prepared, points, first, last, deadline)
    problems: list[Problem] = []
    for index in deadline.over(left, passes_per_check(len(prepared.order))):
        try:
            result, gradients = gradients_at(prepared, points.at(index), deadline)
        except GradientError as error:
            error.__traceback__ = error.__context__ = None  # they hold the whole pass
            problems.append((index, error))
            result, gradients = nan, [nan] * (len(columns) - 1)
        for column, number in zip(columns, (result, *gradients), strict=True):
            column[index - first] = number
    return Block(first, columns, problems)


def _columns(
    prepared: Prepared, points: Points, first: int, last: int, deadline: Deadline
) -> tuple[list[Doubles], list[int]]:
    """Compute the columns, and list the points that must be computed one by one."""
    graph, order, _, template = prepared
    variables = [node for _, node, _ in template.variables]
    if numpy() is None:
        empty = [array("d", [nan]) * (last - first) for _ in (order[-1], *variables)]
        return empty, list(range(first, last))
    from engine_py.sweeps import columns as of_columns  # noqa: PLC0415 - it needs numpy

    values = {
        name: of_columns.column_of([number], 1, 0, 1) for name, number in points.numbers.items()
    }
    for name, numbers, stride, start, stop in points.runs(first, last):
        values[name] = of_columns.column_of(numbers, stride, start, stop)
    found, suspect = of_columns.differentiate_columns(
        graph, order, variables, values, last - first, deadline
    )
    return list(found), [first + place for place in suspect]


def _refuse_too_many(nodes: int, axes: Axes, limits: Limits) -> None:
    count, limit = axes.size, limits.sweep_nodes
    actual = min(nodes * count, LARGEST)
    if actual > limit:
        points = "1 point" if count == 1 else f"{count} points"
        points += " or more" if count == LARGEST else ""
        message = (
            f"the sweep computes {nodes} nodes at {points}; at most {limit} in all are accepted; "
            f"{HINT_FOR_TOO_MANY}"
        )
        raise LimitExceeded(message, name="sweep_nodes", limit=limit, actual=actual)


def names_of_variables(prepared: Prepared) -> list[str]:
    """Return the names of the variables, in the order of their ids."""
    return [name for name, *_ in prepared.template.variables]


def gradients_at(
    prepared: Prepared, values: Mapping[str, float], deadline: Deadline = NEVER
) -> tuple[float, list[float]]:
    """Compute the result, and the gradients in the order of the template's variables.

    Raises:
        GradientError: there is no result.
        DeadlineExceeded: the deadline has passed.
    """
    graph, order, steps, template = prepared
    computed = forward(graph, order, steps, values, deadline)
    grads, *_ = backward(graph, order, steps, computed)
    return computed[0][order[-1]] + 0.0, [grads[node] + 0.0 for _, node, _ in template.variables]
