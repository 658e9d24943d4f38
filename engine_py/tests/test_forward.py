from copy import copy
from typing import Any

import pytest

from engine_py import DEFAULT_LIMITS, OPERATIONS, Span
from engine_py.forward import Forward, at_node
from engine_py.forward import forward as forward_steps
from engine_py.graph import Graph
from engine_py.order import make_steps
from engine_py.tests.helpers import Json, graph_of, refusal, to_the_bit, units


def doubles_of(numbers: Any) -> Any:
    """Make the numbers of an object or array doubles, as a request has them."""
    if isinstance(numbers, dict):
        return {name: float(number) for name, number in numbers.items()}
    return [float(number) for number in numbers]


def order_of(case: Json) -> list[int]:
    order: list[int] = case.get("order", list(range(len(case["graph"]))))
    return order


def forward(graph: Graph, order: list[int], values: dict[str, float]) -> Forward:
    return forward_steps(graph, order, make_steps(graph, order), values)


@units("forward", "data")
def test_a_graph_has_the_data_and_local_gradients(case: Json) -> None:
    graph = graph_of(*case["graph"])
    data, *columns = forward(graph, order_of(case), doubles_of(case["values"]))
    assert data == case["data"]
    for node, local_grads in case["local_grads"].items():
        found = [column[int(node)] for column in columns[: len(local_grads)]]
        assert found == [None if local is None else float(local) for local in local_grads]


@units("forward", "refused")
def test_a_graph_without_data_is_refused(case: Json) -> None:
    graph, order = graph_of(*case["graph"]), order_of(case)
    node = order[case["error"]["node"]]
    graph.spans[node] = Span(4, 9)
    error = refusal(forward, graph, order, doubles_of(case["values"]))
    assert to_the_bit(error["operands"]) == to_the_bit(doubles_of(case["error"]["operands"]))
    assert error == {"span": {"start": 4, "end": 9}, **case["error"]}


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


@pytest.mark.parametrize("after", ["exp", "log", "tanh", "relu", ("**", 0.5), ("**", -1.0)])
def test_what_is_computed_from_an_infinity_does_not_hide_it(after: Any) -> None:
    # a * a is infinite or, minus itself, NaN; what comes of that may be finite or fail otherwise.
    for rows in ([("*", 0, 0)], [("*", 0, 0), ("-", 1, 1)]):
        top = len(rows)
        end = [(after, top)] if isinstance(after, str) else [after[1], (after[0], top, top + 1)]
        graph = graph_of("a", *rows, *end)
        error = refusal(forward, graph, list(range(len(graph.operations))), {"a": 1e200})
        assert (error["code"], error["stage"], error["node"]) == ("non_finite", "data", 1)


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
