"""Terms with a tangent: numbers, and how they change along a direction."""

from typing import NamedTuple

from engine_py.operations import OPERATIONS


class Dual(NamedTuple):
    """The data of an operand or a result. `tangent` is None where the direction does not reach."""

    data: float
    tangent: float | None


def apply(symbol: str, *operands: Dual | float) -> Dual:
    """Apply an operation; its tangent is a sum, slot by slot, of local_grad * tangent.

    Raises:
        OutsideDomain: the operation has no value at these operands.
    """
    duals = [each if isinstance(each, Dual) else Dual(each, None) for each in operands]
    data, *local_grads = OPERATIONS[symbol].rule(*[dual.data for dual in duals])
    tangent: float | None = None
    for local, dual in zip(local_grads, duals, strict=True):
        if local is not None and dual.tangent is not None:
            tangent = (tangent or 0.0) + local * dual.tangent
    return Dual(data, tangent)
