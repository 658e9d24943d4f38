"""A random generator -> doubles of some kind, operands made of them, and operands near halfway.

Hard operands are those at the ends of a range (overflow, underflow, subnormals), exact ties, and
those whose results are so close to halfway between two doubles that rounding takes many more bits.
"""

from collections.abc import Callable
from math import inf, isfinite, ldexp, nextafter, ulp
from random import Random
from struct import pack, unpack
from typing import Any

import gmpy2
from gmpy2 import mpfr

from parity_tests.oracle.operations import ROWS

Operands = tuple[float, ...]
Source = Callable[[Random], Operands]
Draw = Callable[[Random], float]

HALFWAY = "near halfway"
BY_RANGE = "near halfway, range by range"
KNOWN = "known worst case"

WIDE = gmpy2.context(precision=240, emax=2000, emin=-2400)


def widely(operation: str, *operands: Any) -> Any:
    """Compute an operation with 240 bits of precision."""
    with gmpy2.context(WIDE):
        return ROWS[operation].data(*operands)


# Draws of one double

LARGEST = nextafter(inf, 0.0)


def from_place(place: int) -> float:
    """Return the double at a place in the order of all doubles; 0 is at place 0."""
    magnitude: float = unpack(">d", abs(place).to_bytes(8, "big"))[0]
    return -magnitude if place < 0 else magnitude


def step(x: float, steps: int) -> float:
    """Return the double that is `steps` doubles above x, at most the largest."""
    place = int.from_bytes(pack(">d", abs(x)), "big")
    end = int.from_bytes(pack(">d", LARGEST), "big")
    return from_place(max(-end, min(end, (-place if x < 0.0 else place) + steps)))


def any_bits(random: Random) -> float:
    """Draw a finite double, with all bit patterns equally likely."""
    return signed(random, from_place(random.randrange(0x7FF0_0000_0000_0000)))


def signed(random: Random, x: float) -> float:
    """Draw x or -x."""
    return random.choice((x, -x))


def odd(random: Random, bits: int) -> int:
    """Draw an odd integer of exactly `bits` bits."""
    return random.getrandbits(bits) | 1 << bits - 1 | 1


def subnormal(random: Random) -> float:
    """Draw a subnormal, with all lengths equally likely."""
    return signed(random, ldexp(float(odd(random, random.randint(1, 52))), -1074))


def power_of_two(random: Random) -> float:
    """Draw a power of two or one of its neighbours."""
    return signed(random, step(2.0 ** random.randint(-1074, 1023), random.choice((0, 0, -1, 1))))


def zero(random: Random) -> float:
    """Draw 0 or -0."""
    return signed(random, 0.0)


def magnitude(low: int, high: int) -> Draw:
    """Return a draw of 53 random bits, of either sign, with an exponent from low to high."""
    return lambda random: signed(
        random, ldexp(1.0 + random.getrandbits(52) * 2.0**-52, random.randint(low, high))
    )


def few_bits(low: int, high: int) -> Draw:
    """Return a draw of at most 20 bits, of either sign, with an exponent from low to high."""

    def draw(random: Random) -> float:
        bits = random.randint(1, 20)
        return signed(random, ldexp(float(odd(random, bits)), random.randint(low, high) - bits + 1))

    return draw


def uniform(low: float, high: float) -> Draw:
    """Return a draw from an interval."""
    return lambda random: random.uniform(low, high)


def near(*centres: float, steps: int = 4) -> Draw:
    """Return a draw of the doubles around some centres."""
    return lambda random: step(random.choice(centres), random.randint(-steps, steps))


def positive(draw: Draw) -> Draw:
    """Return a draw of absolute values."""
    return lambda random: abs(draw(random))


def one_of(*draws: Draw) -> Draw:
    """Return a draw that uses any of these."""
    return lambda random: random.choice(draws)(random)


# Draws of operands


def row(*draws: Draw) -> Source:
    """Return a source of operands, one from each draw."""
    return lambda random: tuple(draw(random) for draw in draws)


def listed(*rows: Operands) -> Source:
    """Return a source of these rows."""
    return lambda random: random.choice(rows)


def listed_hex(text: str) -> Source:
    """Return a source of these doubles."""
    return listed(*((float.fromhex(word),) for word in text.split()))


# Operands whose result is near halfway

ULP = 1 << 128
"""Fixed point: an integer n represents n / ULP units in the last place."""


def halfway(operation: str, draw: Draw, *rest: Draw) -> Source:
    """Return a source that moves the first operand to make the result close to halfway."""

    def source(random: Random) -> Operands:
        x, others = draw(random), tuple(other(random) for other in rest)
        exact = [mpfr(other) for other in others]
        return near_halfway(lambda x: widely(operation, mpfr(x), *exact), x), *others

    return source


def near_halfway(function: Callable[[float], Any], x: float) -> float:
    """Find a double, from x upwards, whose image is close to halfway between two doubles.

    k doubles after x, the image is a + b k ulps, plus a curvature term c k**2 / 2. The first k that
    brings this within 2**-w of a half solves a linear congruence; w grows until the curvature
    matters.
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
    """Find the least k >= 0 with low <= k * pace mod modulus <= high, by Euclid's algorithm."""
    if low == 0:
        return 0
    if pace == 0:
        return None
    if 2 * pace > modulus:  # walk backwards
        pace, low, high = modulus - pace, modulus - high, modulus - low
    k = -(-low // pace)
    if k * pace <= high:
        return k
    # On the first lap with a multiple in the window, lap * modulus mod pace is in a window, too.
    lap = first_multiple(modulus % pace, pace, -high % pace, -low % pace)
    return None if lap is None else -(-(low + lap * modulus) // pace)


def from_halfway(operation: str, operands: Operands) -> float:
    """Return log2 of the distance, in ulps, from a result to halfway between two doubles."""
    return float(gmpy2.log2(WIDE.abs(beyond_halfway(operation, operands))))  # -inf for a tie


def beyond_halfway(operation: str, operands: Operands) -> Any:
    """Return a result minus the midpoint of the doubles around it, in ulps; 1 if it overflows."""
    value = widely(operation, *map(mpfr, operands))
    size = ulp(float(value))
    if not isfinite(size):
        return mpfr(1)
    ulps = WIDE.div(value, mpfr(size))
    return WIDE.sub(WIDE.sub(ulps, WIDE.floor(ulps)), mpfr(0.5))
