"""What a document holds wherever its numbers come from. Fixtures hold its rows, case by case."""

from math import copysign
from typing import Any

from engine_py import introspect
from engine_py.backward import backward
from engine_py.document import build_document
from engine_py.forward import forward
from engine_py.introspect import prepare
from engine_py.request import Request
from engine_py.tests.helpers import to_the_bit


def numbers_in(content: Any) -> list[float]:
    if isinstance(content, dict):
        content = list(content.values())
    if isinstance(content, list):
        return [number for item in content for number in numbers_in(item)]
    return [content] if isinstance(content, float) else []


def test_minus_zero_is_written_as_zero_everywhere() -> None:
    zeros = [-0.0] * 3
    template = prepare("-a * a").template
    computed = zeros, zeros, [0.0, 0.0, 1.0]  # a contribution is -0, too
    request = Request("", {"a": -0.0}, [], "folded")
    numbers = numbers_in(build_document(request, template, computed, (zeros, zeros, zeros)))
    # result, value and gradient; data and grad of three nodes; four numbers of three edges
    assert len(numbers) == 3 + 6 + 12
    assert all(copysign(1, number) == 1 for number in numbers)


def test_the_order_of_members_is_that_of_first_use_and_of_unused_values_the_alphabets() -> None:
    values = {"z": 1, "a": 2, "Z": 3, "b": 4, "_": 5}
    document = introspect("b + a", values)
    assert list(document["values"]) == list(document["gradients"]) == ["b", "a"]
    assert document["unused_values"] == ["Z", "_", "z"]


def test_a_document_takes_rows_that_it_owns_and_copies_others() -> None:
    graph, order, steps, template = prepare("(a + b) * c")
    unfilled = to_the_bit(template)
    request = Request("(a + b) * c", {"a": 2.0, "b": -3.0, "c": 10.0}, ["a"], "folded")
    computed = forward(graph, order, steps, request.values)
    walked = backward(graph, order, steps, computed)
    copied = build_document(request, template, computed, walked)
    assert to_the_bit(template) == unfilled
    owned = build_document(request, template, computed, walked, owned=True)
    assert to_the_bit(owned) == to_the_bit(copied)
    assert owned["nodes"][4] is template.nodes[4][1]
