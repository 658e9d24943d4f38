"""Rows -> heights: every item near what it is linked to, and apart from what is beside it."""

from itertools import pairwise

from engine_py.picture.arrange import Rows, mean
from engine_py.picture.weave import Weave

CARD = 60
"""The height of a card."""
LANE = 4
"""The height of a lane."""
GAP = 14
"""The least room between two items of a row."""
PORT = 14
"""How far the two wires into a card are from its middle."""

Neighbours = list[list[tuple[int, int]]]
"""For each item the (item, least distance) of those next to it on one side, in any layer."""


def settle(woven: Weave, rows: Rows) -> list[int]:
    """Give the height of each item's middle, downwards from the highest edge.

    The last round goes rightwards, so that operations stand beside their operands' middle.
    """
    above, below = _neighbours(woven, rows)
    heights = _spread(woven, above, below)
    columns = sorted(range(len(heights)), key=woven.first.__getitem__)
    for goals in (_right_goals, _left_goals, _right_goals, _left_goals, _left_goals):
        for item in columns if goals is _left_goals else reversed(columns):
            ends = goals(woven, item, heights)
            if ends:
                height = max([mean(ends), *[heights[other] + room for other, room in above[item]]])
                heights[item] = min(
                    [height, *[heights[other] - room for other, room in below[item]]]
                )
    top = min([heights[row[0]] - _half(woven, row[0]) for row in rows])
    return [height - top for height in heights]


def _spread(woven: Weave, above: Neighbours, below: Neighbours) -> list[int]:
    """Let items give way to each other: halfway between all downwards and all upwards.

    Both keep the distances, so what is halfway between them does, too.
    """
    order = _downwards(above, below)
    wishes = _wishes(woven, _lowered(order, above, [0] * len(order)))
    low, high = _lowered(order, above, wishes), wishes
    for item in reversed(order):
        high[item] = min([high[item], *[high[other] - room for other, room in below[item]]])
    return [mean([one, other]) for one, other in zip(low, high, strict=True)]


def _wishes(woven: Weave, heights: list[int]) -> list[int]:
    """Put each item where those left of it wish, regardless of the items beside it."""
    wishes = heights[:]
    for item in sorted(
        range(len(wishes)), key=lambda item: (woven.first[item], item in woven.mates)
    ):
        goals = _left_goals(woven, item, wishes)
        if goals:
            wishes[item] = mean(goals)
    return wishes


def _left_goals(woven: Weave, item: int, heights: list[int]) -> list[int]:
    if item in woven.mates:
        mate, port = woven.mates[item]
        return [heights[mate] + port * _room(woven, mate, item)]
    return [heights[of] for of, _ in woven.left[item]]


def _right_goals(woven: Weave, item: int, heights: list[int]) -> list[int]:
    return [heights[to] + port * PORT for to, port in woven.right[item]]


def _neighbours(woven: Weave, rows: Rows) -> tuple[Neighbours, Neighbours]:
    above: Neighbours = [[] for _ in woven.first]
    below: Neighbours = [[] for _ in woven.first]
    for upper, lower in {pair for row in rows for pair in pairwise(row)}:
        room = _room(woven, upper, lower)
        above[lower].append((upper, room))
        below[upper].append((lower, room))
    return above, below


def _room(woven: Weave, one: int, other: int) -> int:
    """Give the least distance between the middles of two items."""
    return _half(woven, one) + _half(woven, other) + GAP


def _half(woven: Weave, item: int) -> int:
    return (CARD if item < woven.cards else LANE) // 2


def _downwards(above: Neighbours, below: Neighbours) -> list[int]:
    """List every item after all that are above it."""
    waiting = [len(each) for each in above]
    order = [item for item, count in enumerate(waiting) if count == 0]
    for item in order:
        for lower, _ in below[item]:
            waiting[lower] -= 1
            if waiting[lower] == 0:
                order.append(lower)
    return order


def _lowered(order: list[int], above: Neighbours, wishes: list[int]) -> list[int]:
    heights = wishes[:]
    for item in order:
        heights[item] = max(
            [heights[item], *[heights[other] + room for other, room in above[item]]]
        )
    return heights
