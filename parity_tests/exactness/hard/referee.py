"""An operation and its operands -> the nearest double, by MPFR and by integers."""

import math
from fractions import Fraction

import gmpy2
from gmpy2 import mpfr

from parity_tests.exactness.hard.draws import Operands
from parity_tests.oracle.operations import RATIONAL, ROWS

IEEE = gmpy2.ieee(64)  # 53 bits, the exponents of a double, gradual underflow
WIDE = gmpy2.context(precision=400, emax=1100, emin=-1600)


def expected(operation: str, operands: Operands) -> float | None:
    """Give the nearest double by MPFR; None outside the domain (R2 and R30)."""
    row, exact = ROWS[operation], [mpfr(operand) for operand in operands]
    if row.outside(*exact):
        return None
    with gmpy2.context(IEEE):
        return float(row.data(*exact))


def expected_by_fractions(operation: str, operands: Operands) -> float | None:
    """Give the nearest double by integers: a second opinion on MPFR's ties and subnormals.

    The true result, or an interval of 390 bits around it, is rounded by Python's quotient of two
    integers, which is itself correctly rounded.
    """
    row, exact = ROWS[operation], [mpfr(operand) for operand in operands]
    if row.outside(*exact):
        return None
    if operation in RATIONAL:
        return nearest(row.data(*map(Fraction, operands)))
    with gmpy2.context(WIDE):
        wide = row.data(*exact)
    if not gmpy2.is_finite(wide) or gmpy2.is_zero(wide):
        return float(wide)
    value = Fraction(*map(int, wide.as_integer_ratio()))
    margin = value / 2**390 if wide.rc else 0  # rc is 0 where the 400 bits are the exact result
    low, high = nearest(value - margin), nearest(value + margin)
    assert low == high, f"390 bits do not decide {operation} {operands}"
    return low


def nearest(value: Fraction) -> float:
    """Round to the nearest double."""
    try:
        return value.numerator / value.denominator
    except OverflowError:
        return math.inf if value > 0 else -math.inf
