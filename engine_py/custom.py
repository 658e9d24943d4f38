"""Operations of one's own: data and local gradients as a caller gives them -> a row of the table.

Such a row is known at one place. It gives its numbers where the operands are what they were when it
was made, and there is no formula to compute it at others.
"""

from collections.abc import Sequence
from typing import Any

from engine_py.errors import StaleCustom
from engine_py.rows import Apply, Computed, Operation

CUSTOM = "custom"
"""What a document calls these operations; each has a `name` besides."""


class Moved(ArithmeticError):
    """The operands of a custom operation are not those that it was made at."""


def custom_row(
    name: str, operands: Sequence[float], data: float, local_grads: Sequence[float | None]
) -> Operation:
    """Make the row of an operation that gives this data and these local gradients there."""
    there = tuple(operands)

    def rule(*at: float) -> Computed:
        if at != there:
            raise Moved
        return data, *local_grads

    def formulas(_apply: Apply, _out: Any, *terms: Any) -> tuple[Any, ...]:
        if any(getattr(term, "tangent", None) is not None for term in terms):
            raise Moved  # a second derivative is that of a formula
        return rule(*[term.data for term in terms])[1:]

    return Operation(CUSTOM, name, "call", len(there), rule, formulas)


def stale_custom(name: str, node: int, operands: Sequence[float]) -> StaleCustom:
    """Say that a custom operation would have to be computed anew."""
    message = (
        f"`{name}` at node {node} is an operation of your own: its data and local gradients are "
        "known where it was made, and nothing tells how to compute it anew"
    )
    return StaleCustom(message, node=node, name=name, operands=[x + 0.0 for x in operands])
