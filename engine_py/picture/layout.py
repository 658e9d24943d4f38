"""Document -> layout: where its cards stand; and the plan, with all that a drawing needs."""

from typing import NamedTuple, TypedDict

from engine_py.document import Document
from engine_py.picture.arrange import arrange
from engine_py.picture.caption import Captions, Card, write_captions
from engine_py.picture.rank import rank
from engine_py.picture.settle import CARD, PORT, settle
from engine_py.picture.text import width
from engine_py.picture.weave import Weave, weave

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


class Plan(NamedTuple):
    """All that a drawing needs, in pixels; x and y of a card are its middle."""

    woven: Weave
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
    for node in range(plan.woven.cards):
        layer = plan.woven.first[node]
        wide = plan.widths[layer]
        middle = plan.lefts[layer] + wide // 2
        places.append(
            {"id": node, "x": middle, "y": plan.heights[node], "width": wide, "height": CARD}
        )
    return {"width": plan.width, "height": plan.height, "nodes": places}


def make_plan(document: Document) -> Plan:
    """Go through the stages."""
    woven = weave(document, rank(document))
    heights = [height + MARGIN for height in settle(woven, arrange(woven))]
    captions = write_captions(document)
    widths, zones = _widths(woven, captions.cards), _zones(woven, document, captions.steps)
    lefts, turns, at = [MARGIN], [MARGIN], MARGIN
    for layer, turn in enumerate(_turns(woven, heights)[1:], 1):
        at += widths[layer - 1] + turn
        turns.append(at)
        at += zones[layer]
        lefts.append(at)
    low = max(
        height + (CARD // 2 if item < woven.cards else 0) for item, height in enumerate(heights)
    )
    size = lefts[-1] + widths[-1] + MARGIN, low + MARGIN
    return Plan(woven, heights, lefts, widths, turns, captions, *size)


def _widths(woven: Weave, cards: list[Card]) -> list[int]:
    widths = [_NARROWEST] * (woven.first[woven.cards - 1] + 1)
    for layer, card in zip(woven.first, cards, strict=False):
        name = 2 * INSET + _WIDE * width(card.name)
        tag = INSET + _SMALL * len(card.tag) if card.tag else 0
        numbers = 2 * INSET + 5 * _SMALL + _WIDE * max(len(card.data), len(card.grad))
        widths[layer] = max(widths[layer], name + tag, numbers)
    return widths


def _zones(woven: Weave, document: Document, steps: list[str]) -> list[int]:
    """Give the room for labels before each layer."""
    zones = [0] * (woven.first[woven.cards - 1] + 1)
    for edge, step in zip(document["edges"], steps, strict=True):
        layer = woven.first[edge["to"]]
        zones[layer] = max(zones[layer], _MEDIUM * len(step) + 3 * ARROW)
    return zones


def _turns(woven: Weave, heights: list[int]) -> list[int]:
    """Give the room in which the wires into each layer find their heights."""
    turns = [_LEAST_TURN] * (woven.first[woven.cards - 1] + 1)
    for item, ends in enumerate(woven.left):
        layer = woven.first[item]
        for of, port in ends:
            steep = abs(heights[item] + port * PORT - heights[of]) // _STEEP
            turns[layer] = min(max(turns[layer], steep), _MOST_TURN)
    return turns
