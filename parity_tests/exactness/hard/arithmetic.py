"""Hard operands for + - * /, class by class."""

from math import ldexp, ulp
from random import Random

from parity_tests.exactness.hard.draws import (
    HALFWAY,
    LARGEST,
    Operands,
    aimed,
    any_bits,
    few_bits,
    largest_target,
    magnitude,
    near,
    odd,
    one_of,
    power_of_two,
    row,
    signed,
    step,
    subnormal,
    subnormal_target,
    zero,
)

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
