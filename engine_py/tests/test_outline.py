"""The outline of a program; parity_tests/fixtures/outline has its behaviour."""

from typing import Any

from engine_py import Limits, outline
from engine_py.introspect import prepare
from engine_py.tests.helpers import refusal


def test_the_view_and_the_limits_are_those_of_a_request() -> None:
    assert len(outline("a - b", view="primitive")["nodes"]) == 5
    wrong: Any = "flat"
    assert refusal(outline, "a - b", view=wrong)["pointer"] == "/view"
    assert refusal(outline, "a - b", view="primitive", limits=Limits(nodes=4))["limit"] == 4
    assert refusal(outline, "a", parameters=["v", "w"], limits=Limits(variables=1))["actual"] == 2
    assert refusal(outline, "abc", limits=Limits(characters=2))["name"] == "characters"


def test_a_caller_may_change_an_outline() -> None:
    shown, prepared = outline("a + b"), prepare("a + b")
    span = shown["nodes"][0]["span"]
    assert span is not None
    span["start"] = 99
    assert prepared.template.nodes[0][1]["span"] == {"start": 0, "end": 1}
    assert outline("a + b")["nodes"][0]["span"] == {"start": 0, "end": 1}
