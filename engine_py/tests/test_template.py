from engine_py.graph import Graph
from engine_py.order import walk
from engine_py.template import Template, make_template
from engine_py.tests.helpers import graph_of, program_of


def template_of(graph: Graph, order: list[int]) -> Template:
    return make_template(graph, order, walk(order, graph.operands))


def test_nodes_are_numbered_by_their_place_in_the_order() -> None:
    template = template_of(graph_of("unreached", "b", "a", ("*", 2, 1)), [2, 1, 3])
    rows = [(node, row["id"], row["label"], row["operation"]) for node, row in template.nodes]
    assert rows == [(2, 0, "a", None), (1, 1, "b", None), (3, 2, None, "*")]
    assert template.variables == [("a", 2, 0), ("b", 1, 1)]


def test_edges_are_numbered_by_operation_and_slot_and_know_their_place_in_the_ledger() -> None:
    # The backward pass meets the root's edges first: places 0 and 1 of the ledger.
    template = template_of(graph_of("a", "b", ("-", 1, 0), ("+", 2, 2)), [1, 0, 2, 3])
    rows = [
        (place, node, slot, row["id"], row["from"], row["to"], row["slot"])
        for place, node, slot, row in template.edges
    ]
    assert rows == [
        (2, 2, 0, 0, 0, 2, 0),
        (3, 2, 1, 1, 1, 2, 1),
        (0, 3, 0, 2, 2, 3, 0),
        (1, 3, 1, 3, 2, 3, 1),
    ]


def test_a_row_says_what_the_text_says() -> None:
    program = program_of("n = 2 - a; n ** 3")
    template = template_of(program.graph, [0, 1, 2, 3, 4])
    kinds = [(row["kind"], row["label"], row["derived"], row["span"]) for _, row in template.nodes]
    assert kinds == [
        ("constant", None, False, {"start": 4, "end": 5}),
        ("input", "a", False, {"start": 8, "end": 9}),
        ("operation", "n", True, {"start": 4, "end": 9}),
        ("constant", None, False, {"start": 16, "end": 17}),
        ("operation", None, False, {"start": 11, "end": 17}),
    ]
    assert template.variables == [("a", 1, 1)]
    # 2 - a has two gradients to give, and a power gives none to its exponent.
    assert [row["differentiable"] for *_, row in template.edges] == [True, True, True, False]
