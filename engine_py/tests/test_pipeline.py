"""The stages of the pipeline one by one, in the order of the pipeline, each on inputs of its own.

A bug in a stage fails hundreds of fixtures. `make test` runs these tests first, so that the first
failure names the stage.
"""

from math import copysign, inf
from typing import Any

from engine_py.backward import backward
from engine_py.document import build_document
from engine_py.forward import forward
from engine_py.graph import Graph
from engine_py.introspect import prepare_text
from engine_py.language.parser import expansion_of
from engine_py.limits import Limits
from engine_py.operations import OPERATIONS
from engine_py.order import fed_by_variables, make_steps, topological_order
from engine_py.request import GradientRequest
from engine_py.template import make_template
from engine_py.tests.helpers import Json, refusal, to_the_bit, units


def graph_of(rows: list[Any], nodes: int = 100) -> Graph:
    """Build a graph from the rows of a case, with the span [n, n + 1] for row n."""
    graph = Graph(Limits(nodes=nodes))
    for place, row in enumerate(rows):
        span = (place, place + 1)
        if isinstance(row, str):
            graph.add_variable(row, span)
        elif not isinstance(row, list):
            graph.add_constant(float(row), span)
        elif row[0] == "expand":
            graph.add_expansion(expansion_of(row[1]), tuple(row[2:]), span)
        else:
            graph.add_operation(OPERATIONS[row[0]], tuple(row[1:]), span)
    return graph


def column(case: Json, name: str) -> list[float]:
    """Read a column of doubles, in which JSON writes an infinite one as a string."""
    return [float(number) for number in case.get(name, [0] * len(case["rows"]))]


@units("pipeline", "graph")
def test_graph(case: Json) -> None:
    if "error" in case:
        assert refusal(graph_of, case["rows"], case["nodes"]) == case["error"]
        return
    graph = graph_of(case["rows"])
    found = {
        "labels": graph.labels,
        "literals": graph.literals,
        "operations": [operation and operation.symbol for operation in graph.operations],
        "operands": [[*operands] for operands in graph.operands],
        "variables": [[*variable] for variable in graph.variables.items()],
        "is_variable": [graph.is_variable(node) for node in range(len(graph.labels))],
        "spans": [span and [*span] for span in graph.spans],
    }
    assert {name: found[name] for name in found if name in case} == {
        name: case[name] for name in found if name in case
    }


@units("pipeline", "order")
def test_order(case: Json) -> None:
    assert topological_order(case["root"], case["operands"]) == case["order"]


@units("pipeline", "order_fed")
def test_order_fed_by_variables(case: Json) -> None:
    assert fed_by_variables(case["variables"], case["operands"]) == case["fed"]


@units("pipeline", "order_steps")
def test_order_steps(case: Json) -> None:
    steps = make_steps(graph_of(case["rows"]), case["order"])
    found = [[node, left, right, flows] for node, _, left, right, flows in steps]
    assert found == case["steps"]


def forward_of(case: Json) -> tuple[list[float], ...]:
    graph = graph_of(case["rows"])
    order = [*range(len(case["rows"]))]
    return forward(graph, order, make_steps(graph, order), case["values"])


@units("pipeline", "forward")
def test_forward(case: Json) -> None:
    for name, found in zip(("data", "lefts", "rights"), forward_of(case), strict=True):
        assert found == case.get(name, found), name


@units("pipeline", "forward_errors")
def test_forward_errors(case: Json) -> None:
    assert refusal(forward_of, case) == case["error"]


def backward_of(case: Json) -> tuple[list[float], list[list[float | None]]]:
    """Return the gradients, and [node, left, right] of the running gradients of each operation."""
    graph = graph_of(case["rows"])
    order = [*range(len(case["rows"]))]
    steps = make_steps(graph, order)
    computed = [0.0] * len(order), column(case, "lefts"), column(case, "rights")
    grads, lefts, rights = backward(graph, order, steps, computed)
    running = [[node, lefts[node], rights[node] if flows else None] for node, *_, flows in steps]
    return grads, running


@units("pipeline", "backward")
def test_backward(case: Json) -> None:
    grads, running = backward_of(case)
    assert grads == column(case, "grads")
    assert running == [
        [inf if number == "Infinity" else number for number in row] for row in case["running"]
    ]


@units("pipeline", "backward_errors")
def test_backward_errors(case: Json) -> None:
    assert refusal(backward_of, case) == case["error"]


@units("pipeline", "template")
def test_template(case: Json) -> None:
    template = make_template(graph_of(case["rows"]), case["order"])
    assert [node for node, _ in template.nodes] == case["order"]
    nodes = [row for _, row in template.nodes]
    edges = [row for *_, row in template.edges]
    for rows in (nodes, edges):
        assert [row["id"] for row in rows] == [*range(len(rows))]
    for name in ("kind", "operation", "label", "derived"):
        found = [row[name] for row in nodes]
        assert found == case.get(name, found), name
    spans = [row["span"] and [row["span"]["start"], row["span"]["end"]] for row in nodes]
    assert spans == case.get("span", spans)
    ends = [[edge["from"], edge["to"], edge["slot"], edge["differentiable"]] for edge in edges]
    assert ends == case.get("edges", ends)
    variables = [[name, id_] for name, _, id_ in template.variables]
    assert variables == case.get("variables", variables)


@units("pipeline", "document")
def test_document(case: Json) -> None:
    graph = graph_of(case["rows"])
    values = dict.fromkeys([*graph.variables, *case.get("unused", [])], 0.0)
    request = GradientRequest("...", values, case.get("parameters", []), "folded")
    data, lefts, rights, grads, running_lefts, running_rights = (
        column(case, name)
        for name in ("data", "lefts", "rights", "grads", "running_lefts", "running_rights")
    )
    document: Json = build_document(  # type: ignore[assignment]
        request,
        make_template(graph, case["order"]),
        (data, lefts, rights),
        (grads, running_lefts, running_rights),
    )
    found = document | {
        "values": [[*item] for item in document["values"].items()],
        "gradients": [[*item] for item in document["gradients"].items()],
        **{name: [node[name] for node in document["nodes"]] for name in ("data", "grad", "kind")},
        "edges": [
            [edge[name] for name in ("incoming_grad", "local_grad", "contribution", "running_grad")]
            for edge in document["edges"]
        ],
    }
    for name, expected in case["document"].items():
        assert found[name] == expected, name
    assert not [number for number in numbers_in(found) if number == 0 > copysign(1, number)]


def numbers_in(content: Any) -> list[float]:
    if isinstance(content, dict):
        content = list(content.values())
    if isinstance(content, list):
        return [number for item in content for number in numbers_in(item)]
    return [content] if isinstance(content, float) else []


def test_document_takes_rows_that_it_owns_and_copies_others() -> None:
    graph, order, steps, template = prepare_text("(a + b) * c")
    unfilled = to_the_bit(template)
    request = GradientRequest("(a + b) * c", {"a": 2.0, "b": -3.0, "c": 10.0}, ["a"], "folded")
    computed = forward(graph, order, steps, request.values)
    walked = backward(graph, order, steps, computed)
    copied = build_document(request, template, computed, walked)
    assert to_the_bit(template) == unfilled
    owned = build_document(request, template, computed, walked, owned=True)
    assert to_the_bit(owned) == to_the_bit(copied)
    assert owned["nodes"][4] is template.nodes[4][1]
