"""An operation and its operands -> the nearest double, by MPFR and by integers."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import gmpy2
from gmpy2 import mpfr

from parity_tests.exactness.hard.draws import Operands

IEEE = gmpy2.ieee(64)  # 53 bits, the exponents of a double, gradual underflow
WIDE = gmpy2.context(precision=400, emax=1100, emin=-1600)


def expected(operation: str, operands: Operands) -> float | None:
    """Give the nearest double by MPFR; None outside the domain (R2 and R30)."""
    if is_outside(operation, *operands):
        return None
    return float(MPFR[operation](*map(mpfr, operands)))


def is_outside(operation: str, x: float, y: float = 1.0) -> bool:
    """True where the operation has no value."""
    if operation == "**":
        return (x == 0.0 and y < 0.0) or (x < 0.0 and not y.is_integer())
    return (operation == "/" and y == 0.0) or (operation == "log" and x <= 0.0)


MPFR: dict[str, Callable[..., Any]] = {
    "+": IEEE.add,
    "-": IEEE.sub,
    "*": IEEE.mul,
    "/": IEEE.div,
    "**": IEEE.pow,
    "exp": IEEE.exp,
    "log": IEEE.log,
    "tanh": IEEE.tanh,
}


def expected_by_fractions(operation: str, operands: Operands) -> float | None:
    """Give the nearest double by integers: a second opinion on MPFR's ties and subnormals.

    The true result, or an interval of 390 bits around it, is rounded by Python's quotient of two
    integers, which is itself correctly rounded.
    """
    if is_outside(operation, *operands):
        return None
    if operation in RATIONAL:
        return nearest(RATIONAL[operation](*map(Fraction, operands)))
    wide = WIDE_MPFR[operation](*map(mpfr, operands))
    if not gmpy2.is_finite(wide) or gmpy2.is_zero(wide):
        return float(wide)
    value = Fraction(*map(int, wide.as_integer_ratio()))
    margin = value / 2**390 if wide.rc else 0  # rc is 0 where the 400 bits are the exact result
    low, high = nearest(value - margin), nearest(value + margin)
    assert low == high, f"390 bits do not decide {operation} {operands}"
    return low


RATIONAL: dict[str, Callable[..., Fraction]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
}
WIDE_MPFR: dict[str, Callable[..., Any]] = {
    "**": WIDE.pow,
    "exp": WIDE.exp,
    "log": WIDE.log,
    "tanh": WIDE.tanh,
}


def nearest(value: Fraction) -> float:
    """Round to the nearest double."""
    try:
        return value.numerator / value.denominator
    except OverflowError:
        return math.inf if value > 0 else -math.inf
