"""Both modes are within their bounds of the true derivative, which is computed in fractions."""

from collections.abc import Callable
from fractions import Fraction
from random import Random

import pytest

from engine_py import Document, introspect
from engine_py.errors import GradientError
from engine_py.lab.check import check
from engine_py.lab.conditions import variables
from engine_py.lab.modes import (
    bounds_of_local_grads,
    forward_mode,
    magnitudes,
    prepare_forward,
    reverse_bounds,
)
from engine_py.lab.program import evaluate, program_of

ONE = Fraction(1)
RULES: dict[str, Callable[[Fraction, Fraction], tuple[Fraction, ...]]] = {
    "+": lambda x, y: (x + y, ONE, ONE),
    "-": lambda x, y: (x - y, ONE, -ONE),
    "*": lambda x, y: (x * y, y, x),
    "/": lambda x, y: (x / y, 1 / y, -x / y**2),
}


def true_gradients(document: Document) -> list[Fraction] | None:
    """Give the exact derivative of the root for each node; None at a pole that rounding hides."""
    nodes = document["nodes"]
    operands: list[list[int]] = [[] for _ in nodes]
    for edge in document["edges"]:
        operands[edge["to"]].append(edge["from"])
    data = [Fraction(node["data"]) for node in nodes]
    grads = [Fraction(node["id"] == document["root"]) for node in nodes]
    locals_of: dict[int, list[Fraction]] = {}
    for node in nodes:
        if node["operation"] is not None:
            left, right = (data[operand] for operand in operands[node["id"]])
            if node["operation"] == "/" and right == 0:
                return None
            data[node["id"]], *locals_of[node["id"]] = RULES[node["operation"]](left, right)
    for place, local_grads in reversed(locals_of.items()):
        for operand, local in zip(operands[place], local_grads, strict=True):
            grads[operand] += grads[place] * local
    return grads


def random_document(random: Random, exponents: int) -> Document | None:
    """Draw thirty operations on three variables from 2**-exponents to 2**exponents."""
    names = ["x", "y", "z"]
    sizes = {name: 2.0 ** random.uniform(-exponents, exponents) for name in names}
    lines = []
    for index in range(30):
        left, right = random.choice(names), random.choice(names[-8:])
        lines.append(f"n{index} = {left} {random.choice('++-*/')} {right}")
        names.append(f"n{index}")
    lines.append(" + ".join(f"{random.uniform(-1, 1):.3f} * {name}" for name in names))
    try:
        return introspect("\n".join(lines), sizes)
    except GradientError:  # a division by 0, or a number too large
        return None


@pytest.mark.parametrize("exponents", [2, 40, 1000])
def test_modes_are_within_their_bounds(exponents: int) -> None:
    random, documents, known = Random(f"modes {exponents}"), 0, 0
    while documents < 60:
        document = random_document(random, exponents)
        true = document and true_gradients(document)
        if not document or not true:
            continue
        documents += 1
        program = program_of(document)
        here = evaluate(program, document["root"], document["result"])
        errors, scales = bounds_of_local_grads(program, here), magnitudes(document)
        reverse = reverse_bounds(document, errors)
        prepared = prepare_forward(document, errors, scales)
        for name, leaf in variables(document).items():
            value, bound = forward_mode(prepared, leaf)
            first_order = (
                scales[leaf] / 2**10
            )  # errors above it are not small beside what they are of
            if bound + reverse[leaf] <= first_order:
                known += 1
                gradient = document["gradients"][name]
                assert abs(Fraction(value) - true[leaf]) <= bound
                assert abs(Fraction(gradient) - true[leaf]) <= reverse[leaf]
    assert known > 50


@pytest.mark.parametrize(
    ("expression", "x"),
    [
        # On the way to the root the gradient underflows and grows again, or the tangent does.
        ("x * 1e150 * 1.1e150 * 1e-200 * 1e-150", 0.003),
        ("x * 1e150 * 1.1e150 * 1.3e-200 * 1e-110", 0.003),
        ("x * 1e-150 * 1.1e-170 * 1e150 * 1.3e150", 3e100),
        ("(x * 1e300 + 1e300) * 1.7e-300 * 1e-20", 0.7),
        ("x * 3e-310 * 1e290 * 1.3e9", 0.001),
        ("x * x * 1e-162 * 1e-162 * 1e200", 3),
    ],
)
def test_bounds_hold_where_numbers_underflow(expression: str, x: float) -> None:
    document = introspect(expression, {"x": x})
    [true, *_] = true_gradients(document) or []
    [row] = check(document)["variables"]
    forward = row["forward"]
    assert forward["value"] is not None
    assert forward["bound"] is not None
    assert forward["verdict"] == "agrees"
    assert abs(Fraction(forward["value"]) - true) <= forward["bound"]
    assert abs(Fraction(row["reverse"]) - true) <= forward["bound"]


def test_no_error_arrives_where_there_is_no_slope() -> None:
    """The derivative of -1 / q ** 2 at 1e-110 is no double, so neither is y's bound. x has none."""
    rows = check(introspect("1 / (y * y + x * 0)", {"x": 1, "y": 1e-55}))["variables"]
    assert [(row["variable"], row["forward"]["bound"] is None) for row in rows] == [
        ("y", True),
        ("x", False),
    ]


def test_a_bound_counts_each_rounding_once_and_is_doubled() -> None:
    """In `x + y` the product 1 * 1 and the sum 0 + 1 are rounded, each by at most 2**-53."""
    document = introspect("x + y", {"x": 3, "y": 4})
    prepared = prepare_forward(document, [[], [], [0.0, 0.0]], magnitudes(document))
    assert forward_mode(prepared, 0) == (1, 2 * (2**-53 + 2**-53))
    assert reverse_bounds(document, [[], [], [0.0, 0.0]])[0] == 2 * (2**-53 + 2**-53)
