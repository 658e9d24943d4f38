"""The functions where they turn, end, tie or underflow: documents as the oracle has them."""

import math
from fractions import Fraction

import gmpy2
import pytest

from parity_tests.kit.compare import first_difference
from parity_tests.kit.worker import Worker
from parity_tests.oracle.document import reference_document

FUNCTIONS = ("abs", "min", "max", "sqrt", "sin", "cos", "sigmoid", "softplus")
LARGEST, SMALLEST, NORMAL = math.nextafter(math.inf, 0.0), 5e-324, 2.0**-1022
QUARTERS = (1, 2, 3, 7, 100, 10**6, 10**15, 10**22, 2**60, 10**100, 10**300)
"""Multiples of pi / 2 whose neighbours are tried."""


def around(x: float) -> list[float]:
    """Give a double, its neighbours and their negations."""
    sizes = (x, math.nextafter(x, 0.0), math.nextafter(x, math.inf))
    return [sign * size for size in sizes if size <= LARGEST for sign in (1.0, -1.0)]


def ends() -> list[float]:
    """Give the operands at which some function turns or ends, and where its steps change."""
    cuts = (0.0, SMALLEST, NORMAL, 2.0**-28, 2.0**-27, 2.0**-6, 0.5, 1.0, 2.0**53, LARGEST)
    logistic = (36.7368005696771, 40.0, 600.0, 708.3964185322641, 745.1332191019412, 746.0)
    worst = (6381956970095103 * 2.0**797, 5.319372648326541e255, 200.0)
    with gmpy2.context(precision=2_600):
        half = Fraction(*map(int, (gmpy2.const_pi() / 2).as_integer_ratio()))
    quarters = [float(half * k) for k in QUARTERS]
    return [each for x in (*cuts, *logistic, *worst, *quarters) for each in around(x)]


def operands(name: str) -> list[tuple[float, ...]]:
    if name not in {"min", "max"}:
        return [(x,) for x in ends() if name != "sqrt" or x > 0.0]
    some = [sign * x for x in (0.0, SMALLEST, 1.0, 3.0, LARGEST) for sign in (1.0, -1.0)]
    return [(x, y) for x in some for y in (*some, math.nextafter(3.0, 4.0))]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_data_and_local_gradients_are_right_at_every_edge(
    name: str, workers: dict[str, Worker]
) -> None:
    text = f"{name}(x, y)" if len(operands(name)[0]) > 1 else f"{name}(x)"
    rows = [dict(zip("xy", each, strict=False)) for each in operands(name)]
    wanted = [reference_document(text, values) for values in rows]
    for engine, worker in workers.items():
        calls = [("introspect", {"expression": text, "values": values}, None) for values in rows]
        for document, response in zip(wanted, worker.run_many(calls), strict=True):
            difference = first_difference(document, response["result"])
            assert difference is None, f"the oracle (expected) and {engine} differ {difference}"
