"""Graph -> topological order: every operand before the operations that use it."""

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

Node = TypeVar("Node", bound=Hashable)


def topological_order(root: Node, operands_of: Callable[[Node], Sequence[Node]]) -> list[Node]:
    """List what the root depends on, depth first, operands left to right, each node once.

    The order equals the recursive lesson's `build_topo`, on a stack of its own: a chain of any
    length is only a longer list. A node is taken from the stack twice, first to put its operands
    above it, then, when they are done, to be listed.
    """
    order: list[Node] = []
    seen: set[Node] = set()
    stack = [(root, False)]
    while stack:
        node, operands_done = stack.pop()
        if operands_done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((operand, False) for operand in reversed(operands_of(node)))
    return order
