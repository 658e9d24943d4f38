"""Terms: numbers that the formulas of local gradients are computed with."""

from typing import NamedTuple

from engine_py.operations import OPERATIONS


class Term(NamedTuple):
    """The data of an operand or a result."""

    data: float


def apply(symbol: str, *operands: Term | float) -> Term:
    """Apply an operation.

    Raises:
        OutsideDomain: the operation has no value at these operands.
    """
    numbers = [operand.data if isinstance(operand, Term) else operand for operand in operands]
    return Term(OPERATIONS[symbol].rule(*numbers)[0])
