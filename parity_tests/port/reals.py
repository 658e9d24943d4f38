"""Doubles -> the nearest double to the true result, by decimals of as many digits as it takes."""

from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from functools import cache
from math import inf, isqrt, ldexp, log2

WIDEST = Context(prec=20_000, Emax=MAX_EMAX, Emin=MIN_EMIN)


def rounded(approximate):
    """Ask for more digits until both ends of the interval round to one double."""
    digits = 40
    while True:
        context = Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN)
        value = approximate(context)
        margin = Decimal(10) ** (6 - digits)
        low = float(context.multiply(value, context.subtract(1, margin)))
        high = float(context.multiply(value, context.add(1, margin)))
        if low == high:
            return low
        digits *= 2


def exact(fraction):
    """Round a fraction once."""
    try:
        return float(fraction)
    except OverflowError:
        return inf if fraction > 0 else -inf


def exp(x):
    if x > 720.0:
        return inf
    if x < -760.0:
        return 0.0
    return rounded(lambda context: context.exp(Decimal(x)))


def log(x):
    return 0.0 if x == 1.0 else rounded(lambda context: context.ln(Decimal(x)))


def tanh(x):
    if abs(x) < 2.0**-28:
        return x
    if abs(x) > 20.0:
        return 1.0 if x > 0.0 else -1.0

    def quotient(context):
        square = context.exp(context.multiply(2, Decimal(x)))
        return context.divide(context.subtract(square, 1), context.add(square, 1))

    return rounded(lambda context: quotient(Context(context.prec + 12)))


def sigmoid(x):
    if x > 40.0:
        return 1.0
    if x < -750.0:
        return 0.0

    def part(context):
        return context.divide(1, context.add(1, context.exp(Decimal(-x))))

    return rounded(lambda context: part(Context(context.prec + 12)))


def softplus(x):
    if x > 45.0:
        return x
    if x < -755.0:
        return 0.0

    def logarithm(context):
        return context.ln(context.add(1, context.exp(Decimal(x))))

    # 1 + e**x keeps as many digits of e**x as there are after the first of 1.
    return rounded(lambda context: logarithm(Context(context.prec + 12 + max(0, int(-x / 2)))))


def sin(x):
    return x if abs(x) < 2.0**-28 else rounded(lambda context: wave(x, 0, context.prec))


def cos(x):
    return 1.0 if abs(x) < 2.0**-28 else rounded(lambda context: wave(x, 1, context.prec))


def wave(x, ahead, digits):
    """Compute sin(x + ahead pi / 2): x modulo pi / 2 by fractions of so many digits and 340."""
    one = 10 ** (digits + 340)
    quarter = half_pi(one)
    n, d = x.as_integer_ratio()
    quarters, rest = divmod(n * one // d + quarter // 2, quarter)
    rest -= quarter // 2
    quarters += ahead
    term, at = (rest, 2) if quarters % 2 == 0 else (one, 1)
    total = 0
    while term:
        total += term
        term = -(term * rest // one * rest // one // (at * (at + 1)))
        at += 2
    return Decimal(-total if quarters % 4 > 1 else total).scaleb(-(digits + 340), WIDEST)


@cache
def half_pi(one):
    """Compute pi / 2 = 2 arctan(1/2) + 2 arctan(1/3) (L. Euler)."""
    total = 0
    for n in (2, 3):
        term, at = one // n, 1
        while term:
            total += term // at if at % 4 == 1 else -(term // at)
            term //= n * n
            at += 2
    return 2 * total


def power(x, c):
    """Give x ** c inside of its domain."""
    if c == 0.0:
        return 1.0
    if x == 0.0:
        return 0.0
    sign = -1.0 if x < 0.0 and c % 2.0 == 1.0 else 1.0
    odd, twos = split(abs(x))
    factor, shift = split(c)
    while shift < 0 and twos % 2 == 0 and isqrt(odd) ** 2 == odd:
        odd, twos, shift = isqrt(odd), twos // 2, shift + 1
    if shift >= 0 and odd == 1:
        return sign * two_to(twos * factor << shift)
    if shift >= 0 and 0 < factor << shift <= 64:
        whole = factor << shift
        return sign * exact(Fraction(odd) ** whole * Fraction(2) ** (twos * whole))
    size = log2(abs(x)) * c  # a first look, which decides nothing near a double
    if abs(size) > 1100.0:
        return sign * (inf if size > 0.0 else 0.0)
    return sign * rounded(
        lambda context: context.exp(context.multiply(Decimal(c), context.ln(Decimal(abs(x)))))
    )


def split(x):
    """Write x != 0 as n * 2**e with n odd."""
    n, d = x.as_integer_ratio()
    zeros = (n & -n).bit_length() - 1
    return n >> zeros, zeros - d.bit_length() + 1


def two_to(e):
    if e > 1023:
        return inf
    return ldexp(1.0, e) if e > -1100 else 0.0
