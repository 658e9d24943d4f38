from collections.abc import Mapping
from typing import Any

from engine_py import Limits, Span
from engine_py.backward import backward
from engine_py.forward import forward
from engine_py.graph import Graph
from engine_py.order import make_steps
from engine_py.tests.helpers import graph_of, refusal

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


def failure(graph: Graph, values: Mapping[str, float]) -> dict[str, Any]:
    """Give the data of a backward pass that leaves the doubles."""
    error = refusal(differentiate, graph, values)
    assert error.pop("code") == "non_finite"
    return error


def test_the_ledger_of_the_lessons_example() -> None:
    graph = graph_of("a", "b", ("+", 0, 1), "c", ("*", 2, 3))
    grads, ledger = differentiate(graph, {"a": 2.0, "b": -3.0, "c": 10.0})
    assert grads == [10, 10, 10, -1, 1]
    assert ledger == [(4, 2, 10, 10), (4, 3, -1, -1), (2, 0, 10, 10), (2, 1, 10, 10)]


def test_a_square_by_product_adds_two_contributions() -> None:
    grads, ledger = differentiate(graph_of("a", ("*", 0, 0)), {"a": 3.0})
    assert grads == [6, 1]
    assert ledger == [(1, 0, 3, 3), (1, 0, 3, 6)]


def test_the_diamond_adds_what_comes_by_both_ways() -> None:
    # b = a + 1; c = a * 3; d = b * c
    graph = graph_of("a", 1.0, ("+", 0, 1), 3.0, ("*", 0, 3), ("*", 2, 4))
    grads, ledger = differentiate(graph, {"a": 2.0})
    assert grads == [15, 6, 6, 6, 3, 1]
    by_root = [(5, 2, 6, 6), (5, 4, 3, 3)]
    assert ledger == [*by_root, (4, 0, 9, 9), (4, 3, 6, 6), (2, 0, 6, 15), (2, 1, 6, 6)]


def test_a_node_is_read_only_when_its_gradient_is_complete() -> None:
    # s = a + b; s * s + s: the gradient of s is 2 s + 1 = 11 before a and b get it.
    graph = graph_of("a", "b", ("+", 0, 1), ("*", 2, 2), ("+", 3, 2))
    grads, ledger = differentiate(graph, {"a": 2.0, "b": 3.0})
    assert grads == [11, 11, 11, 1, 1]
    assert ledger[:4] == [(4, 3, 1, 1), (4, 2, 1, 1), (3, 2, 5, 6), (3, 2, 5, 11)]
    assert ledger[4:] == [(2, 0, 11, 11), (2, 1, 11, 11)]


def test_a_dead_relu_passes_nothing_on() -> None:
    graph = graph_of("a", "b", ("*", 0, 1), ("relu", 2))
    grads, ledger = differentiate(graph, {"a": 2.0, "b": 3.0})
    assert grads == [3, 2, 1, 1]
    assert ledger[:1] == [(3, 2, 1, 1)]
    grads, ledger = differentiate(graph, {"a": 2.0, "b": -3.0})
    assert grads == [0, 0, 0, 1]
    assert all(contribution == 0 for _, _, contribution, _ in ledger)


def test_an_exponent_has_a_row_without_numbers() -> None:
    grads, ledger = differentiate(graph_of("a", 3.0, ("**", 0, 1)), {"a": 2.0})
    assert grads == [12, 0, 1]
    assert ledger == [(2, 0, 12, 12), (2, 1, None, None)]


def test_a_leaf_alone_has_the_gradient_one_and_no_ledger() -> None:
    assert differentiate(graph_of("a"), {"a": 2.0}) == ([1], [])


def test_every_sum_and_product_is_rounded_by_itself() -> None:
    # 0.1 a + 0.2 a + 0.3 a, from the right: (0.3 + 0.2) + 0.1 is 0.6; from the left, 0.6...01.
    left = ("a", 0.1, ("*", 0, 1), 0.2, ("*", 0, 3), ("+", 2, 4))
    sums = graph_of(*left, 0.3, ("*", 0, 6), ("+", 5, 7))
    grads, ledger = differentiate(sums, {"a": 1.0})
    assert [row[3] for row in ledger if row[1] == 0] == [0.3, 0.5, 0.6]
    assert grads[0] == 0.6
    # 0.1 * (0.1 * a): 0.1 * 0.1 is 0.010000000000000002.
    products = graph_of("a", 0.1, ("*", 1, 0), ("*", 1, 2))
    assert differentiate(products, {"a": 1.0})[0][0] == 0.010000000000000002


def test_an_infinite_local_gradient_is_reported_at_its_edge() -> None:
    graph = graph_of("a", ("log", 0))
    graph.spans[1] = Span(0, 6)
    assert failure(graph, {"a": 5e-324}) == {
        "span": {"start": 0, "end": 6},
        "stage": "local_grad",
        "node": 1,
        "operation": "log",
        "operands": [5e-324],
        "slot": 0,
    }


def test_an_infinite_local_gradient_counts_even_where_nothing_flows() -> None:
    # relu is dead, so 0 * infinity would reach a as NaN.
    graph = graph_of("a", 0.5, ("**", 0, 1), ("neg", 2), ("relu", 3))
    error = failure(graph, {"a": 0.0})
    assert (error["stage"], error["node"], error["slot"]) == ("local_grad", 2, 0)


def test_an_infinite_contribution_is_reported_at_its_edge() -> None:
    # (a * b) * b: a gets 1e200 * 1e200.
    error = failure(graph_of("a", "b", ("*", 0, 1), ("*", 2, 1)), {"a": 0.0, "b": 1e200})
    assert error == {
        "span": None,
        "stage": "contribution",
        "node": 2,
        "operation": "*",
        "operands": [0, 1e200],
        "slot": 0,
    }


def test_an_infinite_sum_of_contributions_is_reported_where_it_appears() -> None:
    # b * a + b * a: each product gives a 1e308, and the left one comes second.
    graph = graph_of("b", "a", ("*", 0, 1), ("*", 0, 1), ("+", 2, 3))
    error = failure(graph, {"a": 0.0, "b": 1e308})
    assert error == {
        "span": None,
        "stage": "grad",
        "node": 2,
        "operation": "*",
        "operands": [1e308, 0],
        "slot": 1,
    }


def test_the_first_edge_of_the_walk_is_reported() -> None:
    # log(a) + log(b): the walk meets the right logarithm first.
    graph = graph_of("a", ("log", 0), "b", ("log", 2), ("+", 1, 3))
    assert failure(graph, {"a": 5e-324, "b": 5e-324})["node"] == 3
    assert failure(graph, {"a": 5e-324, "b": 1.0})["node"] == 1


def test_finite_gradients_may_have_a_sum_beyond_the_doubles() -> None:
    graph = graph_of("a", 1e308, ("*", 0, 1), "b", ("*", 3, 1), ("+", 2, 4))
    grads, _ = differentiate(graph, {"a": 0.5, "b": 0.5})
    assert grads == [1e308, 0.5 + 0.5, 1, 1e308, 1, 1]


def test_a_chain_of_any_length_is_walked_without_recursion() -> None:
    doubled = graph_of("a", *[("+", node, node) for node in range(1_000)])
    assert differentiate(doubled, {"a": 1.0})[0][0] == 2.0**1_000
    length = 20_000
    chain = graph_of("a", *[("neg", node) for node in range(length)], limits=Limits(nodes=10**6))
    grads, ledger = differentiate(chain, {"a": 1.0})
    assert (grads[0], len(ledger)) == (1, length)
