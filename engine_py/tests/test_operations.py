from collections.abc import Iterator
from fractions import Fraction
from math import copysign, inf, isfinite
from typing import Any

import pytest

from engine_py import OPERATIONS, Value, introspect
from engine_py.lab.term import Term, apply
from engine_py.operations import FUNCTIONS
from engine_py.rows import OutsideDomain
from engine_py.tests.helpers import expansion_of, to_the_bit

STEP = 2.0**-17

POINTS: list[tuple[str, tuple[float, ...], Any]] = [
    # symbol, operands, (data, local gradients) by the literal formulas of CONTRACT.md R3
    ("+", (2.0, 3.0), (5.0, (1.0, 1.0))),
    ("+", (0.1, 0.2), (0.30000000000000004, (1.0, 1.0))),
    ("*", (2.0, -3.0), (-6.0, (-3.0, 2.0))),
    ("*", (5e-324, 0.5), (0.0, (0.5, 5e-324))),
    ("-", (5.0, 2.0), (3.0, (1.0, -1.0))),
    ("/", (6.0, 3.0), (2.0, (0.3333333333333333, -0.6666666666666666))),
    # 17/3 is 5.666666666666667, whose third rounds to ...89; -17/9 would round to ...888.
    ("/", (17.0, 3.0), (5.666666666666667, (0.3333333333333333, -1.888888888888889))),
    ("neg", (2.0,), (-2.0, (-1.0,))),
    ("relu", (3.5,), (3.5, (1.0,))),
    ("relu", (5e-324,), (5e-324, (1.0,))),
    ("relu", (0.0,), (0.0, (0.0,))),
    ("relu", (-0.0,), (0.0, (0.0,))),
    ("relu", (-3.5,), (0.0, (0.0,))),
    ("exp", (0.0,), (1.0, (1.0,))),
    ("exp", (1.0,), (2.718281828459045, (2.718281828459045,))),
    ("exp", (-800.0,), (0.0, (0.0,))),
    ("log", (1.0,), (0.0, (1.0,))),
    ("log", (2.0,), (0.6931471805599453, (0.5,))),
    ("log", (5e-324,), (-744.4400719213812, (inf,))),
    ("tanh", (0.0,), (0.0, (1.0,))),
    ("tanh", (-20.5,), (-1.0, (0.0,))),
    # 1 - out * out; (1 - out) * (1 + out) would round to ...933.
    ("tanh", (0.125,), (0.12435300177159621, (0.9845363309503934,))),
    ("abs", (2.5,), (2.5, (1.0,))),
    ("abs", (-5e-324,), (5e-324, (-1.0,))),
    ("abs", (0.0,), (0.0, (0.0,))),
    ("abs", (-0.0,), (0.0, (0.0,))),
    ("min", (-2.0, 5.0), (-2.0, (1.0, 0.0))),
    ("min", (5.0, -2.0), (-2.0, (0.0, 1.0))),
    ("min", (3.0, 3.0), (3.0, (0.5, 0.5))),
    ("min", (-1.7e308, 1.7e308), (-1.7e308, (1.0, 0.0))),
    ("max", (-2.0, 5.0), (5.0, (0.0, 1.0))),
    ("max", (5.0, -2.0), (5.0, (1.0, 0.0))),
    ("max", (0.0, -0.0), (0.0, (0.5, 0.5))),
    ("max", (5e-324, 0.0), (5e-324, (1.0, 0.0))),
    ("sqrt", (9.0,), (3.0, (0.16666666666666666,))),
    ("sqrt", (5e-324,), (2.0**-537, (2.0**536,))),
    ("sqrt", (0.0,), (0.0, (inf,))),
    ("sqrt", (-0.0,), (0.0, (inf,))),
    ("sin", (0.0,), (0.0, (1.0,))),
    ("sin", (-0.0,), (-0.0, (1.0,))),
    ("sin", (1.0,), (0.8414709848078965, (0.5403023058681398,))),
    ("sin", (1e22,), (-0.8522008497671888, (0.523214785395139,))),
    ("cos", (0.0,), (1.0, (-0.0,))),
    ("cos", (1.0,), (0.5403023058681398, (-0.8414709848078965,))),
    ("cos", (1e22,), (0.523214785395139, (0.8522008497671888,))),
    ("sigmoid", (0.0,), (0.5, (0.25,))),
    ("sigmoid", (40.5,), (1.0, (0.0,))),
    ("sigmoid", (-800.0,), (0.0, (0.0,))),
    ("sigmoid", (1.0,), (0.7310585786300049, (0.19661193324148185,))),
    ("softplus", (0.0,), (0.6931471805599453, (0.5,))),
    ("softplus", (800.0,), (800.0, (1.0,))),
    ("softplus", (-800.0,), (0.0, (0.0,))),
    ("**", (2.0, 3.0), (8.0, (12.0, None))),
    ("**", (-2.0, 3.0), (-8.0, (12.0, None))),
    ("**", (-2.0, -1.0), (-0.5, (-0.25, None))),
    ("**", (3.0, -1.0), (0.3333333333333333, (-0.1111111111111111, None))),
    ("**", (4.0, 0.5), (2.0, (0.25, None))),
    # c * x ** (c - 1); c * out / x would round to ...6.
    ("**", (5.0, 0.5), (2.23606797749979, (0.22360679774997896, None))),
    ("**", (7.0, 1.0), (7.0, (1.0, None))),
    ("**", (7.0, 0.0), (1.0, (0.0, None))),
    ("**", (0.0, 0.0), (1.0, (0.0, None))),
    ("**", (0.0, 1.0), (0.0, (1.0, None))),
    ("**", (0.0, 2.0), (0.0, (0.0, None))),
    ("**", (0.0, 0.5), (0.0, (inf, None))),
]

SMOOTH: list[tuple[str, tuple[float, ...], tuple[float | None, ...]]] = [
    # symbol, operands, a bound of the third derivative by each operand near there
    ("+", (3.0, -2.0), (0.0, 0.0)),
    ("*", (3.0, -2.5), (0.0, 0.0)),
    ("-", (3.0, -2.5), (0.0, 0.0)),
    ("/", (3.0, -2.0), (0.0, 6 * 3 / 1.9**4)),
    ("/", (-1.5, 4.0), (0.0, 6 * 1.5 / 3.9**4)),
    ("neg", (0.75,), (0.0,)),
    ("relu", (2.5,), (0.0,)),
    ("relu", (-2.5,), (0.0,)),
    ("exp", (0.5,), (2.0,)),
    ("exp", (-3.0,), (1.0,)),
    ("log", (0.5,), (2 / 0.4**3,)),
    ("log", (4.0,), (2 / 3.9**3,)),
    ("tanh", (0.0,), (2.0,)),
    ("tanh", (0.5,), (2.0,)),
    ("tanh", (-1.25,), (2.0,)),
    ("abs", (2.5,), (0.0,)),
    ("abs", (-2.5,), (0.0,)),
    ("min", (2.5, 3.5), (0.0, 0.0)),
    ("max", (2.5, 3.5), (0.0, 0.0)),
    ("sqrt", (2.0,), (0.375 / 1.9**2.5,)),
    ("sin", (0.5,), (1.0,)),
    ("sin", (-2.0,), (1.0,)),
    ("cos", (0.5,), (1.0,)),
    ("cos", (100.0,), (1.0,)),
    ("sigmoid", (0.0,), (0.25,)),
    ("sigmoid", (-3.0,), (0.25,)),
    ("softplus", (-1.0,), (0.25,)),
    ("**", (1.5, 3.0), (6.0, None)),
    ("**", (-1.5, 3.0), (6.0, None)),
    ("**", (1.5, 2.0), (0.0, None)),
    ("**", (1.5, 1.0), (0.0, None)),
    ("**", (1.5, 0.0), (0.0, None)),
    ("**", (1.5, -2.0), (24 / 1.4**5, None)),
    ("**", (-1.5, -1.0), (6 / 1.4**4, None)),
    ("**", (2.0, 0.5), (0.375 / 1.9**2.5, None)),
    ("**", (2.0, 2.5), (1.875 / 1.9**0.5, None)),
]


def neighbours(operands: tuple[float, ...], slot: int) -> Iterator[tuple[float, ...]]:
    for step in (STEP, -STEP):
        moved = operands[slot] + step  # exact: the operands have few bits
        yield (*operands[:slot], moved, *operands[slot + 1 :])


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


@pytest.mark.parametrize(("symbol", "operands", "expected"), POINTS)
def test_data_and_local_gradients_are_the_literal_formulas(
    symbol: str, operands: tuple[float, ...], expected: Any
) -> None:
    data, *local_grads = OPERATIONS[symbol].rule(*operands)
    assert repr((data, tuple(local_grads))) == repr(expected)  # tells -0 from 0


def test_division_is_rounded_once_and_its_gradient_once_more() -> None:
    for x in range(1, 60):
        for y in (3, 5, 7, 11, 13, 49):
            out = float(Fraction(x, y))  # Fraction rounds correctly, and it has no quotient rule
            local_grads = (float(Fraction(1, y)), -float(Fraction(out) / y))
            assert OPERATIONS["/"].rule(float(x), float(y)) == (out, *local_grads)


@pytest.mark.parametrize(("symbol", "operands", "bounds"), SMOOTH)
def test_local_gradients_agree_with_central_differences(
    symbol: str, operands: tuple[float, ...], bounds: tuple[float | None, ...]
) -> None:
    rule = OPERATIONS[symbol].rule
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


def test_no_gradient_flows_into_an_exponent() -> None:
    for x, c in ((2.0, 3.0), (2.0, 0.0), (0.0, 0.0), (-2.0, 2.0)):
        assert OPERATIONS["**"].rule(x, c)[2] is None


@pytest.mark.parametrize(
    ("symbol", "operands"),
    [
        ("log", (0.0,)),
        ("log", (-0.0,)),
        ("log", (-1.0,)),
        ("log", (-5e-324,)),
        ("/", (1.0, 0.0)),
        ("/", (1.0, -0.0)),
        ("/", (0.0, 0.0)),
        ("sqrt", (-5e-324,)),
        ("sqrt", (-4.0,)),
        ("**", (0.0, -1.0)),
        ("**", (-0.0, -0.5)),
        ("**", (0.0, -5e-324)),
        ("**", (-2.0, 0.5)),
        ("**", (-2.0, -1.5)),
        ("**", (-5e-324, 5e-324)),
    ],
)
def test_an_operation_is_refused_outside_its_domain(
    symbol: str, operands: tuple[float, ...]
) -> None:
    with pytest.raises(OutsideDomain, match=r"[a-z]+ [a-z]+"):
        OPERATIONS[symbol].rule(*operands)


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


def test_the_formulas_are_the_local_gradients() -> None:
    """What the lab computes from the formulas is what the rules compute, to the bit."""
    compared = 0
    for symbol, operands, (data, local_grads) in POINTS:
        if any(local is not None and not isfinite(local) for local in local_grads):
            continue  # a formula applies operations, which have no infinities
        terms = [Term(operand) for operand in operands]
        formulas = OPERATIONS[symbol].formulas(apply, Term(data), *terms)
        computed = [each.data if isinstance(each, Term) else each for each in formulas]
        assert to_the_bit([symbol, operands, *computed]) == to_the_bit(
            [symbol, operands, *local_grads]
        )
        compared += 1
    assert compared >= len(POINTS) - 4


@pytest.mark.parametrize(
    ("x", "folded", "true"),
    # e**-x / (1 + e**-x)**2 by MPFR; 1 - out is 2**-53 or 0 where out is next to 1 or 1
    [(37.0, 2.0**-53, 8.533047625744065e-17), (40.0, 0.0, 4.248354255291589e-18)],
)
def test_the_slope_of_a_saturated_sigmoid_differs_between_the_views(
    x: float, folded: float, true: float
) -> None:
    ours = introspect("sigmoid(x)", {"x": x})["gradients"]["x"]
    primitive = introspect("sigmoid(x)", {"x": x}, view="primitive")["gradients"]["x"]
    assert ours == pytest.approx(folded, rel=2e-16, abs=0.0)
    assert primitive == pytest.approx(true, rel=1e-15, abs=0.0)
