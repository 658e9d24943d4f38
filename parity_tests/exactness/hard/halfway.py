"""A function -> doubles whose image is close to halfway between two doubles, and how close."""

from collections.abc import Callable
from math import isfinite, ulp
from random import Random
from typing import Any

import gmpy2
from gmpy2 import mpfr

from parity_tests.exactness.hard.draws import WIDE, Draw, Operands, Source, widely

ULP = 1 << 128
"""Fixed point: an integer n stands for n / ULP units in the last place."""


def halfway(operation: str, draw: Draw, *rest: Draw) -> Source:
    """Move the first operand to where the result is close to halfway."""

    def source(random: Random) -> Operands:
        x, others = draw(random), tuple(other(random) for other in rest)
        exact = [mpfr(other) for other in others]
        return near_halfway(lambda x: widely(operation, mpfr(x), *exact), x), *others

    return source


def near_halfway(function: Callable[[float], Any], x: float) -> float:
    """Find a double from x on whose image is close to halfway between two doubles.

    k doubles after x the image is, in ulps, a + b k but for a bend of c k**2 / 2. The first k that
    brings this within 2**-w of a half solves a linear congruence; w grows until the bend counts.
    """
    size = ulp(float(function(x)))
    if not isfinite(size):
        return x
    unit = WIDE.div_2exp(mpfr(size), 128)
    first, second, third = (int(WIDE.div(function(x + k * ulp(x)), unit)) for k in range(3))
    slope, bend = second - first, abs(third - 2 * second + first)
    best = x
    for width in range(8, 64, 4):
        window = ULP >> width
        low, high = (ULP // 2 - first - window) % ULP, (ULP // 2 - first + window) % ULP
        k = first_multiple(slope % ULP, ULP, low, high) if low <= high else 0
        if k is None or k >= 1 << 52 or bend * k * k > 2 * window:
            break
        best = x + k * ulp(x)
    return best


def first_multiple(pace: int, modulus: int, low: int, high: int) -> int | None:
    """Find the least k >= 0 with low <= k * pace mod modulus <= high, as Euclid would."""
    if low == 0:
        return 0
    if pace == 0:
        return None
    if 2 * pace > modulus:  # walk backwards
        pace, low, high = modulus - pace, modulus - high, modulus - low
    k = -(-low // pace)
    if k * pace <= high:
        return k
    # On the first lap with a multiple inside, lap * modulus mod pace is in a window, too.
    lap = first_multiple(modulus % pace, pace, -high % pace, -low % pace)
    return None if lap is None else -(-(low + lap * modulus) // pace)


def from_halfway(operation: str, operands: Operands) -> float:
    """Measure how far a result is from halfway between two doubles: log2 of that part of an ulp."""
    value = widely(operation, *map(mpfr, operands))
    size = ulp(float(value))
    if not isfinite(size):
        return 0.0
    ulps = WIDE.div(value, mpfr(size))
    off = WIDE.sub(WIDE.sub(ulps, WIDE.floor(ulps)), mpfr(0.5))
    return float(gmpy2.log2(WIDE.abs(off)))  # -inf for a tie
