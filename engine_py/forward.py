"""Graph + values -> data and local gradients, leaves to root."""

from collections.abc import Mapping
from math import isfinite
from typing import Any, NamedTuple

from engine_py.errors import DomainError, NonFinite
from engine_py.graph import Graph
from engine_py.operations import LocalGrads, OutsideDomain


class Forward(NamedTuple):
    """Columns indexed by node."""

    data: list[float]
    local_grads: list[LocalGrads]
    """One for each operand slot; empty for a leaf."""


def forward(graph: Graph, order: list[int], values: Mapping[str, float]) -> Forward:
    """Compute each node once, after its operands."""
    data = _leaf_data(graph, order, values)
    local_grads: list[LocalGrads] = [()] * len(data)
    operations, operands = graph.operations, graph.operands
    for node in order:
        operation = operations[node]
        if operation is None:
            continue
        try:
            out, local_grads[node] = operation.rule(*[data[operand] for operand in operands[node]])
        except OutsideDomain as reason:
            raise DomainError(
                f"{reason}, at node {order.index(node)} (`{operation.symbol}`)",
                graph.spans[node],
                **at_node(graph, order, node, data),
            ) from None
        if not isfinite(out):
            raise NonFinite(
                f"the result of `{operation.symbol}` is too large for a double",
                graph.spans[node],
                stage="data",
                **at_node(graph, order, node, data),
                slot=None,
            )
        data[node] = out
    return Forward(data, local_grads)


def _leaf_data(graph: Graph, order: list[int], values: Mapping[str, float]) -> list[float]:
    """Start the data column: constants as written, variables from the request, 0 elsewhere."""
    data = [0.0] * len(graph.operations)
    for node in order:
        literal, label = graph.literals[node], graph.labels[node]
        if literal is not None:
            data[node] = literal
        elif graph.operations[node] is None and label is not None:
            data[node] = values[label]
    return data


def at_node(graph: Graph, order: list[int], node: int, data: list[float]) -> dict[str, Any]:
    """Explain an error by its node: id, operation and the data of the operands."""
    operation = graph.operations[node]
    return {
        "node": order.index(node),
        "operation": operation and operation.symbol,
        "operands": [data[operand] + 0.0 for operand in graph.operands[node]],
    }
