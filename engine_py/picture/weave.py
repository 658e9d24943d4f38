"""Document + layers -> items, which are cards and lanes, and the links between them.

A lane is the straight stretch of a wire that passes other layers. A value has one if a consumer is
further away than the next layer, and only one, so there are at most twice as many items as nodes.
"""

from typing import NamedTuple

from engine_py.document import Document

Ends = list[list[tuple[int, int]]]
"""For each item the (item, port) at the other end of its links on one side."""


class Weave(NamedTuple):
    """The items are numbered: first the cards, by node id, then the lanes."""

    cards: int
    first: list[int]
    """The layer where each item begins."""
    last: list[int]
    """The layer where each item ends; a card is in one layer alone."""
    beginning: list[list[int]]
    """For each layer the items that begin there; all others come from the layer before."""
    ending: list[list[int]]
    """For each layer the items that end there."""
    lanes: dict[int, int]
    """Node -> its lane."""
    sources: list[int]
    """For each edge the item that it leaves: its operand's card or lane."""
    ports: list[int]
    """Where each edge arrives: -1 above the card's middle, 1 below, 0 where it has one operand."""
    left: Ends
    right: Ends
    arriving: list[dict[int, list[tuple[int, int]]]]
    """For each item its links to the right, by the layer where they arrive."""
    mates: dict[int, tuple[int, int]]
    """Constant beyond the first layer -> the other operand's item, and the constant's own port."""


def weave(document: Document, layers: list[int]) -> Weave:
    """Give every value one wire, as long as its last consumer needs."""
    edges, cards = document["edges"], len(layers)
    reach = layers[:]
    for edge in edges:
        reach[edge["from"]] = max(reach[edge["from"]], layers[edge["to"]] - 1)
    long = [node for node in range(cards) if reach[node] > layers[node]]
    lanes = {node: cards + place for place, node in enumerate(long)}
    first = layers + [layers[node] + 1 for node in long]
    last = layers + [reach[node] for node in long]
    sources = [
        lanes[edge["from"]] if layers[edge["to"]] > layers[edge["from"]] + 1 else edge["from"]
        for edge in edges
    ]
    ports = _ports(document)
    left: Ends = [[] for _ in first]
    right: Ends = [[] for _ in first]
    arriving: list[dict[int, list[tuple[int, int]]]] = [{} for _ in first]
    for source, edge, port in zip(sources, edges, ports, strict=True):
        left[edge["to"]].append((source, port))
        right[source].append((edge["to"], port))
    for node, lane in lanes.items():
        left[lane].append((node, 0))
        right[node].append((lane, 0))
    for item, links in enumerate(right):
        for to, port in links:
            arriving[item].setdefault(first[to], []).append((to, port))
    mates = _mates(cards, first, left, right)
    sides = _grouped(first), _grouped(last)
    return Weave(cards, first, last, *sides, lanes, sources, ports, left, right, arriving, mates)


def _grouped(layers: list[int]) -> list[list[int]]:
    items: list[list[int]] = [[] for _ in range(max(layers) + 1)]
    for item, layer in enumerate(layers):
        items[layer].append(item)
    return items


def _ports(document: Document) -> list[int]:
    edges = document["edges"]
    paired = {edge["to"] for edge in edges if edge["slot"] == 1}
    return [2 * edge["slot"] - 1 if edge["to"] in paired else 0 for edge in edges]


def _mates(cards: int, first: list[int], left: Ends, right: Ends) -> dict[int, tuple[int, int]]:
    """Find what a constant stands beside; nothing to its left says where it belongs."""
    mates: dict[int, tuple[int, int]] = {}
    for item in range(cards):
        if first[item] > 0 and not left[item]:
            consumer, port = right[item][0]
            for other, _ in left[consumer]:
                if other != item:
                    mates[item] = other, port
    return mates
