"""Graph -> topological order, and the walk: its edges as the backward pass meets them."""

from collections.abc import Sequence

Walk = list[tuple[int, int, int]]
"""(node, slot, operand) of every edge, as the backward pass meets it."""


def topological_order(root: int, operands: Sequence[Sequence[int]]) -> list[int]:
    """List what the root depends on, operands first and left to right, each node once.

    The order is that of the lessons' recursive `build_topo`, but with an explicit stack, so depth
    is bounded by memory alone. An operation waits on the stack, as ~node, below its operands until
    they are listed: for `a * b` the stack goes  *  |  ~* b a  |  ~* b  |  ~*.
    """
    order: list[int] = []
    seen = [False] * len(operands)
    stack = [root]
    while stack:
        node = stack.pop()
        if node < 0:
            order.append(~node)
        elif not seen[node]:
            seen[node] = True
            if operands[node]:
                stack.append(~node)
                stack += operands[node][::-1]
            else:
                order.append(node)
    return order


def walk(order: Sequence[int], operands: Sequence[Sequence[int]]) -> Walk:
    """List the edges from the root to the leaves, an operation's slots left to right.

    Every edge into a node comes before the edges out of it, so a gradient that is added up along
    the walk is complete before it is passed on.
    """
    return [
        (node, slot, operand)
        for node in reversed(order)
        for slot, operand in enumerate(operands[node])
    ]
