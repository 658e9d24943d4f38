"""A seed -> operands where rounding is hard, class by class, for each operation.

Hard is: the ends of a range (overflow, underflow, subnormals), exact ties, and results so close to
halfway between two doubles that only many more bits tell which side they are on.
"""

from collections import deque
from collections.abc import Callable, Iterator
from math import inf, isfinite, ldexp, nextafter, ulp
from random import Random
from struct import pack, unpack
from typing import Any

import gmpy2
from gmpy2 import mpfr

Operands = tuple[float, ...]
Source = Callable[[Random], Operands]
Draw = Callable[[Random], float]
Target = Callable[[Random], Any]
"""Draws a real number: MPFR's, because a halfway point is no double."""

HALFWAY = "near halfway"
KNOWN = "known worst case"

WIDE = gmpy2.context(precision=240, emax=2000, emin=-2400)
WIDE_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "**": WIDE.pow,
    "exp": WIDE.exp,
    "log": WIDE.log,
    "tanh": WIDE.tanh,
}


def hard_inputs(operation: str, count: int, seed: int) -> Iterator[tuple[str, Operands]]:
    """Give `count` different operands with their class, the classes in turn.

    A class that is used up (a list, or a few powers of two) leaves the rotation.
    """
    random = Random(f"{operation} {seed}")
    seen: set[bytes] = set()
    rotation = deque(HARD[operation].items())
    while len(seen) < count:
        name, source = rotation.popleft()
        for _ in range(100):
            operands = source(random)
            key = pack(f"{len(operands)}d", *operands)  # tells 0 from -0, which == does not
            if key not in seen:
                seen.add(key)
                rotation.append((name, source))
                yield name, operands
                break


# Draws of one double

LARGEST = nextafter(inf, 0.0)


def from_place(place: int) -> float:
    """Give the double at a place on the line of all doubles; 0 is at place 0."""
    magnitude: float = unpack(">d", abs(place).to_bytes(8, "big"))[0]
    return -magnitude if place < 0 else magnitude


def step(x: float, steps: int) -> float:
    """Walk so many doubles upwards, and stop at the largest."""
    place = int.from_bytes(pack(">d", abs(x)), "big")
    end = int.from_bytes(pack(">d", LARGEST), "big")
    return from_place(max(-end, min(end, (-place if x < 0.0 else place) + steps)))


def any_bits(random: Random) -> float:
    """Draw a finite double, all bit patterns alike."""
    return signed(random, from_place(random.randrange(0x7FF0_0000_0000_0000)))


def signed(random: Random, x: float) -> float:
    """Give x or -x."""
    return random.choice((x, -x))


def odd(random: Random, bits: int) -> int:
    """Draw an odd integer of exactly so many bits."""
    return random.getrandbits(bits) | 1 << bits - 1 | 1


def subnormal(random: Random) -> float:
    """Draw a subnormal, all lengths alike."""
    return signed(random, ldexp(float(odd(random, random.randint(1, 52))), -1074))


def power_of_two(random: Random) -> float:
    """Draw a power of two or one of its neighbours."""
    return signed(random, step(2.0 ** random.randint(-1074, 1023), random.choice((0, 0, -1, 1))))


def zero(random: Random) -> float:
    """Draw 0 or -0."""
    return signed(random, 0.0)


def magnitude(low: int, high: int) -> Draw:
    """Make a draw of 53 random bits, of either sign, with an exponent from low to high."""
    return lambda random: signed(
        random, ldexp(1.0 + random.getrandbits(52) * 2.0**-52, random.randint(low, high))
    )


def few_bits(low: int, high: int) -> Draw:
    """Make a draw of at most 20 bits, of either sign, with an exponent from low to high."""

    def draw(random: Random) -> float:
        bits = random.randint(1, 20)
        return signed(random, ldexp(float(odd(random, bits)), random.randint(low, high) - bits + 1))

    return draw


def uniform(low: float, high: float) -> Draw:
    """Make a draw from an interval."""
    return lambda random: random.uniform(low, high)


def near(*centres: float, steps: int = 4) -> Draw:
    """Make a draw of the doubles around some centres."""
    return lambda random: step(random.choice(centres), random.randint(-steps, steps))


def positive(draw: Draw) -> Draw:
    """Take the magnitude of what is drawn."""
    return lambda random: abs(draw(random))


def one_of(*draws: Draw) -> Draw:
    """Draw by any of these."""
    return lambda random: random.choice(draws)(random)


# Draws of operands


def row(*draws: Draw) -> Source:
    """Make each draw one operand."""
    return lambda random: tuple(draw(random) for draw in draws)


def listed(*rows: Operands) -> Source:
    """Draw one of these rows."""
    return lambda random: random.choice(rows)


def listed_hex(text: str) -> Source:
    """Draw one of these doubles."""
    return listed(*((float.fromhex(word),) for word in text.split()))


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


# Close to halfway

ULP = 1 << 128
"""Fixed point: an integer n stands for n / ULP units in the last place."""


def halfway(operation: str, draw: Draw, *rest: Draw) -> Source:
    """Move the first operand to where the result is close to halfway."""

    def source(random: Random) -> Operands:
        x, others = draw(random), tuple(other(random) for other in rest)
        exact = [mpfr(other) for other in others]
        function = WIDE_FUNCTIONS[operation]
        return near_halfway(lambda x: function(mpfr(x), *exact), x), *others

    return source


def near_halfway(function: Callable[[float], Any], x: float) -> float:
    """Find a double from x on whose image is close to halfway between two doubles.

    k doubles after x the image is, in ulps, a + b k but for a bend of c k**2 / 2. The first k that
    brings this within 2**-w of a half solves a linear congruence; w grows until the bend counts.
    """
    size = ulp(float(function(x)))
    if not isfinite(size):
        return x
    unit = WIDE.div_2exp(mpfr(size), 128)
    first, second, third = (int(WIDE.div(function(x + k * ulp(x)), unit)) for k in range(3))
    slope, bend = second - first, abs(third - 2 * second + first)
    best = x
    for width in range(8, 64, 4):
        window = ULP >> width
        low, high = (ULP // 2 - first - window) % ULP, (ULP // 2 - first + window) % ULP
        k = first_multiple(slope % ULP, ULP, low, high) if low <= high else 0
        if k is None or k >= 1 << 52 or bend * k * k > 2 * window:
            break
        best = x + k * ulp(x)
    return best


def first_multiple(pace: int, modulus: int, low: int, high: int) -> int | None:
    """Find the least k >= 0 with low <= k * pace mod modulus <= high, as Euclid would."""
    if low == 0:
        return 0
    if pace == 0:
        return None
    if 2 * pace > modulus:  # walk backwards
        pace, low, high = modulus - pace, modulus - high, modulus - low
    k = -(-low // pace)
    if k * pace <= high:
        return k
    # On the first lap with a multiple inside, lap * modulus mod pace is in a window, too.
    lap = first_multiple(modulus % pace, pace, -high % pace, -low % pace)
    return None if lap is None else -(-(low + lap * modulus) // pace)


def from_halfway(operation: str, operands: Operands) -> float:
    """Measure how far a result is from halfway between two doubles: log2 of that part of an ulp."""
    value = WIDE_FUNCTIONS[operation](*map(mpfr, operands))
    size = ulp(float(value))
    if not isfinite(size):
        return 0.0
    ulps = WIDE.div(value, mpfr(size))
    off = WIDE.sub(WIDE.sub(ulps, WIDE.floor(ulps)), mpfr(0.5))
    return float(gmpy2.log2(WIDE.abs(off)))  # -inf for a tie


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

# Functions. Where a list of known worst cases stands, its doubles are those closest to halfway in
# V. Lefèvre and J.-M. Muller, "Worst cases for correct rounding of the elementary functions in
# double precision" (2003), and in their later searches; a test measures how close they are.

LN2 = 0.6931471805599453

EXPS = {
    "any bits": row(any_bits),
    "whole range": row(uniform(-746.0, 710.0)),
    "largest result": row(near(709.782712893384, 710.0, steps=10**4)),
    "smallest result": row(near(-745.1332191019411, -744.4400719213812, -746.0, steps=10**4)),
    "first subnormal result": row(near(-708.3964185322641, steps=10**4)),
    "subnormal result": row(uniform(-745.2, -708.3)),
    "near 0": row(magnitude(-60, -1)),
    "result next to 1": lambda random: (
        step(ldexp(2.0 * random.randint(-99, 99) + 1.0, -54), random.randint(-9, 9)),
    ),
    "subnormal or zero": row(one_of(zero, subnormal, subnormal, subnormal)),
    "power of two or next to it": row(power_of_two),
    "near k ln 2": lambda random: (step(random.randint(-1075, 1024) * LN2, random.randint(-9, 9)),),
    HALFWAY: halfway("exp", one_of(magnitude(-40, 9), uniform(-740.0, 700.0), few_bits(-30, 5))),
    KNOWN: listed_hex("""
        0x1.9e9cbbfd6080bp-31 -0x1.4bd46601ae1efp-31 0x1.ba07d73250de7p-14 0x1.6a4d1af9cc989p-8
        0x1.accfbe46b4ef0p-1 0x1.aca7ae8da5a7bp+0 -0x1.22e24fa3d5cf9p-1 -0x1.02393d5976769p+1
        -0x1.71e0b869b5e79p+2 0x1.a8ead058bc6b8p+3
    """),
}

LOGS = {
    "any bits": row(positive(any_bits)),
    "moderate": row(positive(magnitude(-9, 9))),
    "near 1": lambda random: (step(1.0, random.randint(-1, 1) * 2 ** random.randint(0, 51)),),
    "next to 1": row(near(1.0, steps=10**4)),
    "around 1": lambda random: (1.0 + magnitude(-40, -2)(random),),
    "subnormal": row(positive(subnormal)),
    "power of two or next to it": row(positive(power_of_two)),
    "few bits": row(positive(few_bits(-1000, 1000))),
    "near a power of e": lambda random: (
        step(float(WIDE.exp(mpfr(random.randint(-744, 709)))), random.randint(-9, 9)),
    ),
    "largest and smallest": row(near(LARGEST, step(0.0, 10**4), steps=9999)),
    HALFWAY: halfway("log", positive(one_of(any_bits, magnitude(-9, 9), few_bits(-60, 60)))),
    "outside the domain": row(one_of(zero, lambda random: -abs(any_bits(random)))),
    KNOWN: listed_hex("""
        0x1.fd15daa6ce332p+732 0x1.9476e304cd7c7p-384 0x1.be87838f1a47cp+774 0x1.613955dc802f8p-35
        0x1.b7f71a488641ap+340 0x1.6b3d29c0f9e6ep+543 0x1.d6a413a59c7eap+502 0x1.a8346abf875c7p-815
        0x1.91f8729a9282bp-574 0x1.c573e7d6a51cap-512 0x1.ad9cb1932cb03p+480 0x1.452c8337ad7d3p-664
    """),
}

TANHS = {
    "any bits": row(any_bits),
    "whole range": row(uniform(-20.1, 20.1)),
    "small": row(magnitude(-29, -1)),
    "at the small cut": row(one_of(near(2.0**-28, -(2.0**-28), steps=10**4), magnitude(-29, -25))),
    "at the large cut": row(near(20.0, -20.0, steps=10**4)),
    "result next to 1": row(near(19.061547465398498, -19.061547465398498, steps=10**4)),
    "result near 1": row(one_of(uniform(15.0, 20.0), uniform(-20.0, -15.0))),
    "subnormal or zero": row(one_of(zero, subnormal, subnormal, subnormal)),
    "power of two or next to it": row(power_of_two),
    "few bits": row(few_bits(-30, 4)),
    HALFWAY: halfway("tanh", one_of(magnitude(-28, 4), uniform(-3.0, 3.0), few_bits(-28, 4))),
    KNOWN: listed_hex("""
        0x1.e0000000000e1p-22 0x1.68000000017bbp-19 0x1.ac343b179fec4p-3 0x1.1375c272d441cp+1
        0x1.30842605350a2p-21 0x1.c3f025670d6a7p-22 0x1.291c601a05276p-2 0x1.0a90d36059a04p-6
        0x1.d12ed0af1a27fp-27 0x1.880072ccb1051p-11
    """),
}

# Power


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

HARD: dict[str, dict[str, Source]] = {
    "+": SUMS,
    "-": SUMS,
    "*": PRODUCTS,
    "/": QUOTIENTS,
    "**": POWERS,
    "exp": EXPS,
    "log": LOGS,
    "tanh": TANHS,
}
