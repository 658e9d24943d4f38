from math import copysign
from typing import Any

from engine_py import CONTRACT, Document, Span
from engine_py.backward import Backward, backward
from engine_py.document import build_document
from engine_py.forward import Forward, forward
from engine_py.graph import Graph
from engine_py.order import make_steps
from engine_py.request import Request, View
from engine_py.template import make_template
from engine_py.tests.helpers import graph_of, to_the_bit


def document_of(
    graph: Graph,
    order: list[int],
    values: dict[str, float],
    parameters: list[str] | None = None,
    view: View = "folded",
) -> Document:
    request = Request("the text", values, parameters or [], view)
    steps = make_steps(graph, order)
    computed = forward(graph, order, steps, values)
    walked = backward(graph, order, steps, computed)
    return build_document(request, make_template(graph, order), computed, walked)


def numbers_in(content: Any) -> list[float]:
    if isinstance(content, dict):
        content = list(content.values())
    if isinstance(content, list):
        return [number for item in content for number in numbers_in(item)]
    return [content] if isinstance(content, float) else []


def example() -> Graph:
    """The lessons' (a + b) * c."""
    graph = graph_of("a", "b", ("+", 0, 1), "c", ("*", 2, 3))
    graph.spans[:] = [Span(1, 2), Span(5, 6), Span(1, 6), Span(10, 11), Span(0, 11)]
    return graph


def test_the_document_of_the_lessons_example() -> None:
    document = document_of(example(), [0, 1, 2, 3, 4], {"a": 2.0, "b": -3.0, "c": 10.0})
    nodes, edges = document.pop("nodes"), document.pop("edges")  # type: ignore[misc]
    assert to_the_bit(document) == to_the_bit(
        {
            "contract": CONTRACT,
            "expression": "the text",
            "values": {"a": 2.0, "b": -3.0, "c": 10.0},
            "unused_values": [],
            "view": "folded",
            "root": 4,
            "result": -10.0,
            "gradients": {"a": 10.0, "b": 10.0, "c": -1.0},
            "topological_order": [0, 1, 2, 3, 4],
            "backward_order": [4, 3, 2, 1, 0],
        }
    )
    assert nodes[2] == {
        "id": 2,
        "kind": "operation",
        "operation": "+",
        "label": None,
        "data": -1,
        "grad": 10,
        "derived": False,
        "span": {"start": 1, "end": 6},
    }
    assert nodes[3] == {
        "id": 3,
        "kind": "input",
        "operation": None,
        "label": "c",
        "data": 10,
        "grad": -1,
        "derived": False,
        "span": {"start": 10, "end": 11},
    }
    assert edges[2] == {
        "id": 2,
        "from": 2,
        "to": 4,
        "slot": 0,
        "differentiable": True,
        "incoming_grad": 1,
        "local_grad": 10,
        "contribution": 10,
        "running_grad": 10,
    }


def test_an_id_is_a_place_in_the_order() -> None:
    graph = graph_of("unreached", "b", "a", ("*", 2, 1), ("+", 3, 2))
    graph.labels[3] = "product"
    document = document_of(graph, [2, 1, 3, 4], {"a": 2.0, "b": 3.0, "unreached": 1.0})
    assert [node["id"] for node in document["nodes"]] == [0, 1, 2, 3]
    assert [node["label"] for node in document["nodes"]] == ["a", "b", "product", None]
    ends = [(edge["from"], edge["to"], edge["slot"]) for edge in document["edges"]]
    assert ends == [(0, 2, 0), (1, 2, 1), (2, 3, 0), (0, 3, 1)]
    assert (document["root"], document["result"]) == (3, 8)


def test_values_are_those_of_the_variables_and_the_others_are_named() -> None:
    graph = graph_of("b", "a", ("+", 0, 1))
    values = {"z": 1.0, "a": 2.0, "Z": 3.0, "b": 4.0, "_": 5.0}
    document = document_of(graph, [0, 1, 2], values)
    assert to_the_bit(document["values"]) == '{"b": 4.0, "a": 2.0}'
    assert document["unused_values"] == ["Z", "_", "z"]


def test_a_document_fills_copies_of_rows_that_it_does_not_own() -> None:
    graph, order, values = example(), [0, 1, 2, 3, 4], {"a": 2.0, "b": -3.0, "c": 10.0}
    request, template = Request("", values, ["a"], "folded"), make_template(graph, order)
    unfilled = to_the_bit(template)
    steps = make_steps(graph, order)
    computed = forward(graph, order, steps, values)
    walked = backward(graph, order, steps, computed)
    copied = build_document(request, template, computed, walked)
    span = copied["nodes"][0]["span"]
    assert span
    span["end"] = 99
    assert to_the_bit(template) == unfilled
    span["end"] = 2
    owned = build_document(request, template, computed, walked, owned=True)
    assert to_the_bit(owned) == to_the_bit(copied)
    assert owned["nodes"][4] is template.nodes[4][1]


def test_minus_zero_is_written_as_zero_everywhere() -> None:
    graph = graph_of("a", ("neg", 0), ("*", 1, 0))
    zero, order = -0.0, [0, 1, 2]
    computed: Forward = ([zero] * 3, [zero] * 3, [0.0, 0.0, 1.0])  # a contribution is -0, too
    request = Request("", {"a": zero}, [], "folded")
    walked: Backward = ([zero] * 3, [zero] * 3, [zero] * 3)
    template = make_template(graph, order)
    numbers = numbers_in(build_document(request, template, computed, walked))
    # result, value and gradient; data and grad of three nodes; four numbers of three edges
    assert len(numbers) == 3 + 6 + 12
    assert all(copysign(1, number) == 1 for number in numbers)


def test_the_view_of_the_request_is_told() -> None:
    assert document_of(graph_of("a"), [0], {"a": 1.0}, view="primitive")["view"] == "primitive"
