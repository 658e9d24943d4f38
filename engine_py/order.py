"""Graph -> topological order -> the steps that forward and backward take."""

from collections.abc import Iterable, Sequence
from typing import Any

from engine_py.graph import Graph
from engine_py.operations import NO_GRADIENT, Rule

Step = tuple[int, Rule, Any, Any, bool]
"""(node, rule, left, right, flows_right): an operation on the nodes left and right. Right is None
for one operand; flows_right is whether a gradient flows into it. A plain tuple, which a loop
unpacks faster than a named one."""


def topological_order(root: int, operands: Sequence[Sequence[int]]) -> list[int]:
    """List the nodes that the root depends on, operands first and left to right, each node once.

    The order is that of the lessons' recursive `build_topo`, but with an explicit stack, so depth
    is bounded by memory alone. An operation waits on the stack, below None and its operands, until
    they are listed: for `a * b` the stack goes  *  |  * None b a  |  * None b  |  * None.
    """
    order: list[int] = []
    seen = [False] * len(operands)
    stack: list[int | None] = [root]
    while stack:
        node = stack.pop()
        if node is None:
            order.append(stack.pop())  # type: ignore[arg-type]  # no None follows another
        elif not seen[node]:
            seen[node] = True
            if operands[node]:
                stack += node, None
                stack += operands[node][::-1]
            else:
                order.append(node)
    return order


def fed_by_variables(variables: Iterable[int], operands: Sequence[Sequence[int]]) -> list[bool]:
    """For each node, whether it or a leaf below it is a variable (CONTRACT.md R5)."""
    fed = [False] * len(operands)
    for node in variables:
        fed[node] = True
    for node, below in enumerate(operands):  # operands come before their operations
        fed[node] |= any(fed[operand] for operand in below)
    return fed


def make_steps(graph: Graph, order: Sequence[int]) -> list[Step]:
    """List the operations in topological order.

    Forward takes the steps as they are. Backward takes them in reverse, each operation's left
    operand first: every edge into a node then comes before the edges out of it, so a node's
    gradient is complete before it is passed on.
    """
    operations, operands = graph.operations, graph.operands
    steps: list[Step] = []
    for node in order:
        if operation := operations[node]:
            left, right = operands[node] if operation.arity > 1 else (*operands[node], None)
            flows_right = right is not None and (operation.symbol, 1) != NO_GRADIENT
            steps.append((node, operation.rule, left, right, flows_right))
    return steps
