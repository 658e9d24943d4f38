from collections.abc import Callable
from functools import partial
from math import inf, nan
from typing import Any

import pytest

from engine_py import (
    DEFAULT_LIMITS,
    Limits,
    Value,
    accuracy,
    descend,
    experiment,
    hessian,
    introspect,
    introspect_value,
    paths,
)
from engine_py.accuracy.accuracy import compare
from engine_py.introspect import prepare
from engine_py.lab.commands import LAB
from engine_py.tests.helpers import refusal


def test_the_limits_that_are_not_named_keep_their_defaults() -> None:
    limits = Limits(nodes=2)
    assert introspect(" " * 65_535 + "1", {}, limits=limits)["result"] == 1
    error = refusal(introspect, " " * 65_536 + "1", {}, limits=limits)
    assert error["limit"] == 65_536
    values = {f"v{index}": index for index in range(1_001)}
    assert refusal(introspect, "1", values, limits=limits)["limit"] == 1_000
    assert refusal(introspect, "1 + 1", {}, limits=limits)["limit"] == 2


@pytest.mark.parametrize(
    ("ask", "members"),
    [
        (experiment, {}),
        (paths, {"node": "a"}),
        (hessian, {}),
        (descend, {"parameters": ["a"]}),
        (accuracy, {}),
    ],
)
def test_limits_reach_the_document_of_a_text_and_of_a_value(
    ask: Callable[..., object], members: dict[str, Any]
) -> None:
    a = Value(2.0, "a")
    for subject, values in (("a * a", {"a": 2}), (a * a, None)):
        assert ask(subject, values=values, limits=Limits(nodes=2), **members)
        error = refusal(ask, subject, values=values, limits=Limits(nodes=1), **members)
        assert (error["name"], error["limit"]) == ("nodes", 1)


def test_the_limit_of_work_reaches_the_truth_of_a_text_and_of_a_value() -> None:
    a = Value(2.0, "a")
    for subject, values in (("a * a", {"a": 2}), (a * a, None)):
        error = refusal(accuracy, subject, values=values, limits=Limits(truth_work=1))
        assert (error["name"], error["limit"]) == ("truth_work", 1)


def test_the_limit_of_characters_reaches_the_text_of_which_accuracy_is_asked() -> None:
    error = refusal(accuracy, "a * a", {"a": 2}, limits=Limits(characters=4))
    assert (error["name"], error["limit"], error["actual"]) == ("characters", 4, 5)


@pytest.mark.parametrize("wrong", [-1, 2.5, 5.0, nan, inf, -inf, None, True, "5"])
@pytest.mark.parametrize("name", Limits._fields)
def test_a_limit_is_a_whole_number_from_0_up(name: str, wrong: Any) -> None:
    limits = DEFAULT_LIMITS._replace(**{name: wrong})
    a = Value(1.0, "a")
    document = introspect("a", {"a": 1}, parameters=["a"])
    calls: list[Callable[[], object]] = [
        lambda: introspect("a", {"a": 1}, limits=limits),
        lambda: prepare("a", limits=limits),
        lambda: introspect_value(a, limits=limits),
        lambda: paths(document, node="a", limits=limits),
        lambda: accuracy("a", {"a": 1}, limits=limits),
        lambda: compare(document, {"a": 1.0}, document, limits=limits),
        *(
            partial(LAB[name].run, document, limits=limits)
            for name in ("experiment", "descend", "hessian")
        ),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=rf"limits\.{name} must be a whole number, 0 or more"):
            call()
