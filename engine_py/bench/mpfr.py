"""The functions compared with MPFR's, which round correctly: ns per call, and the ratio.

MPFR has no sigmoid and no softplus. They are compared with the shortest composition of its
functions, which rounds two or three times, so not correctly.
"""

from collections.abc import Callable
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

import gmpy2

from engine_py.numerics import elementary, logistic, near_zero, wave

ROUNDS = 41
CALLS = 500

Function = Callable[..., Any]
Draw = Callable[[Random], tuple[float, ...]]


def _from(low: float, high: float) -> Draw:
    return lambda random: (random.uniform(low, high),)


def _to_the(low: float, high: float) -> Draw:
    return lambda random: (random.uniform(0.01, 10), random.uniform(low, high))


def _mpfr_power(x: float, c: float) -> Any:
    return gmpy2.mpfr(x) ** c  # the result stays an mpfr of 53 bits


# A prototype of the quick step reached the goals of the first seven. There is none for the others,
# which should not be slower than MPFR.
ROWS: list[tuple[str, Function, Function, Draw, float]] = [
    ("exp", elementary.exp, gmpy2.exp, _from(-5, 5), 0.65),
    ("log", elementary.log, gmpy2.log, _from(0.01, 10), 0.55),
    ("tanh", elementary.tanh, gmpy2.tanh, _from(-3, 3), 0.5),
    ("x ** c", elementary.power, _mpfr_power, _to_the(-5, 5), 0.42),
    ("x ** 3", elementary.power, _mpfr_power, _to_the(3, 3), 0.5),
    ("x ** 4", elementary.power, _mpfr_power, _to_the(4, 4), 0.5),
    ("x ** 0.5", elementary.power, _mpfr_power, _to_the(0.5, 0.5), 0.5),
    ("sqrt", elementary.sqrt, gmpy2.sqrt, _from(0.01, 10), 1.0),
    ("sin", wave.sin, gmpy2.sin, _from(-10, 10), 1.0),
    ("cos", wave.cos, gmpy2.cos, _from(-10, 10), 1.0),
    ("log1p", near_zero.log1p, gmpy2.log1p, _from(-0.9, 3), 1.0),
    ("expm1", near_zero.expm1, gmpy2.expm1, _from(-3, 3), 1.0),
    ("atan", near_zero.atan, gmpy2.atan, _from(-10, 10), 1.0),
    ("sigmoid", logistic.sigmoid, lambda x: 1 / (1 + gmpy2.exp(-x)), _from(-5, 5), 1.0),
    ("softplus", logistic.softplus, lambda x: gmpy2.log1p(gmpy2.exp(x)), _from(-5, 5), 1.0),
]
"""Name, the engine's function, MPFR's without overhead, a generator of operands, and the goal."""


def print_functions() -> int:
    """Print a row per function; return the number of goals missed."""
    print(f"\n{'function':12} {'MPFR':>9} {'engine':>12} {'ratio':>6}  goal")
    missed = 0
    for name, ours, theirs, draw, goal in ROWS:
        random = Random(name)
        operands = [draw(random) for _ in range(CALLS)]
        rows = [(_timed(theirs, operands), _timed(ours, operands)) for _ in range(ROUNDS)]
        ratio = median(engine / mpfr for mpfr, engine in rows)
        mpfr, engine = (1e9 * median(row[column] for row in rows) for column in (0, 1))
        print(f"{name:12} {mpfr:6.0f} ns {engine:9.0f} ns {ratio:6.2f}  <= {goal}", flush=True)
        missed += ratio > goal
    return missed


def _timed(function: Function, operands: list[tuple[float, ...]]) -> float:
    """Return the seconds of one call."""
    if len(operands[0]) == 1:
        singles = [x for (x,) in operands]
        start = perf_counter()
        for x in singles:
            function(x)
        return (perf_counter() - start) / len(operands)
    start = perf_counter()
    for x, c in operands:
        function(x, c)
    return (perf_counter() - start) / len(operands)
