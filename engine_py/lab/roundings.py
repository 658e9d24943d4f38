"""Numbers with a bound of their error: how far rounding can have carried them.

The result of an operation is off by half a unit in its last place, at most u times itself, or by
half of the smallest double where it underflows. What its operands are off by arrives through the
local gradients, to first order (running error analysis: Higham, Accuracy and Stability of Numerical
Algorithms, 3.3).
"""

from math import inf
from typing import NamedTuple

from engine_py.operations import OPERATIONS
from engine_py.rows import Operation, OutsideDomain

U = 1 / 2**53
TINY = 5e-324
"""An error of one rounding is at most U of the result, or TINY."""
SAFE = 2.0
"""The bounds are rounded themselves, and of first order: twice as much is allowed."""


class Rounded(NamedTuple):
    """A double and a bound of its distance from the true number."""

    data: float
    bound: float


def rounding(result: float) -> float:
    """Bound the error of one rounding."""
    return abs(result) * U + TINY


def compute(operation: Operation, operands: list[Rounded]) -> Rounded:
    """Apply an operation.

    Raises:
        OutsideDomain: it has no value at these operands.
    """
    data, *local_grads = operation.rule(*[operand.data for operand in operands])
    bound = rounding(data)
    for local, operand in zip(local_grads, operands, strict=True):
        if local is not None and operand.bound:
            bound += abs(local) * operand.bound
    return Rounded(data, bound)


def local_bounds(operation: Operation, out: Rounded, operands: list[Rounded]) -> list[float]:
    """Bound the errors of the local gradients, from the formulas that compute them."""

    def apply(symbol: str, *terms: Rounded | float) -> Rounded:
        rounded = [term if isinstance(term, Rounded) else Rounded(term, 0.0) for term in terms]
        return compute(OPERATIONS[symbol], rounded)

    try:
        formulas = operation.formulas(apply, out, *operands)
    except OutsideDomain:
        return [inf] * len(operands)
    return [formula.bound if isinstance(formula, Rounded) else 0.0 for formula in formulas]
