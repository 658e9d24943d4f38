from copy import copy
from typing import Any

import pytest

from engine_py import DEFAULT_LIMITS, OPERATIONS, Span
from engine_py.forward import Forward, at_node
from engine_py.forward import forward as forward_steps
from engine_py.graph import Graph
from engine_py.order import make_steps
from engine_py.tests.helpers import graph_of, refusal, to_the_bit


def forward(graph: Graph, order: list[int], values: dict[str, float]) -> Forward:
    return forward_steps(graph, order, make_steps(graph, order), values)


def test_data_and_local_gradients_of_the_lessons_example() -> None:
    graph = graph_of("a", "b", ("+", 0, 1), "c", ("*", 2, 3))
    data, lefts, rights = forward(graph, [0, 1, 2, 3, 4], {"a": 2.0, "b": -3.0, "c": 10.0})
    assert data == [2, -3, -1, 10, -10]
    assert (lefts, rights) == ([0, 0, 1, 0, 10], [0, 0, 1, 0, -1])


def test_constants_have_their_literals_and_exponents_no_local_gradient() -> None:
    graph = graph_of("a", 3.0, ("**", 0, 1), -2.0, ("*", 2, 3))
    data, lefts, rights = forward(graph, [0, 1, 2, 3, 4], {"a": 2.0})
    assert data == [2, 3, 8, -2, -16]
    assert (lefts, rights) == ([0, 0, 12, 0, -2], [0, 0, None, 0, 8])
    assert graph.literals == [0, 3, 0, -2, 0]


def test_a_variable_takes_its_value_by_name() -> None:
    graph = graph_of("a", "b", ("-", 0, 1))
    values = {"b": 1.0, "unused": 7.0, "a": 5.0}
    assert forward(graph, [0, 1, 2], values)[0] == [5, 1, 4]


def test_a_shared_node_is_computed_once() -> None:
    calls: list[float] = []

    def rule(x: float) -> Any:
        calls.append(x)
        return x + 1, 1.0

    graph = Graph(DEFAULT_LIMITS)
    a = graph.add_variable("a", None)
    once = graph.add_operation(OPERATIONS["neg"]._replace(symbol="count", rule=rule), (a,), None)
    graph.add_operation(OPERATIONS["*"], (once, once), None)
    assert forward(graph, [0, 1, 2], {"a": 2.0})[0] == [2, 3, 9]
    assert calls == [2]


def test_what_is_not_in_the_order_is_not_computed() -> None:
    graph = graph_of("a", ("log", 0), ("+", 0, 0))
    assert forward(graph, [0, 2], {"a": -1.0}) == ([-1, 0, -2], [0, 0, 1], [0, 0, 1])


def test_an_operation_outside_its_domain_is_named_by_its_place_in_the_order() -> None:
    graph = graph_of("b", "a", ("-", 1, 1), ("log", 2))
    graph.spans[3] = Span(0, 10)
    error = refusal(forward, graph, [1, 2, 3], {"a": 2.0, "b": 1.0})
    assert error == {
        "code": "domain_error",
        "span": {"start": 0, "end": 10},
        "node": 2,
        "operation": "log",
        "operands": [0.0],
    }


def test_data_beyond_the_doubles_is_the_first_in_the_order() -> None:
    graph = graph_of("a", ("exp", 0), ("*", 0, 0), ("+", 2, 1))
    graph.spans[2] = Span(0, 5)
    error = refusal(forward, graph, [0, 2, 1, 3], {"a": 1e200})
    assert error == {
        "code": "non_finite",
        "span": {"start": 0, "end": 5},
        "stage": "data",
        "node": 1,
        "operation": "*",
        "operands": [1e200, 1e200],
        "slot": None,
    }
    assert refusal(forward, graph, [0, 1, 2, 3], {"a": 1e200})["operation"] == "exp"
    assert refusal(forward, graph, [0, 2, 1, 3], {"a": -1e200})["operands"] == [-1e200, -1e200]


@pytest.mark.parametrize("after", ["exp", "log", "tanh", "relu", ("**", 0.5), ("**", -1.0)])
def test_what_is_computed_from_an_infinity_does_not_hide_it(after: Any) -> None:
    # a * a is infinite or, minus itself, NaN; what comes of that may be finite or fail otherwise.
    for rows in ([("*", 0, 0)], [("*", 0, 0), ("-", 1, 1)]):
        top = len(rows)
        end = [(after, top)] if isinstance(after, str) else [after[1], (after[0], top, top + 1)]
        graph = graph_of("a", *rows, *end)
        error = refusal(forward, graph, list(range(len(graph.operations))), {"a": 1e200})
        assert (error["code"], error["stage"], error["node"]) == ("non_finite", "data", 1)


def test_finite_data_may_have_a_sum_beyond_the_doubles() -> None:
    graph = graph_of("a", ("relu", 0), ("+", 1, 0), ("-", 1, 2))
    assert forward(graph, [0, 1, 2, 3], {"a": 8e307})[0] == [8e307, 8e307, 1.6e308, -8e307]


def test_the_largest_double_is_no_infinity() -> None:
    graph = graph_of("a", ("neg", 0))
    largest = 1.7976931348623157e308
    assert forward(graph, [0, 1], {"a": largest})[0] == [largest, -largest]


def test_an_infinite_local_gradient_is_left_to_the_backward_pass() -> None:
    graph = graph_of("a", 0.5, ("**", 0, 1))
    assert forward(graph, [0, 1, 2], {"a": 0.0})[0] == [0, 0.5, 0]


def test_an_explanation_writes_minus_zero_as_zero() -> None:
    graph = graph_of("a", ("log", 0))
    where = at_node(graph, [0, 1], 1, [-0.0, 1.0])
    assert to_the_bit(where) == '{"node": 1, "operation": "log", "operands": [0.0]}'
    error = refusal(forward, graph, [0, 1], {"a": -0.0})
    assert to_the_bit(error["operands"]) == "[0.0]"


def test_the_graph_is_left_as_it_was() -> None:
    graph = graph_of("a", 2.0, ("*", 0, 1))
    before = {name: copy(getattr(graph, name)) for name in Graph.__slots__}
    forward(graph, [0, 1, 2], {"a": 2.0})
    assert {name: getattr(graph, name) for name in Graph.__slots__} == before
