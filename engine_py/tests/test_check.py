"""Gradients beside their witnesses. Expected values are derivatives worked out by hand."""

from math import inf
from typing import Any

import pytest

from engine_py import Document, introspect
from engine_py.errors import GradientError
from engine_py.lab.check import Check, check

PRODUCT = introspect("(a + b) * c", {"a": 2, "b": -3, "c": 10})


def verdicts(result: Check) -> list[tuple[str, str, str]]:
    return [
        (row["variable"], row["forward"]["verdict"], row["central"]["verdict"])
        for row in result["variables"]
    ]


def checked(expression: str, **values: float) -> dict[str, Any]:
    [row] = check(introspect(expression, values))["variables"]
    return dict(row)


def test_three_ways_agree() -> None:
    result = check(PRODUCT)
    assert result["document"] == PRODUCT
    assert result["agrees"] is True
    assert verdicts(result) == [(name, "agrees", "agrees") for name in "abc"]
    for row, gradient in zip(result["variables"], (10, 10, -1), strict=True):
        assert (row["reverse"], row["forward"]["value"], row["claimed"]) == (
            (gradient, gradient, None)
        )
        assert row["central"]["value"] == pytest.approx(gradient, rel=1e-9)
        assert 0 < (row["central"]["bound"] or inf) < 1e-9


@pytest.mark.parametrize(
    ("expression", "x", "derivative"),
    [
        ("x ** 3", 2, 12),
        ("1 / x", 4, -0.0625),
        ("exp(x)", 1, 2.718281828459045),
        ("log(x)", 1e-300, 1e300),
        ("tanh(x)", 0, 1),
        ("x ** 0.5", 0.25, 1),
        ("exp(1e5 * x)", 0, 1e5),
        ("relu(x)", 1e-9, 1),
        ("x * 0", 3, 0),
        ("tanh(1000 * (x - 1))", 1.0001, 990.0662908474398),
    ],
)
def test_a_central_difference_is_within_its_bound(
    expression: str, x: float, derivative: float
) -> None:
    """The bound holds against the true derivative, not only against the engine's."""
    row = checked(expression, x=x)
    assert (row["forward"]["verdict"], row["central"]["verdict"]) == ("agrees", "agrees")
    assert abs(row["central"]["value"] - derivative) <= row["central"]["bound"]
    assert row["central"]["bound"] <= 1e-5 * abs(derivative) + 1e-9


@pytest.mark.parametrize(
    ("expression", "x", "verdict"),
    [
        ("relu(x)", 0, "not_differentiable_here"),
        ("relu(x - 2) * 3", 2, "not_differentiable_here"),
        ("relu(x * x)", 0, "agrees"),  # on neither side of 0 does relu get a negative operand
        ("relu(x * 0)", 5, "agrees"),
        ("relu(x - 1e-12)", 1, "agrees"),
        ("relu(x - 1)", 1.0000000000000002, "kink_nearby"),
        ("sin(1e9 * x)", 1, "too_coarse"),  # every step goes over turns of the wave
        ("cos(x)", 1e15, "too_coarse"),
        ("sin(x * 1.1)", 1e17, "too_coarse"),  # rounding alone goes over turns
        ("sin(1000 * x)", 1, "agrees"),
        ("1e10 * x / (1 + (1e10 * x) ** 2)", 0, "too_coarse"),  # every step goes over both hills
        ("1e10 * x * exp(-x * x * 1e20)", 0, "too_coarse"),
        ("min(1e300 * x ** 4, sin(2 * x))", 0, "too_coarse"),  # the kink is at 0 and at 1e-100
        ("abs(x)", 0, "not_differentiable_here"),
        ("abs(x - 3)", 1, "agrees"),
        ("min(x, 2)", 2, "not_differentiable_here"),
        ("max(x, 2 * x)", 0, "not_differentiable_here"),
        ("max(x, x)", 5, "agrees"),
        ("max(x, 1 - x)", 0.5000000000000001, "kink_nearby"),
        ("sin(1e9 * x) + relu(x - 1.0005)", 1, "too_coarse"),  # only the longest step has a kink
        ("relu((x - 1 - 1e-8) * (x - 1 - 2e-8) * 1e16)", 1, "agrees"),  # only the shortest has
        ("(x + 4e12) - 4e12", 1000, "agrees"),  # with a step that rounding does not drown
        ("log(x - 1)", 1.0000000000000002, "no_value_nearby"),
        ("exp(x)", 709.782712893384, "no_value_nearby"),  # every step overflows
        ("log(x) ** -2", 0.9999999999999999, "too_coarse"),  # the pole is one double away
        ("(x + 1e300) - 1e300", 1, "too_coarse"),
        ("1 / (x - 1) ** 2", 1.0000000000000002, "too_coarse"),
    ],
)
def test_what_a_difference_cannot_say_is_no_failure(
    expression: str, x: float, verdict: str
) -> None:
    result = check(introspect(expression, {"x": x}))
    assert verdicts(result) == [("x", "agrees", verdict)]
    assert result["agrees"] is True


def test_cancellation_widens_the_bound_of_a_gradient() -> None:
    """1 - tanh(x) ** 2 keeps about five bits at 18.4: both ways know it."""
    row = checked("tanh(x)", x=18.4)
    true_derivative = 4.1e-16  # 4 exp(-2 x)
    assert abs(row["reverse"] - true_derivative) <= row["forward"]["bound"]


def wrong(document: Document, name: str, gradient: float) -> Document:
    """Say what a broken engine would say."""
    return {**document, "gradients": {**document["gradients"], name: gradient}}


def test_a_wrong_gradient_is_found_by_both_witnesses() -> None:
    result = check(wrong(PRODUCT, "c", 1))
    assert result["agrees"] is False
    assert verdicts(result) == [
        ("a", "agrees", "agrees"),
        ("b", "agrees", "agrees"),
        ("c", "differs", "differs"),
    ]
    last = result["variables"][2]
    assert (last["reverse"], last["forward"]["difference"]) == (1, -2)


def test_a_gradient_that_is_off_by_a_billionth_is_found() -> None:
    result = check(wrong(PRODUCT, "a", 10.00000001))
    assert verdicts(result)[0] == ("a", "differs", "differs")


@pytest.mark.parametrize(
    ("expression", "x"),
    [
        ("exp(sin(x)) * x", 0.3),
        ("tanh(1000 * (x - 1))", 1.0001),
        ("max(x, x) / (1 + x * x)", 2),
        ("relu(x - 1e-3) ** 3 + sqrt(x)", 1),
    ],
)
def test_a_curve_does_not_hide_a_wrong_gradient(expression: str, x: float) -> None:
    document = introspect(expression, {"x": x})
    for part in (1.001, 0.999, -1):
        result = check(wrong(document, "x", document["gradients"]["x"] * part))
        assert verdicts(result) == [("x", "differs", "differs")]
        [row] = result["variables"]
        assert abs(row["central"]["difference"] or 0) > (row["central"]["bound"] or inf)


def test_claimed_gradients_are_judged() -> None:
    result = check(PRODUCT, claimed={"a": 10.000000001, "c": 1})
    a, b, c = (row["claimed"] for row in result["variables"])
    assert a is not None
    assert c is not None
    assert (a["verdict"], b, c["verdict"], c["difference"]) == ("agrees", None, "differs", 2)
    assert result["agrees"] is False


def test_the_tolerance_is_of_the_sum_over_all_paths() -> None:
    """x * x - x at 0.5 is 0.5 + 0.5 - 1: the gradient is 0, the magnitudes of its paths are 2."""
    document = introspect("x * x - x", {"x": 0.5})
    for off, verdict in ((1.9e-4, "agrees"), (2.1e-4, "differs")):
        [row] = check(document, claimed={"x": off}, tolerance=1e-4)["variables"]
        assert row["claimed"] is not None
        assert row["claimed"]["verdict"] == verdict


def test_the_cost_of_each_way() -> None:
    """Two operations with four local gradients: reverse mode does it once, forward mode thrice."""
    assert check(PRODUCT)["cost"] == {
        "variables": 3,
        "operations": 2,
        "reverse": {"passes": 2, "multiplications": 4},
        "forward": {"passes": 3, "multiplications": 12},
        "central": {"passes": 6, "multiplications": 0},
    }


def test_work_is_bounded() -> None:
    names = [f"x{place}" for place in range(250)]
    document = introspect(" + ".join(names), dict.fromkeys(names, 1))
    with pytest.raises(GradientError) as caught:
        check(document)
    assert caught.value.as_dict() == {
        "code": "limit_exceeded",
        "message": "to check 250 variables of this graph takes 2120750 evaluations of nodes; "
        "at most 1000000 are made",
        "span": None,
        "name": "evaluations",
        "limit": 1_000_000,
        "actual": 250 * 499 * 17,
    }


@pytest.mark.parametrize(
    ("members", "pointer"),
    [
        ({"claimed": []}, "/claimed"),
        ({"claimed": {"a": None}}, "/claimed/a"),
        ({"claimed": {"z": 1}}, "/claimed/z"),
        ({"tolerance": -1}, "/tolerance"),
        ({"tolerance": 1.5}, "/tolerance"),
        ({"tolerance": "1"}, "/tolerance"),
    ],
)
def test_wrong_members_are_refused(members: dict[str, Any], pointer: str) -> None:
    with pytest.raises(GradientError) as caught:
        check(PRODUCT, **members)
    assert caught.value.as_dict()["pointer"] == pointer
