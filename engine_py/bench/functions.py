"""exp, log, tanh and powers beside MPFR's, which rounds correctly: ns a call, and the ratio."""

from collections.abc import Callable
from random import Random
from statistics import median
from time import perf_counter
from typing import Any

import gmpy2

from engine_py import numerics, numerics_exact, numerics_tables

ROUNDS = 41
CALLS = 500
TABLES_GOAL = 4.0
"""ms for all three, each of which is made at its first use."""

Row = tuple[str, str, Callable[[Random], tuple[float, ...]], float]
ROWS: list[Row] = [
    # name   function  operands                                    goal
    ("exp", "exp", lambda random: (random.uniform(-5, 5),), 0.65),
    ("log", "log", lambda random: (random.uniform(0.01, 10),), 0.55),
    ("tanh", "tanh", lambda random: (random.uniform(-3, 3),), 0.5),
    ("x ** c", "power", lambda random: (random.uniform(0.01, 10), random.uniform(-5, 5)), 0.42),
    ("x ** 3", "power", lambda random: (random.uniform(0.01, 10), 3.0), 0.5),
    ("x ** 4", "power", lambda random: (random.uniform(0.01, 10), 4.0), 0.5),
    ("x ** 0.5", "power", lambda random: (random.uniform(0.01, 10), 0.5), 0.5),
]


def print_functions() -> int:
    """Print a row per function; give the number of goals missed."""
    print(f"\n{'function':30} {'integers':>9} {'MPFR':>9} {'engine':>12} {'ratio':>6}  goal")
    missed = 0
    for name, function, draw, goal in ROWS:
        random = Random(name)
        operands = [draw(random) for _ in range(CALLS)]
        ours, integers = getattr(numerics, function), getattr(numerics_exact, function)
        columns = [integers, _mpfr(function), ours]
        rows = [[_timed(column, operands) for column in columns] for _ in range(ROUNDS)]
        ratio = median(row[2] / row[1] for row in rows)
        exact, mpfr, engine = (1e9 * median(row[column] for row in rows) for column in range(3))
        print(
            f"{name:30} {exact:6.0f} ns {mpfr:6.0f} ns {engine:9.0f} ns {ratio:6.2f}  <= {goal}",
            flush=True,
        )
        missed += ratio > goal
    return missed + _print_tables()


def _print_tables() -> int:
    fills = (numerics_tables.fill_exp, numerics_tables.fill_log, numerics_tables.fill_tanh)
    took = median(sum(_once(fill) for fill in fills) for _ in range(5))
    print(f"{'their tables, once a process':51} {took:9.2f} ms         <= {TABLES_GOAL:g} ms")
    return took > TABLES_GOAL


def _mpfr(function: str) -> Callable[..., Any]:
    """Give MPFR's function of doubles, at its barest: the result stays an mpfr of 53 bits."""
    return (lambda x, c: gmpy2.mpfr(x) ** c) if function == "power" else getattr(gmpy2, function)


def _timed(function: Callable[..., Any], operands: list[tuple[float, ...]]) -> float:
    """Seconds for one call."""
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


def _once(fill: Callable[[], None]) -> float:
    """Milliseconds for one call."""
    start = perf_counter()
    fill()
    return 1e3 * (perf_counter() - start)
