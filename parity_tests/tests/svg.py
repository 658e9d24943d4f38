"""A picture's text -> where its cards, labels and wires are, read anew from the SVG alone."""

import re
from itertools import combinations, pairwise
from typing import NamedTuple
from xml.etree import ElementTree as ET

ADVANCE = 0.61
"""What a monospaced font takes for a character, in parts of its size; none of those named more."""
STEPS = 24
"""Into how many straight pieces a curve is cut."""

Point = tuple[float, float]


class Box(NamedTuple):
    """What a card or a label covers."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "Box") -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


class Figure(NamedTuple):
    """What a picture shows."""

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
    """Tell what covers something else, or leaves the picture or its card."""
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
