"""The double nearest to the exact value: sin, cos.

A quick step up to 200, and integers beyond or if that does not decide, as in `elementary` and
`exact`; u is 2**-53 here, too. Integers subtract multiples of pi / 2 exactly enough for every
double: with 1,100 bits more than the recipe needs. The loop of `nearest` ends, as the sine and the
cosine of a double other than 0 are transcendental.
"""

from functools import cache

from engine_py.numerics.exact import ERROR, TINY, fixed, nearest, shifted
from engine_py.numerics.quick import BITS_0, BITS_26, EIGHT_U, ONE, Pair, Q, pair

QUARTER = 256
"""Steps in pi / 2."""
TURN = 4 * QUARTER
WAVE_ERROR = 2.0**-67
WAVE_LEAST = 2.0**-75

WAVE: list[tuple[float, float]] = []
"""sin(j pi / 512) for j in 0..1023; the high half has 52 bits after the point. Empty until its
first use, as the other tables are."""


def sin(x: float) -> float:
    """Sine of a finite x."""
    size = -x if x < 0.0 else x
    if size < TINY:  # x - x**3/6 lies nearer to x than to any other double
        return x
    if size >= 200.0:
        return exact_wave(x, 0)
    high, low, error = sin_pair_near_0(x) if size < 0.015625 else wave_pair(x, 0)
    rounded = high + (low + error)
    return rounded if rounded == high + (low - error) else exact_wave(x, 0)


def cos(x: float) -> float:
    """Cosine of a finite x."""
    size = -x if x < 0.0 else x
    if size < TINY:  # 1 - x**2/2 lies nearer to 1
        return 1.0
    if size >= 200.0:
        return exact_wave(x, 1)
    high, low, error = wave_pair(x, QUARTER)
    rounded = high + (low + error)
    return rounded if rounded == high + (low - error) else exact_wave(x, 1)


def wave_pair(x: float, ahead: int) -> Pair:
    """sin(x + ahead * pi / 512) for |x| < 200.

    x = steps * pi / 512 + t, |t| < 2**-8.34 and |steps| < 2**15. With S and C, the sine and cosine
    of the steps, the value is S + S w + C (t + v), where w = cos t - 1 and v = sin t - t. Exact:
    steps * STEP_HIGH (15 + 38 bits), r, c_high * r_high (27 + 18 bits), and high, a multiple of
    2**-52 below 2. t = r - less is s up to one rounding. The errors:
        w < 2**-17.6, rounded five times, and its product with S        2**-67.8 |S|
        three sums of S w, with the test                                2**-69.1 |S|
        v < 2**-27.6, rounded eight times                               2**-77.6
        less < 2**-31, and seven sums and products below 2**-26         2**-76.6
        s**8 / 40320, s**9 / 362880 and later terms left out            2**-82 |S|, 2**-93
    In all less than 2**-67.3 |S| + 2**-75.9.
    """
    if not WAVE:
        fill_wave()
    steps = (x * STEPS + BITS_0) - BITS_0
    r = x - steps * STEP_HIGH
    less = steps * STEP_LOW
    s = r - less
    q = s * s
    w = q * (q * (1 / 24 - q * (1 / 720)) - 0.5)
    v = s * q * (q * (1 / 120 - q * (1 / 5040)) - 1 / 6)
    j = int(steps) + ahead
    s_high, s_low = WAVE[j & TURN - 1]
    cosine, c_low = WAVE[j + QUARTER & TURN - 1]
    c_high = (cosine + BITS_26) - BITS_26
    c_low += cosine - c_high
    r_high = (r + BITS_26) - BITS_26
    high = s_high + c_high * r_high
    low = s_low + ((s_high + s_low) * w + (c_low * (s + v) + c_high * ((r - r_high) + (v - less))))
    return high, low, WAVE_ERROR * abs(s_high) + WAVE_LEAST


def sin_pair_near_0(x: float) -> Pair:
    """Sine for 2**-28 <= |x| < 2**-6: x - x**3 / 6 + ...

    Six roundings, one of them in the test; the terms left out are 2**-70 of low: less than 8 u
    |low|.
    """
    q = x * x
    low = x * q * (q * (1 / 120 - q * (1 / 5040 - q * (1 / 362880))) - 1 / 6)
    return x, low, EIGHT_U * low


# By integers


def exact_wave(x: float, ahead: int) -> float:
    """sin(x + ahead * pi / 2) for a finite x, |x| >= 2**-28."""

    def recipe(q: int) -> tuple[int, int, int]:
        quarters, r = _reduced(abs(x), q)
        quarters += ahead
        n = sin_fixed(r, q) if quarters % 2 == 0 else cos_fixed(r, q)
        return (n if quarters % 4 < 2 else -n), ERROR, -q

    return -nearest(recipe) if x < 0.0 and ahead == 0 else nearest(recipe)


def _reduced(x: float, q: int) -> tuple[int, int]:
    """(j, r) with x = j pi / 2 + r and |r| <= pi / 4 for x > 0. r is off by less than 3 units.

    j < 2**1024 multiplies the error of pi / 2, less than 2**16 of the smaller units; j < 2**32
    needs fewer of those.
    """
    p = q + (64 if x < 2.0**32 else 1100)
    y, quarter = fixed(x, p), half_pi(p)
    j = (2 * y + quarter) // (2 * quarter)
    return j, y - j * quarter >> p - q


def sin_fixed(r: int, q: int) -> int:
    """sin r for |r| < 1. Off by less than q units, plus the error of r."""
    return _series(r, 2, r, q)


def cos_fixed(r: int, q: int) -> int:
    """cos r for |r| < 1. Off by less than q units, plus the error of r."""
    return _series(shifted(1, q), 1, r, q)


def _series(first: int, i: int, r: int, q: int) -> int:
    """first - first r**2 / (i (i + 1)) + ... Each of at most q/4 + 4 terms is off by two units."""
    square, total, term = r * r >> q, first, first
    while term:
        term = -(term * square >> q) // (i * (i + 1))
        total += term
        i += 2
    return total


@cache
def half_pi(q: int) -> int:
    """pi / 2 = 8 arctan(1/5) - 2 arctan(1/239) (J. Machin). Off by less than 10q < 2**16 units."""
    return 8 * _arctan(5, q) - 2 * _arctan(239, q)


def _arctan(n: int, q: int) -> int:
    """arctan(1/n) for n >= 5. Each of at most q/4 + 1 terms is off by less than 3 units."""
    z, total, k = shifted(1, q) // n, 0, 1
    while z:
        total += z // k if k % 4 == 1 else -(z // k)
        z, k = z // (n * n), k + 2
    return total


# The table and its constants

STEP_HIGH, STEP_LOW = pair(half_pi(Q) >> 8, 45)
"""pi / 512, the step of WAVE: 38 bits, and the rest, below 2**-46."""
STEPS = QUARTER * ONE / half_pi(Q)
"""512 / pi: steps in a unit."""


def fill_wave() -> None:
    """Make WAVE by turning a step at a time."""
    step = half_pi(Q) >> 8
    sine, cosine = sin_fixed(step, Q), cos_fixed(step, Q)
    s, c, rows = 0, ONE, []
    for _ in range(TURN):
        rows.append(pair(s, 52))
        s, c = s * cosine + c * sine >> Q, c * cosine - s * sine >> Q
    WAVE[:] = rows
