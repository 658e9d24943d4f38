"""Hard operands of sine and cosine, class by class."""

from math import ldexp
from random import Random

import gmpy2

from parity_tests.exactness.hard.draws import (
    HALFWAY,
    KNOWN,
    Operands,
    Source,
    any_bits,
    few_bits,
    listed_hex,
    magnitude,
    near,
    one_of,
    power_of_two,
    row,
    signed,
    step,
    subnormal,
    uniform,
    zero,
)
from parity_tests.exactness.hard.halfway import first_multiple, halfway

BITS = 1400
"""After the point: pi / 2 times 2**1024 still has 376."""
with gmpy2.context(precision=BITS + 10):
    HALF_PI = int(gmpy2.mul_2exp(gmpy2.const_pi(), BITS - 1))


def multiple_of_half_pi(random: Random) -> Operands:
    """Draw a double that is very close to a multiple of pi / 2, of any size up to the largest.

    m * 2**e modulo pi / 2 is walked through by adding to m; the first m whose rest is within
    pi * 2**-w of 0 is found as Euclid would, and w grows until m has more than 53 bits.
    """
    e = random.choice((random.randint(-52, 0), random.randint(0, 971)))
    pace = (1 << e + BITS) % HALF_PI
    start = (1 << 52) + random.getrandbits(52)
    best = start
    for w in range(4, 70):
        window = HALF_PI >> w
        low = (-window - start * pace) % HALF_PI
        high = (window - start * pace) % HALF_PI
        k = first_multiple(pace, HALF_PI, low, high) if low <= high else 0
        if k is None or start + k >= 1 << 53:
            break
        best = start + k
    return (signed(random, ldexp(float(best), e)),)


def _classes(operation: str, known: str) -> dict[str, Source]:
    return {
        "any bits": row(any_bits),
        "moderate": row(magnitude(-9, 9)),
        "small": row(magnitude(-29, -1)),
        "at the small cut": row(one_of(near(2.0**-28, -(2.0**-28), steps=10**4))),
        "at the ends of the quick step": row(near(200.0, -200.0, 2.0**-6, -(2.0**-6), steps=10**4)),
        "near a multiple of pi / 512": lambda random: (
            step(random.randint(-32768, 32768) * (HALF_PI / (256 << BITS)), random.randint(-9, 9)),
        ),
        "very close to a multiple of pi / 2": multiple_of_half_pi,
        "between 2**32 and the largest": row(magnitude(31, 1023)),
        "subnormal or zero": row(one_of(zero, subnormal, subnormal, subnormal)),
        "power of two or next to it": row(power_of_two),
        "few bits": row(few_bits(-30, 1000)),
        HALFWAY: halfway(
            operation, one_of(magnitude(-26, 3), uniform(-200.0, 200.0), few_bits(-26, 7))
        ),
        KNOWN: listed_hex(known),
    }


# Those closest to halfway in the lists that `functions` names.
WAVES = {
    "sin": _classes("sin", "0x1.598bae9e632f6p-7 0x1.d037cb27ee6dfp-3 0x1.d98c4c612718dp-1"),
    "cos": _classes("cos", "0x1.16e534ee36580p-4 0x1.c65a170474549p-1 0x1.34ec2f9fc9c00p+1"),
}
