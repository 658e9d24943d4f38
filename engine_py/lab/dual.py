"""Dual numbers: data with a tangent, on the same table of operations."""

from typing import NamedTuple

from engine_py.operations import OPERATIONS


class Dual(NamedTuple):
    """A number and its derivative in one direction."""

    data: float
    tangent: float = 0.0


def apply(symbol: str, *operands: Dual | float) -> Dual:
    """Apply an operation: local gradients times tangents, added up slot by slot (CONTRACT.md R38).

    Raises:
        OutsideDomain: the operation has no value at these operands.
    """
    duals = [operand if isinstance(operand, Dual) else Dual(operand) for operand in operands]
    data, local_grads = OPERATIONS[symbol].rule(*(dual.data for dual in duals))
    tangent = 0.0
    for local, dual in zip(local_grads, duals, strict=True):
        if local is not None:
            tangent += local * dual.tangent
    return Dual(data, tangent)
