"""Hard operands of the square root, class by class."""

from math import ldexp
from random import Random

from parity_tests.exactness.hard.draws import (
    HALFWAY,
    LARGEST,
    Operands,
    any_bits,
    few_bits,
    magnitude,
    near,
    odd,
    one_of,
    positive,
    power_of_two,
    row,
    step,
    subnormal,
    zero,
)


def near_halfway(random: Random) -> Operands:
    """Draw a double whose root is as close to halfway as roots come.

    A halfway point is an odd n of 54 bits, scaled. n * n = m * 2**k + c for a small c makes n the
    root of the double m * 2**k but for c / 2n. Such an n is a root of c modulo 2**k, which exists
    where c is 1 modulo 8, and is found bit by bit.
    """
    while True:
        c, k = 8 * random.randint(-9, 9) + 1, random.choice((54, 55))
        n = random.choice((1, 3, 5, 7))
        for bit in range(3, k):  # n * n = c modulo 2**bit; adding 2**(bit - 1) mends the next bit
            if (n * n - c) >> bit & 1:
                n += 1 << bit - 1
        m = n * n - c >> k
        if n.bit_length() == 54 and 0 < m.bit_length() <= 53:
            return (ldexp(float(m), (k & 1) + 2 * random.randint(-500, 400)),)


def square(random: Random) -> Operands:
    """Draw a double with an exact root, or one of its neighbours."""
    root = ldexp(float(odd(random, random.randint(1, 26))), random.randint(-500, 480))
    return (step(root * root, random.choice((0, 0, -1, 1))),)


ROOTS = {
    "any bits": row(positive(any_bits)),
    "moderate": row(positive(magnitude(-9, 9))),
    "next to 1": row(near(1.0, steps=10**4)),
    "square or next to it": square,
    "subnormal": row(positive(subnormal)),
    "power of two or next to it": row(positive(power_of_two)),
    "few bits": row(positive(few_bits(-1000, 1000))),
    "largest and smallest": row(near(LARGEST, step(0.0, 10**4), steps=9999)),
    "at the ends of the quick step": row(near(2.0**-1022, 1e-60, 1e60, steps=10**4)),
    HALFWAY: near_halfway,
    "zero": row(zero),
    "outside the domain": lambda random: (-abs(one_of(subnormal, any_bits)(random)),),
}
