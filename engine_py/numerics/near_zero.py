"""The double nearest to the exact value: log1p, expm1 and atan, which are near x for a small x.

A quick step, and integers if that does not decide, as in `elementary` and `exact`; u is 2**-53
here, too. The loop of `nearest` ends, as these functions of a double other than 0 are
transcendental.
"""

from math import inf, isqrt, ldexp

from engine_py.numerics.elementary import SPLIT, product
from engine_py.numerics.exact import (
    ERROR,
    TINY,
    exp_fixed,
    fixed,
    log_fixed,
    nearest,
    shifted,
    twice_atanh,
)
from engine_py.numerics.quick import (
    BITS_30,
    EIGHT_U,
    EXP_ERROR,
    ONE,
    Pair,
    Q,
    exp_pair,
    log1p_pair_near_0,
    log_pair,
    pair,
)
from engine_py.numerics.wave import half_pi

LEAST = 2.0**-54
"""Below this, log1p and expm1 (x -+ x**2 / 2) lie nearer to x than to any other double."""
SMALL_BITS = 54
"""Leading zeros of an operand that is not below LEAST."""
REST_ERROR = 2.0**-100
ATAN_ERROR = 2.0**-48
ATAN_LEAST = 2.0**-80
ATAN_FROM = 2.0**-8
"""From here on, the arctangent needs the table."""
STEPS = 128
"""Entries of ATAN in a unit."""
LARGE = 2.0**53
"""From here on, pi / 2 - 1 / x lies nearest to the double next to pi / 2."""

ATAN: list[tuple[float, float]] = []
"""atan(j/128) for j in 0..128; the high half has 52 bits after the point. Empty until its first
use, as the other tables are."""


def log1p(x: float) -> float:
    """ln(1 + x) for a finite x > -1."""
    if -LEAST < x < LEAST:
        return x
    high, low, error = log1p_pair(x)
    rounded = high + (low + error)
    return rounded if rounded == high + (low - error) else exact_log1p(x)


def expm1(x: float) -> float:
    """e**x - 1 for a finite x; infinity beyond the largest double."""
    if -LEAST < x < LEAST:
        return x
    if not -40.0 < x < 709.0:
        return exact_expm1(x)
    high, low, error = expm1_pair_near_0(x) if -0.0625 < x < 0.0625 else expm1_pair(x)
    rounded = high + (low + error)
    return rounded if rounded == high + (low - error) else exact_expm1(x)


def atan(x: float) -> float:
    """Arctangent of a finite x, in radians."""
    size = abs(x)
    if size < TINY:  # x - x**3/3 lies nearer to x than to any other double
        return x
    if size >= LARGE:
        return HALF_PI_HIGH if x > 0.0 else -HALF_PI_HIGH
    if size < ATAN_FROM:
        high, low, error = atan_pair_near_0(size)
    else:
        high, low, error = atan_pair(size) if size <= 1.0 else atan_pair_above_1(size)
    rounded = high + (low + error)
    if rounded != high + (low - error):
        return exact_atan(x)
    return rounded if x > 0.0 else -rounded


def log1p_pair(x: float) -> Pair:
    """ln(1 + x) for x > -1 that is not below LEAST.

    It is ln d + d_low / d, d being the double next to 1 + x, and (d_low / d)**2 < 2**-106 left out.
    The errors are that of the logarithm and that of the sum of the low halves, as in
    `softplus_pair`: at most a quarter of the logarithm's error.
    """
    if -0.00048828125 <= x < 0.0009765625:  # -2**-11, 2**-10
        return log1p_pair_near_0(x)
    d = 1.0 + x
    high, low, error = log_pair(d)
    d_low = x - (d - 1.0) if x < 1.0 else 1.0 - (d - x)
    return high, low + d_low / d, 1.25 * error


def expm1_pair(x: float) -> Pair:
    """E - 1, E being e**x, for -40 < x < 709 and |x| >= 1/16.

    E is off by 2**-66.1 of itself. Both differences and the halves of E are exact, and the sum of
    the rests, below 2**-19 E and 2**-53, is rounded.
    """
    high, low, k = exp_pair(x, 0.0)
    e, e_low = ldexp(high, k), ldexp(low, k)
    total = e - 1.0
    rest = (e - total) - 1.0 if e > 1.0 else e - (total + 1.0)
    return total, rest + e_low, EXP_ERROR * e + REST_ERROR


def expm1_pair_near_0(x: float) -> Pair:
    """e**x - 1 for LEAST <= |x| < 1/16: x + x**2 / 2 + rest.

    The sum and the square are exact, as two doubles each. The rest is rounded six times, the low
    halves three times, less than 2 u |x| each; x**12 / 12! and later terms are left out.
    """
    square, square_low = product(x, x)
    high = x + 0.5 * square
    low = (0.5 * square - (high - x)) + 0.5 * square_low
    series = 1 / 5040 + x * (1 / 40320 + x * (1 / 362880 + x * (1 / 3628800 + x * (1 / 39916800))))
    rest = square * x * (1 / 6 + x * (1 / 24 + x * (1 / 120 + x * (1 / 720 + x * series))))
    return high, low + rest, EIGHT_U * abs(rest) + REST_ERROR * abs(x)


def atan_pair_near_0(x: float) -> Pair:
    """Arctangent for 2**-28 <= x < 2**-8.

    Six roundings, one of them in the test: less than 8 u |low|.
    """
    low = atan_rest(x)
    return x, low, EIGHT_U * low


def atan_pair(x: float) -> Pair:
    """Arctangent for 2**-8 <= x <= 1: that of t = j/128 and of r = (x - t) / (1 + t x)."""
    if not ATAN:
        fill_atan()
    j = int(x * STEPS + 0.5)
    t = j / STEPS
    scaled = SPLIT * x
    x_high = scaled - (scaled - x)
    more, more_low = t * x_high, t * (x - x_high)
    bottom = 1.0 + (more + more_low)
    scaled = SPLIT * bottom
    bottom_high = scaled - (scaled - bottom)
    bottom_low = ((1.0 - bottom_high) + more) + more_low
    return atan_sum(ATAN[j], x - t, bottom, bottom_high, bottom_low)


def atan_pair_above_1(x: float) -> Pair:
    """Arctangent for 1 < x < 2**53: pi / 2 - atan t + atan r, r being (t x - 1) / (x + t)."""
    if not ATAN:
        fill_atan()
    j = int(1.0 / x * STEPS + 0.5)
    t = j / STEPS
    high, low = ATAN[j]
    base = HALF_PI_HIGH - high, HALF_PI_LOW - low
    scaled = SPLIT * x
    x_high = scaled - (scaled - x)
    top = (t * x_high - 1.0) + t * (x - x_high)
    bottom = x + t
    scaled = SPLIT * bottom
    bottom_high = scaled - (scaled - bottom)
    return atan_sum(base, top, bottom, bottom_high, (x - bottom_high) + t)


def atan_sum(
    base: tuple[float, float], top: float, bottom: float, bottom_high: float, bottom_low: float
) -> Pair:
    """The two halves of base + the arctangent of r = top / bottom, |r| < 2**-7.9.

    Exact: top, bottom as two halves, r_high * bottom_high (23 + 26 bits), its difference from top,
    and high, a multiple of 2**-52 below 2. The errors:
        r is rounded four times, which is cubed in rest                     12 u |rest|
        rest is rounded four times more, and in two sums and the test        8 u |rest|
        r_low < 2**-30.9, rounded five times, and in two sums and the test   2**-80.9
        the table's low half, and terms left out                             2**-90
    """
    inverse = 1.0 / bottom
    r = top * inverse
    r_high = (r + BITS_30) - BITS_30
    r_low = ((top - r_high * bottom_high) - r_high * bottom_low) * inverse
    rest = atan_rest(r)
    return base[0] + r_high, (base[1] + r_low) + rest, ATAN_ERROR * abs(rest) + ATAN_LEAST


def atan_rest(r: float) -> float:
    """Atan r - r for |r| < 2**-7.9; r**11 / 11 and later terms, 2**-64 of it, are left out."""
    q = r * r
    return r * q * (q * (1 / 5 - q * (1 / 7 - q * (1 / 9))) - 1 / 3)


# By integers


def exact_log1p(x: float) -> float:
    """ln(1 + x) for a finite x > -1, |x| >= 2**-54."""
    n, d = x.as_integer_ratio()

    def recipe(q: int) -> tuple[int, int, int]:
        # Up to 1/2, 2 atanh(x / (2 + x)), and else the logarithm of an exact sum.
        if abs(x) <= 0.5:
            q += SMALL_BITS
            return twice_atanh(n, 2 * d + n, q), ERROR, -q
        return log_fixed(n + d, 1 - d.bit_length(), q), ERROR, -q

    return nearest(recipe)


def exact_expm1(x: float) -> float:
    """e**x - 1 for a finite x, |x| >= 2**-54; infinity beyond the largest double."""
    if x > 710.0:  # e**709.79 is beyond the largest double
        return inf
    if x < -40.0:  # -1 + e**-40 lies nearer to -1 than to any other double
        return -1.0

    def recipe(q: int) -> tuple[int, int, int]:
        # e**x = n * 2**k is off by less than 2**29 * 2**k units.
        q += SMALL_BITS
        n, k = exp_fixed(fixed(x, q), q)
        return n - shifted(1, q - k), ERROR, k - q

    return nearest(recipe)


def exact_atan(x: float) -> float:
    """Arctangent of a finite x, |x| >= 2**-28."""
    n, d = abs(x).as_integer_ratio()

    def recipe(q: int) -> tuple[int, int, int]:
        q += 32
        if n <= d:
            value = atan_fixed(shifted(n, q) // d, q)
        else:
            value = half_pi(q) - atan_fixed(shifted(d, q) // n, q)
        return value if x > 0.0 else -value, ERROR, -q

    return nearest(recipe)


def atan_fixed(z: int, q: int) -> int:
    """Arctangent of z for |z| < 2. Off by less than 16 q + 128 units, plus the error of z.

    atan z = 2 atan(z / (1 + sqrt(1 + z**2))), three times: z is then below 1/7, and off by three
    units each time.
    """
    one = shifted(1, q)
    for _ in range(3):
        z = shifted(z, q) // (one + isqrt(shifted(one, q) + z * z))
    return 8 * atan_series(z, q)


def atan_series(z: int, q: int) -> int:
    """Arctangent of z for |z| < 1/4: z - z**3 / 3 + ...

    Each of at most q/4 + 2 terms is off by three units.
    """
    square, total, k = -(z * z >> q), 0, 1
    while z not in {0, -1}:
        total += z // k
        z, k = z * square >> q, k + 2
    return total


# The table and its constants

HALF_PI_HIGH, HALF_PI_LOW = pair(half_pi(Q), 52)


def fill_atan() -> None:
    """Make ATAN upwards: atan(j/128) less the one before is atan(128 / (128**2 + j (j - 1)))."""
    total, rows = 0, [(0.0, 0.0)]
    for j in range(1, STEPS + 1):
        total += atan_series(STEPS * ONE // (STEPS * STEPS + j * (j - 1)), Q)
        rows.append(pair(total, 52))
    ATAN[:] = rows
