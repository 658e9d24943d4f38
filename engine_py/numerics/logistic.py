"""The double nearest to the exact value: sigmoid, softplus.

A quick step, and integers if that does not decide, as in `elementary` and `exact`; u is
2**-53 here, too. Both steps compute E = e**-|x|, which never overflows.
"""

from math import ldexp

from engine_py.numerics.elementary import product
from engine_py.numerics.exact import ERROR, exp_fixed, fixed, nearest, shifted, twice_atanh
from engine_py.numerics.quick import EXP_ERROR, Pair, exp_pair, log_pair

SMALL = 2.0**-17
SOFTPLUS_ERROR = 2.0**-65


def sigmoid(x: float) -> float:
    """1 / (1 + e**-x) for a finite x."""
    if not -600.0 < x < 40.0:
        return exact_sigmoid(x)
    high, low, error = sigmoid_pair(x)
    rounded = high + (low + error)
    return rounded if rounded == high + (low - error) else exact_sigmoid(x)


def softplus(x: float) -> float:
    """ln(1 + e**x) for a finite x."""
    if not -600.0 < x < 40.0:
        return exact_softplus(x)
    high, low, error = softplus_pair(x)
    rounded = high + (low + error)
    return rounded if rounded == high + (low - error) else exact_softplus(x)


def sigmoid_pair(x: float) -> Pair:
    """1 / (1 + E) or E / (1 + E) for -600 < x < 40.

    With n and d, the double next to 1 + E, n - high * d is exact. Each low half is below 2 u of its
    high half, so all roundings after E together cost less than 2**-100 of the result. E is off by
    2**-66.1 of itself, and the result by no larger part.
    """
    e, e_low = _power_of_e(x)
    d = 1.0 + e
    d_low = (e - (d - 1.0)) + e_low
    n, n_low = (1.0, 0.0) if x > 0.0 else (e, e_low)
    high = n / d
    back, back_low = product(high, d)
    low = (((n - back) - back_low) + (n_low - high * d_low)) / d
    return high, low, EXP_ERROR * high


def softplus_pair(x: float) -> Pair:
    """ln(1 + E), and x on top of it where x > 0, for -600 < x < 40.

    For E < 2**-17 it is E - E**2 / 2 + ... The errors, as parts of E: E itself 2**-66.1, what
    follows it, rounded six times, 2**-68.4, E**5 / 5 and later terms 2**-70.3.
    Else it is ln d + d_low / d, d being the double next to 1 + E, and d_low**2 < 2**-106 left out.
    The errors are 2**-66.1 of E, that of the logarithm, and that of the sum of the low halves,
    which is below 2**-20, or z**2 / 2 next to 1: at most a quarter of the logarithm's error.
    Adding x costs u times that sum twice: less than 2**-71 of a result above 0.69.
    """
    e, e_low = _power_of_e(x)
    if e < SMALL:
        high, low = e, e_low - e * e * (0.5 - e * (1 / 3 - e * 0.25))
        error = SOFTPLUS_ERROR * e
    else:
        d = 1.0 + e
        high, low, error = log_pair(d)
        low += ((e - (d - 1.0)) + e_low) / d
        error = 1.25 * error + SOFTPLUS_ERROR * e
    if x > 0.0:
        total = x + high
        low += high - (total - x) if x > high else x - (total - high)
        high = total
        error += EXP_ERROR * total
    return high, low, error


def _power_of_e(x: float) -> tuple[float, float]:
    """e**-|x| for |x| < 600, as a double and the rest, which is below u times it."""
    high, low, k = exp_pair(-x if x > 0.0 else x, 0.0)
    e = high + low
    return ldexp(e, k), ldexp(low - (e - high), k)


# By integers


def exact_sigmoid(x: float) -> float:
    """1 / (1 + e**-x) for a finite x."""
    if x > 40.0:  # 1 - e**-40 lies nearer to 1 than to any other double
        return 1.0
    if x < -746.0:  # less than e**x, which is less than half of the smallest
        return 0.0

    def recipe(q: int) -> tuple[int, int, int]:
        # 1 / E = e**|x| = n * 2**k with n in [1, 2), off by less than 2**29 units. The result is
        # off by no larger part of itself, and is below 1, or 2**-k where x < 0.
        n, k = exp_fixed(fixed(abs(x), q), q)
        one = shifted(1, q)
        whole = shifted(n, k) + one
        part = shifted(n if x > 0.0 else one, k + q)
        return part // whole, ERROR, -q if x > 0.0 else -q - k

    return nearest(recipe)


def exact_softplus(x: float) -> float:
    """ln(1 + e**x) for a finite x."""
    if x > 40.0:  # x + e**-40 lies nearer to x than to any other double
        return x
    if x < -746.0:  # less than e**x, which is less than half of the smallest
        return 0.0

    def recipe(q: int) -> tuple[int, int, int]:
        # ln(1 + E) = 2 atanh(E / (2 + E)) = 2 atanh(1 / (2 / E + 1)), with k bits more, as it is
        # below 2**-k. 1 / E is as in the sigmoid, and its error only shrinks on the way.
        n, k = exp_fixed(fixed(abs(x), q), q)
        one = shifted(1, q)
        total = twice_atanh(one, shifted(n, k + 1) + one, q + k)
        return total + (fixed(x, q + k) if x > 0.0 else 0), ERROR, -q - k

    return nearest(recipe)
