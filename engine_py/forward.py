"""Steps + values -> data and local gradients, leaves to root."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from engine_py.deadline import NEVER, NODES_PER_CHECK, Deadline
from engine_py.errors import NonFinite
from engine_py.graph import Graph
from engine_py.operations import OutsideDomain
from engine_py.order import Step

Forward = tuple[list[float], list[float], list[float]]
"""data, and the local gradients of the left and of the right operand, each indexed by node. An
operand that does not exist has 0; the local gradient of an exponent is None.

A plain tuple: for five nodes, naming the columns would cost a tenth of computing them.
"""


def forward(
    graph: Graph,
    order: Sequence[int],
    steps: Sequence[Step],
    values: Mapping[str, float],
    deadline: Deadline = NEVER,
) -> Forward:
    """Compute each operation once, after its operands.

    One sum checks all results at the end, since a finite sum has finite terms; the first failure is
    looked for only if the sum is not finite.
    """
    data = graph.literals.copy()
    for name, node in graph.variables.items():
        data[node] = values[name]
    lefts = [0.0] * len(data)
    rights = lefts.copy()
    try:
        for node, rule, left, right, _ in deadline.over(steps, NODES_PER_CHECK):
            if right is None:
                data[node], lefts[node] = rule(data[left])
            else:
                data[node], lefts[node], rights[node] = rule(data[left], data[right])
    except (ArithmeticError, ValueError):  # outside the domain, or computed from infinity or NaN
        _refuse_first_failure(graph, order, steps, data, deadline)
        raise
    if not isfinite(sum(data)):
        _refuse_first_failure(graph, order, steps, data, deadline)
    return data, lefts, rights


def at_node(graph: Graph, order: Sequence[int], node: int, data: list[float]) -> dict[str, Any]:
    """Describe the node of an error: id, operation and the data of the operands."""
    operation = graph.operations[node]
    return {
        "node": order.index(node),
        "operation": operation and operation.symbol,
        "operands": [data[operand] + 0.0 for operand in graph.operands[node]],
    }


def _refuse_first_failure(
    graph: Graph,
    order: Sequence[int],
    steps: Sequence[Step],
    data: list[float],
    deadline: Deadline,
) -> None:
    """Compute the steps again and raise the error of the first non-finite result."""
    for node, rule, *_ in deadline.over(steps, NODES_PER_CHECK):
        operands = [data[operand] for operand in graph.operands[node]]
        try:
            data[node] = rule(*operands)[0]
        except OutsideDomain as reason:
            raise reason.error(graph.spans[node], at_node(graph, order, node, data)) from None
        if not isfinite(data[node]):
            raise _non_finite(graph, order, node, data)


def _non_finite(graph: Graph, order: Sequence[int], node: int, data: list[float]) -> NonFinite:
    where = at_node(graph, order, node, data)
    fault = fault_of_number("data", where["operation"], where["operands"])
    message = f"the result of `{where['operation']}` at node {where['node']} {fault}"
    message += _without_overflow(graph, node)
    return NonFinite(message, graph.spans[node], stage="data", **where, slot=None)


def _without_overflow(graph: Graph, node: int) -> str:
    """Name the function that computes the result without this exponential, if there is one."""

    def user(symbol: str, of: int) -> int:
        pairs = enumerate(zip(graph.operations, graph.operands, strict=True))
        found = (
            each for each, (row, parts) in pairs if row and row.symbol == symbol and of in parts
        )
        return next(found, -1)

    operation = graph.operations[node]
    if operation is None or operation.symbol != "exp":
        return ""
    total = user("+", node)
    if total < 0 or all(graph.literals[each] != 1.0 for each in graph.operands[total]):
        total = -1  # which is not an operand
    if user("log1p", node) >= 0 or user("log", total) >= 0:
        return ", or `softplus(x)` for `log(1 + exp(x))`"
    return ", or `sigmoid(x)` for `1 / (1 + exp(-x))`" if user("/", total) >= 0 else ""


def fault_of_number(stage: str, symbol: str, operands: Sequence[float | None]) -> str:
    """Explain why a number is not finite, and what to do. `operands` are those of the operation."""
    steep = operands[-1 if symbol == "/" else 0]
    if steep is None or abs(steep) >= 1.0 or stage not in ("data", "local_grad"):
        return "is too large for a double; use values nearer to 0"
    if steep != 0.0:
        return "is too large for a double; use values further from 0"
    form = "`x ** c` with c < 1" if symbol == "**" else f"`{symbol}`"
    return f"is infinite: {form} has no finite slope at 0; use a value above 0"
