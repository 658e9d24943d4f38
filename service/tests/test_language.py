"""The section on the language says what the engine does."""

import math
import re
from collections.abc import Callable
from typing import Any

import pytest

from engine_py import GradientError, introspect
from service import Config, create_app
from service.openapi import operations
from service.pages.reference import SUBSTITUTES, language
from service.tests.validated import SCHEMAS

VALUES = {"x": 1.75, "y": 2.5, "a": 3.0, "b": -2.0}
X, Y, A, B = VALUES.values()

MEANT: dict[str, Callable[[], float]] = {
    "2x": lambda: 2 * X,
    "2(x)": lambda: 2 * X,
    "(a)(b)": lambda: A * B,
    "a ^ 2": lambda: A * A,
    "ln(x)": lambda: math.log(X),
    "log10(x)": lambda: math.log10(X),
    "x ** y": lambda: math.pow(X, Y),
    "pi": lambda: math.pi,
    "e": lambda: math.e,
}
"""What each text would mean in the language that its writer has in mind."""

PAIRS = [
    pair
    for row in SUBSTITUTES
    for pair in zip(row.wanted.split(", "), row.written.split(", "), strict=True)
]


def result_of(expression: str) -> float:
    values = {name: value for name, value in VALUES.items() if name in expression}
    return introspect(expression, values)["result"]


def test_every_substitute_is_judged() -> None:
    assert [wanted for wanted, _ in PAIRS] == list(MEANT)


@pytest.mark.parametrize(("wanted", "written"), PAIRS)
def test_a_substitute_is_what_was_meant(wanted: str, written: str) -> None:
    with pytest.raises(GradientError):
        result_of(wanted)
    # Python's own functions may be off by a last bit, so this is no comparison to the bit.
    assert math.isclose(result_of(written), MEANT[wanted](), rel_tol=1e-14)


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
