from collections.abc import Mapping

from engine_py import Limits, Span
from engine_py.backward import backward
from engine_py.forward import forward
from engine_py.graph import Graph
from engine_py.order import make_steps
from engine_py.tests.helpers import Json, graph_of, refusal, units

Ledger = list[tuple[int, int, float | None, float | None]]


def differentiate(graph: Graph, values: Mapping[str, float]) -> tuple[list[float], Ledger]:
    """Give the grads, and rows of (to, from, contribution, running_grad)."""
    order = list(range(len(graph.operations)))
    steps = make_steps(graph, order)
    _, *local_grads = computed = forward(graph, order, steps, values)
    grads, *running_grads = backward(graph, order, steps, computed)
    ledger: Ledger = []
    for to, *_ in reversed(steps):
        for slot, from_ in enumerate(graph.operands[to]):
            local: float | None = local_grads[slot][to]
            if local is None:
                ledger.append((to, from_, None, None))
            else:
                ledger.append((to, from_, grads[to] * local, running_grads[slot][to]))
    return grads, ledger


@units("backward", "grads")
def test_a_graph_has_the_grads_and_the_ledger(case: Json) -> None:
    values = {name: float(value) for name, value in case["values"].items()}
    grads, ledger = differentiate(graph_of(*case["graph"]), values)
    assert grads == case["grads"]
    assert [list(row) for row in ledger] == case["ledger"]


@units("backward", "refused")
def test_what_leaves_the_doubles_is_reported_at_its_edge(case: Json) -> None:
    values = {name: float(value) for name, value in case["values"].items()}
    graph = graph_of(*case["graph"])
    graph.spans[case["error"]["node"]] = Span(4, 9)
    error = refusal(differentiate, graph, values)
    assert error == {"span": {"start": 4, "end": 9}, **case["error"]}


def test_a_chain_of_any_length_is_walked_without_recursion() -> None:
    doubled = graph_of("a", *[("+", node, node) for node in range(1_000)])
    assert differentiate(doubled, {"a": 1.0})[0][0] == 2.0**1_000
    length = 20_000
    chain = graph_of("a", *[("neg", node) for node in range(length)], limits=Limits(nodes=10**6))
    grads, ledger = differentiate(chain, {"a": 1.0})
    assert (grads[0], len(ledger)) == (1, length)
