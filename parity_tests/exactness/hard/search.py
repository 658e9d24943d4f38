"""A function -> operands whose results are within 2**-30 ulp of halfway, found by search.

Those whose results are subnormal are searched for by themselves: an engine rounds them elsewhere.

A double is drawn, then moved to where the line through its image comes close to halfway. What the
bend of the function leaves of that is luck: one draw in five for exp, one in a thousand for log.
"""

import time
from collections.abc import Iterator
from itertools import islice
from math import inf, log2
from random import Random

from gmpy2 import mpfr

from parity_tests.exactness.hard.draws import (
    HALFWAY,
    Draw,
    Operands,
    Source,
    any_bits,
    magnitude,
    positive,
    row,
    uniform,
    widely,
)
from parity_tests.exactness.hard.functions import FUNCTIONS
from parity_tests.exactness.hard.halfway import from_halfway, halfway, near_halfway
from parity_tests.exactness.hard.powers import POWERS

CLOSE = "within 2**-30 of halfway"
SUBNORMAL = "subnormal and within 2**-30 of halfway"
CLOSE_BITS = -30.0
LEAST_NORMAL = 2.0**-1022


def moved_exponent(random: Random) -> Operands:
    """Draw a power near 1, and move its exponent: the function bends the less, the nearer it is."""
    x = positive(magnitude(-30, 30))(random)
    start = magnitude(-45, -12)(random)
    exact = mpfr(x)
    return x, near_halfway(lambda c: widely("**", exact, mpfr(c)), start)


def subnormal_power(random: Random) -> Operands:
    """Draw a power that is subnormal, and move its base."""
    x = positive(magnitude(-30, 30))(random)
    c = random.uniform(-1074.0, -1023.0) / log2(x)
    return near_halfway(lambda x: widely("**", mpfr(x), mpfr(c)), x), c


BELOW = uniform(-744.0, -708.5)

SEARCHED: dict[str, dict[str, list[Source]]] = {
    CLOSE: {
        **{name: [classes[HALFWAY]] for name, classes in FUNCTIONS.items()},
        "log": [halfway("log", positive(any_bits))],
        "**": [POWERS[HALFWAY], moved_exponent, moved_exponent],
    },
    SUBNORMAL: {
        **{name: [halfway(name, BELOW)] for name in ("exp", "sigmoid", "softplus")},
        "**": [subnormal_power],
    },
}
"""Where to look, by function."""
ENOUGH = {CLOSE: 1_000, SUBNORMAL: 200}
"""A search ends when it has found so many."""
BY_RANGE = "closest of many, range by range"
SEARCHES = (BY_RANGE, *ENOUGH)


def search(operation: str, seed: str, seconds: float) -> Iterator[tuple[str, Operands]]:
    """Give what each search of a function finds, in so many seconds of computing a class.

    The closest by range come first: they are the same for every seed.
    """
    yield from ((BY_RANGE, operands) for operands in closest_by_range(operation))
    for kind in [each for each in ENOUGH if operation in SEARCHED[each]]:
        found = close_to_halfway(operation, seed, seconds, kind)
        yield from ((kind, operands) for operands in islice(found, ENOUGH[kind]))


def close_to_halfway(
    operation: str, seed: str, seconds: float, kind: str = CLOSE
) -> Iterator[Operands]:
    """Give different operands, the same ones first for a seed, in so many seconds of computing."""
    random, end = Random(f"close {operation} {seed}"), time.process_time() + seconds
    seen: set[Operands] = set()
    while time.process_time() < end:
        operands = random.choice(SEARCHED[kind][operation])(random)
        if operands in seen or not -inf < from_halfway(operation, operands) <= CLOSE_BITS:
            continue
        if kind == CLOSE or abs(widely(operation, *map(mpfr, operands))) < LEAST_NORMAL:
            seen.add(operands)
            yield operands


def of_magnitude(e: int) -> Draw:
    """Draw between 2**e and 2**(e + 1)."""
    return magnitude(e, e)


def near_one(e: int) -> Draw:
    """Draw 1 plus or minus about 2**e."""
    return lambda random: 1.0 + magnitude(e, e)(random)


def result_of_magnitude(e: int) -> Source:
    """Draw a power of about 2**e."""

    def source(random: Random) -> Operands:
        x = 1.0
        while x == 1.0:
            x = positive(magnitude(-30, 30))(random)
        return x, (e + random.random()) / log2(x)

    return source


RANGES: dict[str, list[Source]] = {
    **{name: [row(of_magnitude(e)) for e in range(-50, 9)] for name in FUNCTIONS},
    "exp": [row(of_magnitude(e)) for e in range(-24, 9)],
    "log": [
        *(row(near_one(e)) for e in range(-26, -1)),
        *(row(positive(of_magnitude(e))) for e in range(-1000, 1001, 50)),
    ],
    "tanh": [row(of_magnitude(e)) for e in range(-26, 4)],
    "sin": [row(of_magnitude(e)) for e in (*range(-26, 10), *range(10, 1024, 39))],
    "cos": [row(of_magnitude(e)) for e in (*range(-26, 10), *range(10, 1024, 39))],
    "**": [result_of_magnitude(e) for e in range(-1070, 1021, 19)],
}


def closest_by_range(operation: str, many: int = 4_000, few: int = 2) -> Iterator[Operands]:
    """Give, of very many draws in each range of a function, those closest to halfway."""
    for number, source in enumerate(RANGES[operation]):
        random = Random(f"{operation} {number}")
        drawn = {source(random) for _ in range(many)}
        ranked = sorted((from_halfway(operation, operands), operands) for operands in drawn)
        yield from [operands for distance, operands in ranked if distance > -inf][:few]
