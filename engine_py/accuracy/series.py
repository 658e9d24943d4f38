"""exp, log and the constants in fixed point: an integer n stands for n * 2**-q.

A *unit* is 2**-q. `>>` and `//` round down, so each of them costs at most one unit.
"""

from math import isqrt

from engine_py.numerics import exact, wave
from engine_py.numerics.exact import twice_atanh

GUARD = 24
"""Bits by which a constant is computed more precisely than it is asked for."""
SHORT = 320
"""Bits up to which a logarithm is its series, and beyond which it is a correction to a shorter."""


def ln2(q: int) -> int:
    """ln 2. The series is off by 4g < 2**17 of the smaller units; with the shift less than 2."""
    g = _kept(q)
    return exact.ln2(g) >> (g - q)


def half_pi(q: int) -> int:
    """pi / 2. The series is off by 10g < 2**19 of the smaller units; with the shift less than 2."""
    g = _kept(q)
    return wave.half_pi(g) >> (g - q)


def _kept(q: int) -> int:
    """Few precisions are kept: 256, 512, 1024, ..., of which no more than 2**15 is asked for."""
    return 1 << max(8, (q + GUARD - 1).bit_length())


def exp_fixed(y: int, q: int) -> tuple[int, int]:
    """(n, k) with e**y = n * 2**k, n in [1, 2) up to the error. Off by less than 2 units.

    y = k ln 2 + r, and e**r by s squarings of e**(r / 2**s). With |y| < 2**w, |k| < 2**(w + 1).
    In units of 2**-g: k ln 2 is off by 2**(w + 2), r / 2**s by 2**(w + 2 - s) + 1; the series has
    less than 2**11 terms, each off by less than 2: all less than 2**12 + 2**(w + 3 - s) + 2. A
    squaring doubles the relative error and adds a unit: 2**(s + 14) + 2**(w + 5) in the end, which
    is less than a unit of 2**-q.
    """
    w = max(0, y.bit_length() - q)
    s = isqrt(q) // 2 + 2
    g = q + s + w + 16
    k, r = divmod(y << (g - q), ln2(g))
    r >>= s
    total = term = 1 << g
    i = 1
    while term:
        term = (term * r >> g) // i
        total += term
        i += 1
    for _ in range(s):
        total = total * total >> g
    return total >> (g - q), k


def log_fixed(n: int, q: int) -> int:
    """ln n for n from 2/3 to 4/3. Off by less than 3 units.

    ln n = y + ln(n e**-y) for any y; a y of a third of the bits leaves a short series. n e**-y is
    off by less than 5 of the smaller units, its logarithm by 4g < 2**16 - 5:
    less than one unit.
    """
    g = q + 16
    one = 1 << q
    if q <= SHORT:
        return twice_atanh(n - one, n + one, g) >> 16
    w = q // 3 + 16
    y = log_fixed(n >> (q - w), w) << (q - w)
    m, k = exp_fixed(-y << 16, g)
    m = m << k if k >= 0 else m >> -k
    rest = (n * m >> q) - (1 << g)
    return y + (twice_atanh(rest, (2 << g) + rest, g) >> 16)
