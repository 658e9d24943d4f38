"""A random generator -> one double of some kind, or the operands made of several."""

from collections.abc import Callable
from math import inf, ldexp, nextafter
from random import Random
from struct import pack, unpack
from typing import Any

import gmpy2
from gmpy2 import mpfr

from parity_tests.oracle.operations import ROWS

Operands = tuple[float, ...]
Source = Callable[[Random], Operands]
Draw = Callable[[Random], float]
Target = Callable[[Random], Any]
"""Draws a real number: MPFR's, because a halfway point is no double."""

HALFWAY = "near halfway"
KNOWN = "known worst case"

WIDE = gmpy2.context(precision=240, emax=2000, emin=-2400)


def widely(operation: str, *operands: Any) -> Any:
    """Compute an operation with 240 bits."""
    with gmpy2.context(WIDE):
        return ROWS[operation].data(*operands)


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
