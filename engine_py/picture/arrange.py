"""Items -> rows: what each layer holds, from top to bottom, with few crossings.

Barycenter sweeps, right to left and back, then exchanges of neighbours. Only integers decide: a
mean is a floored quotient, and equal means keep the order before. A lane keeps its place among the
lanes beside it, so that it can be straight.
"""

from collections.abc import Iterable
from itertools import count

from engine_py.picture.crossings import PORT, STEP, Places, Rows, count_crossings, exchange
from engine_py.picture.weave import Weave

SWEEPS = 2


def arrange(woven: Weave) -> Rows:
    """Take the best of a fixed number of sweeps, and exchange neighbours in it."""
    places = best = _sweep_right(woven, _first_places(woven))
    least = count_crossings(woven, places)
    for turn in range(SWEEPS if least else 0):
        places = _sweep_right(woven, places) if turn % 2 else _sweep_left(woven, places)
        crossings = count_crossings(woven, places)
        if crossings < least:
            best, least = places, crossings
    rows = [list(row) for row in best]
    if least:
        exchange(woven, rows, best)
    return rows


def mean(numbers: list[int]) -> int:
    """Give the mean, rounded down."""
    return sum(numbers) // len(numbers)


def _placed(row: Iterable[int]) -> dict[int, int]:
    return dict(zip(row, count(0, STEP), strict=False))


def _first_places(woven: Weave) -> Places:
    """Put every item into the rows of its layers, by node."""
    rows: Rows = [[] for _ in range(woven.first[woven.cards - 1] + 1)]
    for node in range(woven.cards):
        rows[woven.first[node]].append(node)
        if node in woven.lanes:
            lane = woven.lanes[node]
            for at in range(woven.first[lane], woven.last[lane] + 1):
                rows[at].append(lane)
    return [_placed(row) for row in rows]


def _sweep_left(woven: Weave, places: Places) -> Places:
    """Order each row by the one right of it, where a lane that goes on has its place."""
    swept = places[:]
    for at in range(len(places) - 2, -1, -1):
        wishes = swept[at + 1].copy()
        for item in woven.ending[at]:
            ends = [wishes[to] + port * PORT for to, port in woven.arriving[item][at + 1]]
            wishes[item] = mean(ends)
        swept[at] = _placed(sorted(places[at], key=wishes.__getitem__))
    return swept


def _sweep_right(woven: Weave, places: Places) -> Places:
    """Order each row by the one left of it; a constant stands beside its mate."""
    swept = places[:]
    for at in range(1, len(places)):
        wishes = swept[at - 1].copy()
        for item in woven.beginning[at]:
            if woven.left[item]:
                wishes[item] = mean([wishes[of] for of, _ in woven.left[item]])
        for item in woven.beginning[at]:
            if item in woven.mates:
                mate, port = woven.mates[item]
                wishes[item] = wishes[mate] + port
        swept[at] = _placed(sorted(places[at], key=wishes.__getitem__))
    return swept
