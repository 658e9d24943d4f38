"""Document -> layout: the positions of its cards; and the plan: everything a drawing needs."""

from typing import NamedTuple, TypedDict

from engine_py.deadline import NEVER, Deadline
from engine_py.document import GradientDocument
from engine_py.picture.captions import Captions, Card, width, write_captions
from engine_py.picture.heights import CARD, PORT, assign_heights
from engine_py.picture.layers import LayeredGraph, assign_layers, layered_graph, order_rows

MARGIN = 24
"""Space around the picture."""
INSET = 12
"""Space between a card's edge and its text."""
ARROW = 7
"""Distance before a card at which its arrows' lines end; the heads cover the ends."""

_NARROWEST = 96
_WIDE, _MEDIUM, _SMALL = 8, 7, 6
"""Width of a text column at 13 and 12, 11, and 10 pixels, in any of the fonts."""
_STEEP, _MIN_TURN, _MAX_TURN = 3, 40, 120
"""A turning wire gets a third of its height as width, within bounds."""


class Plan(NamedTuple):
    """Everything a drawing needs, in pixels; a card's x and y are those of its middle."""

    layered: LayeredGraph
    heights: list[int]
    """The middle of each item."""
    lefts: list[int]
    """The left edge of the cards of each layer."""
    widths: list[int]
    """The width of the cards of each layer."""
    turns: list[int]
    """Where the wires into each layer reach their heights; from there on they are straight."""
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
    """The size of the picture, and the positions of its nodes."""

    width: int
    height: int
    nodes: list[Place]


def lay_out(document: GradientDocument, *, deadline: Deadline = NEVER) -> Layout:
    """Place the nodes of a document, without drawing them. Raises DeadlineExceeded."""
    plan = make_plan(document, deadline)
    places: list[Place] = []
    for node in range(plan.layered.cards):
        layer = plan.layered.first[node]
        wide = plan.widths[layer]
        middle = plan.lefts[layer] + wide // 2
        places.append(
            {"id": node, "x": middle, "y": plan.heights[node], "width": wide, "height": CARD}
        )
    return {"width": plan.width, "height": plan.height, "nodes": places}


def make_plan(document: GradientDocument, deadline: Deadline) -> Plan:
    """Lay out a document, step by step."""
    layered = layered_graph(document, assign_layers(document))
    rows = order_rows(layered, deadline)
    heights = [height + MARGIN for height in assign_heights(layered, rows, deadline)]
    captions = write_captions(document, deadline)
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


def _zones(layered: LayeredGraph, document: GradientDocument, steps: list[str]) -> list[int]:
    """Return the width for labels before each layer."""
    zones = [0] * (layered.first[layered.cards - 1] + 1)
    for edge, step in zip(document["edges"], steps, strict=True):
        layer = layered.first[edge["to"]]
        zones[layer] = max(zones[layer], _MEDIUM * len(step) + 3 * ARROW)
    return zones


def _turns(layered: LayeredGraph, heights: list[int]) -> list[int]:
    """Return the width in which the wires into each layer reach their heights."""
    turns = [_MIN_TURN] * (layered.first[layered.cards - 1] + 1)
    for item, ends in enumerate(layered.left):
        layer = layered.first[item]
        for of, port in ends:
            steep = abs(heights[item] + port * PORT - heights[of]) // _STEEP
            turns[layer] = min(max(turns[layer], steep), _MAX_TURN)
    return turns
