"""The outline of a program; parity_tests/fixtures/outline has its behaviour."""

from typing import Any

from engine_py import CONTRACT, Limits, outline
from engine_py.introspect import prepare
from engine_py.tests.helpers import refusal


def test_an_outline_has_the_variables_and_the_graph_without_values() -> None:
    shown: dict[str, Any] = {**outline("y = x ** 2; y * w", parameters=["w"])}
    nodes = [(node["kind"], node["label"], node["data"]) for node in shown.pop("nodes")]
    assert nodes == [
        ("input", "x", None),
        ("constant", None, 2.0),
        ("operation", "y", None),
        ("parameter", "w", None),
        ("operation", None, None),
    ]
    edges = [(edge["from"], edge["to"], edge["differentiable"]) for edge in shown.pop("edges")]
    assert edges == [(0, 2, True), (1, 2, False), (2, 4, True), (3, 4, True)]
    assert shown == {
        "contract": CONTRACT,
        "expression": "y = x ** 2; y * w",
        "view": "folded",
        "variables": ["x", "w"],
        "root": 4,
    }


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
