"""What every picture keeps to, recomputed from its text on random programs."""

from collections.abc import Iterator
from contextlib import suppress
from itertools import combinations
from random import Random
from typing import NamedTuple

import pytest

from engine_py import Document, GradientError, Layout, draw, introspect, lay_out
from parity_tests.fuzz.programs import random_program
from parity_tests.kit.worker import Call, Json, Worker
from parity_tests.tests.svg import Box, Figure, overlaps, read_figure

PROGRAMS = 300


def random_requests(seed: int, count: int) -> Iterator[Json]:
    """Make requests that have a document."""
    random = Random(seed)
    while count:
        _, request, _ = random_program(random)
        with suppress(GradientError):
            introspect(**request)
            count -= 1
            yield dict(request)


def dense_request(seed: int, operations: int) -> Json:
    """Few variables and much sharing: the graph that is the hardest to draw."""
    random, names = Random(seed), ["a", "b", "c", "d"]
    lines = []
    for index in range(operations):
        one, other = random.choice(names[-12:]), random.choice(names)
        lines.append(f"t{index} = {random.choice([f'{one} + {other}', f'tanh({one}) - {other}'])}")
        names.append(f"t{index}")
    lines.append(" + ".join(names))
    return {"expression": "\n".join(lines), "values": dict.fromkeys("abcd", 0.5)}


class Drawn(NamedTuple):
    """A document and what was drawn of it."""

    document: Document
    svg: str
    layout: Layout
    figure: Figure


@pytest.fixture(scope="module")
def requests() -> list[Json]:
    dense = [dense_request(seed, operations) for seed, operations in enumerate((5, 10, 20, 40))]
    return [*random_requests(20, PROGRAMS), *dense]


@pytest.fixture(scope="module")
def pictures(requests: list[Json]) -> list[Drawn]:
    documents = [introspect(**request) for request in requests]
    svgs = [draw(document) for document in documents]
    return [
        Drawn(document, svg, lay_out(document), read_figure(svg))
        for document, svg in zip(documents, svgs, strict=True)
    ]


# Holds R34.1.
def test_the_engines_draw_the_same_text(
    requests: list[Json], pictures: list[Drawn], workers: dict[str, Worker]
) -> None:
    calls: list[Call] = [("picture", request, None) for request in requests]
    drawn = {name: worker.run_many(calls) for name, worker in workers.items()}
    for index, picture in enumerate(pictures):
        expected = {"svg": picture.svg, "layout": picture.layout}
        for name in workers:
            assert drawn[name][index].get("result") == expected, (name, calls[index])


def test_the_programs_are_of_many_sizes(pictures: list[Drawn]) -> None:
    sizes = sorted(len(picture.document["nodes"]) for picture in pictures)
    assert sizes[0] == 1
    assert sizes[-1] >= 80


# Holds R34.4.
def test_nothing_covers_anything(pictures: list[Drawn]) -> None:
    covered = {picture.document["expression"]: overlaps(picture.figure) for picture in pictures}
    assert {program: places for program, places in covered.items() if places} == {}


# Holds R34.3.
def test_every_operation_stands_right_of_its_operands(pictures: list[Drawn]) -> None:
    for picture in pictures:
        assert_columns(picture)


def assert_columns(picture: Drawn) -> None:
    document, _, layout, figure = picture
    right = [node["x"] + node["width"] / 2 for node in layout["nodes"]]
    left = [node["x"] - node["width"] / 2 for node in layout["nodes"]]
    assert all(right[edge["from"]] < left[edge["to"]] for edge in document["edges"])
    assert all(x <= left[document["root"]] for x in right[:-1])
    variables = [node["id"] for node in document["nodes"] if node["label"] in document["values"]]
    assert {left[node] for node in variables} <= {min(left)}
    assert [(box.left + box.right) / 2 // 1 for box in figure.cards] == [
        node["x"] for node in layout["nodes"]
    ]
    assert [(box.top + box.bottom) / 2 for box in figure.cards] == [
        node["y"] for node in layout["nodes"]
    ]
    assert (figure.frame.right, figure.frame.bottom) == (layout["width"], layout["height"])


# Holds R34.4.
def test_there_is_a_card_a_node_and_a_label_and_a_head_an_edge(pictures: list[Drawn]) -> None:
    for document, svg, _, figure in pictures:
        assert len(figure.cards) == len(document["nodes"])
        assert len(figure.labels) == svg.count('class="gp-head"') == len(document["edges"])


def random_tree(random: Random, leaves: int) -> str:
    """Write an expression where every variable is used once."""
    parts = [f"v{index}" for index in range(leaves)]
    while len(parts) > 1:
        place = random.randrange(len(parts) - 1)
        sign = random.choice("+-*")
        parts[place : place + 2] = [f"({parts[place]} {sign} {parts[place + 1]})"]
    return parts[0]


@pytest.mark.parametrize("seed", range(60))
def test_in_a_tree_the_first_operand_is_above_the_second_and_no_wires_cross(seed: int) -> None:
    leaves = 2 + seed
    values = {f"v{index}": index + 1 for index in range(leaves)}
    document = introspect(random_tree(Random(seed), leaves), values)
    height = [node["y"] for node in lay_out(document)["nodes"]]
    pairs: dict[int, list[int]] = {}
    for edge in document["edges"]:
        pairs.setdefault(edge["to"], []).append(height[edge["from"]])
    assert all(first < second for first, second in pairs.values())
    assert crossings(read_figure(draw(document))) == 0


def crossings(figure: Figure) -> int:
    """Count the pairs of wires with pieces that cross."""
    return sum(
        around.meets(its_around) and any(piece.meets(another) for piece in one for another in other)
        for (one, around), (other, its_around) in combinations(
            [(wire, bounds(wire)) for wire in figure.wires], 2
        )
    )


def bounds(wire: list[Box]) -> Box:
    """The box around a wire: where two of them are apart, so are all their pieces."""
    lefts, tops, rights, bottoms = zip(*wire, strict=True)
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


def test_a_crossing_is_counted() -> None:
    # Two values that two operations use cross once, however they are placed.
    document = introspect("p = a + b; q = a * b; p - q", {"a": 1, "b": 2})
    assert crossings(read_figure(draw(document))) >= 1


# Pictures where a rule is broken on purpose: the reader of figures is not blind.
GOOD = draw(introspect("(a + b) * c", {"a": 2, "b": -3, "c": 10}))


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ('transform="translate(24 98)"', 'transform="translate(24 50)"', "cards"),
        ("160 77H251", "160 77H300", "wire"),
        ('x="244" y="73"', 'x="274" y="73"', "label"),
        ('x="244" y="101"', 'x="244" y="77"', "labels"),
        ("M120 202H354", "M120 75H354", "wire"),
        (">a</text>", ">a name longer than its card</text>", "beyond its card"),
        ('height="256" viewBox', 'height="230" viewBox', "beyond the frame"),
    ],
)
def test_a_fault_is_found(old: str, new: str, found: str) -> None:
    assert old in GOOD
    assert found in str(overlaps(read_figure(GOOD.replace(old, new))))
