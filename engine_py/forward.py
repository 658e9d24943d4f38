"""Graph + values -> data and local gradients, leaves to root."""

from collections.abc import Mapping
from math import isfinite
from typing import Any

from engine_py.errors import DomainError, NonFinite
from engine_py.graph import Graph
from engine_py.rows import LocalGrads, OutsideDomain

Forward = tuple[list[float], list[LocalGrads]]
"""data and local_grads, indexed by node; a leaf has no local gradients.

A plain tuple: for five nodes, naming the two columns would cost a tenth of computing them.
"""


def forward(graph: Graph, order: list[int], values: Mapping[str, float]) -> Forward:
    """Compute each node once, after its operands."""
    data = graph.literals.copy()
    for name, node in graph.variables.items():
        data[node] = values[name]
    local_grads: list[LocalGrads] = [()] * len(data)
    operations, operands = graph.operations, graph.operands
    for node in order:
        if operation := operations[node]:
            slots = operands[node]
            try:
                # Writing out the two arities takes a fraction of what a call with * does.
                if operation.arity == 1:
                    computed = operation.rule(data[slots[0]])
                else:
                    computed = operation.rule(data[slots[0]], data[slots[1]])
                out, local_grads[node] = computed
            except OutsideDomain as reason:
                raise _domain_error(graph, order, node, data, str(reason)) from None
            if not isfinite(out):
                raise _non_finite(graph, order, node, data)
            data[node] = out
    return data, local_grads


def at_node(graph: Graph, order: list[int], node: int, data: list[float]) -> dict[str, Any]:
    """Explain an error by its node: id, operation and the data of the operands."""
    operation = graph.operations[node]
    return {
        "node": order.index(node),
        "operation": operation and operation.symbol,
        "operands": [data[operand] + 0.0 for operand in graph.operands[node]],
    }


def _domain_error(
    graph: Graph, order: list[int], node: int, data: list[float], reason: str
) -> DomainError:
    where = at_node(graph, order, node, data)
    message = f"{reason}, at node {where['node']} (`{where['operation']}`)"
    return DomainError(message, graph.spans[node], **where)


def _non_finite(graph: Graph, order: list[int], node: int, data: list[float]) -> NonFinite:
    where = at_node(graph, order, node, data)
    message = (
        f"the result of `{where['operation']}` at node {where['node']} is too large for a double; "
        "use values nearer to 0"
    )
    return NonFinite(message, graph.spans[node], stage="data", **where, slot=None)
