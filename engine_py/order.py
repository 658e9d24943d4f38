"""Graph -> topological order: every operand before the operations that use it."""

from collections.abc import Sequence


def topological_order(root: int, operands: Sequence[Sequence[int]]) -> list[int]:
    """List what the root depends on, depth first, operands left to right, each node once.

    The order equals the recursive lesson's `build_topo`, on a stack of its own: a chain of any
    length is only a longer list. An operation waits on the stack, as ~node, below its operands
    until they are listed: for `a * b` the stack goes  *  |  ~* b a  |  ~* b  |  ~*.
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
