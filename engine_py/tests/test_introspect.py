from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from engine_py import (
    DEFAULT_LIMITS,
    Document,
    GradientError,
    Limits,
    introspect,
)
from engine_py.introspect import differentiate, prepare
from engine_py.request import Request, check_request
from engine_py.tests.helpers import refusal, to_the_bit


def test_integers_and_floats_give_one_document() -> None:
    integers = introspect("a / b", {"a": 6, "b": 3})
    assert to_the_bit(integers) == to_the_bit(introspect("a / b", {"a": 6.0, "b": 3.0}))


def test_limits_are_handed_over() -> None:
    values = {"a": 1.0, "b": 2.0}
    assert introspect("a + b", values, limits=Limits(5, 2, 3))["result"] == 3
    for limits, name in [
        (Limits(4, 2, 3), "characters"),
        (Limits(5, 1, 3), "variables"),
        (Limits(5, 2, 2), "nodes"),
    ]:
        assert refusal(introspect, "a + b", values, limits=limits)["name"] == name
    error = refusal(introspect, "a - b", values, view="primitive", limits=Limits(nodes=4))
    assert (error["limit"], error["actual"]) == (4, 5)


def test_a_long_program_is_told_without_recursion() -> None:
    limits = Limits(characters=10**6, nodes=10**5)
    document = introspect("a" + " + a" * 20_000, {"a": 1}, limits=limits)
    assert (document["result"], document["gradients"]) == (20_001, {"a": 20_001})
    document = introspect("relu(" * 10_000 + "a" + ")" * 10_000, {"a": 2}, limits=limits)
    assert (document["result"], document["gradients"]) == (2, {"a": 1})


# A text that is prepared once

MIXED = "n = x1 * w1 + x2 * w2 - 3 / b; o = tanh(n) ** 2; o + log(w1 * w1)"


def requests_for(expression: str, count: int) -> Iterator[Request]:
    """Requests for MIXED, each with its own values and parameters."""
    for index in range(count):
        values = {name: index / 7 + place for place, name in enumerate(("x1", "w1", "x2", "w2"))}
        named = [name for place, name in enumerate(values) if index >> place & 1]
        yield check_request(
            expression, {**values, "b": 0.5 - index}, named, "folded", DEFAULT_LIMITS
        )


def introspected(request: Request) -> Document:
    return introspect(request.expression, request.values, parameters=request.parameters)


def test_a_prepared_text_answers_every_request_as_introspect_does() -> None:
    prepared = prepare(MIXED)
    before = repr(prepared)
    for request in [*requests_for(MIXED, 20), *requests_for(MIXED, 20)]:
        assert to_the_bit(differentiate(prepared, request)) == to_the_bit(introspected(request))
    assert repr(prepared) == before


def test_threads_may_share_a_prepared_text() -> None:
    prepared, requests = prepare(MIXED), list(requests_for(MIXED, 400))
    with ThreadPoolExecutor(8) as pool:
        documents = list(pool.map(lambda request: differentiate(prepared, request), requests))
    assert to_the_bit(documents) == to_the_bit([introspected(request) for request in requests])


def test_who_changes_a_document_changes_no_other() -> None:
    prepared, request = prepare("a ** 2 + b"), Request("", {"a": 2.0, "b": 1.0}, ["a"], "folded")
    document = differentiate(prepared, request)
    expected = to_the_bit(document)
    spoil(document)
    assert to_the_bit(document) != expected
    assert to_the_bit(differentiate(prepared, request)) == expected


def test_a_refused_request_leaves_a_prepared_text_as_it_was() -> None:
    prepared = prepare("1 / a + exp(b)")
    good = Request("", {"a": 2.0, "b": 1.0}, [], "folded")
    expected = to_the_bit(differentiate(prepared, good))
    for values in ({"a": 1.0}, {"a": 0.0, "b": 1.0}, {"a": 1.0, "b": 1e3}, {"a": 1e-200, "b": 1.0}):
        with pytest.raises(GradientError):
            differentiate(prepared, good._replace(values=values))
        assert to_the_bit(differentiate(prepared, good)) == expected


def test_prepare_has_the_view_and_the_limit_of_nodes() -> None:
    assert len(prepare("a - b", "folded", Limits(nodes=3)).order) == 3
    assert len(prepare("a - b", "primitive", Limits(nodes=5)).order) == 5
    assert refusal(prepare, "a - b", "primitive", Limits(nodes=4))["name"] == "nodes"
    assert refusal(prepare, "b = 1; a")["code"] == "unused_name"
    assert prepare("missing_values + are_for_later").order == [0, 1, 2]


def spoil(content: Any) -> None:
    """Change every number and text of a document, and every array's length."""
    members = list(content.items() if isinstance(content, dict) else enumerate(content))
    for key, member in members:
        if isinstance(member, dict | list):
            spoil(member)
        else:
            content[key] = "spoiled"
    if isinstance(content, list):
        content.append("spoiled")
