"""Document -> layers: the items of each layer, from top to bottom, with few wire crossings.

The layers are those of Sugiyama's method. Items are cards and lanes: a lane is the straight stretch
of a wire that passes other layers. A value has one lane if a consumer is beyond the next layer, and
never more, so there are at most twice as many items as nodes.

Rows are ordered by barycenter sweeps, right to left and back, and then by exchanging neighbours.
All comparisons are of integers: a mean is a floored quotient, and equal means keep the previous
order. A lane keeps its position among neighbouring lanes, so that it can be straight.
"""

from bisect import bisect_left
from collections.abc import Iterable
from itertools import count
from typing import NamedTuple

from engine_py.deadline import NODES_PER_CHECK, Deadline
from engine_py.document import GradientDocument

Ends = list[list[tuple[int, int]]]
"""For each item, the (item, port) at the other end of each link on one side."""
Rows = list[list[int]]
"""The items of each layer, from top to bottom."""
Positions = list[dict[int, int]]
"""For each row, the position of each of its items."""

SWEEPS = 2
EXCHANGES = 3
PORT_STEP = 720_720
"""Distance of a port from the middle of its card; divisible by 1 to 16, so most means are exact."""
STEP = 4 * PORT_STEP
"""Distance between two neighbours in a row."""


ROWS = 16
"""Rows between two checks of the deadline; a row has at most two items per node."""


class LayeredGraph(NamedTuple):
    """The items are numbered: first the cards, by node id, then the lanes."""

    cards: int
    first: list[int]
    """The first layer of each item."""
    last: list[int]
    """The last layer of each item; a card is in one layer only."""
    beginning: list[list[int]]
    """For each layer the items that begin there; all others continue from the layer before."""
    ending: list[list[int]]
    """For each layer the items that end there."""
    lanes: dict[int, int]
    """Node -> its lane."""
    sources: list[int]
    """For each edge the item that it starts from: its operand's card or lane."""
    ports: list[int]
    """Where each edge arrives: -1 above the card's middle, 1 below, 0 for a single operand."""
    left: Ends
    right: Ends
    arriving: list[dict[int, list[tuple[int, int]]]]
    """For each item its links to the right, by the layer where they arrive."""
    mates: dict[int, tuple[int, int]]
    """Constant beyond the first layer -> the other operand's item, and the constant's own port."""


def assign_layers(document: GradientDocument) -> list[int]:
    """Put each node into a layer, counted from the left; the root is alone in the last one.

    An operation is as far left as its operands allow. A constant is just before the first operation
    that uses it; otherwise its wire would run through the whole picture.
    """
    nodes, edges = document["nodes"], document["edges"]
    layers = [0] * len(nodes)
    for edge in edges:  # sorted by `to`, so an operand's layer is final
        layers[edge["to"]] = max(layers[edge["to"]], layers[edge["from"]] + 1)
    before = [layers[-1]] * len(nodes)
    for edge in edges:
        before[edge["from"]] = min(before[edge["from"]], layers[edge["to"]] - 1)
    for node in nodes:
        if node["kind"] == "constant":
            layers[node["id"]] = before[node["id"]]
    return layers


def layered_graph(document: GradientDocument, layers: list[int]) -> LayeredGraph:
    """Return a graph in which each value has one wire, up to its last consumer."""
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
    return LayeredGraph(
        cards, first, last, *sides, lanes, sources, ports, left, right, arriving, mates
    )


def _grouped(layers: list[int]) -> list[list[int]]:
    items: list[list[int]] = [[] for _ in range(max(layers) + 1)]
    for item, layer in enumerate(layers):
        items[layer].append(item)
    return items


def _ports(document: GradientDocument) -> list[int]:
    edges = document["edges"]
    paired = {edge["to"] for edge in edges if edge["slot"] == 1}
    return [2 * edge["slot"] - 1 if edge["to"] in paired else 0 for edge in edges]


def _mates(cards: int, first: list[int], left: Ends, right: Ends) -> dict[int, tuple[int, int]]:
    """Find the mate of each constant, which has no left link to place it by."""
    mates: dict[int, tuple[int, int]] = {}
    for item in range(cards):
        if first[item] > 0 and not left[item]:
            consumer, port = right[item][0]
            for other, _ in left[consumer]:
                if other != item:
                    mates[item] = other, port
    return mates


def order_rows(layered: LayeredGraph, deadline: Deadline) -> Rows:
    """Return the best rows of a fixed number of sweeps, improved by exchanges."""
    positions = best = _sweep_right(layered, _first_positions(layered, deadline), deadline)
    least = _count_crossings(layered, positions, deadline)
    for turn in range(SWEEPS if least else 0):
        sweep = _sweep_right if turn % 2 else _sweep_left
        positions = sweep(layered, positions, deadline)
        crossings = _count_crossings(layered, positions, deadline)
        if crossings < least:
            best, least = positions, crossings
    rows = [list(row) for row in deadline.over(best, ROWS)]
    if least:
        _exchange(layered, rows, best, deadline)
    return rows


def mean(numbers: list[int]) -> int:
    """Return the mean, rounded down."""
    return sum(numbers) // len(numbers)


def _placed(row: Iterable[int]) -> dict[int, int]:
    return dict(zip(row, count(0, STEP), strict=False))


def _first_positions(layered: LayeredGraph, deadline: Deadline) -> Positions:
    """Put each item into the row of each of its layers, in the order of the nodes."""
    rows: Rows = [[] for _ in range(layered.first[layered.cards - 1] + 1)]
    for node in deadline.over(range(layered.cards), ROWS):
        rows[layered.first[node]].append(node)
        if node in layered.lanes:
            lane = layered.lanes[node]
            for at in range(layered.first[lane], layered.last[lane] + 1):
                rows[at].append(lane)
    return [_placed(row) for row in deadline.over(rows, ROWS)]


def _sweep_left(layered: LayeredGraph, positions: Positions, deadline: Deadline) -> Positions:
    """Order each row by the row to its right, in which a lane may continue."""
    swept = positions[:]
    for at in deadline.over(range(len(positions) - 2, -1, -1), ROWS):
        wanted = swept[at + 1].copy()
        for item in layered.ending[at]:
            ends = [wanted[to] + port * PORT_STEP for to, port in layered.arriving[item][at + 1]]
            wanted[item] = mean(ends)
        swept[at] = _placed(sorted(positions[at], key=wanted.__getitem__))
    return swept


def _sweep_right(layered: LayeredGraph, positions: Positions, deadline: Deadline) -> Positions:
    """Order each row by the row to its left; a constant is placed next to its mate."""
    swept = positions[:]
    for at in deadline.over(range(1, len(positions)), ROWS):
        wanted = swept[at - 1].copy()
        for item in layered.beginning[at]:
            if layered.left[item]:
                wanted[item] = mean([wanted[of] for of, _ in layered.left[item]])
        for item in layered.beginning[at]:
            if item in layered.mates:
                mate, port = layered.mates[item]
                wanted[item] = wanted[mate] + port
        swept[at] = _placed(sorted(positions[at], key=wanted.__getitem__))
    return swept


def _count_crossings(layered: LayeredGraph, positions: Positions, deadline: Deadline) -> int:
    """Count the pairs of links that cross, and the lanes that links cross, between all layers."""
    layers = deadline.over(range(1, len(positions)), ROWS)
    return sum([_crossings_before(layered, positions, at) for at in layers])


def _crossings_before(layered: LayeredGraph, positions: Positions, at: int) -> int:
    here, there = positions[at - 1], positions[at]
    ending = sorted([here[item] for item in layered.ending[at - 1]])
    beginning = sorted([there[item] for item in layered.beginning[at]])
    links = [
        (here[of], there[item] + port * PORT_STEP, of, there[item])
        for item in layered.beginning[at]
        for of, port in layered.left[item]
    ]
    total, ends = 0, list[int]()
    for start, end, of, place in sorted(links):
        below = bisect_left(ends, end)  # unique: a port has one link
        total += len(ends) - below
        ends.insert(below, end)
        # A link crosses a lane that is above one end and below the other, except its own.
        lanes_before = start // STEP - bisect_left(ending, start)
        lanes_after = place // STEP - bisect_left(beginning, place)
        total += abs(lanes_after - (of in there and there[of] < place) - lanes_before)
    return total


def _exchange(layered: LayeredGraph, rows: Rows, positions: Positions, deadline: Deadline) -> None:
    """Exchange neighbours if that removes crossings, in `EXCHANGES` rounds.

    A row is skipped while neither it nor a neighbouring row has changed since its last turn.
    """
    changed = {*range(len(rows))}
    for _ in range(EXCHANGES):
        before, changed = changed, set()
        for at, row in enumerate(deadline.over(rows, ROWS)):
            is_near = at in before or at + 1 in before or at - 1 in changed
            if is_near and _exchange_in(row, layered, positions, at, deadline):
                changed.add(at)


def _exchange_in(
    row: list[int], layered: LayeredGraph, positions: Positions, at: int, deadline: Deadline
) -> bool:
    """Exchange neighbours of a row once, from top to bottom; return whether the row has changed.

    A card is in one row only. Two lanes are not exchanged: they would cross before the next row.
    """
    upper, cards, has_changed = row[0], layered.cards, False
    for place, lower in enumerate(deadline.over(row[1:], NODES_PER_CHECK)):
        both = upper, lower
        if min(both) < cards and _gain(layered, positions, at, both, deadline) > 0:
            row[place], row[place + 1] = lower, upper
            positions[at][lower], positions[at][upper] = place * STEP, (place + 1) * STEP
            has_changed = True
        else:
            upper = lower
    return has_changed


def _gain(
    layered: LayeredGraph, positions: Positions, at: int, both: tuple[int, int], deadline: Deadline
) -> int:
    """Count the crossings that an exchange removes, minus those that it adds."""
    upper, lower = both
    gain = _uncrossed(
        _left_ends(layered, positions, at, upper),
        _left_ends(layered, positions, at, lower),
        deadline,
    )
    return gain + _uncrossed(
        _right_ends(layered, positions, at, upper),
        _right_ends(layered, positions, at, lower),
        deadline,
    )


def _left_ends(layered: LayeredGraph, positions: Positions, at: int, item: int) -> list[int]:
    """List the positions of an item's links, or of the lane itself, in the row before."""
    if layered.first[item] < at:
        return [positions[at - 1][item]]
    return [positions[at - 1][of] for of, _ in layered.left[item]]


def _right_ends(layered: LayeredGraph, positions: Positions, at: int, item: int) -> list[int]:
    """List the positions of the links in the row after, at their ports."""
    links = layered.arriving[item].get(at + 1, ())
    ends = [positions[at + 1][to] + port * PORT_STEP for to, port in links]
    return [*ends, positions[at + 1][item]] if layered.last[item] > at else ends


def _uncrossed(upper: list[int], lower: list[int], deadline: Deadline) -> int:
    """Return the number of pairs that cross, minus the number after an exchange."""
    gain = 0
    for one in deadline.over(upper, ROWS):
        for other in lower:
            gain += (one > other) - (one < other)
    return gain
