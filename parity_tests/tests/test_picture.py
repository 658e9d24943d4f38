"""Pictures of random programs follow R34: their SVG is parsed and checked."""

from __future__ import annotations

import re
from itertools import combinations, pairwise
from random import Random
from typing import NamedTuple
from xml.etree import ElementTree as ET

from parity_tests.fuzz.programs import random_program
from parity_tests.kit.worker import Call, Json, Worker

# A picture's text -> where its cards, labels and wires are

ADVANCE = 0.61
"""Width of a character relative to the font size: the largest of the named fonts."""
STEPS = 24
"""Straight pieces per curve."""

Point = tuple[float, float]


class Box(NamedTuple):
    """The area of a card, a label or a piece of a wire."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box) -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


class Figure(NamedTuple):
    """The elements of a picture."""

    frame: Box
    cards: list[Box]
    labels: list[Box]
    inside: list[tuple[Box, Box]]
    """Each text of a card with the card."""
    wires: list[list[Box]]
    """The straight pieces of each wire; a level one has no height."""


def read_figure(svg: str) -> Figure:
    root = ET.fromstring(svg)  # ours; a picture that is not well-formed fails here
    frame = Box(0, 0, float(root.get("width", "")), float(root.get("height", "")))
    figure = Figure(frame, [], [], [], [])
    for element in root.iter():
        names = element.get("class", "").split()
        if element.get("transform"):
            _read_card(element, figure)
        elif "gp-step" in names:
            figure.labels.append(_text_box(element, 0, 0, 11))
        elif "gp-wire" in names:
            figure.wires.append(_pieces(element.get("d", "")))
    return figure


def overlaps(figure: Figure) -> list[str]:
    """Describe elements that overlap, or leave the picture or their card."""
    found = [
        f"{name}s {one} and {other}"
        for name, boxes in (("card", figure.cards), ("label", figure.labels))
        for one, other in combinations(boxes, 2)
        if one.meets(other)
    ]
    found += [
        f"label {label} on card {card}"
        for label in figure.labels
        for card in figure.cards
        if label.meets(card)
    ]
    pieces = [piece for wire in figure.wires for piece in wire]
    found += [
        f"wire {piece} over {box}"
        for box in (*figure.cards, *figure.labels)
        for piece in pieces
        if piece.meets(box)
    ]
    found += [
        f"{box} beyond the frame"
        for box in (*figure.cards, *figure.labels, *pieces)
        if not _within(box, figure.frame)
    ]
    return found + [
        f"{text} beyond its card" for text, card in figure.inside if not _within(text, card)
    ]


def _within(box: Box, outer: Box) -> bool:
    return (
        outer.left <= box.left
        and outer.top <= box.top
        and box.right <= outer.right
        and box.bottom <= outer.bottom
    )


def _read_card(group: ET.Element, figure: Figure) -> None:
    x, y = map(int, re.findall(r"-?\d+", group.get("transform", "")))
    texts = []
    for element in group:
        if element.get("class") == "gp-card":
            width, height = int(element.get("width", "")), int(element.get("height", ""))
            figure.cards.append(Box(x, y, x + width, y + height))
        else:
            size = {"gp-name": 13, "gp-tag": 10, "gp-key": 10}.get(element.get("class", ""), 12)
            texts.append(_text_box(element, x, y, size))
    assert not any(one.meets(other) for one, other in combinations(texts, 2))
    figure.inside.extend((text, figure.cards[-1]) for text in texts)


def _text_box(element: ET.Element, x: int, y: int, size: int) -> Box:
    at, base = x + int(element.get("x", "")), y + int(element.get("y", ""))
    long = ADVANCE * size * len(element.text or "")
    starts = element.get("class") in ("gp-name", "gp-key")
    left = at if starts else at - long
    return Box(left, base - 0.75 * size, left + long, base + 0.25 * size)


def _pieces(path: str) -> list[Box]:
    """Follow M, H and C; a curve becomes many straight pieces."""
    points: list[Point] = []
    for command, text in re.findall(r"([MHC])([^MHC]+)", path):
        numbers = [float(number) for number in text.split()]
        if command == "H":
            points.append((numbers[0], points[-1][1]))
        elif command == "M":
            points.append((numbers[0], numbers[1]))
        else:
            controls = [points[-1], *zip(numbers[::2], numbers[1::2], strict=True)]
            points += [_bezier(controls, step / STEPS) for step in range(1, STEPS + 1)]
    return [Box(min(x, u), min(y, v), max(x, u), max(y, v)) for (x, y), (u, v) in pairwise(points)]


def _bezier(controls: list[Point], part: float) -> Point:
    weights = [(1 - part) ** 3, 3 * part * (1 - part) ** 2, 3 * part**2 * (1 - part), part**3]
    x = sum(weight * point[0] for weight, point in zip(weights, controls, strict=True))
    y = sum(weight * point[1] for weight, point in zip(weights, controls, strict=True))
    return x, y


# Pictures


def dense_program(seed: int, operations: int) -> Json:
    """Return a program of few variables and much sharing, the hardest to draw."""
    random, names = Random(seed), ["a", "b", "c", "d"]
    lines = []
    for index in range(operations):
        one, other = random.choice(names[-12:]), random.choice(names)
        lines.append(f"t{index} = {random.choice([f'{one} + {other}', f'tanh({one}) - {other}'])}")
        names.append(f"t{index}")
    lines.append(" + ".join(names))
    return {"expression": "\n".join(lines), "values": dict.fromkeys("abcd", 0.5)}


def assert_columns(document: Json, layout: Json, figure: Figure) -> None:
    """Variables are in the first column, operations right of their operands, the root last."""
    nodes = layout["nodes"]
    right = [node["x"] + node["width"] / 2 for node in nodes]
    left = [node["x"] - node["width"] / 2 for node in nodes]
    assert all(right[edge["from"]] < left[edge["to"]] for edge in document["edges"])
    assert all(x <= left[document["root"]] for x in right[:-1])
    variables = [node["id"] for node in document["nodes"] if node["label"] in document["values"]]
    assert {left[node] for node in variables} <= {min(left)}
    middles = [
        ((box.left + box.right) / 2 // 1, (box.top + box.bottom) / 2) for box in figure.cards
    ]
    assert middles == [(node["x"], node["y"]) for node in nodes]
    assert figure.frame[2:] == (layout["width"], layout["height"])


def test_pictures_of_both_engines_overlap_nowhere_and_stand_in_columns(
    workers: dict[str, Worker],
) -> None:
    random = Random(20)
    requests = [dense_program(seed, size) for seed, size in enumerate((5, 10, 20, 40))]
    requests += [dict(random_program(random)[1]) for _ in range(500)]
    calls: list[Call] = [("picture", request, None) for request in requests]
    ours, theirs = (worker.run_many(calls) for worker in workers.values())
    documents = workers["engine_py"].run_many([("introspect", *call[1:]) for call in calls])
    sizes = []
    for one, other, response in zip(ours, theirs, documents, strict=True):
        assert one.get("result") == other.get("result")
        if "result" in one:
            document, drawn = response["result"], one["result"]
            figure = read_figure(drawn["svg"])
            assert overlaps(figure) == [], document["expression"]
            assert_columns(document, drawn["layout"], figure)
            assert len(figure.cards) == len(document["nodes"])
            heads = drawn["svg"].count('class="gp-head"')
            assert len(figure.labels) == heads == len(document["edges"])
            sizes.append(len(figure.cards))
    assert len(sizes) > 250
    assert (min(sizes), max(sizes) >= 80) == (1, True)


def test_an_overlap_in_a_picture_is_found(workers: dict[str, Worker]) -> None:
    request = {"expression": "(a + b) * c", "values": {"a": 2, "b": -3, "c": 10}}
    good = workers["engine_py"].run("picture", request)["result"]["svg"]
    for old, new, found in [
        ('transform="translate(24 98)"', 'transform="translate(24 50)"', "cards"),
        ("160 77H251", "160 77H300", "wire"),
        ('x="244" y="73"', 'x="274" y="73"', "label"),
        ('x="244" y="101"', 'x="244" y="77"', "labels"),
        ("M120 202H354", "M120 75H354", "wire"),
        (">a</text>", ">a name longer than its card</text>", "beyond its card"),
        ('height="256" viewBox', 'height="230" viewBox', "beyond the frame"),
    ]:
        assert old in good
        assert found in str(overlaps(read_figure(good.replace(old, new))))
