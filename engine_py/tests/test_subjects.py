"""What takes a document takes a text with values, and a Value, too."""

from collections.abc import Callable
from typing import Any

import pytest

from engine_py import (
    Value,
    accuracy,
    descend,
    experiment,
    hessian,
    introspect,
    introspect_value,
    paths,
)
from engine_py.tests.helpers import refusal

TEXT, VALUES = "(w * x - y) ** 2", {"w": 1.5, "x": 2, "y": -0.5}


def loss() -> Value:
    w, x, y = (Value(number, name) for name, number in VALUES.items())
    return (w * x - y) ** 2


ASKED: list[tuple[Callable[..., Any], dict[str, Any]]] = [
    (experiment, {"accumulate": "replace", "order": [5, 4, 3, 2]}),
    (paths, {"node": "w"}),
    (hessian, {"variables": ["w", "x"]}),
    (accuracy, {"claimed": {"w": 14}, "witnesses": True}),
]


@pytest.mark.parametrize(("ask", "members"), ASKED)
def test_a_text_and_a_value_are_answered_as_their_documents_are(
    ask: Callable[..., Any], members: dict[str, Any]
) -> None:
    assert ask(TEXT, values=VALUES, **members) == ask(introspect(TEXT, VALUES), **members)
    assert ask(loss(), **members) == ask(introspect_value(loss()), **members)


def test_a_descent_along_a_text_or_a_value_is_told_its_parameters() -> None:
    settings: dict[str, Any] = {"parameters": ["w"], "steps": 3, "learning_rate": 0.125}
    document = introspect(TEXT, VALUES, parameters=["w"])
    descent = descend(document, steps=3, learning_rate=0.125)
    assert descend(TEXT, values=VALUES, **settings) == descent
    assert descend(loss(), **settings)["trajectory"] == descent["trajectory"]
    # w * x - y is 3.5 and falls to 0: w moves by 0.125 * 2 * 3.5 * 2 = 1.75, to where it is right.
    assert [point["parameters"]["w"] for point in descent["trajectory"]] == [
        1.5,
        -0.25,
        -0.25,
        -0.25,
    ]


def test_a_text_without_its_values_is_refused() -> None:
    for ask, members in ASKED:
        assert refusal(ask, "w * x", **members)["code"] == "missing_value"


# Holds R29.20.
def test_no_truth_is_known_of_a_custom_operation() -> None:
    x = Value(2.0, "x")
    y = Value(8.0, (x,), (12.0,), "cube")
    expected = {"code": "stale_custom", "span": None, "node": 1, "name": "cube", "operands": [2]}
    assert refusal(accuracy, y * x) == expected
