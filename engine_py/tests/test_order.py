from collections.abc import Sequence
from random import Random

from engine_py.order import topological_order, walk


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


def test_the_walk_meets_every_edge_from_the_root_left_to_right() -> None:
    operands = [[], [], [0, 1], [], [2, 3]]
    assert walk([0, 1, 2, 3, 4], operands) == [(4, 0, 2), (4, 1, 3), (2, 0, 0), (2, 1, 1)]
    assert walk([1, 0, 2], operands) == [(2, 0, 0), (2, 1, 1)]
    assert walk([0], operands) == []


def test_the_walk_enters_a_node_by_every_edge_before_it_leaves() -> None:
    random = Random(3)
    for _ in range(500):
        operands = random_operands(random, random.randrange(1, 40))
        order = topological_order(len(operands) - 1, operands)
        edges = walk(order, operands)
        assert sorted(edges) == sorted(
            (node, slot, operand) for node in order for slot, operand in enumerate(operands[node])
        )
        left: set[int] = set()
        for node, _, operand in edges:
            left.add(node)
            assert operand not in left


def test_a_chain_of_any_length_is_only_a_longer_list() -> None:
    length = 20_000
    chain = [[node - 1] if node else [] for node in range(length)]
    assert topological_order(length - 1, chain) == list(range(length))
    doubled = [[node - 1] * 2 if node else [] for node in range(length)]
    assert topological_order(length - 1, doubled) == list(range(length))
