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

LESSONS: list[tuple[str, dict[str, float], float, dict[str, float]]] = [
    # expression, values, result, gradients: from the lessons, or by hand where they round
    ("(a + b) * c", {"a": 2, "b": -3, "c": 10}, -10, {"a": 10, "b": 10, "c": -1}),
    ("a * b + c", {"a": 2, "b": 3, "c": 10}, 16, {"a": 3, "b": 2, "c": 1}),
    ("a * b + a", {"a": 2, "b": 3}, 8, {"a": 4, "b": 2}),
    ("a * a", {"a": 3}, 9, {"a": 6}),
    ("b = a + 1; c = a * 3; d = b * c", {"a": 2}, 18, {"a": 15}),
    ("relu(a * b)", {"a": 2, "b": -3}, 0, {"a": 0, "b": 0}),
    ("relu(a * b)", {"a": 2, "b": 3}, 6, {"a": 3, "b": 2}),
    ("relu(x * w + b)", {"x": 2, "w": 3, "b": -10}, 0, {"x": 0, "w": 0, "b": 0}),
    ("a - b", {"a": 5, "b": 2}, 3, {"a": 1, "b": -1}),
    ("a / b", {"a": 6, "b": 3}, 2, {"a": 0.3333333333333333, "b": -0.6666666666666666}),
    ("a ** 3", {"a": 2}, 8, {"a": 12}),
    ("10 - a * a", {"a": 2}, 6, {"a": -4}),
    # The logistic function's gradient is s * (1 - s), rounded on the way as the contract says.
    ("1 / (1 + exp(0 - x))", {"x": 0.5}, 0.6224593312018546, {"x": 0.2350037122015945}),
]

NEURON = "x1w1 = x1 * w1; x2w2 = x2 * w2; s = x1w1 + x2w2; n = s + b; o = tanh(n)"
NEURON_VALUES = {"x1": 2, "x2": 0, "w1": -3, "w2": 1, "b": 6.881373587019543}


def of_nodes(document: Any, member: str) -> list[Any]:
    return [node[member] for node in document["nodes"]]


@pytest.mark.parametrize(("expression", "values", "result", "gradients"), LESSONS)
def test_the_lessons_have_their_results_and_gradients(
    expression: str, values: dict[str, float], result: float, gradients: dict[str, float]
) -> None:
    document = introspect(expression, values)
    assert (document["result"], document["gradients"]) == (result, gradients)
    assert document["values"] == values
    assert document["expression"] == expression


def test_the_ledger_of_the_lessons_default_expression() -> None:
    document = introspect("(a + b) * c", {"a": 2, "b": -3, "c": 10})
    names = [node["operation"] or node["label"] for node in document["nodes"]]
    assert names == ["a", "b", "+", "c", "*"]
    ledger = {
        (names[edge["to"]], names[edge["from"]]): (
            edge["incoming_grad"],
            edge["local_grad"],
            edge["contribution"],
        )
        for edge in document["edges"]
    }
    assert ledger == {
        ("*", "+"): (1, 10, 10),
        ("*", "c"): (1, -1, -1),
        ("+", "a"): (10, 1, 10),
        ("+", "b"): (10, 1, 10),
    }


def test_the_orders_of_the_graph_lesson() -> None:
    document = introspect("a * b + c", {"a": 2, "b": 3, "c": 10})
    names = [node["operation"] or node["label"] for node in document["nodes"]]
    assert [names[node] for node in document["topological_order"]] == ["a", "b", "*", "c", "+"]
    assert [names[node] for node in document["backward_order"]] == ["+", "c", "*", "b", "a"]
    assert (len(document["nodes"]), len(document["edges"])) == (5, 4)


def test_a_square_by_product_has_two_edges_between_two_nodes() -> None:
    document = introspect("a * a", {"a": 3})
    ends = [(edge["from"], edge["to"], edge["slot"]) for edge in document["edges"]]
    assert (len(document["nodes"]), ends) == (2, [(0, 1, 0), (0, 1, 1)])
    assert [edge["contribution"] for edge in document["edges"]] == [3, 3]


def test_the_named_nodes_of_the_diamond() -> None:
    document = introspect("b = a + 1; c = a * 3; d = b * c", {"a": 2})
    named = {node["label"]: (node["data"], node["grad"]) for node in document["nodes"]}
    del named[None]
    assert named == {"a": (2, 15), "b": (3, 6), "c": (6, 3), "d": (18, 1)}


def test_karpathys_neuron_has_the_correctly_rounded_last_bits() -> None:
    document = introspect(NEURON, NEURON_VALUES, parameters=["w1", "w2", "b"])
    # tanh is 0.7071067811865476 and its local gradient 0.4999999999999999, not the lesson's 0.5.
    assert document["result"] == 0.7071067811865476
    assert document["gradients"] == {
        "x1": -1.4999999999999996,
        "w1": 0.9999999999999998,
        "x2": 0.4999999999999999,
        "w2": 0.0,
        "b": 0.4999999999999999,
    }
    data = dict(zip(of_nodes(document, "label"), of_nodes(document, "data"), strict=True))
    assert data["n"] == 0.8813735870195432
    kinds = dict(zip(of_nodes(document, "label"), of_nodes(document, "kind"), strict=True))
    assert [kinds[name] for name in ("x1", "x2", "n")] == ["input", "input", "operation"]
    assert [kinds[name] for name in ("w1", "w2", "b")] == ["parameter"] * 3


def test_integers_and_floats_give_one_document() -> None:
    integers = introspect("a / b", {"a": 6, "b": 3})
    assert to_the_bit(integers) == to_the_bit(introspect("a / b", {"a": 6.0, "b": 3.0}))


def test_ids_depend_on_the_graph_and_not_on_the_order_of_statements() -> None:
    one = introspect("b = a + 1; c = a * 3; b * c", {"a": 2})
    other = introspect("c = a * 3; b = a + 1; b * c", {"a": 2})
    assert of_nodes(one, "label") == of_nodes(other, "label") == ["a", None, "b", None, "c", None]
    assert one["edges"] == other["edges"]


def test_a_quotient_differs_in_the_two_views() -> None:
    folded = introspect("a / b", {"a": 49, "b": 49})
    primitive = introspect("a / b", {"a": 49, "b": 49}, view="primitive")
    assert (folded["view"], primitive["view"]) == ("folded", "primitive")
    assert (folded["result"], primitive["result"]) == (1, 0.9999999999999999)
    assert of_nodes(folded, "derived") == [False, False, True]
    assert of_nodes(primitive, "operation") == [None, None, None, "**", "*"]
    assert of_nodes(primitive, "derived") == [False] * 5
    assert of_nodes(primitive, "data")[2] == -1


def test_a_difference_is_the_same_in_both_views() -> None:
    values = {"a": 0.1, "b": 0.3, "c": -0.7}
    folded = introspect("a - (b - c) - -a", values)
    primitive = introspect("a - (b - c) - -a", values, view="primitive")
    assert folded["result"] == primitive["result"]
    assert folded["gradients"] == primitive["gradients"] == {"a": 2, "b": -1, "c": 1}


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


def test_what_the_root_does_not_reach_is_an_unused_name() -> None:
    def unused(name: str, start: int) -> dict[str, Any]:
        span = {"start": start, "end": start + len(name)}
        return {"code": "unused_name", "span": span, "name": name}

    assert refusal(introspect, "bc = 1; a", {"a": 1}) == unused("bc", 0)
    assert refusal(introspect, "c = a; d = 1; b = 2; a + d", {}) == unused("b", 14)
    assert refusal(introspect, "c = 1; b = c; d = b; 3", {}) == unused("c", 0)
    assert introspect("c = a; b = c; a", {"a": 1})["result"] == 1


def test_a_missing_value_is_the_first_that_the_text_uses() -> None:
    def missing(start: int | None, *names: str) -> dict[str, Any]:
        span = None if start is None else {"start": start, "end": start + len(names[0])}
        return {"code": "missing_value", "span": span, "name": names[0], "names": list(names)}

    assert refusal(introspect, "x + bb * a + bb", {"x": 1}) == missing(4, "bb", "a")
    assert refusal(introspect, "a", {}, parameters=["w"]) == missing(0, "a", "w")
    assert refusal(introspect, "a", {}, parameters=["w", "a"]) == missing(0, "a", "w")
    parameters = ["a", "w", "v"]
    assert refusal(introspect, "a", {"a": 1}, parameters=parameters) == missing(None, "w", "v")
    assert introspect("a", {"a": 1, "w": 2}, parameters=["w"])["unused_values"] == ["w"]


def test_errors_come_in_the_order_of_the_contract() -> None:
    def code(expression: Any, values: Any = None, **options: Any) -> Any:
        return refusal(introspect, expression, {"a": 0} if values is None else values, **options)

    wrong: Any = {"parameters": 3, "view": 3}
    assert code(3, [], **wrong)["pointer"] == "/expression"
    assert code("é", [], **wrong)["pointer"] == "/values"
    assert code("é", **wrong)["pointer"] == "/parameters"
    assert code("é", view=3)["pointer"] == "/view"
    assert code("(1e999 é")["code"] == "unexpected_character"
    assert code("b = 1 / 0; 1e999 +")["code"] == "non_finite"
    assert code("b = 1 / 0; c +")["code"] == "unexpected_end"
    assert code("b = 1 / 0; c")["code"] == "unused_name"
    assert code("b = 1 / 0; c + b")["code"] == "missing_value"
    assert code("b = 1 / a; b + a ** .5")["code"] == "domain_error"
    assert code("exp(1000) + 1 / a")["stage"] == "data"
    assert code("1 / a + exp(1000)")["code"] == "domain_error"
    assert code("a ** .5 + exp(1000)")["stage"] == "data"
    assert code("a ** .5 + 1")["stage"] == "local_grad"


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
