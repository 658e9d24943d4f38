"""Document -> layout: where its cards stand; and the plan, with all that a drawing needs."""

from itertools import pairwise
from typing import NamedTuple, TypedDict

from engine_py.document import Document
from engine_py.picture.captions import Captions, Card, width, write_captions
from engine_py.picture.layers import (
    LayeredGraph,
    Rows,
    assign_layers,
    layered_graph,
    mean,
    order_rows,
)

MARGIN = 24
"""Room around the picture."""
INSET = 12
"""Room between a card's edge and its text."""
ARROW = 7
"""How far before a card its arrows' lines end; the heads are longer by what covers the end."""

_NARROWEST = 96
_WIDE, _MEDIUM, _SMALL = 8, 7, 6
"""What a column takes at 13 and 12, at 11, and at 10 pixels, in any of the fonts."""
_STEEP, _LEAST_TURN, _MOST_TURN = 3, 40, 120
"""A wire that turns gets a third of its height as room, within bounds."""

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
Goals = list[list[tuple[int, int]]]
"""For each item the (item, distance) of those that its links lead to on one side."""


class Plan(NamedTuple):
    """All that a drawing needs, in pixels; x and y of a card are its middle."""

    layered: LayeredGraph
    heights: list[int]
    """The middle of each item."""
    lefts: list[int]
    """Where the cards of each layer begin."""
    widths: list[int]
    """How wide the cards of each layer are."""
    turns: list[int]
    """Where the wires into each layer have their heights; from there on they are straight."""
    captions: Captions
    width: int
    height: int


class Place(TypedDict):
    """The middle of a node's card, and its size."""

    id: int
    x: int
    y: int
    width: int
    height: int


class Layout(TypedDict):
    """The size of the picture, and where the nodes are in it."""

    width: int
    height: int
    nodes: list[Place]


def lay_out(document: Document) -> Layout:
    """Place the nodes of a document, without drawing them."""
    plan = make_plan(document)
    places: list[Place] = []
    for node in range(plan.layered.cards):
        layer = plan.layered.first[node]
        wide = plan.widths[layer]
        middle = plan.lefts[layer] + wide // 2
        places.append(
            {"id": node, "x": middle, "y": plan.heights[node], "width": wide, "height": CARD}
        )
    return {"width": plan.width, "height": plan.height, "nodes": places}


def make_plan(document: Document) -> Plan:
    """Go through the stages."""
    layered = layered_graph(document, assign_layers(document))
    heights = [height + MARGIN for height in assign_heights(layered, order_rows(layered))]
    captions = write_captions(document)
    widths, zones = _widths(layered, captions.cards), _zones(layered, document, captions.steps)
    lefts, turns, at = [MARGIN], [MARGIN], MARGIN
    for layer, turn in enumerate(_turns(layered, heights)[1:], 1):
        at += widths[layer - 1] + turn
        turns.append(at)
        at += zones[layer]
        lefts.append(at)
    low = max(
        height + (CARD // 2 if item < layered.cards else 0) for item, height in enumerate(heights)
    )
    size = lefts[-1] + widths[-1] + MARGIN, low + MARGIN
    return Plan(layered, heights, lefts, widths, turns, captions, *size)


def _widths(layered: LayeredGraph, cards: list[Card]) -> list[int]:
    widths = [_NARROWEST] * (layered.first[layered.cards - 1] + 1)
    for layer, card in zip(layered.first, cards, strict=False):
        name = 2 * INSET + _WIDE * width(card.name)
        tag = INSET + _SMALL * len(card.tag) if card.tag else 0
        numbers = 2 * INSET + 5 * _SMALL + _WIDE * max(len(card.data), len(card.grad))
        widths[layer] = max(widths[layer], name + tag, numbers)
    return widths


def _zones(layered: LayeredGraph, document: Document, steps: list[str]) -> list[int]:
    """Find the room for labels before each layer."""
    zones = [0] * (layered.first[layered.cards - 1] + 1)
    for edge, step in zip(document["edges"], steps, strict=True):
        layer = layered.first[edge["to"]]
        zones[layer] = max(zones[layer], _MEDIUM * len(step) + 3 * ARROW)
    return zones


def _turns(layered: LayeredGraph, heights: list[int]) -> list[int]:
    """Find the room in which the wires into each layer find their heights."""
    turns = [_LEAST_TURN] * (layered.first[layered.cards - 1] + 1)
    for item, ends in enumerate(layered.left):
        layer = layered.first[item]
        for of, port in ends:
            steep = abs(heights[item] + port * PORT - heights[of]) // _STEEP
            turns[layer] = min(max(turns[layer], steep), _MOST_TURN)
    return turns


def assign_heights(layered: LayeredGraph, rows: Rows) -> list[int]:
    """Put every item near what it is linked to, and apart from what is beside it.

    These are the heights of the items' middles, downwards from the highest edge. The last round
    goes rightwards, so that operations stand beside their operands' middle.
    """
    above, below = _neighbours(layered, rows)
    left, right = _goals(layered)
    heights = _spread(layered, left, above, below)
    columns = sorted(range(len(heights)), key=layered.first.__getitem__)
    for goals in (right, left, right, left, left):
        for item in columns if goals is left else reversed(columns):
            if goals[item]:
                height = mean([heights[other] + distance for other, distance in goals[item]])
                for other, room in above[item]:
                    height = max(height, heights[other] + room)
                for other, room in below[item]:
                    height = min(height, heights[other] - room)
                heights[item] = height
    top = min([heights[row[0]] - _half(layered, row[0]) for row in rows])
    return [height - top for height in heights]


def _spread(layered: LayeredGraph, left: Goals, above: Neighbours, below: Neighbours) -> list[int]:
    """Let items give way to each other: halfway between all downwards and all upwards.

    Both keep the distances, so what is halfway between them does, too.
    """
    order = _downwards(above, below)
    wanted = _wanted(layered, left, _lowered(order, above, [0] * len(order)))
    low, high = _lowered(order, above, wanted), wanted
    for item in reversed(order):
        for other, room in below[item]:
            high[item] = min(high[item], high[other] - room)
    return [mean([one, other]) for one, other in zip(low, high, strict=True)]


def _wanted(layered: LayeredGraph, left: Goals, heights: list[int]) -> list[int]:
    """Put each item where those left of it wish, regardless of the items beside it."""
    wanted = heights[:]
    for item in sorted(
        range(len(wanted)), key=lambda item: (layered.first[item], item in layered.mates)
    ):
        if left[item]:
            wanted[item] = mean([wanted[other] + distance for other, distance in left[item]])
    return wanted


def _goals(layered: LayeredGraph) -> tuple[Goals, Goals]:
    """List what is left of each item, or its mate, and what is right of it."""
    left: Goals = [[(of, 0) for of, _ in ends] for ends in layered.left]
    for item, (mate, port) in layered.mates.items():
        left[item] = [(mate, port * _room(layered, mate, item))]
    return left, [[(to, port * PORT) for to, port in ends] for ends in layered.right]


def _neighbours(layered: LayeredGraph, rows: Rows) -> tuple[Neighbours, Neighbours]:
    above: Neighbours = [[] for _ in layered.first]
    below: Neighbours = [[] for _ in layered.first]
    for upper, lower in {pair for row in rows for pair in pairwise(row)}:
        room = _room(layered, upper, lower)
        above[lower].append((upper, room))
        below[upper].append((lower, room))
    return above, below


def _room(layered: LayeredGraph, one: int, other: int) -> int:
    """Return the least distance between the middles of two items."""
    return _half(layered, one) + _half(layered, other) + GAP


def _half(layered: LayeredGraph, item: int) -> int:
    return (CARD if item < layered.cards else LANE) // 2


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


def _lowered(order: list[int], above: Neighbours, wanted: list[int]) -> list[int]:
    heights = wanted[:]
    for item in order:
        for other, room in above[item]:
            heights[item] = max(heights[item], heights[other] + room)
    return heights
