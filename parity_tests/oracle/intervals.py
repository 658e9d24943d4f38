"""Operands -> what an operation may give, as intervals that rounding widens."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import gmpy2

Number = Any
"""A gmpy2.mpfr, which has no types."""

HALF_ULP = 0.5
ULP = 2.0**-52 * (1 + 2.0**-20)
"""Relative; a little more than an ulp, which pays for the roundings of this file's 400 bits."""
TINY = gmpy2.mpfr("0x1p-1074")


class NoBoundError(ArithmeticError):
    """Rounding alone may carry an operand across the edge of an operation's domain."""


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers from low to high. Operators are correctly rounded."""

    low: Number
    high: Number

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __add__(self, other: Interval | float) -> Interval:
        return corners(operator.add, self, as_interval(other)).widened(HALF_ULP)

    def __sub__(self, other: Interval | float) -> Interval:
        return corners(operator.sub, self, as_interval(other)).widened(HALF_ULP)

    def __mul__(self, other: Interval | float) -> Interval:
        return corners(operator.mul, self, as_interval(other)).widened(HALF_ULP)

    def __truediv__(self, other: Interval | float) -> Interval:
        divisor = as_interval(other)
        if divisor.low <= 0 <= divisor.high:
            raise NoBoundError
        return corners(operator.truediv, self, divisor).widened(HALF_ULP)

    def __rsub__(self, other: float) -> Interval:
        return as_interval(other) - self

    def __rtruediv__(self, other: float) -> Interval:
        return as_interval(other) / self

    __radd__ = __add__
    __rmul__ = __mul__

    @property
    def width(self) -> Number:
        """How far two numbers in it may be apart."""
        return self.high - self.low

    @property
    def magnitude(self) -> Number:
        """The largest absolute value."""
        return max(abs(self.low), abs(self.high))

    def widened(self, ulps: float) -> Interval:
        """Add the rounding of one operation, gradual underflow included."""
        low, high = self.low, self.high
        exact = low == high and ulps == HALF_ULP and float(low) == low
        if exact or low == high == 0:
            return self
        return Interval(low - abs(low) * ulps * ULP - TINY, high + abs(high) * ulps * ULP + TINY)


ZERO, ONE = (Interval(gmpy2.mpfr(number), gmpy2.mpfr(number)) for number in (0, 1))


def as_interval(number: Any) -> Interval:
    """Take a number as the interval that holds it alone."""
    return number if isinstance(number, Interval) else Interval(number, number)


def corners_of(*operands: Interval) -> list[tuple[Number, ...]]:
    """List each combination of the operands' ends."""
    return list(product(*({operand.low, operand.high} for operand in operands)))


def corners(function: Callable[..., Number], *operands: Interval) -> Interval:
    """Apply what is monotone in each operand: its extremes are at the corners."""
    values = [function(*corner) for corner in corners_of(*operands)]
    return Interval(min(values), max(values))


def raised(x: Interval, c: Interval, ulps: float) -> Interval:
    """Raise to a power that is one number, or between two where it had to be rounded."""
    whole = c.low == c.high and gmpy2.is_integer(c.low)
    if (x.low < 0 and not whole) or (x.low <= 0 <= x.high and c.low < 0):
        raise NoBoundError
    ends = corners(operator.pow, x, c)
    low, high = ends.low, ends.high
    if x.low < 0 < x.high and c.low != 0:  # an even power turns at 0
        low, high = min(low, gmpy2.mpfr(0)), max(high, gmpy2.mpfr(0))
    return Interval(low, high).widened(ulps)


def added(terms: list[Interval]) -> Interval:
    """Add in any order: each of the n - 1 roundings errs by half an ulp of all magnitudes' sum."""
    if len(terms) < 2:
        return terms[0] if terms else ZERO
    total = Interval(sum(term.low for term in terms), sum(term.high for term in terms))
    if len(terms) == 2:
        return total.widened(HALF_ULP)
    margin = (len(terms) - 1) * HALF_ULP * ULP * sum(term.magnitude for term in terms)
    return Interval(total.low - margin, total.high + margin)
