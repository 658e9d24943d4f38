from collections.abc import Sequence
from random import Random

from engine_py.order import make_steps, topological_order
from engine_py.tests.helpers import graph_of


def recursive_order(root: int, operands: Sequence[Sequence[int]]) -> list[int]:
    """The lessons' build_topo, for graphs that are not deep."""
    order: list[int] = []
    visited: set[int] = set()

    def build(node: int) -> None:
        if node not in visited:
            visited.add(node)
            for operand in operands[node]:
                build(operand)
            order.append(node)

    build(root)
    return order


def random_operands(random: Random, size: int) -> list[list[int]]:
    """Each node has up to three operands below it, often the same one twice."""
    return [
        [random.randrange(node) for _ in range(random.randrange(4))] if node else []
        for node in range(size)
    ]


def test_operands_come_first_and_left_before_right() -> None:
    assert topological_order(4, [[], [], [0, 1], [], [2, 3]]) == [0, 1, 2, 3, 4]
    assert topological_order(4, [[], [], [1, 0], [], [3, 2]]) == [3, 1, 0, 2, 4]


def test_a_leaf_alone_is_its_own_order() -> None:
    assert topological_order(0, [[]]) == [0]


def test_a_shared_node_is_listed_once() -> None:
    assert topological_order(1, [[], [0, 0]]) == [0, 1]
    assert topological_order(4, [[], [0], [0], [1, 2], [3, 0]]) == [0, 1, 2, 3, 4]
    # Node 2 is asked for first by the root, but it is listed below node 3 that needs it.
    assert topological_order(4, [[], [], [0, 1], [2, 1], [3, 2]]) == [0, 1, 2, 3, 4]


def test_a_shared_operand_is_placed_by_its_first_visit() -> None:
    # b * (a + b): depth first meets b before a.
    assert topological_order(3, [[], [], [0, 1], [1, 2]]) == [1, 0, 2, 3]


def test_what_the_root_does_not_need_is_left_out() -> None:
    assert topological_order(2, [[], [], [0], [1, 2]]) == [0, 2]


def test_the_order_is_that_of_the_recursive_lesson() -> None:
    random = Random(2)
    for _ in range(2_000):
        operands = random_operands(random, random.randrange(1, 40))
        root = random.randrange(len(operands))
        assert topological_order(root, operands) == recursive_order(root, operands)


def test_the_steps_are_the_operations_in_order_with_their_operands() -> None:
    graph = graph_of("a", ("tanh", 0), 3.0, ("**", 1, 2), ("*", 3, 0))
    steps = make_steps(graph, [0, 1, 2, 3, 4])
    rules = [graph.operations[node].rule for node in (1, 3, 4)]  # type: ignore[union-attr]
    assert [rule for _, rule, *_ in steps] == rules
    # A gradient flows into the right operand of a product, and not into an exponent.
    assert [(node, *rest) for node, _, *rest in steps] == [
        (1, 0, None, False),
        (3, 1, 2, False),
        (4, 3, 0, True),
    ]
    assert [node for node, *_ in make_steps(graph, [0, 1])] == [1]
    assert make_steps(graph, [0]) == []


def test_backward_enters_a_node_by_every_edge_before_it_leaves() -> None:
    random = Random(3)
    for _ in range(500):
        size = random.randrange(2, 40)
        binary = [("+", random.randrange(node), random.randrange(node)) for node in range(1, size)]
        graph = graph_of("a", *binary)
        order = topological_order(size - 1, graph.operands)
        left: set[int] = set()
        for node, _, *operands, _ in reversed(make_steps(graph, order)):
            left.add(node)
            assert operands == list(graph.operands[node])
            assert left.isdisjoint(operands)


def test_a_chain_of_any_length_is_only_a_longer_list() -> None:
    length = 20_000
    chain = [[node - 1] if node else [] for node in range(length)]
    assert topological_order(length - 1, chain) == list(range(length))
    doubled = [[node - 1] * 2 if node else [] for node in range(length)]
    assert topological_order(length - 1, doubled) == list(range(length))
