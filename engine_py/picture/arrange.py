"""Items -> rows: what each layer holds, from top to bottom, with few crossings.

Barycenter sweeps, right to left and back, then exchanges of neighbours. Only integers decide: a
mean is a floored quotient, and equal means keep the order before. A lane keeps its place among the
lanes beside it, so that it can be straight.
"""

from bisect import bisect_left, bisect_right

from engine_py.picture.weave import Weave

Rows = list[list[int]]
"""The items of each layer, from top to bottom."""
Places = list[dict[int, int]]
"""For each row the place of each item in it."""

SWEEPS = 2
EXCHANGES = 3
PORT = 720_720
"""How far a port is from the middle of its card; divisible by 1 to 16, so most means are exact."""
STEP = 4 * PORT
"""How far two neighbours in a row are from each other."""


def arrange(woven: Weave) -> Rows:
    """Take the best of a fixed number of sweeps, and exchange neighbours in it."""
    rows = best = _sweep_right(woven, _first_rows(woven))
    least = count_crossings(woven, rows)
    for turn in range(SWEEPS if least else 0):
        rows = _sweep_right(woven, rows) if turn % 2 else _sweep_left(woven, rows)
        crossings = count_crossings(woven, rows)
        if crossings < least:
            best, least = rows, crossings
    for _ in range(EXCHANGES if least else 0):
        best = _exchange(woven, best)
    return best


def mean(numbers: list[int]) -> int:
    """Give the mean, rounded down."""
    return sum(numbers) // len(numbers)


def count_crossings(woven: Weave, rows: Rows) -> int:
    """Count the pairs of links that cross, and the lanes that links cross, between all layers."""
    places = _places_in(rows)
    return sum([_crossings_before(woven, places, at) for at in range(1, len(rows))])


def _places_in(rows: Rows) -> Places:
    return [{item: place for place, item in enumerate(row)} for row in rows]


def _crossings_before(woven: Weave, places: Places, at: int) -> int:
    here, there = places[at - 1], places[at]
    lanes = [item for item in there if woven.first[item] < at]
    before, after = [here[lane] for lane in lanes], [there[lane] for lane in lanes]
    links = [
        (here[of], 4 * place + port, of)
        for item, place in there.items()
        if woven.first[item] == at
        for of, port in woven.left[item]
    ]
    total, ends = 0, list[int]()
    for start, end, of in sorted(links):
        place = bisect_right(ends, end)
        total += len(ends) - place
        ends.insert(place, end)
        # A lane is crossed that is above one end and below the other; a wire's own lane is not.
        above = bisect_left(after, (end + 2) // 4) - (of in there and 4 * there[of] < end)
        total += abs(above - bisect_left(before, start))
    return total


def _first_rows(woven: Weave) -> Rows:
    """Put every item into the rows of its layers, by node."""
    rows: Rows = [[] for _ in range(woven.first[woven.cards - 1] + 1)]
    for node in range(woven.cards):
        rows[woven.first[node]].append(node)
        if node in woven.lanes:
            lane = woven.lanes[node]
            for at in range(woven.first[lane], woven.last[lane] + 1):
                rows[at].append(lane)
    return rows


def _sweep_left(woven: Weave, rows: Rows) -> Rows:
    """Order each row by the one right of it, where a lane that goes on has its place."""
    swept, places = rows[:], [0] * len(woven.first)
    for at in range(len(rows) - 2, -1, -1):
        for place, item in enumerate(swept[at + 1]):
            places[item] = place * STEP
        for item in rows[at]:
            if woven.last[item] == at:
                ends = [places[to] + port * PORT for to, port in woven.arriving[item][at + 1]]
                places[item] = mean(ends)
        swept[at] = sorted(rows[at], key=places.__getitem__)
    return swept


def _sweep_right(woven: Weave, rows: Rows) -> Rows:
    """Order each row by the one left of it; a constant stands beside its mate."""
    swept, places = rows[:], [0] * len(woven.first)
    for at in range(1, len(rows)):
        for place, item in enumerate(swept[at - 1]):
            places[item] = place * STEP
        for item in rows[at]:
            if woven.first[item] == at and woven.left[item]:
                places[item] = mean([places[of] for of, _ in woven.left[item]])
        for item in rows[at]:
            if item in woven.mates:
                mate, port = woven.mates[item]
                places[item] = places[mate] + port
        swept[at] = sorted(rows[at], key=places.__getitem__)
    return swept


def _exchange(woven: Weave, rows: Rows) -> Rows:
    """Exchange neighbours where fewer links then cross.

    One of the two is a card, which is in no other row: two lanes would part in the next one.
    """
    rows, places, cards = [row[:] for row in rows], _places_in(rows), woven.cards
    for at, row in enumerate(rows):
        for place in range(len(row) - 1):
            upper, lower = row[place], row[place + 1]
            if (upper < cards or lower < cards) and _gain(woven, places, at, upper, lower) > 0:
                row[place], row[place + 1] = lower, upper
                places[at][lower], places[at][upper] = place, place + 1
    return rows


def _gain(woven: Weave, places: Places, at: int, upper: int, lower: int) -> int:
    """Count the crossings that an exchange takes away, less those that it makes."""
    gain = _uncrossed(_left_ends(woven, places, at, upper), _left_ends(woven, places, at, lower))
    right = _right_ends(woven, places, at, upper), _right_ends(woven, places, at, lower)
    return gain + _uncrossed(*right)


def _left_ends(woven: Weave, places: Places, at: int, item: int) -> list[int]:
    """Give where the links of an item, or the lane itself, are in the row before."""
    if woven.first[item] < at:
        return [places[at - 1][item]]
    return [places[at - 1][of] for of, _ in woven.left[item]]


def _right_ends(woven: Weave, places: Places, at: int, item: int) -> list[int]:
    """Give where they are in the row after, where a port is a place."""
    links = woven.arriving[item].get(at + 1, ())
    ends = [4 * places[at + 1][to] + port for to, port in links]
    return [*ends, 4 * places[at + 1][item]] if woven.last[item] > at else ends


def _uncrossed(upper: list[int], lower: list[int]) -> int:
    """Count the pairs that cross, less those that would if the two items were exchanged."""
    return sum([(one > other) - (one < other) for one in upper for other in lower])
