from collections.abc import Iterator
from fractions import Fraction
from math import copysign
from typing import Any

import pytest

from engine_py import OPERATIONS, Value, introspect
from engine_py.lab.term import Term, apply
from engine_py.operations import FUNCTIONS
from engine_py.rows import OutsideDomain
from engine_py.tests.helpers import Json, expansion_of, to_the_bit, units

STEP = 2.0**-17


def doubles(numbers: list[Any]) -> list[Any]:
    return [None if number is None else float(number) for number in numbers]


def neighbours(operands: list[float], slot: int) -> Iterator[list[float]]:
    for step in (STEP, -STEP):
        moved = operands[slot] + step  # exact: the operands have few bits
        yield [*operands[:slot], moved, *operands[slot + 1 :]]


def evaluate_expansion(symbol: str, *operands: float) -> float:
    """Compute a derived operation as the primitive view does."""

    def build(primitive: str, *numbers: float) -> float:
        return OPERATIONS[primitive].rule(*numbers)[0]  # type: ignore[no-any-return]

    return expansion_of(symbol)(build, *operands)  # type: ignore[no-any-return]


def test_the_operators_are_six_rows() -> None:
    rows = {(row.symbol, row.name, row.form, row.arity) for row in OPERATIONS.values()}
    assert {row for row in rows if row[2] != "call"} == {
        ("+", "add", "infix", 2),
        ("*", "mul", "infix", 2),
        ("**", "pow", "infix", 2),
        ("-", "sub", "infix", 2),
        ("/", "div", "infix", 2),
        ("neg", "neg", "prefix", 1),
    }
    assert {row[0] for row in rows if row[2] != "call" and OPERATIONS[row[0]].derived} == {
        "-",
        "/",
        "neg",
    }


def test_the_other_rows_are_the_functions() -> None:
    assert {"relu", "exp", "log", "tanh"} <= FUNCTIONS.keys()
    for symbol, row in OPERATIONS.items():
        assert row.symbol == symbol
        assert (row.form == "call") == (FUNCTIONS.get(symbol) is row)


def test_a_row_written_as_a_call_is_a_method_with_the_docstring_of_its_rule() -> None:
    for name, row in FUNCTIONS.items():
        method = getattr(Value, name)
        assert method.__name__ == name
        assert method.__doc__ == row.rule.__doc__
        assert method.__doc__


@units("operations", "points")
def test_data_and_local_gradients_are_the_literal_formulas(case: Json) -> None:
    computed = OPERATIONS[case["operation"]].rule(*doubles(case["operands"]))
    assert repr([*computed]) == repr(
        doubles([case["data"], *case["local_grads"]])
    )  # tells -0 from 0


def test_division_is_rounded_once_and_its_gradient_once_more() -> None:
    for x in range(1, 60):
        for y in (3, 5, 7, 11, 13, 49):
            out = float(Fraction(x, y))  # Fraction rounds correctly, and it has no quotient rule
            local_grads = (float(Fraction(1, y)), -float(Fraction(out) / y))
            assert OPERATIONS["/"].rule(float(x), float(y)) == (out, *local_grads)


@units("operations", "smooth")
def test_local_gradients_agree_with_central_differences(case: Json) -> None:
    rule, operands, bounds = (
        OPERATIONS[case["operation"]].rule,
        doubles(case["operands"]),
        case["third"],
    )
    _, *local_grads = rule(*operands)
    assert len(local_grads) == len(bounds) == len(operands)
    for slot, (local_grad, third) in enumerate(zip(local_grads, bounds, strict=True)):
        if third is None or local_grad is None:
            assert local_grad is third
            continue
        right, left = (rule(*near)[0] for near in neighbours(operands, slot))
        # Taylor leaves h**2 / 6 times the third derivative; each of the two values is off by half
        # a unit in the last place; the formula itself has at most four roundings.
        truncated = STEP**2 / 6 * third
        rounded = 2.0**-53 * ((abs(right) + abs(left)) / (2 * STEP) + 4 * max(1, abs(local_grad)))
        assert truncated + rounded < 1e-9
        assert abs((right - left) / (2 * STEP) - local_grad) <= truncated + rounded


@units("operations", "outside")
def test_an_operation_is_refused_outside_its_domain(case: Json) -> None:
    for operands in case["operands"]:
        with pytest.raises(OutsideDomain, match=r"[a-z]+ [a-z]+"):
            OPERATIONS[case["operation"]].rule(*doubles(operands))


def test_a_negative_base_takes_every_integer_exponent() -> None:
    for exponent in (-3.0, -2.0, 0.0, 1.0, 2.0, 2.0**53, 1e300):
        assert OPERATIONS["**"].rule(-1.0, exponent)[0] == (-1.0) ** (exponent % 2)


def test_what_is_a_choice_at_a_kink_prefers_no_operand() -> None:
    """The mean of both sides is what makes these identities of gradients hold at a tie, too."""

    def slopes(symbol: str, *operands: float) -> list[float]:
        return [local or 0.0 for local in OPERATIONS[symbol].rule(*operands)[1:]]

    for x in (-2.5, -5e-324, 0.0, 3.0):
        smaller, larger = slopes("min", x, 0.0), slopes("max", x, 0.0)
        assert [a + b for a, b in zip(smaller, larger, strict=True)] == [1.0, 1.0]
        assert slopes("min", 0.0, x) == smaller[::-1]
        assert slopes("max", 0.0, x) == larger[::-1]
        above, below = slopes("max", x, -x)
        assert [above - below] == slopes("abs", x)


def test_expansions_give_sums_and_negations_to_the_bit() -> None:
    numbers = [0.1, -0.2, 1 / 3, 1e308, -5e-324, 3.0, 0.0]
    for x in numbers:
        assert to_the_bit(evaluate_expansion("neg", x)) == to_the_bit(-x)
        for y in numbers:
            assert to_the_bit(evaluate_expansion("-", x, y)) == to_the_bit(x - y)


def test_an_expanded_quotient_may_differ_in_its_last_bit() -> None:
    assert evaluate_expansion("/", 6.0, 3.0) == 2.0
    assert evaluate_expansion("/", 49.0, 49.0) == 0.9999999999999999
    assert OPERATIONS["/"].rule(49.0, 49.0)[0] == 1.0
    for x in range(1, 100):
        for y in range(1, 100):
            assert abs(evaluate_expansion("/", x, y) - x / y) <= 2.0**-52 * (x / y)


def test_signs_of_zero_follow_the_formulas() -> None:
    assert copysign(1, OPERATIONS["neg"].rule(0.0)[0]) == -1
    assert copysign(1, OPERATIONS["+"].rule(0.0, -0.0)[0]) == 1
    assert copysign(1, OPERATIONS["*"].rule(-1.0, 0.0)[0]) == -1


@units("operations", "points")
def test_the_formulas_are_the_local_gradients(case: Json) -> None:
    """What the lab computes from the formulas is what the rules compute, to the bit."""
    if "Infinity" in case["local_grads"]:
        return  # a formula applies operations, which have no infinities
    terms = [Term(operand) for operand in doubles(case["operands"])]
    formulas = OPERATIONS[case["operation"]].formulas(apply, Term(float(case["data"])), *terms)
    computed = [each.data if isinstance(each, Term) else each for each in formulas]
    assert to_the_bit(computed) == to_the_bit(doubles(case["local_grads"]))


@pytest.mark.parametrize(
    ("x", "folded", "true"),
    # e**-x / (1 + e**-x)**2 by MPFR; 1 - out is 2**-53 or 0 where out is next to 1 or 1
    [(37.0, 2.0**-53, 8.533047625744065e-17), (40.0, 0.0, 4.248354255291589e-18)],
)
# Holds R26.4.
def test_the_slope_of_a_saturated_sigmoid_differs_between_the_views(
    x: float, folded: float, true: float
) -> None:
    ours = introspect("sigmoid(x)", {"x": x})["gradients"]["x"]
    primitive = introspect("sigmoid(x)", {"x": x}, view="primitive")["gradients"]["x"]
    assert ours == pytest.approx(folded, rel=2e-16, abs=0.0)
    assert primitive == pytest.approx(true, rel=1e-15, abs=0.0)
