"""The section on the language says what the engine does."""

import math
import re
from collections.abc import Callable
from typing import Any

import pytest

from engine_py import GradientError, introspect
from service import Config, create_app
from service.openapi import operations
from service.pages.language import SUBSTITUTES, language
from service.tests.validated import SCHEMAS

VALUES = {"x": 1.75, "y": 2.5, "a": 3.0, "b": -2.0}
X, Y, A, B = VALUES.values()

MEANT: dict[str, Callable[[], float]] = {
    "2x": lambda: 2 * X,
    "2(x)": lambda: 2 * X,
    "(a)(b)": lambda: A * B,
    "a ^ 2": lambda: A * A,
    "sqrt(x)": lambda: math.sqrt(X),
    "ln(x)": lambda: math.log(X),
    "log10(x)": lambda: math.log10(X),
    "sigmoid(x)": lambda: 1 / (1 + math.exp(-X)),
    "max(x, 0)": lambda: max(X, 0),
    "max(x, y)": lambda: max(X, Y),
    "abs(x)": lambda: abs(X),
    "x ** y": lambda: math.pow(X, Y),
    "pi": lambda: math.pi,
    "e": lambda: math.e,
}
"""What each text would mean in the language that its writer has in mind."""

PAIRS = [
    pair
    for row in SUBSTITUTES
    for pair in (
        zip(row.wanted.split(", "), row.written.split(", "), strict=True)
        if "max" not in row.wanted
        else [(row.wanted, row.written)]
    )
]


def result_of(expression: str) -> float:
    values = {name: value for name, value in VALUES.items() if name in expression}
    return introspect(expression, values)["result"]


def test_every_substitute_is_judged() -> None:
    known = {row["name"] for row in operations()}
    judged = [wanted for wanted in MEANT if wanted.partition("(")[0] not in known]
    assert [wanted for wanted, _ in PAIRS] == judged


@pytest.mark.parametrize(("wanted", "written"), PAIRS)
def test_a_substitute_is_what_was_meant(wanted: str, written: str) -> None:
    with pytest.raises(GradientError):
        result_of(wanted)
    # Python's own functions may be off by a last bit, so this is no comparison to the bit.
    assert math.isclose(result_of(written), MEANT[wanted](), rel_tol=1e-14)


@pytest.mark.parametrize("x", [-1.75, 0.0, 1.75])
def test_the_substitutes_that_hold_everywhere_do(x: float) -> None:
    meant: dict[str, Any] = {"max(x, 0)": max(x, 0), "abs(x)": abs(x)}
    for row in SUBSTITUTES:
        if row.wanted in meant:
            assert introspect(row.written, {"x": x})["result"] == meant[row.wanted]


def test_the_functions_are_those_of_the_contract() -> None:
    contract = (SCHEMAS / "CONTRACT.md").read_text()
    [calls] = re.findall(r"\*\*R14 Calls\*\* are (.*?)\. ", contract, re.DOTALL)
    listed = [row["syntax"] for row in language()["functions"]]
    assert listed == re.findall(r"`(\w+\([\w, ]+\))`", calls)
    assert len(listed) + len(language()["operators"]) == len(operations())


@pytest.mark.parametrize("row", operations(), ids=lambda row: row["name"])
def test_the_page_shows_every_operation(row: dict[str, Any]) -> None:
    shown = create_app(Config()).test_client().get("/docs").text
    assert f'<th scope="row"><code>{row["syntax"]}</code></th>' in shown


CLAIMS = {
    # precedence and signs, R11 and R12
    "-a**2": -9.0,
    "a - b - x": 3.25,
    "-3**2": -9.0,
    "a -2": 1.0,
    "2. * .5 + 1e-3": 1.001,
    # powers, R13
    "a**2": 9.0,
    "4**-0.5": 0.5,
    "(a**2)**3": 729.0,
    "a**8": 6561.0,
    # names, statements and new lines, R10 and R15
    "exp * 1\n": 2.0,
    "h = a * b; (h - 1)**2": 49.0,
    "h = a *\n b\n\n(h\n - 1)": -7.0,
}
"""What the rules on the page say, computed by hand."""


@pytest.mark.parametrize("expression", CLAIMS)
def test_what_the_rules_say_is_so(expression: str) -> None:
    values = {name: value for name, value in {**VALUES, "exp": 2.0}.items() if name in expression}
    assert introspect(expression, values)["result"] == CLAIMS[expression]


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("pi", "missing_value"),
        ("a**2**3", "exponent_not_literal"),
        ("a**(1 + 1)", "exponent_not_literal"),
        ("a**--1", "exponent_not_literal"),
        ("h = a; h = b; h", "duplicate_name"),
        ("h = a; b", "unused_name"),
        ("a * b; a", "unexpected_token"),
        ("a # b", "unexpected_character"),
        ("a < b", "unexpected_character"),
        ("x ** 0.5", "non_finite"),
    ],
)
def test_what_the_rules_exclude_is_refused(expression: str, code: str) -> None:
    values = {"a": 1, "b": 2, "x": 0} if expression != "pi" else {}
    with pytest.raises(GradientError) as refused:
        introspect(expression, values)
    assert refused.value.code == code
