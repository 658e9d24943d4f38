"""How much derivatives vary. Expected values are derivatives at two places, worked out by hand."""

from itertools import product
from math import cos, exp, inf, sin

import pytest

from engine_py import introspect
from engine_py.errors import GradientError
from engine_py.lab.program import program_of
from engine_py.lab.variation import variation
from engine_py.operations import OPERATIONS
from engine_py.rows import Operation


def varies(expression: str, x: float, step: float, **others: float) -> float:
    document = introspect(expression, {"x": x, **others})
    [leaf] = [node["id"] for node in document["nodes"] if node["label"] == "x"]
    return variation(program_of(document), leaf, step)


@pytest.mark.parametrize(
    ("expression", "x", "step", "expected"),
    [
        ("x * 3 + 1", 5, 2, 0),
        ("x * x", 3, 0.5, 7 - 5),
        ("x ** 2", 3, 0.5, 7 - 5),
        ("x ** 3", 0, 1, 3 - 0),
        ("-x ** 2", 1, 1, 4 - 0),
        ("1 / x", 2, 1, 1 - 1 / 9),
        ("x / x", 2, 1, 4 / 3),  # 1 / x less 1 / x, which are one number to nobody
        ("x - x", 2, 1, 0),
        ("exp(x)", 1, 0.25, exp(1.25) - exp(0.75)),
        ("log(x)", 2, 1, 1 - 1 / 3),
        ("sqrt(x)", 4, 3, 1 / 2 - 1 / (2 * 7**0.5)),
        ("tanh(x)", 0, 1, 0.5800256583859738),
        ("relu(x)", 0, 1, 1 - 0),
        ("relu(x)", 2, 1, 0),
        ("relu(x)", 1, 1, 1 - 0),  # the end is a kink
        ("abs(x)", 0, 1, 1 - -1),
        ("abs(x)", -2, 1, 0),
        ("max(x, x)", 0, 1, 0),
        ("min(x, 1)", 1, 1, 1 - 0),
        ("max(x, 5)", 1, 1, 0),
        ("relu(y * x)", 3, 1, 0),  # y is 0, and nothing moves
        ("sin(x)", 0, 1, 1 - 0),  # cos by its steepest slope
        ("sin(x)", 0, 9, 1 - -1),
        ("cos(1000 * x)", 0, 1, 2000),
        ("log(x)", 1, 1, inf),
        ("1 / x", 1, 2, inf),
        ("sqrt(x)", 1, 1, inf),  # no finite slope at 0
        ("exp(x)", 709, 1, inf),
        ("x ** 0.5", 1, 2, inf),
        ("y * 2 + 1 + 0 * x", 1, 1, 0),
    ],
)
def test_the_derivative_varies_by_so_much(
    expression: str, x: float, step: float, expected: float
) -> None:
    others = {"y": 0.0} if "y" in expression else {}
    assert varies(expression, x, step, **others) == pytest.approx(expected, rel=1e-14, abs=1e-14)


@pytest.mark.parametrize(
    ("expression", "least"),
    [
        ("x * 0.1 * 0.7", 1e-17),  # 0.07 is no double
        ("x * 1e-200 * 1e-200", 1e-323),  # neither is 1e-400
    ],
)
def test_what_is_rounded_lies_between_two_doubles(expression: str, least: float) -> None:
    assert least <= varies(expression, 1, 0.5) <= 1e-15


def calls(operation: Operation) -> list[str]:
    symbol = operation.symbol
    if symbol == "**":  # its exponent is a constant
        return [f"x ** {exponent}" for exponent in (2, 3, -1, -2, 0.5, 0, 1)]
    if operation.form == "prefix":
        return ["-x"]
    if operation.form == "infix":
        return [f"x {symbol} y", f"y {symbol} x", f"x {symbol} x"]
    if operation.arity == 1:
        return [f"{symbol}(x)"]
    return [f"{symbol}(x, y)", f"{symbol}(y, x)", f"{symbol}(x, x)"]


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=lambda row: row.name)
def test_no_two_derivatives_of_an_operation_differ_by_more(operation: Operation) -> None:
    """A row that turns, and does not say so, is found here."""
    compared = 0  # with a finite bound
    for expression in (f"({written}) * x" for written in calls(operation)):
        others = {"y": 0.7} if "y" in expression else {}
        for x, step in product((0.7, -1.3, 2, 3, 0, 1e-3), (0.1, 1, 10)):
            places = [x + step * place / 10 for place in range(-10, 11)]
            try:
                documents = [introspect(expression, {"x": place, **others}) for place in places]
            except GradientError:
                continue  # outside its domain
            slopes = [document["gradients"]["x"] for document in documents]
            most = varies(expression, x, step, **others)
            assert max(slopes) - min(slopes) <= most * (1 + 1e-14), (expression, x, step)
            compared += most < inf
    assert compared >= 3


def test_what_follows_is_enclosed_too() -> None:
    x, step = 0.3, 0.01
    most = varies("exp(sin(x)) * x", x, step)

    def derivative(at: float) -> float:
        return exp(sin(at)) * (1 + at * cos(at))

    true = derivative(x + step) - derivative(x - step)
    assert true < most < 1.3 * true  # the cosine by its steepest slope
