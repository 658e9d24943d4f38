"""Hard operands by class: the classes that all operations have, and those of single operations.

The known worst cases are the doubles closest to halfway in V. Lefèvre and J.-M. Muller, "Worst
cases for correct rounding of the elementary functions in double precision" (2003), and in their
later searches.
"""

from math import ldexp
from random import Random
from typing import Any

import gmpy2
from gmpy2 import mpfr

from parity_tests.exactness.draws import (
    BY_RANGE,
    HALFWAY,
    KNOWN,
    LARGEST,
    WIDE,
    Draw,
    Operands,
    Source,
    any_bits,
    few_bits,
    first_multiple,
    halfway,
    listed,
    listed_hex,
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
    uniform,
    zero,
)
from parity_tests.kit.cases import SIGN_OF_ZERO_COUNTS
from parity_tests.kit.contract import load_operations
from parity_tests.oracle.operations import ROWS, nowhere

TINY = step(0.0, 10**4)


def usual(symbol: str) -> dict[str, Source]:
    """Return the classes that every operation has: operands in its domain, and some outside."""
    arity, outside = load_operations()[symbol].arity, ROWS[symbol].outside

    def within(draw: Draw, *, domain: bool = True) -> Source | None:
        """Draw until the operands are in the domain, or outside; None if they never are."""

        def is_right(operands: Operands) -> bool:
            return outside(*map(mpfr, operands)) != domain

        def draw_all(random: Random) -> Operands:
            return tuple(draw(random) for _ in range(arity))

        def source(random: Random) -> Operands:
            while not is_right(operands := draw_all(random)):
                pass
            return operands

        random = Random(symbol)
        return source if any(is_right(draw_all(random)) for _ in range(100)) else None

    classes = {
        "any bits": within(any_bits),
        "moderate": within(magnitude(-9, 9)),
        "near 0": within(magnitude(-60, -1)),
        "next to 1": within(near(1.0, -1.0, steps=10**4)),
        "few bits": within(few_bits(-60, 60)),
        "power of two or next to it": within(power_of_two),
        "subnormal or zero": within(one_of(zero, subnormal, subnormal, subnormal)),
        "largest and smallest": within(near(LARGEST, -LARGEST, TINY, -TINY, steps=9999)),
    }
    if outside is not nowhere:
        classes["outside the domain"] = within(one_of(zero, subnormal, any_bits), domain=False)
    if symbol not in SIGN_OF_ZERO_COUNTS:  # the hardware computes those
        first = one_of(magnitude(-30, 9), few_bits(-30, 9))
        classes[HALFWAY] = halfway(symbol, first, *(magnitude(-9, 9) for _ in range(1, arity)))
    return {kind: source for kind, source in classes.items() if source is not None}


# Exponential and logarithm

LN2 = 0.6931471805599453

EXP: dict[str, Source] = {
    "whole range": row(uniform(-746.0, 710.0)),
    "largest result": row(near(709.782712893384, 710.0, steps=10**4)),
    "smallest result": row(near(-745.1332191019411, -744.4400719213812, -746.0, steps=10**4)),
    "first subnormal result": row(near(-708.3964185322641, steps=10**4)),
    "subnormal result": row(uniform(-745.2, -708.3)),
    "result next to 1": lambda random: (
        step(ldexp(2.0 * random.randint(-99, 99) + 1.0, -54), random.randint(-9, 9)),
    ),
    "near k ln 2": lambda random: (step(random.randint(-1075, 1024) * LN2, random.randint(-9, 9)),),
    HALFWAY: halfway("exp", one_of(magnitude(-40, 9), uniform(-740.0, 700.0), few_bits(-30, 5))),
    KNOWN: listed_hex("""
        0x1.9e9cbbfd6080bp-31 -0x1.4bd46601ae1efp-31 0x1.ba07d73250de7p-14 0x1.6a4d1af9cc989p-8
        0x1.accfbe46b4ef0p-1 0x1.aca7ae8da5a7bp+0 -0x1.22e24fa3d5cf9p-1 -0x1.02393d5976769p+1
        -0x1.71e0b869b5e79p+2 0x1.a8ead058bc6b8p+3
    """),
}

LOG: dict[str, Source] = {
    "near 1": lambda random: (step(1.0, random.randint(-1, 1) * 2 ** random.randint(0, 51)),),
    "around 1": lambda random: (1.0 + magnitude(-40, -2)(random),),
    "near a power of e": lambda random: (
        step(float(WIDE.exp(mpfr(random.randint(-744, 709)))), random.randint(-9, 9)),
    ),
    HALFWAY: halfway("log", positive(one_of(any_bits, magnitude(-9, 9), few_bits(-60, 60)))),
    KNOWN: listed_hex("""
        0x1.fd15daa6ce332p+732 0x1.9476e304cd7c7p-384 0x1.be87838f1a47cp+774 0x1.613955dc802f8p-35
        0x1.b7f71a488641ap+340 0x1.6b3d29c0f9e6ep+543 0x1.d6a413a59c7eap+502 0x1.a8346abf875c7p-815
        0x1.91f8729a9282bp-574 0x1.c573e7d6a51cap-512 0x1.ad9cb1932cb03p+480 0x1.452c8337ad7d3p-664
    """),
}

# Functions that level off

TANH: dict[str, Source] = {
    "whole range": row(uniform(-20.1, 20.1)),
    "at the small cut": row(one_of(near(2.0**-28, -(2.0**-28), steps=10**4), magnitude(-29, -25))),
    "at the large cut": row(near(20.0, -20.0, steps=10**4)),
    "result next to 1": row(near(19.061547465398498, -19.061547465398498, steps=10**4)),
    "result near 1": row(one_of(uniform(15.0, 20.0), uniform(-20.0, -15.0))),
    HALFWAY: halfway("tanh", one_of(magnitude(-28, 4), uniform(-3.0, 3.0), few_bits(-28, 4))),
    KNOWN: listed_hex("""
        0x1.e0000000000e1p-22 0x1.68000000017bbp-19 0x1.ac343b179fec4p-3 0x1.1375c272d441cp+1
        0x1.30842605350a2p-21 0x1.c3f025670d6a7p-22 0x1.291c601a05276p-2 0x1.0a90d36059a04p-6
        0x1.d12ed0af1a27fp-27 0x1.880072ccb1051p-11
    """),
}


def logistic(name: str) -> dict[str, Source]:
    """Return the classes of sigmoid and softplus."""
    return {
        "whole range": row(uniform(-746.0, 42.0)),
        "at the ends of the quick step": row(near(-600.0, 40.0, steps=10**4)),
        # 1 / (1 + E) next to halfway between 1/2 and its neighbours; and where E is 2**-17
        "few halves of the last place of 1/2": lambda random: (
            step(signed(random, ldexp(float(odd(random, random.randint(1, 9))), -53)), 0),
        ),
        "where series change": row(near(-11.783502069519, 11.783502069519, 0.5, -0.5, steps=10**4)),
        "result next to 1": row(uniform(33.0, 38.0)),
        "subnormal result": row(uniform(-745.2, -708.3)),
        "first subnormal result": row(near(-708.3964185322641, steps=10**4)),
        "smallest result": row(near(-745.1332191019411, -744.4400719213812, -746.0, steps=10**4)),
        HALFWAY: halfway(name, one_of(magnitude(-20, 4), uniform(-700.0, 30.0), few_bits(-20, 4))),
    }


# Functions that are near x where x is small


def near_zero(name: str, *ends: float) -> dict[str, Source]:
    """Return the classes of log1p, expm1 and atan, with the ends of their quick steps."""
    both = [sign * end for end in ends for sign in (1.0, -1.0)]
    return {
        "at the small cut": row(near(2.0**-54, -(2.0**-54), steps=10**4)),
        "near 0 with all bits": row(magnitude(-56, -26)),
        "at the ends of the quick step": row(near(*both, steps=10**4)),
        HALFWAY: halfway(name, one_of(magnitude(-40, -1), uniform(-1.0, 5.0), few_bits(-30, 0))),
    }


LOG1P: dict[str, Source] = near_zero("log1p", 2.0**-11, 2.0**-10, 0.5, 2.0**53) | {
    "next to -1": row(near(-1.0, steps=10**4)),
    "around -1": lambda random: (abs(magnitude(-52, -1)(random)) - 1.0,),
    "near a power of e less 1": lambda random: (
        step(float(WIDE.expm1(mpfr(random.randint(-36, 709)))), random.randint(-9, 9)),
    ),
}
EXPM1: dict[str, Source] = near_zero("expm1", 0.0625, 40.0, 2.0**-28) | {
    "whole range": row(uniform(-42.0, 710.0)),
    "largest result": row(near(709.782712893384, 710.0, steps=10**4)),
    "result next to -1": row(uniform(-40.0, -36.0)),
    "near k ln 2": lambda random: (step(random.randint(-58, 1024) * LN2, random.randint(-9, 9)),),
}
ATAN: dict[str, Source] = near_zero("atan", 2.0**-28, 2.0**-8, 1.0, 2.0**53) | {
    "near a step of the table": lambda random: (
        signed(random, step(random.randint(1, 128) / 128, random.randint(-9, 9))),
    ),
    "near half a step of the table": lambda random: (
        signed(random, step((random.randint(0, 127) + 0.5) / 128, random.randint(-9, 9))),
    ),
    "inverse near half a step": lambda random: (
        signed(random, step(128 / (random.randint(0, 127) + 0.5), random.randint(-9, 9))),
    ),
    "result near pi / 2": row(magnitude(20, 60)),
}


# Sine and cosine

BITS = 1400
"""Bits after the point; of pi / 2 times 2**1024, 376 remain."""
with gmpy2.context(precision=BITS + 10):
    HALF_PI = int(gmpy2.mul_2exp(gmpy2.const_pi(), BITS - 1))


def multiple_of_half_pi(random: Random) -> Operands:
    """Draw a double that is very close to a multiple of pi / 2, of any size up to the largest.

    Euclid's algorithm finds the first m for which m * 2**e modulo pi / 2 is within pi * 2**-w of 0;
    w grows until m has more than 53 bits.
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


def wave(name: str, known: str) -> dict[str, Source]:
    """Return the classes of sine and cosine."""
    return {
        "at the small cut": row(one_of(near(2.0**-28, -(2.0**-28), steps=10**4))),
        "at the ends of the quick step": row(near(200.0, -200.0, 2.0**-6, -(2.0**-6), steps=10**4)),
        "near a multiple of pi / 512": lambda random: (
            step(random.randint(-32768, 32768) * (HALF_PI / (256 << BITS)), random.randint(-9, 9)),
        ),
        "very close to a multiple of pi / 2": multiple_of_half_pi,
        "between 2**32 and the largest": row(magnitude(31, 1023)),
        HALFWAY: halfway(name, one_of(magnitude(-26, 3), uniform(-200.0, 200.0), few_bits(-26, 7))),
        KNOWN: listed_hex(known),
    }


# Square root


def root_near_halfway(random: Random) -> Operands:
    """Draw a double whose root is as close to halfway as roots come.

    A halfway point is an odd n of 54 bits, scaled. n * n = m * 2**k + c for a small c makes n the
    root of the double m * 2**k but for c / 2n. Such an n is a root of c modulo 2**k, which exists
    where c is 1 modulo 8, and is found bit by bit.
    """
    while True:
        c, k = 8 * random.randint(-9, 9) + 1, random.choice((54, 55))
        n = random.choice((1, 3, 5, 7))
        for bit in range(3, k):  # n * n = c modulo 2**bit; + 2**(bit - 1) corrects the next bit
            if (n * n - c) >> bit & 1:
                n += 1 << bit - 1
        m = n * n - c >> k
        if n.bit_length() == 54 and 0 < m.bit_length() <= 53:
            return (ldexp(float(m), (k & 1) + 2 * random.randint(-500, 400)),)


def square(random: Random) -> Operands:
    """Draw a double with an exact root, or one of its neighbours."""
    root = ldexp(float(odd(random, random.randint(1, 26))), random.randint(-500, 480))
    return (step(root * root, random.choice((0, 0, -1, 1))),)


# Powers


def odd_bases(exponent: int) -> list[int]:
    """Return odd n, or some of them, for which n**exponent has 54 bits and is therefore a tie."""
    low, high = (int(gmpy2.iroot(2**bits - 1, exponent)[0]) for bits in (53, 54))
    some = range(low + 1 | 1, high + 1, max(2, (high - low) // 1000 * 2))
    return [n for n in some if (n**exponent).bit_length() == 54]


TIES = [(exponent, bases) for exponent in range(2, 35) if (bases := odd_bases(exponent))]


def tie_power(random: Random) -> Operands:
    """Draw a power of 54 bits, the last of which is 1; sometimes as a root of a power."""
    exponent, bases = random.choice(TIES)
    n, e = random.choice(bases), random.randint(-900, 900) // exponent
    if n * n < 2**53 and abs(e) < 400 and random.randrange(2):
        return ldexp(float(n * n), 2 * e), exponent / 2
    return signed(random, ldexp(float(n), e)), float(exponent)


def one_or_so(random: Random) -> float:
    """Draw a double around 1, at all distances equally often."""
    return step(1.0, random.randint(-1, 1) * 2 ** random.randint(0, 48))


def integer(low: int, high: int) -> Draw:
    """Return a draw of an integer from low to high."""
    return lambda random: float(random.randint(low, high))


def aimed(low: Any, high: Any) -> Source:
    """Return a draw of operands whose power is near 2**e, with e from low to high."""

    def source(random: Random) -> Operands:
        x = 1.0
        while x == 1.0:
            x = one_of(positive(any_bits), positive(magnitude(-30, 30)), one_or_so)(random)
        c = WIDE.div(mpfr(random.uniform(low, high)), WIDE.log2(mpfr(x)))
        return x, step(float(c), random.randint(-3, 3))

    return source


POWER: dict[str, Source] = {
    "largest result": aimed(1024, 1024),
    "subnormal result": aimed(-1075, -1022),
    "result next to 1": aimed(-(2.0**-45), 2.0**-45),
    "huge power of about 1": row(one_or_so, magnitude(30, 62)),
    "integer exponent": row(magnitude(-20, 20), integer(-60, 60)),
    "power of -1": row(lambda _: -1.0, one_of(integer(-99, 99), magnitude(51, 1023))),
    "tie": tie_power,
    HALFWAY: halfway(
        "**",
        positive(magnitude(-9, 9)),
        one_of(integer(3, 99), integer(-99, -2), magnitude(-6, 6)),
    ),
    # The second, with 61 ones after the 54th bit, is from P. Kornerup et al., "Computing integer
    # powers in floating-point arithmetic" (2007); the others are of 2**c, from the lists above.
    KNOWN: listed(
        (float.fromhex("0x1.0f38cfaacb71ap+0"), 458.0),
        (2.0, float.fromhex("0x1.16a76ec41b516p-1")),
        (2.0, float.fromhex("0x1.4a63ff1d53f53p-1")),
        (2.0, float.fromhex("0x1.b32a6c92d1185p-1")),
    ),
}

# A bug that affects one operand in a thousand shows next to halfway, if its range is covered.

_BINADES = [magnitude(k, k) for k in range(-20, 7)]
_WIDE_BINADES = [magnitude(k, min(k + width - 1, 1023)) for k, width in (
    *((k, 8) for k in range(7, 55, 8)), *((k, 242) for k in range(55, 1023, 242)),
)]  # fmt: skip
_SATURATING = [
    *(magnitude(k, k) for k in range(-20, 2)),
    *(uniform(low, low + 2.0) for low in range(4, 44, 2)),
    *(uniform(low - 4.0, low) for low in range(-4, -52, -4)),
]
_WIDE_POSITIVE = [positive(magnitude(k, k + 3)) for k in range(-1, 51, 4)]
RANGES: dict[str, list[Draw]] = {
    "sin": [*_BINADES, *_WIDE_BINADES],
    "cos": [*_BINADES, *_WIDE_BINADES],
    "sigmoid": _SATURATING,
    "softplus": _SATURATING,
    "expm1": [*(magnitude(k, k) for k in range(-20, 5)), uniform(-36.0, -1.0)],
    "log1p": [*(magnitude(k, k) for k in range(-20, -1)), *_WIDE_POSITIVE],
    "atan": [*(magnitude(k, k) for k in range(-20, 7)), magnitude(7, 30), magnitude(30, 52)],
}
"""Ranges of operands in which an engine may use a special algorithm, by operation."""

OWN: dict[str, dict[str, Source]] = {
    "**": POWER,
    "exp": EXP,
    "log": LOG,
    "tanh": TANH,
    "sqrt": {
        "square or next to it": square,
        "at the ends of the quick step": row(near(2.0**-1022, 1e-60, 1e60, steps=10**4)),
        HALFWAY: root_near_halfway,
    },
    "sin": wave("sin", "0x1.598bae9e632f6p-7 0x1.d037cb27ee6dfp-3 0x1.d98c4c612718dp-1"),
    "cos": wave("cos", "0x1.16e534ee36580p-4 0x1.c65a170474549p-1 0x1.34ec2f9fc9c00p+1"),
    "sigmoid": logistic("sigmoid"),
    "softplus": logistic("softplus"),
    "log1p": LOG1P,
    "expm1": EXPM1,
    "atan": ATAN,
}
"""Classes beyond the usual ones: ends, ties, worst cases, and changes of the algorithm."""

for _symbol, _draws in RANGES.items():
    OWN[_symbol][BY_RANGE] = halfway(_symbol, one_of(*_draws))

HARD = {symbol: usual(symbol) | OWN.get(symbol, {}) for symbol in ROWS if ROWS[symbol].rounds}
"""The classes of every operation that rounds."""
