"""Prepared text + axes -> the result and the gradients, point after point."""

from collections.abc import Iterator, Mapping
from itertools import chain, product

from engine_py.axes import LARGEST, Axes
from engine_py.backward import backward
from engine_py.errors import GradientError, LimitExceeded
from engine_py.forward import forward
from engine_py.introspect import Prepared, refuse_missing_values
from engine_py.limits import Limits

Point = tuple[float, list[float]] | GradientError
"""The result and the gradients, in the order of the template's variables; or why there are none."""


def points(prepared: Prepared, axes: Axes, limits: Limits) -> Iterator[Point]:
    """Compute point after point, as they are taken.

    Raises:
        GradientError: a variable has no value, or there are too many points.
    """
    graph, order, *_ = prepared
    refuse_missing_values(graph, axes.names)
    _refuse_too_many(len(order), axes, limits)
    return (_point(prepared, values) for values in _settings(axes))


def gradients_at(prepared: Prepared, values: Mapping[str, float]) -> tuple[float, list[float]]:
    """Compute the result, and the gradients in the order of the template's variables."""
    graph, order, edges, template = prepared
    computed = forward(graph, order, values)
    grads, *_ = backward(graph, order, edges, computed)
    return computed[0][order[-1]] + 0.0, [grads[node] + 0.0 for _, node, _ in template.variables]


def _point(prepared: Prepared, values: Mapping[str, float]) -> Point:
    try:
        return gradients_at(prepared, values)
    except GradientError as error:
        return error


def _settings(axes: Axes) -> Iterator[dict[str, float]]:
    """Give all values, point by point. One dictionary serves all points."""
    lists = axes.lists()
    names = [name for axis in lists for name in axis]
    values = axes.numbers.copy()
    for rows in product(*(zip(*axis.values(), strict=True) for axis in lists)):
        values.update(zip(names, chain(*rows), strict=True))
        yield values


def _refuse_too_many(nodes: int, axes: Axes, limits: Limits) -> None:
    count, limit = axes.size, limits.sweep_nodes
    actual = min(nodes * count, LARGEST)
    if actual > limit:
        points = "1 point" if count == 1 else f"{count} points"
        message = (
            f"the sweep computes {nodes} nodes at {points}; at most {limit} in all are accepted"
        )
        raise LimitExceeded(message, name="sweep_nodes", limit=limit, actual=actual)
