"""The programs that a class is tried on, the small ones first, and what is right for each.

The truth is that of `accuracy`. Programs of + - * relu abs and a prefix minus take whole numbers,
so every class computes them exactly, and nothing may be off. The others may be off by `BOUND`, a
part of a number's scale (CONTRACT.md R38), for each of their other operations. It is derived so: a
platform's function is off by 2 units in the last place at most, that is by 4u, where u is 2**-53;
the longest way to one here is tanh as (e**2x - 1) / (e**2x + 1), which at the operands below makes
less than 13u of that and of its own three roundings; and 1 - t**2 makes less than three times so
much and two roundings more of it: 41u, which is less than 64u.
"""

from collections.abc import Mapping
from functools import cache
from math import log
from typing import Literal, NamedTuple

from engine_py.accuracy.accuracy import accuracy
from engine_py.document import GradientDocument
from engine_py.introspect import introspect

Family = Literal[
    "operation", "chain", "shared", "walk", "numbers", "reflected",
    "exponent", "again", "zeroed", "losses", "deep", "deeper",
]  # fmt: skip

BOUND = 2.0**-47
LENIENT = 1e-6
"""What is off by so much more than `BOUND` has an epsilon or a rounded constant, and no fault."""
EXACT = {"+", "-", "*", "neg", "relu", "abs", None}


class Trial(NamedTuple):
    """A program, and what it is there to show."""

    family: Family
    text: str
    values: Mapping[str, float]
    operation: str = ""
    """The one that is tried; a walk has none."""


class Expected(NamedTuple):
    """What is right, by node."""

    document: GradientDocument
    data: list[float]
    grads: list[float]
    room_of_data: list[float]
    """How far a number may be off."""
    room_of_grads: list[float]


REFLECTED = {"+": "__radd__", "*": "__rmul__", "-": "__rsub__", "/": "__rtruediv__"}

_TEXTS: dict[str, tuple[str, ...]] = {
    "+": ("{a} + {b}",),
    "*": ("{a} * {b}",),
    "neg": ("-{a}",),
    "-": ("{a} - {b}",),
    "/": ("{a} / {b}",),
    "**": ("{a} ** 2", "{a} ** 3", "{a} ** -1", "{a} ** 0.5"),
}
_POINTS: dict[str, tuple[tuple[float, ...], ...]] = {
    "+": ((2, -3),),
    "*": ((2, -3),),
    "neg": ((2,),),
    "-": ((5, 2),),
    "/": ((6, 4),),
    "**": ((3,), (2,), (4,), (4,)),
    "relu": ((3,), (-2,)),
    "exp": ((0.5,), (-1,)),
    "log": ((2,), (0.5,)),
    "tanh": ((0.5,), (-1,)),
    "sqrt": ((9,), (2,)),
    "sin": ((0.5,), (-1,)),
    "cos": ((0.5,), (-1,)),
    "sigmoid": ((0.5,), (-1,)),
    "softplus": ((0.5,), (-1,)),
    "abs": ((3,), (-2,)),
}
OPERATIONS = tuple(_POINTS)
LESSONS = OPERATIONS[:10]
"""What the lessons' classes have among them."""

DEPTH, DEEPER = 200, 2_000
"""Additions of a chain that every walk must come through, and of one that recursion does not."""


def _walks() -> list[Trial]:
    texts: list[tuple[str, Mapping[str, float]]] = [
        ("a * b + c * d", {"a": 2, "b": 3, "c": 5, "d": 7}),
        ("(a + b) * (c + d)", {"a": 1, "b": 4, "c": 3, "d": 5}),
        ("(a + b) * (c + d)", {"a": 1, "b": 4, "c": 2, "d": 3}),
        ("b = a + 1; c = a * 3; b * c", {"a": 2}),
        ("w = a * b; (w + a) * (w * b)", {"a": 2, "b": 3}),
        ("w = a * b; w * (w + a + a)", {"a": 2, "b": 3}),
        ("w = a * b; (w + a + a) * w", {"a": 2, "b": 3}),
        ("relu(w * x + b)", {"w": 2, "x": 3, "b": 1}),
        ("tanh(x1*w1 + x2*w2 + b)", {"x1": 2, "w1": -3, "x2": 0, "w2": 1, "b": 6.881373587019543}),
        ("(1 + exp(-x)) ** -1", {"x": 0.5}),
    ]
    return [Trial("walk", text, values) for text, values in texts]


EQUAL = _walks()[2]
"""Two inner nodes have the same data; in the program before it they have not."""


def _of(operation: str, place: int, a: str, b: str) -> str:
    texts = _TEXTS.get(operation, (operation + "({a})",))
    return texts[min(place, len(texts) - 1)].format(a=a, b=b)


def _inside(text: str) -> str:
    return text if text.endswith(")") else f"({text})"


def _programs() -> list[Trial]:
    """Make all programs."""
    alone, chains, shared = [], [], []
    for operation, points in _POINTS.items():
        for place, point in enumerate(points):
            values = dict(zip("ab", point, strict=False))
            alone.append(Trial("operation", _of(operation, place, "a", "b"), values, operation))
        point = points[0]
        text, values = _inside(_of(operation, 0, "a", "b")), dict(zip("ab", point, strict=False))
        chains.append(Trial("chain", f"{text} * c", values | {"c": 10}, operation))
        if operation in ("+", "*"):
            shared.append(Trial("shared", _of(operation, 0, "a", "a"), {"a": 3}, operation))
        for names in ("ab", "ba")[: len(point)]:
            text, values = _inside(_of(operation, 0, *names)), dict(zip(names, point, strict=False))
            shared.append(Trial("shared", f"{text} + a", values, operation))
    beside = [Trial("numbers", f"a {each} 2", {"a": 6}, each) for each in REFLECTED]
    beside += [Trial("reflected", f"2 {each} a", {"a": 4}, each) for each in REFLECTED]
    doubled = "; ".join(["s0 = a + a", *(f"s{n} = s{n - 1} + s{n - 1}" for n in range(1, 40))])
    return [
        *alone,
        *chains,
        *shared,
        *_walks(),
        *beside,
        Trial("exponent", "a ** b", {"a": 2, "b": 3}, "**"),
        Trial("again", "a * b + c", {"a": 2, "b": 3, "c": 10}),
        Trial("zeroed", "a * b + c", {"a": 2, "b": 3, "c": 10}),
        Trial("losses", "a * b + a * c", {"a": 2, "b": 3, "c": 5}),
        Trial("deep", "a" + " + b" * DEPTH, {"a": 1, "b": 2}),
        Trial("deep", doubled, {"a": 1}),
        Trial("deeper", "a" + " + b" * DEEPER, {"a": 1, "b": 2}),
    ]


PROGRAMS = _programs()


@cache
def expected(place: int) -> Expected:
    """Return what is right for a program of the list."""
    program = PROGRAMS[place]
    if program.family == "exponent":
        return _expected_power(program)
    document = introspect(program.text, program.values)
    data = [node["data"] for node in document["nodes"]]
    grads = [node["grad"] or 0.0 for node in document["nodes"]]
    inexact = sum(node["operation"] not in EXACT for node in document["nodes"])
    if not inexact:
        none = [0.0] * len(data)
        return Expected(document, data, grads, none, none)
    claimed = {str(n): 0.0 for n, node in enumerate(document["nodes"]) if node["grad"] is not None}
    said = accuracy(program.text, program.values, claimed=claimed, most=0)
    for node, row in enumerate(said["nodes"]):
        data[node] = row["data"]["true"] or 0.0
        grads[node] = (row["grad"] and row["grad"]["true"]) or 0.0
    scales = [0.0] * len(data)
    for claim in said["claims"].values():
        scales[claim["node"]] = claim["scale"] or 0.0
    largest = max(map(abs, data))
    rooms = [BOUND * inexact * scale for scale in scales]
    return Expected(document, data, grads, [BOUND * inexact * largest] * len(data), rooms)


def _expected_power(program: Trial) -> Expected:
    """Return what is right for a power whose exponent has a gradient, which the engine refuses."""
    document = introspect(program.text.replace("**", "*"), program.values)
    a, b = program.values["a"], program.values["b"]
    data, grads = [a, b, a**b], [b * a ** (b - 1), a**b * log(a), 1.0]
    document["nodes"][2] |= {"operation": "**", "data": data[2]}
    rooms = [BOUND * max(data)] * 3
    return Expected({**document, "expression": program.text}, data, grads, rooms, rooms)
