"""Hard operands of + - * / and **, class by class."""

from collections.abc import Callable
from math import ldexp, ulp
from random import Random
from typing import Any

import gmpy2
from gmpy2 import mpfr

from parity_tests.exactness.draws import (
    HALFWAY,
    KNOWN,
    LARGEST,
    WIDE,
    Draw,
    Operands,
    Source,
    any_bits,
    few_bits,
    halfway,
    listed,
    magnitude,
    near,
    odd,
    one_of,
    positive,
    power_of_two,
    row,
    signed,
    step,
    subnormal,
    zero,
)

Target = Callable[[Random], Any]
"""Draws a real number: MPFR's, because a halfway point is no double."""

# Operands whose result is aimed at


def aimed(operation: str, draw: Draw, target: Target, steps: int = 3) -> Source:
    """Make a draw of operands whose result is a few steps of the second operand off a target."""

    def source(random: Random) -> Operands:
        x, result = draw(random), target(random)
        exact = mpfr(x)
        if operation == "*":
            y = WIDE.div(result, exact)
        elif operation == "/":
            y = WIDE.div(exact, result)
        else:
            y = WIDE.div(WIDE.log(result), WIDE.log(exact))
        return x, step(float(y), random.randint(-steps, steps))

    return source


def largest_target(_: Random) -> Any:
    """Halfway between the largest double and 2**1024: the first number that rounds to infinity."""
    return WIDE.mul_2exp(mpfr(2**54 - 1, 60), 970)


def subnormal_target(random: Random) -> Any:
    """Halfway between two subnormals, or 0 and the smallest."""
    return WIDE.div_2exp(mpfr(odd(random, random.randint(1, 53))), 1075)


def far_target(random: Random) -> Any:
    """Far beyond the largest double or the smallest: e**800, more or less."""
    return WIDE.exp(mpfr(random.choice((1, -1)) * random.uniform(795.0, 805.0)))


def near_one_target(random: Random) -> Any:
    """Halfway between two doubles around 1."""
    halves = odd(random, random.randint(1, 12))  # of an ulp: 2**-52 above 1, 2**-53 below
    off = ldexp(float(halves), -53) if random.randrange(2) else ldexp(-float(halves), -54)
    return WIDE.add(mpfr(1), mpfr(off))


# Addition and subtraction


def cancelling(random: Random) -> Operands:
    """Draw operands of which little is left."""
    x = any_bits(random)
    return x, signed(random, step(x, random.randint(-40, 40)))


def tie_sum(random: Random) -> Operands:
    """Draw a second operand of an odd number of half ulps of the first, or next to that."""
    x = magnitude(-960, 1023)(random)
    return x, step(ulp(x) / 2.0 * (2 * random.randint(-4, 4) + 1), random.choice((0, -1, 1)))


def largest_sum(random: Random) -> Operands:
    """Draw a sum where half an ulp decides between the largest double and infinity."""
    sign = random.choice((1.0, -1.0))
    half = step(2.0**970, random.randint(-9, 9))
    return sign * step(LARGEST, -random.randint(0, 9)), signed(random, half)


SUMS = {
    "any bits": row(any_bits, any_bits),
    "similar magnitudes": row(magnitude(-3, 3), magnitude(-60, 3)),
    "cancelling": cancelling,
    "tie or next to it": tie_sum,
    "largest result": largest_sum,
    "subnormal": row(subnormal, one_of(subnormal, near(2.0**-1022, -(2.0**-1022)))),
    "power of two or next to it": row(power_of_two, power_of_two),
    "zero": row(zero, one_of(zero, any_bits, subnormal)),
}

# Multiplication and division


def in_any_binade(random: Random, x: int, y: int) -> Operands:
    """Scale two integers by powers of two, with any signs."""
    left, right = (ldexp(float(n), random.randint(-400, 400)) for n in (x, y))
    return signed(random, left), signed(random, right)


def tie_product(random: Random) -> Operands:
    """Draw a product of mostly 54 bits, the last of them 1."""
    bits = random.randint(2, 52)
    return in_any_binade(random, odd(random, bits), odd(random, random.choice((54, 55)) - bits))


def halfway_product(random: Random) -> Operands:
    """Draw a product of 106 bits that ends in 100...0 plus a little: solved modulo 2**53."""
    while True:
        x, little = odd(random, 53), random.randint(-9, 9)
        y = (2**52 + little) * pow(x, -1, 2**53) % 2**53
        if (x * y).bit_length() == 106:
            return in_any_binade(random, x, y)


def halfway_quotient(random: Random) -> Operands:
    """Draw x * 2**54 = m y - little, so that x / y is almost the odd m, which has 54 bits."""
    while True:
        y, little = odd(random, 53), 2 * random.randint(-4, 4) + 1
        m = little * pow(y, -1, 2**54) % 2**54
        if m.bit_length() == 54:
            return in_any_binade(random, (m * y - little) >> 54, y)


def subnormal_tie_product(random: Random) -> Operands:
    """Draw a product that is an odd number of halves of the smallest double."""
    left, right, e = random.randint(1, 30), random.randint(1, 22), random.randint(-900, -20)
    x, y = ldexp(float(odd(random, left)), e), ldexp(float(odd(random, right)), -1075 - e)
    return signed(random, x), signed(random, y)


def subnormal_tie_quotient(random: Random) -> Operands:
    """Draw a quotient by a power of two that is an odd number of halves of the smallest double."""
    e = random.randint(-1074, -60)
    x, y = ldexp(float(odd(random, random.randint(1, 51))), e), ldexp(1.0, e + 1075)
    return signed(random, x), signed(random, y)


FACTORS = {
    "any bits": row(any_bits, any_bits),
    "any fractions": row(magnitude(-9, 9), magnitude(-9, 9)),
    "few bits": row(few_bits(-9, 9), few_bits(-9, 9)),
    "subnormal": row(subnormal, one_of(subnormal, magnitude(0, 1023), magnitude(-60, 0))),
    "power of two or next to it": row(power_of_two, power_of_two),
    "zero": row(zero, one_of(zero, any_bits, subnormal)),
}
PRODUCTS = FACTORS | {
    "tie or nearly": tie_product,
    HALFWAY: halfway_product,
    "halfway between subnormals": subnormal_tie_product,
    "largest result": aimed("*", magnitude(0, 1000), largest_target),
    "subnormal result": aimed("*", magnitude(-1000, -20), subnormal_target),
}
QUOTIENTS = FACTORS | {
    HALFWAY: halfway_quotient,
    "halfway between subnormals": subnormal_tie_quotient,
    "largest result": aimed("/", magnitude(0, 1000), largest_target),
    "subnormal result": aimed("/", magnitude(-1000, -60), subnormal_target),
    "by zero": row(any_bits, zero),
}

# Powers


def odd_bases(exponent: int) -> list[int]:
    """The odd n, or some of them, for which n**exponent has 54 bits and is therefore a tie."""
    low, high = (int(gmpy2.iroot(2**bits - 1, exponent)[0]) for bits in (53, 54))
    some = range(low + 1 | 1, high + 1, max(2, (high - low) // 1000 * 2))
    return [n for n in some if (n**exponent).bit_length() == 54]


TIES = {exponent: bases for exponent in range(2, 35) if (bases := odd_bases(exponent))}
SUBNORMAL_TIES = {
    exponent: [n for n in range(1, 1 << 11, 2) if (n**exponent).bit_length() < 54]
    for exponent in (5, 25, 43, 215, 1075)  # the divisors of 1075
}


def with_root(random: Random, n: int, e: int, exponent: int) -> Operands:
    """Write (n * 2**e)**exponent as x**c, where x may be a square and c a half, and so on."""
    most = max(s for s in range(10) if s == 0 or (n**2**s < 2**53 and abs(e) << s < 950))
    root = random.randint(0, most)
    x = ldexp(float(n**2**root), e << root)
    return (x if root else signed(random, x)), ldexp(float(exponent), -root)


def tie_power(random: Random) -> Operands:
    """Draw a power of 54 bits, the last of them 1."""
    exponent, bases = random.choice(list(TIES.items()))
    return with_root(random, random.choice(bases), random.randint(-900, 900) // exponent, exponent)


def exact_power(random: Random) -> Operands:
    """Draw a power of at most 53 bits, or hardly more."""
    exponent = random.randint(2, 34)
    n = odd(random, random.randint(1, 56 // exponent + 1))
    return with_root(random, n, random.randint(-900, 900) // exponent, exponent)


def subnormal_tie_power(random: Random) -> Operands:
    """Draw a power that is an odd number of halves of the smallest double."""
    exponent, bases = random.choice(list(SUBNORMAL_TIES.items()))
    n = random.choice(bases)
    x, c = with_root(random, n, -1075 // exponent, exponent)
    return (1.0 / x, -c) if n == 1 and random.randrange(2) else (x, c)


def square(random: Random) -> float:
    """Draw the square of a double, a fourth power, or a neighbour of one."""
    root = odd(random, random.randint(2, 26))
    x = ldexp(float(root * root), 2 * random.randint(-400, 400))
    return step(x, random.choice((0, 0, -1, 1)))


def next_to(source: Source) -> Source:
    """Move one of two operands to a neighbour."""

    def moved(random: Random) -> Operands:
        x, c = source(random)
        steps = random.choice((-1, 1))
        return (x, step(c, steps)) if x > 0.0 and random.randrange(2) else (step(x, steps), c)

    return moved


def integer(low: int, high: int) -> Draw:
    """Make a draw of an integer."""
    return lambda random: float(random.randint(low, high))


def negative(draw: Draw) -> Draw:
    """Negate the magnitude of what is drawn."""
    return lambda random: -abs(draw(random))


def one_or_so(random: Random) -> float:
    """Draw a double around 1, the nearest ones as often as the others."""
    return step(1.0, random.randint(-1, 1) * 2 ** random.randint(0, 48))


def root(random: Random) -> float:
    """Draw an exponent that takes roots."""
    return random.choice((0.5, 1.5, 0.25, 0.75, -0.5, -0.25, 2.5, 0.125, -1.5))


any_base = one_of(positive(any_bits), positive(magnitude(-30, 30)), one_or_so)

POWERS = {
    "any bits": row(positive(any_bits), any_bits),
    "moderate": row(positive(magnitude(-30, 30)), magnitude(-9, 5)),
    "largest result": aimed("**", any_base, largest_target),
    "subnormal result": aimed("**", any_base, subnormal_target),
    "smallest result": aimed("**", any_base, lambda _: WIDE.div_2exp(mpfr(1), 1075)),
    "far outside": aimed("**", any_base, far_target),
    "result next to 1": aimed("**", any_base, near_one_target),
    "huge power of about 1": row(one_or_so, magnitude(30, 62)),
    "huge exponent": row(any_bits, magnitude(53, 1023)),
    "tiny exponent": row(positive(any_bits), magnitude(-1022, -40)),
    "exponent 2**k": row(positive(any_bits), power_of_two),
    "base 2**k": row(positive(power_of_two), few_bits(-10, 10)),
    "integer exponent": row(magnitude(-20, 20), integer(-60, 60)),
    "negative base": row(negative(one_of(any_bits, magnitude(-1, 1))), integer(-1100, 1100)),
    "power of -1": row(lambda _: -1.0, one_of(integer(-99, 99), magnitude(51, 1023))),
    "tie": tie_power,
    "next to a tie": next_to(tie_power),
    "exact or hardly more bits": exact_power,
    "halfway between subnormals": subnormal_tie_power,
    "next to halfway between subnormals": next_to(subnormal_tie_power),
    "square root": row(one_of(square, positive(any_bits)), lambda _: 0.5),
    "root of a square": row(square, root),
    "square or inverse": row(any_bits, lambda random: random.choice((2.0, -1.0))),
    "exponent about 0 or 1": row(positive(any_bits), near(0.0, 1.0, steps=99)),
    "subnormal base": row(positive(subnormal), one_of(root, magnitude(-6, 0))),
    "zero": row(zero, one_of(zero, positive(any_bits), integer(-9, 9))),
    "exponent 0": row(any_bits, zero),
    "outside the domain": row(negative(any_bits), magnitude(-9, 9)),
    HALFWAY: halfway(
        "**",
        positive(magnitude(-9, 9)),
        one_of(integer(3, 99), integer(-99, -2), magnitude(-6, 6)),
    ),
    "root near halfway": halfway("**", positive(one_of(magnitude(-9, 9), few_bits(-9, 9))), root),
    # The second, with 61 ones after the 54th bit, is from P. Kornerup et al., "Computing integer
    # powers in floating-point arithmetic" (2007); the others are of 2**c, from the lists above.
    KNOWN: listed(
        (float.fromhex("0x1.0f38cfaacb71ap+0"), 458.0),
        (2.0, float.fromhex("0x1.16a76ec41b516p-1")),
        (2.0, float.fromhex("0x1.4a63ff1d53f53p-1")),
        (2.0, float.fromhex("0x1.b32a6c92d1185p-1")),
    ),
}
