"""Rows -> how many links cross in them; and rows with neighbours exchanged, where fewer do."""

from bisect import bisect_left, bisect_right

from engine_py.picture.weave import Weave

Rows = list[list[int]]
"""The items of each layer, from top to bottom."""
Places = list[dict[int, int]]
"""The same, and how far down each item is."""

EXCHANGES = 3
PORT = 720_720
"""How far a port is from the middle of its card; divisible by 1 to 16, so most means are exact."""
STEP = 4 * PORT
"""How far two neighbours in a row are from each other."""


def count_crossings(woven: Weave, places: Places) -> int:
    """Count the pairs of links that cross, and the lanes that links cross, between all layers."""
    return sum([_crossings_before(woven, places, at) for at in range(1, len(places))])


def _crossings_before(woven: Weave, places: Places, at: int) -> int:
    here, there = places[at - 1], places[at]
    ending = sorted([here[item] for item in woven.ending[at - 1]])
    beginning = sorted([there[item] for item in woven.beginning[at]])
    links = [
        (here[of], there[item] + port * PORT, of, there[item])
        for item in woven.beginning[at]
        for of, port in woven.left[item]
    ]
    total, ends = 0, list[int]()
    for start, end, of, place in sorted(links):
        below = bisect_right(ends, end)
        total += len(ends) - below
        ends.insert(below, end)
        # A lane is crossed that is above one end and below the other; a wire's own lane is not.
        lanes_before = start // STEP - bisect_left(ending, start)
        lanes_after = place // STEP - bisect_left(beginning, place)
        total += abs(lanes_after - (of in there and there[of] < place) - lanes_before)
    return total


def exchange(woven: Weave, rows: Rows, places: Places) -> None:
    """Exchange neighbours where fewer links then cross, as often as EXCHANGES says.

    A row is left out while neither it nor a row beside it has changed since it was last looked at.
    """
    changed = {*range(len(rows))}
    for _ in range(EXCHANGES):
        before, changed = changed, set()
        for at, row in enumerate(rows):
            beside = at in before or at + 1 in before or at - 1 in changed
            if beside and _exchange_in(row, woven, places, at):
                changed.add(at)


def _exchange_in(row: list[int], woven: Weave, places: Places, at: int) -> bool:
    """Go down a row once; True if it has changed.

    One of the two is a card, which is in no other row: two lanes would part in the next one.
    """
    upper, cards, has_changed = row[0], woven.cards, False
    for place, lower in enumerate(row[1:]):
        if (upper < cards or lower < cards) and _gain(woven, places, at, upper, lower) > 0:
            row[place], row[place + 1] = lower, upper
            places[at][lower], places[at][upper] = place * STEP, (place + 1) * STEP
            has_changed = True
        else:
            upper = lower
    return has_changed


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
    """Give where they are in the row after, at their ports."""
    links = woven.arriving[item].get(at + 1, ())
    ends = [places[at + 1][to] + port * PORT for to, port in links]
    return [*ends, places[at + 1][item]] if woven.last[item] > at else ends


def _uncrossed(upper: list[int], lower: list[int]) -> int:
    """Count the pairs that cross, less those that would if the two items were exchanged."""
    gain = 0
    for one in upper:
        for other in lower:
            gain += (one > other) - (one < other)
    return gain
