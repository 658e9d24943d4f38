"""Layered graph + order of rows -> heights: every item near the items that it is linked to."""

from itertools import pairwise

from engine_py.deadline import NODES_PER_CHECK, Deadline
from engine_py.picture.layers import ROWS, LayeredGraph, Rows, mean

CARD = 60
"""The height of a card."""
LANE = 4
"""The height of a lane."""
GAP = 14
"""The smallest gap between two items of a row."""
PORT = 14
"""Distance from a card's middle to each of its two incoming wires."""
PAIRS = 4_096
"""Neighbours between two checks of the deadline."""

Neighbours = list[list[tuple[int, int]]]
"""For each item, its (neighbour, smallest distance) pairs on one side, in any layer."""
Goals = list[list[tuple[int, int]]]
"""For each item, the (item, distance) pairs of its links on one side."""


def assign_heights(layered: LayeredGraph, rows: Rows, deadline: Deadline) -> list[int]:
    """Put every item near the items that it is linked to, and apart from its neighbours.

    A height is measured from the topmost edge down to an item's middle. The last round runs to the
    right, so operations are level with the middle of their operands.
    """
    above, below = _neighbours(layered, rows, deadline)
    left, right = _goals(layered)
    heights = _spread(layered, left, above, below, deadline)
    columns = sorted(range(len(heights)), key=layered.first.__getitem__)
    for goals in (right, left, right, left, left):
        for item in deadline.over(columns if goals is left else columns[::-1], NODES_PER_CHECK):
            if goals[item]:
                height = mean([heights[other] + distance for other, distance in goals[item]])
                for other, room in above[item]:
                    height = max(height, heights[other] + room)
                for other, room in below[item]:
                    height = min(height, heights[other] - room)
                heights[item] = height
    top = min([heights[row[0]] - _half(layered, row[0]) for row in rows])
    return [height - top for height in heights]


def _spread(
    layered: LayeredGraph, left: Goals, above: Neighbours, below: Neighbours, deadline: Deadline
) -> list[int]:
    """Separate items: return the mean of pushing all of them down and pushing all of them up.

    Both keep the distances, so their mean does, too.
    """
    order = _downwards(above, below, deadline)
    wanted = _wanted(layered, left, _lowered(order, above, [0] * len(order), deadline))
    low, high = _lowered(order, above, wanted, deadline), wanted
    for item in deadline.over(order[::-1], NODES_PER_CHECK):
        for other, room in below[item]:
            high[item] = min(high[item], high[other] - room)
    return [mean([one, other]) for one, other in zip(low, high, strict=True)]


def _wanted(layered: LayeredGraph, left: Goals, heights: list[int]) -> list[int]:
    """Return the height that each item's left links give it, ignoring its neighbours."""
    wanted = heights[:]
    for item in sorted(
        range(len(wanted)), key=lambda item: (layered.first[item], item in layered.mates)
    ):
        if left[item]:
            wanted[item] = mean([wanted[other] + distance for other, distance in left[item]])
    return wanted


def _goals(layered: LayeredGraph) -> tuple[Goals, Goals]:
    """List the links to the left of each item (or its mate), and those to the right."""
    left: Goals = [[(of, 0) for of, _ in ends] for ends in layered.left]
    for item, (mate, port) in layered.mates.items():
        left[item] = [(mate, port * _room(layered, mate, item))]
    return left, [[(to, port * PORT) for to, port in ends] for ends in layered.right]


def _neighbours(
    layered: LayeredGraph, rows: Rows, deadline: Deadline
) -> tuple[Neighbours, Neighbours]:
    above: Neighbours = [[] for _ in layered.first]
    below: Neighbours = [[] for _ in layered.first]
    pairs = {pair for row in deadline.over(rows, ROWS) for pair in pairwise(row)}
    for upper, lower in deadline.over([*pairs], PAIRS):
        room = _room(layered, upper, lower)
        above[lower].append((upper, room))
        below[upper].append((lower, room))
    return above, below


def _room(layered: LayeredGraph, one: int, other: int) -> int:
    """Return the smallest distance between the middles of two items."""
    return _half(layered, one) + _half(layered, other) + GAP


def _half(layered: LayeredGraph, item: int) -> int:
    return (CARD if item < layered.cards else LANE) // 2


def _downwards(above: Neighbours, below: Neighbours, deadline: Deadline) -> list[int]:
    """Return the items in an order in which each follows all items above it."""
    waiting = [len(each) for each in above]
    order = [item for item, count in enumerate(waiting) if count == 0]
    for place, item in enumerate(order):
        if place % NODES_PER_CHECK == 0:
            deadline.check()
        for lower, _ in below[item]:
            waiting[lower] -= 1
            if waiting[lower] == 0:
                order.append(lower)
    return order


def _lowered(
    order: list[int], above: Neighbours, wanted: list[int], deadline: Deadline
) -> list[int]:
    heights = wanted[:]
    for item in deadline.over(order, NODES_PER_CHECK):
        for other, room in above[item]:
            heights[item] = max(heights[item], heights[other] + room)
    return heights
