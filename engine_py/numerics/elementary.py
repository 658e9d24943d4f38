"""The double nearest to the exact value: exp, log, tanh, power, sqrt.

A quick step gives the value as a pair, high + low, with a bound of its error. Rounding is
monotone, so if high + (low - error) and high + (low + error) round to the same double, the value
rounds to it, too (A. Ziv, 1991; see `exact`). Otherwise, less than once in a thousand times,
integers decide. They are the definition, and decide alone if results overflow, are subnormal or
trivial.
"""

from math import ldexp
from math import sqrt as platform_root

from engine_py.numerics import exact
from engine_py.numerics.exact import TINY
from engine_py.numerics.quick import (
    BITS_0,
    BITS_26,
    EXP,
    EXP_ERROR,
    STEP_HIGH,
    STEP_LOW,
    STEPS,
    Pair,
    exp_pair,
    fill_exp,
    log_pair,
    tanh_pair,
    tanh_pair_near_0,
    tanh_pair_near_1,
)

SPLIT = 2.0**27 + 1.0
SHORT_ERROR = 2.0**-98
POWER_ERROR = 2.0**-64
NORMAL = 2.0**-1022
ALMOST_1 = 1.0 + 2.0**-20


def exp(x: float) -> float:
    """e**x for a finite x; infinity beyond the largest double."""
    if not -708.0 < x < 709.0:
        return exact.exp(x)
    # exp_pair(x, 0.0), written out: the call would take a seventh of the time.
    if not EXP:
        fill_exp()
    steps = (x * STEPS + BITS_0) - BITS_0
    r = x - steps * STEP_HIGH
    less = steps * STEP_LOW
    s = r - less
    q = s * s * (0.5 + s * (1 / 6 + s * (1 / 24 + s * (1 / 120))))
    r_high = (r + BITS_26) - BITS_26
    j = int(steps)
    t_high, t_low = EXP[j & 255]
    high = t_high + t_high * r_high
    low = t_low + (t_low * (s + q) + t_high * ((r - r_high) + (q - less)))
    error = EXP_ERROR * high
    rounded = high + (low + error)
    return ldexp(rounded, j >> 8) if rounded == high + (low - error) else exact.exp(x)


def log(x: float) -> float:
    """Natural logarithm of a finite x > 0."""
    high, low, error = log_pair(x)
    rounded = high + (low + error)
    return rounded if rounded == high + (low - error) else exact.log(x)


def tanh(x: float) -> float:
    """Hyperbolic tangent of a finite x."""
    size = -x if x < 0.0 else x
    if 0.03125 <= size < 4.0:
        high, low, error = tanh_pair(size)
    elif not TINY <= size <= 20.0:
        return exact.tanh(x)
    else:
        high, low, error = tanh_pair_near_0(size) if size < 1.0 else tanh_pair_near_1(size)
    rounded = high + (low + error)
    if rounded == high + (low - error):
        return rounded if x > 0.0 else -rounded
    return exact.tanh(x)


def power(x: float, c: float) -> float:
    """x**c for finite x and c, c being an integer where x < 0; infinity beyond the doubles."""
    if c == 2.0:  # the processor's product is rounded once, too
        return x * x
    if c == 0.5:
        return sqrt(x)
    size = -x if x < 0.0 else x
    if c in {3.0, 4.0} and 1e-60 < size < 1e60:
        high, low, error = _short_power(size, c)
        k = 0
    elif size in {0.0, 1.0} or c in {-1.0, 0.0, 1.0}:
        return exact.power(x, c)
    else:
        high, low, error = log_pair(size)
        total = high + low
        if not -708.0 < c * total < 709.0:
            return exact.power(x, c)
        # c ln x = y + rest. y is exact, as its factors have 26 bits each. |rest| < 2**-24.9 |y|,
        # and is rounded three times: less than 2**-67 in all.
        scaled = SPLIT * total
        total = scaled - (scaled - total)
        scaled = SPLIT * c
        c_high = scaled - (scaled - c)
        rest = (c - c_high) * total + c * ((high - total) + low)
        relative = POWER_ERROR + (c if c > 0.0 else -c) * error
        high, low, k = exp_pair(c_high * total, rest)
        error = relative * high
    rounded = high + (low + error)
    if rounded == high + (low - error):
        rounded = ldexp(rounded, k)
        return -rounded if x < 0.0 and c % 2.0 != 0.0 else rounded
    return exact.power(x, c)


def sqrt(x: float) -> float:
    """Square root of a finite x >= 0.

    No standard guarantees the last bit of the platform's root, so it is tested. Let the true root
    be root + d. x / root is root + 2d + d**2 / root: where that rounds to root, root + d does, too.
    Elsewhere d = (x - high**2) / (root + d + high) - (root - high) is computed without the d on the
    right, high being the leading 26 bits of root. The square and the differences are exact, so if
    root is off by an ulp, the quotient, below 2**-25 root, is off by less than 2**-76 root: 2**-22
    of the distance at which rounding leaves root. So if root + d (1 + 2**-20) rounds to root, the
    true root does, too. A root that is further off has a larger d, and fails.
    """
    if x >= NORMAL:  # high**2 would lose bits below
        root = platform_root(x)
        if x / root == root:  # half of all; each further step costs more here than in TypeScript
            return root
        scaled = SPLIT * root
        high = scaled - (scaled - root)
        d = (x - high * high) / (root + high) - (root - high)
        if root + ALMOST_1 * d == root:
            return root
    return exact.power(x, 0.5)


def _short_power(x: float, c: float) -> Pair:
    """x**3 and x**4 for 1e-60 < x < 1e60, where no product over- or underflows.

    With the rest of the square, below u square, x**3 is high + low + rest x, and x**4 is high +
    low + 2 square rest + rest**2. The errors, as parts of high:
        the product with rest, rounded       u**2, at c = 4 exactly twice that: 2 u**2
        its sum with low, below 3 u          2 u**2 at c = 3, 3 u**2 at c = 4
        rest**2, which is left out           u**2 at c = 4
    In all less than 6.1 u**2 = 2**-103.3, and 2 u**2 by the test's own sum: less than 2**-102.9.
    """
    square, rest = product(x, x)
    if c == 3.0:
        high, low = product(square, x)
        return high, low + rest * x, SHORT_ERROR * high
    high, low = product(square, square)
    return high, low + 2.0 * square * rest, SHORT_ERROR * high


def product(a: float, b: float) -> tuple[float, float]:
    """a * b exactly, rounded and the rest (T. J. Dekker, 1971)."""
    scaled = SPLIT * a
    a_high = scaled - (scaled - a)
    a_low = a - a_high
    scaled = SPLIT * b
    b_high = scaled - (scaled - b)
    b_low = b - b_high
    high = a * b
    return high, ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low
