"""The functions where they turn, end, tie or underflow: data and local gradients as R3 writes them.

Data are MPFR's with 2,600 bits, which the operand of a sine needs; each step of a local gradient is
rounded by a double's own operation.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import gmpy2
import pytest
from gmpy2 import mpfr

from parity_tests.kit.worker import Worker

EXACT = gmpy2.context(precision=2_600, emax=2**40, emin=-(2**40))
LARGEST, SMALLEST, NORMAL = math.nextafter(math.inf, 0.0), 5e-324, 2.0**-1022
QUARTERS = (1, 2, 3, 7, 100, 10**6, 10**15, 10**22, 2**60, 10**100, 10**300)
"""Multiples of pi / 2 whose neighbours are tried."""
Row = tuple[float, *tuple[float, ...]]


def nearest(number: Any) -> float:
    """Round once: a quotient of integers is."""
    numerator, denominator = map(int, number.as_integer_ratio())
    return numerator / denominator


def exactly(function: Callable[[Any], Any], x: float) -> float:
    with gmpy2.context(EXACT):
        return nearest(function(mpfr(x)))


def sigmoid(x: float) -> float:
    return exactly(lambda exact: 1 / (1 + gmpy2.exp(-exact)), x)


def softplus(x: float) -> float:
    return x if x > 2_000.0 else exactly(lambda exact: gmpy2.log1p(gmpy2.exp(exact)), x)


def sqrt(x: float) -> Row:
    out = exactly(gmpy2.sqrt, x)
    return out, 0.5 / out


def shares(x: float, y: float) -> tuple[float, float]:
    return (1.0, 0.0) if x < y else (0.0, 1.0) if x > y else (0.5, 0.5)


ROWS: dict[str, Callable[..., Row]] = {
    "abs": lambda x: (abs(x), float((x > 0) - (x < 0))),
    "min": lambda x, y: (min(x, y), *shares(x, y)),
    "max": lambda x, y: (max(x, y), *shares(y, x)),
    "sqrt": sqrt,
    "sin": lambda x: (exactly(gmpy2.sin, x), exactly(gmpy2.cos, x)),
    "cos": lambda x: (exactly(gmpy2.cos, x), -exactly(gmpy2.sin, x)),
    "sigmoid": lambda x: (sigmoid(x), sigmoid(x) * (1.0 - sigmoid(x))),
    "softplus": lambda x: (softplus(x), sigmoid(x)),
}


def around(x: float) -> list[float]:
    """Give a double, its neighbours and their negations."""
    sizes = (x, math.nextafter(x, 0.0), math.nextafter(x, math.inf))
    return [sign * size for size in sizes if size <= LARGEST for sign in (1.0, -1.0)]


def ends() -> list[float]:
    """Give the operands at which some function turns or ends, and where its steps change."""
    cuts = (0.0, SMALLEST, NORMAL, 2.0**-28, 2.0**-27, 2.0**-6, 0.5, 1.0, 2.0**53, LARGEST)
    logistic = (36.7368005696771, 40.0, 600.0, 708.3964185322641, 745.1332191019412, 746.0)
    worst = (6381956970095103 * 2.0**797, 5.319372648326541e255, 200.0)
    with gmpy2.context(EXACT):
        half = gmpy2.const_pi() / 2
        quarters = [nearest(Fraction(*map(int, half.as_integer_ratio())) * k) for k in QUARTERS]
    return [each for x in (*cuts, *logistic, *worst, *quarters) for each in around(x)]


def operands(name: str) -> list[tuple[float, ...]]:
    if name not in {"min", "max"}:
        return [(x,) for x in ends() if name != "sqrt" or x > 0.0]
    some = [sign * x for x in (0.0, SMALLEST, 1.0, 3.0, LARGEST) for sign in (1.0, -1.0)]
    return [(x, y) for x in some for y in (*some, math.nextafter(3.0, 4.0))]


@pytest.mark.parametrize("name", ROWS)
def test_data_and_local_gradients_are_right_at_every_edge(
    name: str, workers: dict[str, Worker]
) -> None:
    given = operands(name)
    text = f"{name}(x, y)" if len(given[0]) > 1 else f"{name}(x)"
    requests = [
        {"expression": text, "values": dict(zip("xy", each, strict=False))} for each in given
    ]
    # A zero is written 0, so its sign is gone.
    wanted = [tuple(number + 0.0 for number in ROWS[name](*each)) for each in given]
    for engine, worker in workers.items():
        responses = worker.run_many([("introspect", each, None) for each in requests])
        for each, response, row in zip(given, responses, wanted, strict=True):
            document = response["result"]
            found = (document["result"], *(edge["local_grad"] for edge in document["edges"]))
            assert tuple(map(float, found)) == row, (engine, each)
            assert all(math.copysign(1.0, number) > 0.0 for number in found if number == 0.0)
