"""The double nearest to the exact value: exp, log, tanh, power.

Each function gives `nearest` a recipe: called with q, the bits after the point, it returns integers
(n, error, e) that promise |true value - n * 2**e| <= error * 2**e. When both ends of that interval
round to one double, that double is the answer; otherwise the recipe is called again with twice the
bits (A. Ziv, "Fast evaluation of elementary mathematical functions with correctly rounded last
bit", 1991). The loop ends because an exact value is never halfway between two doubles: exp, log and
tanh of a double are transcendental except exp(0), log(1) and tanh(0), and `power` computes the
powers that can be halfway exactly. Integers alone are used, so the answer depends on no processor,
libm or language. No double is known to need q > 256; the bounds below hold for q <= 4096.

Fixed point: an integer n stands for n * 2**-q, and a *unit* is 2**-q. `shifted`, `>>` and `//`
round down, so each of them costs at most one unit.

An integer gets longer in `shifted` alone, which has a bound, or by the bits of a factor.
"""

from collections.abc import Callable
from functools import cache
from math import copysign, inf, isqrt, ldexp

Recipe = Callable[[int], tuple[int, int, int]]

ERROR = 1 << 40
"""Units. Above every bound derived in this file (the largest is 2**31; `power` adds its own), and
small compared with 2**128."""

TINY = 3.725290298461914e-09
"""2**-28."""

MAX_BITS = 1 << 21
"""Twice the largest precision used; 256 KiB of memory."""


class NoNumber(ArithmeticError):
    """No number. `reason` is "domain", "out_of_range", or "undecided": these bits are too few.

    `next_to_0` distinguishes a number out of range near 0 from a large one.
    """

    def __init__(self, reason: str, *, next_to_0: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.next_to_0 = reason, next_to_0


def shifted(n: int, by: int) -> int:
    """n * 2**by, rounded down.

    Raises:
        NoNumber: that would be MAX_BITS longer, so its result is undecided.
    """
    if by <= 0:
        return n >> -by
    if by > MAX_BITS:
        raise NoNumber("undecided")
    return n << by


def round_to_double(n: int, e: int) -> float:
    """Round n * 2**e once: nearest, ties to even, gradual underflow, overflow to infinity."""
    sign, magnitude = (-1.0 if n < 0 else 1.0), abs(n)
    top = magnitude.bit_length() + e  # |n * 2**e| is in [2**(top-1), 2**top)
    if n == 0 or top < -1074:
        return sign * 0.0
    if top > 1024:
        return sign * inf
    drop = max(top - 53, -1074) - e  # bits below the last bit of the double
    if drop > 0:
        kept, half = magnitude >> drop, shifted(1, drop - 1)
        rest = magnitude & (2 * half - 1)
        magnitude = kept + (rest > half or (rest == half and kept & 1))
        e += drop
    return sign * _scaled(magnitude, e)


def nearest(recipe: Recipe) -> float:
    """Call a recipe with more bits until its interval rounds to a single double."""
    q = 128
    while True:
        n, error, e = recipe(q)
        low, high = round_to_double(n - error, e), round_to_double(n + error, e)
        if low == high:
            return low
        q *= 2


def exp(x: float) -> float:
    """e**x for a finite x; infinity beyond the largest double."""
    if x > 710.0:  # e**709.79 is beyond the largest double
        return inf
    if x < -746.0:  # e**-745.14 is less than half of the smallest
        return 0.0

    def recipe(q: int) -> tuple[int, int, int]:
        n, k = exp_fixed(fixed(x, q), q)
        return n, ERROR, k - q

    return nearest(recipe)


def log(x: float) -> float:
    """Natural logarithm of a finite x > 0."""
    if x == 1.0:
        return 0.0
    n, e = _split(x)
    return nearest(lambda q: (log_fixed(n, e, q), ERROR, -q))


def tanh(x: float) -> float:
    """Hyperbolic tangent of a finite x."""
    if abs(x) < TINY:  # x - x**3/3 lies nearer to x than to any other double
        return x
    if abs(x) > 20.0:  # 1 - 2/e**40 lies nearer to 1
        return copysign(1.0, x)

    def recipe(q: int) -> tuple[int, int, int]:
        # tanh|x| = (E - 1) / (E + 1) with E = e**(2|x|) >= 2**k >= 1. E is off by less than
        # 2**29 * 2**k units and the slope is at most 2 / E**2: less than 2**30 units, and one more.
        n, k = exp_fixed(fixed(2.0 * abs(x), q), q)
        power_of_e, one = shifted(n, k), shifted(1, q)
        return shifted(power_of_e - one, q) // (power_of_e + one), ERROR, -q

    return copysign(nearest(recipe), x)


def power(x: float, c: float) -> float:
    """x**c for finite x and c, c being an integer where x < 0; infinity beyond the doubles."""
    if c == 0.0 or x == 1.0:
        return 1.0
    if c == 1.0:
        return x
    if x == 0.0:
        return 0.0 if c > 0.0 else inf
    if c == -1.0:  # the processor's quotient is rounded once, too
        return 1.0 / x
    negative = x < 0.0 and _split(c)[1] == 0  # an odd exponent keeps the sign
    return -_positive_power(-x, c) if negative else _positive_power(abs(x), c)


def _positive_power(x: float, c: float) -> float:
    """x**c for x > 0, c != 0, with x = n * 2**e and c = a * 2**f, n and a odd."""
    (n, e), (a, f) = _split(x), _split(c)
    while f < 0 and e % 2 == 0 and isqrt(n) ** 2 == n:  # x**c = sqrt(x)**(2c)
        n, e, f = isqrt(n), e // 2, f + 1
    if f >= 0:
        # A result that could be halfway, or a double, is a power of the odd n with at most 54 bits:
        # n is 1, or the exponent is at most 34 because 3**35 has 56. With a negative exponent and
        # n > 1, or with f < 0 here, the result is not a binary fraction at all.
        exponent = shifted(a, f)
        if n == 1:
            return round_to_double(1, e * exponent)
        if 0 <= exponent <= 34:
            return round_to_double(n**exponent, e * exponent)
    if abs(shifted(log_fixed(n, e, 128) * a, f)) >> 128 > 800:  # |c ln x| > 800: far outside
        return inf if (c > 0.0) == (x > 1.0) else 0.0

    def recipe(q: int) -> tuple[int, int, int]:
        # The logarithm is off by at most 2**26 units, so y is by at most |c| * 2**26 + 1, and e**y
        # (n in [1, 2)) by less than three times that, in addition to the error of `exp_fixed`.
        y = shifted(log_fixed(n, e, q) * a, f)
        m, k = exp_fixed(y, q)
        return m, ERROR + (shifted(abs(a), f) + 1 << 28), k - q

    return nearest(recipe)


# The two series


def twice_atanh(a: int, b: int, q: int) -> int:
    """2 atanh(a/b) = ln((b + a) / (b - a)) for |a/b| <= 1/3. Off by less than 4q units.

    Each of at most q/3 + 2 terms is off by less than 3 units: its z by 2, its quotient by 1. What
    is left out is less than one unit.
    """
    z = shifted(a, q) // b
    square, total, k = z * z >> q, 0, 1
    while z not in (0, -1):
        total += z // k
        z, k = z * square >> q, k + 2
    return 2 * total


@cache
def ln2(q: int) -> int:
    """ln 2, off by less than 4q <= 2**14 units."""
    return twice_atanh(1, 3, q)


def log_fixed(n: int, e: int, q: int) -> int:
    """ln(n * 2**e) for n > 0. Off by less than 4q + 1100 * 4q < 2**26 units."""
    k = (3 * n).bit_length() - 2  # n / 2**k is in [2/3, 4/3)
    one = shifted(1, k)
    return twice_atanh(n - one, n + one, q) + (k + e) * ln2(q)


def exp_fixed(y: int, q: int) -> tuple[int, int]:
    """(n, k) with e**y = n * 2**k, n in [1, 2) up to the error. |k| is at most 1200.

    y = k ln 2 + r, and e**r = (e**(r/256))**256 by eight squarings. r is off by k * 4q < 2**25
    units, so r/256 by 2**17 + 1; the series has at most q/8 + 1 terms, each off by less than 2
    units; a squaring doubles the relative error and adds a unit. In all less than
    2 * 256 * (2**17 + 1 + q/4 + 2 + 1) < 2**28 units, plus twice the error of y.
    """
    k, r = divmod(y, ln2(q))
    return exp_by_squarings(r, 8, q), k


def exp_by_squarings(r: int, s: int, q: int) -> int:
    """e**r for r >= 0, by s squarings of the series of e**(r / 2**s). The caller bounds the error.

    It rounds down: each term of the series twice, r and each square once.
    """
    r >>= s
    total = term = shifted(1, q)
    i = 1
    while term:
        term = (term * r >> q) // i
        total += term
        i += 1
    for _ in range(s):
        total = total * total >> q
    return total


# Doubles as integers


def _split(x: float) -> tuple[int, int]:
    """The finite x != 0 exactly, as n * 2**e with n odd."""
    n, denominator = x.as_integer_ratio()  # in lowest terms: n is odd or the denominator is 1
    zeros = (n & -n).bit_length() - 1
    return n >> zeros, zeros + 1 - denominator.bit_length()


def fixed(x: float, q: int) -> int:
    """X in units, rounded down."""
    n, denominator = x.as_integer_ratio()
    return shifted(n, q) // denominator


def _scaled(n: int, e: int) -> float:
    """n * 2**e where that is a double already (or infinity, by rounding up the largest)."""
    return inf if n.bit_length() + e > 1024 else ldexp(n, e)
