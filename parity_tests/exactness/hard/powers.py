"""Hard operands for **, class by class."""

from math import ldexp
from random import Random

import gmpy2
from gmpy2 import mpfr

from parity_tests.exactness.hard.draws import (
    HALFWAY,
    KNOWN,
    WIDE,
    Draw,
    Operands,
    Source,
    aimed,
    any_bits,
    far_target,
    few_bits,
    largest_target,
    listed,
    magnitude,
    near,
    near_one_target,
    odd,
    one_of,
    positive,
    power_of_two,
    row,
    signed,
    step,
    subnormal,
    subnormal_target,
    zero,
)
from parity_tests.exactness.hard.halfway import halfway


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
