"""A failing call -> a smaller one that still fails, by leaving out what is not needed."""

from collections.abc import Callable, Iterator
from itertools import chain

from parity_tests.fuzz.damage import PIECES
from parity_tests.fuzz.messages import LINE
from parity_tests.kit.worker import Call, Json

PLAIN = (0, 1, 2, 0.5)
"""Values to try in the place of others."""


def shrink(call: Call, fails: Callable[[Call], bool], tries: int = 2000) -> Call:
    """Take the first smaller call that fails, repeatedly, until none does."""
    while True:
        for smaller in _smaller(call):
            tries -= 1
            if tries < 0:
                return call
            if fails(smaller):
                call = smaller
                break
        else:
            return call


def _smaller(call: Call) -> Iterator[Call]:
    command, request, limits = call
    if command == "evaluate":
        rows = request["operands"]
        yield from ((command, {**request, "operands": [row]}, None) for row in rows if rows[1:])
        return
    if command == LINE:
        for change in _shorter_texts(request[LINE]):
            yield command, {LINE: change["expression"]}, None
        return
    if limits:
        yield command, request, None
    for member in sorted(request.keys() - {"expression", "values"}):
        rest = {name: value for name, value in request.items() if name != member}
        yield command, rest, limits
    changes = (
        _shorter_texts(request.get("expression")),
        _fewer_values(request.get("values")),
        _fewer_nodes(request.get("nodes")),
    )
    for change in chain(*changes):
        yield command, {**request, **change}, limits


def _shorter_texts(expression: object) -> Iterator[Json]:
    """Leave out runs of pieces, the longest first, then pairs of parentheses."""
    if isinstance(expression, str):
        pieces = PIECES.findall(expression)
        size = len(pieces)
        while size:
            for start in range(len(pieces) - size + 1):
                yield {"expression": "".join(pieces[:start] + pieces[start + size :])}
            size //= 2
        for first, last in _brackets(pieces):
            yield {
                "expression": "".join(
                    pieces[:first] + pieces[first + 1 : last] + pieces[last + 1 :]
                )
            }


def _brackets(pieces: list[str]) -> Iterator[tuple[int, int]]:
    """Give the places of each pair of parentheses."""
    opened: list[int] = []
    for place, piece in enumerate(pieces):
        if piece == "(":
            opened.append(place)
        elif piece == ")" and opened:
            yield opened.pop(), place


def _fewer_values(values: object) -> Iterator[Json]:
    """Leave a value out, or put a plain one in its place."""
    if isinstance(values, dict):
        for name, value in values.items():
            yield {"values": {other: values[other] for other in values if other != name}}
            for plain in PLAIN[: PLAIN.index(value)] if value in PLAIN else PLAIN:
                yield {"values": {**values, name: plain}}


def _fewer_nodes(nodes: object) -> Iterator[Json]:
    """Leave out a node of a graph of Values that no other uses; later ones move up."""
    if isinstance(nodes, list) and all(isinstance(node, dict) for node in nodes):
        operands = [node.get("operands") or [] for node in nodes]
        if all(isinstance(each, list) for each in operands):
            used = [place for each in operands for place in each]
            for place in reversed(range(len(nodes))):
                if place not in used:
                    kept = [*nodes[:place], *(_moved(node, place) for node in nodes[place + 1 :])]
                    yield {"nodes": kept}


def _moved(node: Json, gone: int) -> Json:
    if not node.get("operands"):
        return node
    places = node["operands"]
    is_place = [isinstance(place, int | float) for place in places]
    moved = [p - (p > gone) if ok else p for p, ok in zip(places, is_place, strict=True)]
    return {**node, "operands": moved}
