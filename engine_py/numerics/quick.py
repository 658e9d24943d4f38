"""A double -> the function's value as an unrounded pair, with a bound of its error.

A value near a table's argument is a table entry times or plus something short, which is exact, and
terms at least 2**-16 smaller, which alone are rounded: the pair has at least 61 good bits. Only
+ - * / and scalings by powers of two are used, so the pairs have the same bits in every language.

In the derivations u = 2**-53: one rounding costs at most u times its result. *Exact* is what needs
at most 53 bits. The caller adds the error to the low half and subtracts it, which costs another
u * |low|, and is counted in each bound.
"""

from math import frexp, ldexp

from engine_py.numerics.exact import exp_fixed, ln2, shifted, twice_atanh

# Adding and subtracting BITS_n rounds to n bits after the point.
BITS_0 = 1.5 * 2.0**52
BITS_26 = 1.5 * 2.0**26
BITS_30 = 1.5 * 2.0**22

EXP_ERROR = 2.0**-66
LOG_ERROR = 2.0**-70
TANH_ERROR = 2.0**-64
FOUR_U = 2.0**-51
EIGHT_U = 2.0**-50

Pair = tuple[float, float, float]
"""high, low and the error: the value is in (high + low - |error|, high + low + |error|)."""

# The tables and constants of the quick steps, as pairs of doubles: a short high half, so that
# products with it are exact, and a low half, which is the rest rounded to a double. They are made
# of the integers of `exact` with 128 bits after the point. At most 513 steps of less than 2**29
# units each leave them off by less than 2**39 units, or 2**-89.
#
# A table is empty until its first use, which takes about a millisecond. Threads that fill one at
# the same time write the same rows.

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
    high = (n >> Q - bits - 1) + 1 >> 1
    return ldexp(high, -bits), (n - shifted(high, Q - bits)) / ONE


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


# The functions


def exp_pair(y: float, rest: float) -> tuple[float, float, int]:
    """(high, low, k): e**(y + rest) is (high + low) * 2**k up to EXP_ERROR * high.

    For -708 < y < 709 and |rest| < 2**-15.4. y = steps * ln 2 / 256 + r with |steps| < 2**18;
    steps * STEP_HIGH (18 + 34 bits) and r are exact. s = r - steps * STEP_LOW + rest is below
    2**-9.5, and e**s = 1 + s + q. Exact again: r_high (17 bits), t_high * r_high (26 + 17), and
    high, a multiple of 2**-51 below 4. The errors, as parts of the result:
        s**6 / 720 and later terms left out                                    2**-66.4
        q < 2**-20: 4 u q; the three sums of it, product and test: 6 u q       2**-69.6
        STEP_LOW, the table's low half, t_low * (s + q)                        2**-75
        rest in three sums, the product and the test                           5 u |rest|
    In all less than 2**-66.1 without a rest, and 2**-65.1 with the largest.
    """
    if not EXP:
        fill_exp()
    steps = (y * STEPS + BITS_0) - BITS_0
    r = y - steps * STEP_HIGH
    less = steps * STEP_LOW - rest
    s = r - less
    q = s * s * (0.5 + s * (1 / 6 + s * (1 / 24 + s * (1 / 120))))
    r_high = (r + BITS_26) - BITS_26
    j = int(steps)
    t_high, t_low = EXP[j & 255]
    high = t_high + t_high * r_high
    return high, t_low + (t_low * (s + q) + t_high * ((r - r_high) + (q - less))), j >> 8


def log_pair(x: float) -> Pair:
    """Natural logarithm of a finite x > 0.

    x = m * 2**k and z = m r - 1, |z| < 1.13 * 2**-10, so that ln x = k ln 2 - ln r + ln(1 + z).
    Exact: m_high * r (31 + 14 bits), z_high, (m - m_high) * r, and high, a multiple of 2**-42
    below 2**10. ln(1 + z) = z - square / 2 + ... The errors:
        z is rounded: u |z|, times the slope |z|                               u square
        square, the bracket, their product, the last sum and the test     2.5 u square
        what follows in the bracket, rounded                             2**-7 u square
        z**7 / 7 and later terms left out                              z**5 / 7 square
        k * LN2_LOW, the table's low half, and their sums                         2**-81
    In all less than 2**-70.1.
    """
    if 0.99951171875 <= x < 1.0009765625:  # 1 - 2**-11, 1 + 2**-10
        return log1p_pair_near_0(x - 1.0)  # the difference is exact
    if not LOG:
        fill_log()
    m, k = frexp(x)
    r, t_high, t_low = LOG[int(m * 1024.0 + 0.5) - 512]
    m_high = (m + BITS_30) - BITS_30
    z_high = m_high * r - 1.0
    z_low = (m - m_high) * r
    z = z_high + z_low
    rest = z * z * (z * (1 / 3 + z * (-0.25 + z * (0.2 + z * (-1 / 6)))) - 0.5)
    return (k * LN2_HIGH + t_high) + z_high, z_low + (k * LN2_LOW + t_low) + rest, LOG_ERROR


def log1p_pair_near_0(z: float) -> Pair:
    """ln(1 + z) for -2**-11 <= z < 2**-10: no table.

    The errors are those above without the first and the last line: less than 3.7 u square.
    """
    square = z * z
    return z, square * (z * (1 / 3 + z * (-0.25 + z * (0.2 + z * (-1 / 6)))) - 0.5), FOUR_U * square


def tanh_pair(x: float) -> Pair:
    """Hyperbolic tangent for 1/32 <= x < 4.

    With t = j/128 and |r| <= 2**-8, tanh(t + r) = T + D t_r / (1 + T t_r) = T + D (r + rest), where
    tanh r = t_r = r + v, w = T t_r, and rest = v - w t_r / (1 + w) is below T 2**-16 + 2**-25.5.
    Exact: r (49 bits), d_high * r_high (27 + 18 bits), and high, a multiple of 2**-53 below 1. The
    errors:
        rest, rounded at most seven times, three sums, the product and the test   12 u |rest|
        r**9 * 62 / 2835 and later terms left out                                 2**-77
        d_low * (r + rest), the table's low halves                                2**-86
    In all less than 2**-65.2 of T, as T > 2**-5.01, and less than 2**-65 of high > 0.9 T.
    """
    if not TANH:
        fill_tanh()
    j = int(x * 128.0 + 0.5)
    r = x - j * 0.0078125
    t_high, t_low, d_high, d_low = TANH[j]
    square = r * r
    v = r * square * (-1 / 3 + square * (2 / 15 - square * (17 / 315)))
    t_r = r + v
    w = t_high * t_r
    rest = v - w * t_r / (1.0 + w)
    r_high = (r + BITS_26) - BITS_26
    high = t_high + d_high * r_high
    return high, t_low + (d_low * (r + rest) + d_high * ((r - r_high) + rest)), TANH_ERROR * high


def tanh_pair_near_0(x: float) -> Pair:
    """Hyperbolic tangent for 2**-28 <= x < 1/32: x - x**3 / 3 + ...

    Six roundings, one of them in the test; the terms left out are 2**-56 of low: less than 8 u
    |low|.
    """
    q = x * x
    low = x * q * (-1 / 3 + q * (2 / 15 + q * (-17 / 315 + q * (62 / 2835 - q * (1382 / 155925)))))
    return x, low, EIGHT_U * low


def tanh_pair_near_1(x: float) -> Pair:
    """Hyperbolic tangent for 4 <= x <= 20: 1 - q with q = 2 / (e**2x + 1) < 2**-10.5.

    q is rounded three times, the rest is exact: less than 4 u q.
    """
    high, low, k = exp_pair(x + x, 0.0)
    q = 2.0 / (ldexp(high + low, k) + 1.0)
    high = 1.0 - q
    return high, (1.0 - high) - q, FOUR_U * q
