"""A function -> operands whose results are within 2**-30 ulp of halfway, found by search.

A double is drawn, then moved to where the line through its image comes close to halfway. What the
bend of the function leaves of that is luck: one draw in five for exp, one in a thousand for log.
"""

import time
from collections.abc import Iterator
from math import inf
from random import Random

from gmpy2 import mpfr

from parity_tests.exactness.hard.draws import (
    HALFWAY,
    Operands,
    Source,
    any_bits,
    magnitude,
    positive,
    widely,
)
from parity_tests.exactness.hard.functions import FUNCTIONS
from parity_tests.exactness.hard.halfway import from_halfway, halfway, near_halfway
from parity_tests.exactness.hard.powers import POWERS

CLOSE = "within 2**-30 of halfway"
CLOSE_BITS = -30.0


def moved_exponent(random: Random) -> Operands:
    """Draw a power near 1, and move its exponent: the function bends the less, the nearer it is."""
    x = positive(magnitude(-30, 30))(random)
    start = magnitude(-45, -12)(random)
    exact = mpfr(x)
    return x, near_halfway(lambda c: widely("**", exact, mpfr(c)), start)


SEARCHED: dict[str, list[Source]] = {
    "exp": [FUNCTIONS["exp"][HALFWAY]],
    "log": [halfway("log", positive(any_bits))],
    "tanh": [FUNCTIONS["tanh"][HALFWAY]],
    "**": [POWERS[HALFWAY], moved_exponent, moved_exponent],
}
"""Where to look, by function."""


def close_to_halfway(operation: str, seed: str, seconds: float) -> Iterator[Operands]:
    """Give different operands for so many seconds; the same ones first for the same seed."""
    random, end = Random(f"close {operation} {seed}"), time.monotonic() + seconds
    seen: set[Operands] = set()
    while time.monotonic() < end:
        operands = random.choice(SEARCHED[operation])(random)
        if operands not in seen and -inf < from_halfway(operation, operands) <= CLOSE_BITS:
            seen.add(operands)
            yield operands
