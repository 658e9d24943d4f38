import pytest

from engine_py import DEFAULT_LIMITS, OPERATIONS, Limits, Span
from engine_py.graph import Graph
from engine_py.tests.helpers import expansion_of, graph_of, refusal


def test_the_columns_of_the_lessons_example() -> None:
    graph = Graph(DEFAULT_LIMITS)
    a, b = graph.add_variable("a", Span(1, 2)), graph.add_variable("b", Span(5, 6))
    total = graph.add_operation(OPERATIONS["+"], (a, b), Span(1, 6))
    two = graph.add_constant(2.5, None)
    product = graph.add_operation(OPERATIONS["*"], (total, two), None)
    assert [a, b, total, two, product] == [0, 1, 2, 3, 4]
    assert graph.labels == ["a", "b", None, None, None]
    assert graph.operations == [None, None, OPERATIONS["+"], None, OPERATIONS["*"]]
    assert graph.operands == [(), (), (0, 1), (), (2, 3)]
    assert graph.literals == [0, 0, 0, 2.5, 0]
    assert graph.spans == [(1, 2), (5, 6), (1, 6), None, None]
    assert graph.variables == {"a": 0, "b": 1}


def test_a_variable_is_told_from_what_has_its_name_as_label() -> None:
    graph = graph_of("a", 2.0, ("+", 0, 1))
    graph.labels[1] = graph.labels[2] = "a"
    assert [graph.is_variable(node) for node in range(3)] == [True, False, False]
    graph.labels[1] = graph.labels[2] = None
    assert [graph.is_variable(node) for node in range(3)] == [True, False, False]


@pytest.mark.parametrize(
    ("symbol", "operands", "symbols", "columns", "literals"),
    [
        ("-", (0, 1), ["*", "+"], [(), (1, 2), (0, 3)], [-1.0, 0.0, 0.0]),
        ("/", (0, 1), ["**", "*"], [(), (1, 2), (0, 3)], [-1.0, 0.0, 0.0]),
        ("neg", (1,), ["*"], [(), (1, 2)], [-1.0, 0.0]),
        ("-", (1, 1), ["*", "+"], [(), (1, 2), (1, 3)], [-1.0, 0.0, 0.0]),
    ],
)
def test_an_expansion_adds_primitives_with_one_span(
    symbol: str,
    operands: tuple[int, ...],
    symbols: list[str],
    columns: list[tuple[int, ...]],
    literals: list[float],
) -> None:
    graph = graph_of("x", "y")
    root = graph.add_expansion(expansion_of(symbol), operands, Span(3, 8))
    assert root == len(graph.operations) - 1
    assert [operation.symbol for operation in graph.operations if operation] == symbols
    assert graph.operands[2:] == columns
    assert graph.literals[2:] == literals
    assert graph.spans[2:] == [Span(3, 8)] * len(columns)
    assert not any(operation.derived for operation in graph.operations if operation)


def test_a_full_graph_takes_no_more_nodes() -> None:
    full = graph_of("a", 1.0, limits=Limits(nodes=2))
    expected = {
        "code": "limit_exceeded",
        "span": {"start": 4, "end": 9},
        "name": "nodes",
        "limit": 2,
        "actual": 3,
    }
    plus, span = OPERATIONS["+"], Span(4, 9)
    assert refusal(full.add_operation, plus, (0, 1), span) == expected
    assert refusal(full.add_constant, 1.0, span) == expected
    assert refusal(full.add_variable, "b", span) == expected
    assert refusal(full.add_expansion, expansion_of("neg"), (0,), span) == expected
    assert len(full.operations) == len(full.operands) == len(full.labels) == len(full.spans) == 2


def test_an_expansion_counts_every_node() -> None:
    graph = graph_of("x", "y", limits=Limits(nodes=4))
    assert refusal(graph.add_expansion, expansion_of("-"), (0, 1), None)["actual"] == 5
