"""Graph + order + columns of values -> results and gradients at many points, as columns.

Each operation is computed for all points at once, in the order in which `forward` and `backward`
compute one point, so every element has the same bits. An element that an operation makes infinite
or NaN marks its point as suspect: the point is then computed by itself, which gives the error.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import isfinite, nan
from typing import Any

import numpy as np

from engine_py.deadline import NEVER, NODES_PER_CHECK, Deadline
from engine_py.graph import Graph
from engine_py.operations import Operation, OutsideDomain, Rule
from engine_py.sweeps import column_functions
from engine_py.sweeps.column_functions import Column, Lanes

np.empty(2**21)
"""Until a larger array has been freed once, glibc returns a freed column to the system, and the
page faults of each new column take two thirds of the time."""

LocalGrad = Column | float | None
"""A column, a number that is the same at every point, or None if no gradient flows."""

ColumnRule = Callable[..., tuple[Column, *tuple[LocalGrad, ...]]]

_COLUMNS_PER_CHECK = 8
"""A function takes a millisecond or two for all points of a block."""

Matrix = Any
"""A row for the results and one for each gradient, a column for each point."""


def differentiate_columns(  # noqa: PLR0913, PLR0917 - a prepared program and its points
    graph: Graph,
    order: Sequence[int],
    variables: Sequence[int],
    values: Mapping[str, Column],
    count: int,
    deadline: Deadline,
) -> tuple[Matrix, list[int]]:
    """Compute the results, and the gradients of these variables; then the suspect points.

    A column of values has an element for each point, or one that is the same at every point.
    """
    suspect = np.zeros(count, dtype=np.bool_)
    found = np.empty((1 + len(variables), count))
    with np.errstate(all="ignore"):
        data, local_grads = _forward(graph, order, values, suspect, deadline)
        grads = _backward(graph, order, local_grads, suspect, deadline)
        for row, column in zip(found, [data, *(grads[node] for node in variables)], strict=True):
            np.add(column, 0.0, out=row)
    return found, np.flatnonzero(suspect).tolist()


def column_of(doubles: Sequence[float], stride: int, first: int, last: int) -> Column:
    """Take the elements at points first to last of an axis that changes every `stride` points."""
    column = np.asarray(doubles)
    if stride == 1 and last <= len(column):
        return column[first:last]
    if stride == 1:
        return column[np.arange(first, last) % len(column)]
    groups = np.arange(first // stride, (last - 1) // stride + 1)
    counts = np.full(len(groups), stride)
    counts[0] -= first % stride
    counts[-1] -= -last % stride
    return np.repeat(column[groups % len(column)], counts)


def _forward(
    graph: Graph,
    order: Sequence[int],
    values: Mapping[str, Column],
    suspect: Lanes,
    deadline: Deadline,
) -> tuple[Column, dict[int, Sequence[LocalGrad]]]:
    """Compute each node after its operands; return the root's data and all local gradients."""
    data = {node: np.array([graph.literals[node]]) for node in order if not graph.operands[node]}
    for name, node in graph.variables.items():
        data[node] = values[name]
    local_grads: dict[int, Sequence[LocalGrad]] = {}
    for node in deadline.over(order, _COLUMNS_PER_CHECK):
        if operation := graph.operations[node]:
            operands = [data[operand] for operand in graph.operands[node]]
            data[node], *local_grads[node] = column_rule(operation, deadline)(*operands)
            suspect |= ~np.isfinite(data[node])
    return data[order[-1]], local_grads


def _backward(
    graph: Graph,
    order: Sequence[int],
    local_grads: dict[int, Sequence[LocalGrad]],
    suspect: Lanes,
    deadline: Deadline,
) -> dict[int, Column]:
    """Send gradients along the edges; return those of the leaves.

    A sum with infinity or NaN stays so down to the leaves, where it is detected: only in variables,
    since elsewhere it is not an error (CONTRACT.md R5).
    """
    grads = {order[-1]: np.ones(1)}
    for node in deadline.over(order[::-1], NODES_PER_CHECK):
        if not graph.operands[node]:
            continue
        grad = grads.pop(node)
        for operand, local in zip(graph.operands[node], local_grads.pop(node), strict=True):
            if local is not None:
                contribution = grad * local
                grads[operand] = grads[operand] + contribution if operand in grads else contribution
    for node in graph.variables.values():
        suspect |= ~np.isfinite(grads[node])
    return grads


def column_rule(operation: Operation, deadline: Deadline = NEVER) -> ColumnRule:
    """Return the column form of a row, or one that computes it element by element."""
    if rule := _RULES.get(operation.symbol):
        return rule
    return partial(
        _FUNCTIONS.get(operation.symbol) or partial(_one_by_one, operation.rule), deadline
    )


def _pow(deadline: Deadline, x: Column, c: Column) -> tuple[Column, LocalGrad, None]:
    exponent = float(c[0])  # a number in the text, so the same at every point
    out = column_functions.power(x, exponent, deadline)
    if exponent == 0.0:
        return out, 0.0, None
    slope = exponent * column_functions.power(np.abs(x), exponent - 1.0, deadline)
    return out, np.where(x < 0.0, -slope, slope) if exponent % 2.0 == 0.0 else slope, None


def _div(x: Column, y: Column) -> tuple[Column, Column, Column]:
    out = x / y
    return out, 1.0 / y, -(out / y)


def _relu(x: Column) -> tuple[Column, Column]:
    above = x > 0.0
    return np.where(above, x, 0.0), above.astype(np.float64)


def _exp(deadline: Deadline, x: Column) -> tuple[Column, Column]:
    out = column_functions.exp(x, deadline)
    return out, out


def _log(deadline: Deadline, x: Column) -> tuple[Column, Column]:
    return column_functions.log(x, deadline), 1.0 / x


def _tanh(deadline: Deadline, x: Column) -> tuple[Column, Column]:
    out = column_functions.tanh(x, deadline)
    return out, 1.0 - out * out


def _abs(x: Column) -> tuple[Column, Column]:
    return np.abs(x), np.where(x > 0.0, 1.0, np.where(x < 0.0, -1.0, 0.0))


def _min(x: Column, y: Column) -> tuple[Column, Column, Column]:
    return np.minimum(x, y), *_slopes_by_lead(y - x)


def _max(x: Column, y: Column) -> tuple[Column, Column, Column]:
    return np.maximum(x, y), *_slopes_by_lead(x - y)


def _slopes_by_lead(lead: Column) -> tuple[Column, Column]:
    first = np.where(lead > 0.0, 1.0, np.where(lead < 0.0, 0.0, 0.5))
    return first, 1.0 - first


def _sqrt(deadline: Deadline, x: Column) -> tuple[Column, Column]:
    out = column_functions.power(x, 0.5, deadline)
    return out, 0.5 / out


def _sin(deadline: Deadline, x: Column) -> tuple[Column, Column]:
    return column_functions.sin(x, deadline), column_functions.cos(x, deadline)


def _cos(deadline: Deadline, x: Column) -> tuple[Column, Column]:
    return column_functions.cos(x, deadline), -column_functions.sin(x, deadline)


def _sigmoid(deadline: Deadline, x: Column) -> tuple[Column, Column]:
    out = column_functions.sigmoid(x, deadline)
    return out, out * (1.0 - out)


def _softplus(deadline: Deadline, x: Column) -> tuple[Column, Column]:
    return column_functions.softplus(x, deadline), column_functions.sigmoid(x, deadline)


_RULES: dict[str, ColumnRule] = {
    "+": lambda x, y: (x + y, 1.0, 1.0),
    "-": lambda x, y: (x - y, 1.0, -1.0),
    "*": lambda x, y: (x * y, y, x),
    "/": _div,
    "neg": lambda x: (-x, -1.0),
    "relu": _relu,
    "abs": _abs,
    "min": _min,
    "max": _max,
}
_FUNCTIONS: dict[str, Callable[..., tuple[Column, *tuple[LocalGrad, ...]]]] = {
    "**": _pow,
    "exp": _exp,
    "log": _log,
    "tanh": _tanh,
    "sqrt": _sqrt,
    "sin": _sin,
    "cos": _cos,
    "sigmoid": _sigmoid,
    "softplus": _softplus,
}
"""Functions that may compute elements one by one, so they take a deadline."""


def _one_by_one(
    rule: Rule, deadline: Deadline, *operands: Column
) -> tuple[Column, *tuple[LocalGrad, ...]]:
    """Compute a row without a column form."""
    rows = list(zip(*(column.tolist() for column in np.broadcast_arrays(*operands)), strict=True))
    computed = [_computed(rule, row) for row in deadline.over(rows, NODES_PER_CHECK)]
    data, *local_grads = np.array(computed).T
    return data, *local_grads


def _computed(rule: Rule, row: tuple[float, ...]) -> list[float]:
    """Compute data and local gradients, NaN for those that do not exist."""
    nothing = [nan] * (1 + len(row))
    if not all(map(isfinite, row)):
        return nothing
    try:
        data, *local_grads = rule(*row)
    except OutsideDomain:
        return nothing
    return [data, *(nan if local is None else local for local in local_grads)]
