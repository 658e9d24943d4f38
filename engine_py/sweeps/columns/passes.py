"""Graph + order + columns of values -> results and gradients at many points, as columns.

Forward and backward do for each operation at once what `forward` and `backward` do at one point, in
the same order, so that every element has the same bits. An element that an operation makes infinite
or NaN marks its point as suspect: the point is then computed by itself, which tells what is wrong.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from engine_py.graph import Graph
from engine_py.sweeps.columns.rules import Column, Lanes, LocalGrad, column_rule

np.empty(2**21)
"""glibc returns a freed column to the system, and each new one costs page faults, two thirds of the
time in all, until a larger array has been freed once."""

Matrix = Any
"""A row for the results and one for each gradient, a column for each point."""


def differentiate_columns(
    graph: Graph,
    order: Sequence[int],
    variables: Sequence[int],
    values: Mapping[str, Column],
    count: int,
) -> tuple[Matrix, list[int]]:
    """Compute the results, and the gradients of these variables; then the suspect points.

    A column of values has an element for each point, or one that is the same at every point.
    """
    suspect = np.zeros(count, dtype=np.bool_)
    found = np.empty((1 + len(variables), count))
    with np.errstate(all="ignore"):
        data, local_grads = _forward(graph, order, values, suspect)
        grads = _backward(graph, order, local_grads, suspect)
        for row, column in zip(found, [data, *(grads[node] for node in variables)], strict=True):
            np.add(column, 0.0, out=row)
    return found, np.flatnonzero(suspect).tolist()


def column_of(doubles: Sequence[float], stride: int, first: int, last: int) -> Column:
    """Give the elements at points first to last of an axis that changes every `stride` points."""
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
    graph: Graph, order: Sequence[int], values: Mapping[str, Column], suspect: Lanes
) -> tuple[Column, dict[int, Sequence[LocalGrad]]]:
    """Compute each node once, after its operands; give the root's data and all local gradients."""
    data = {node: np.array([graph.literals[node]]) for node in order if not graph.operands[node]}
    for name, node in graph.variables.items():
        data[node] = values[name]
    local_grads: dict[int, Sequence[LocalGrad]] = {}
    for node in order:
        if operation := graph.operations[node]:
            operands = [data[operand] for operand in graph.operands[node]]
            data[node], *local_grads[node] = column_rule(operation)(*operands)
            suspect |= ~np.isfinite(data[node])
    return data[order[-1]], local_grads


def _backward(
    graph: Graph,
    order: Sequence[int],
    local_grads: dict[int, Sequence[LocalGrad]],
    suspect: Lanes,
) -> dict[int, Column]:
    """Send gradients along the edges; give those of the leaves.

    What is added to infinity or NaN stays so down to the leaves, where it is looked for: in the
    variables, for elsewhere it is no error (CONTRACT.md R5).
    """
    grads = {order[-1]: np.ones(1)}
    for node in reversed(order):
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
