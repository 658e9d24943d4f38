"""Integers -> the tables and constants of the quick steps, as pairs of doubles.

A pair is a short high half, so that products with it are exact, and a low half, which is the rest
rounded to a double. The integers are those of `exact` with 128 bits after the point. At
most 513 steps of less than 2**29 units each leave them off by less than 2**39 units, or 2**-89.

A table is empty until its first use, which takes about a millisecond. Threads that fill one at the
same time write the same rows.
"""

from math import ldexp

from engine_py.numerics.exact import exp_fixed, ln2, twice_atanh

Q = 128
ONE = 1 << Q

EXP: list[tuple[float, float]] = []
"""2**(j/256) for j in 0..255; the high half has 25 bits after the point."""

LOG: list[tuple[float, float, float]] = []
"""For j in 512..1024 r, near 1024/j with 12 bits after the point, and -ln r,
whose high half has 42."""

TANH: list[tuple[float, float, float, float]] = []
"""T = tanh(j/128) for j in 0..512, 53 bits after the point, and D = 1 - T**2, 26 bits."""


def pair(n: int, bits: int) -> tuple[float, float]:
    """Split n * 2**-128 into a multiple of 2**-bits and the rest."""
    high = n + (1 << Q - bits - 1) >> Q - bits
    return ldexp(high, -bits), (n - (high << Q - bits)) / ONE


LN2_HIGH, LN2_LOW = pair(ln2(Q), 42)
STEP_HIGH, STEP_LOW = pair(ln2(Q) >> 8, 42)
"""ln 2 / 256, the step of EXP: 34 bits, and the rest, below 2**-43."""
STEPS = 256 * ONE / ln2(Q)
"""256 / ln 2: steps in a unit."""


def fill_exp() -> None:
    """Make EXP by products with 2**(1/256)."""
    factor, power, rows = exp_fixed(ln2(Q) >> 8, Q)[0], ONE, []
    for _ in range(256):
        rows.append(pair(power, 25))
        power = power * factor >> Q
    EXP[:] = rows


def fill_log() -> None:
    """Make LOG downwards: ln r is the one before it and ln(r / the r before it)."""
    total, last, rows = 0, 4096, []
    for j in range(1024, 511, -1):
        n = (2 * 4096 * 1024 + j) // (2 * j)
        total -= twice_atanh(n - last, n + last, Q)
        last = n
        rows.append((n / 4096, *pair(total, 42)))
    LOG[:] = rows[::-1]


def fill_tanh() -> None:
    """Make TANH of powers of e**(2/128): tanh t = (e**2t - 1) / (e**2t + 1)."""
    factor, power, rows = exp_fixed(ONE >> 6, Q)[0], ONE, []
    for _ in range(513):
        t = (power - ONE << Q) // (power + ONE)
        rows.append((*pair(t, 53), *pair(ONE - (t * t >> Q), 26)))
        power = power * factor >> Q
    TANH[:] = rows
