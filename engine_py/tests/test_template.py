from engine_py.template import make_template
from engine_py.tests.helpers import graph_of, program_of


def test_nodes_are_numbered_by_their_place_in_the_order() -> None:
    template = make_template(graph_of("unreached", "b", "a", ("*", 2, 1)), [2, 1, 3])
    rows = [(node, row["id"], row["label"], row["operation"]) for node, row in template.nodes]
    assert rows == [(2, 0, "a", None), (1, 1, "b", None), (3, 2, None, "*")]
    assert template.variables == [("a", 2, 0), ("b", 1, 1)]


def test_edges_are_numbered_by_operation_and_slot_and_know_their_operations_node() -> None:
    template = make_template(graph_of("a", "b", ("-", 1, 0), ("+", 2, 2)), [1, 0, 2, 3])
    rows = [(node, row["id"], row["from"], row["to"], slot) for node, slot, row in template.edges]
    assert all(row["slot"] == slot for _, slot, row in template.edges)
    assert rows == [
        (2, 0, 0, 2, 0),
        (2, 1, 1, 2, 1),
        (3, 2, 2, 3, 0),
        (3, 3, 2, 3, 1),
    ]


def test_a_row_says_what_the_text_says() -> None:
    program = program_of("n = 2 - a; n ** 3")
    template = make_template(program.graph, [0, 1, 2, 3, 4])
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
