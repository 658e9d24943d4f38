"""random.Random -> calls of `introspect_value`: graphs of Values, some of them spoiled."""

from random import Random
from typing import Any

from parity_tests.fuzz.damage import BAD_VALUES
from parity_tests.fuzz.random_numbers import random_number
from parity_tests.kit.operations import load_operations
from parity_tests.kit.worker import Call, Json

LABELS = ("a", "b", "c", "x1 * w1", "__proto__")
NAMES = ("f", "own step", "ReLU", "__proto__", "constructor")
NONSENSE = (*BAD_VALUES, 0, -1, 0.5, 2, 99, "a", "exp", "custom", [], [0], [0, 1], {}, {"a": 1})


def random_values(random: Random) -> Call:
    """Make a graph; data is assigned in four of ten, and one in eight is spoiled."""
    mood = random.choice(["tame", "tame", "tame", "wide", "edgy"])
    labels = random.sample(LABELS, len(LABELS))
    nodes: list[Json] = []
    for _ in range(random.randint(1, 4)):
        leaf: Json = {"data": random_number(random, mood)}
        nodes.append({**leaf, "label": labels.pop()} if random.random() < 0.7 else leaf)
    for _ in range(random.randint(0, 8)):
        nodes.append(_operation(random, mood, len(nodes)))
    request: Json = {"nodes": nodes}
    if random.random() < 0.4:
        request["assign"] = [
            {"node": random.randrange(len(nodes)), "data": _other(random, mood, nodes)}
            for _ in range(random.randint(1, 3))
        ]
    if random.random() < 0.2:
        request["parameters"] = random.sample(LABELS, random.randint(0, 2))
    if random.random() < 0.125:
        _spoil(random, request)
    return "introspect_value", request, {"nodes": 5} if random.random() < 0.05 else None


def _operation(random: Random, mood: str, count: int) -> Json:
    """Draw an operation on nodes before it, of which the last are the likelier."""
    operands = [random.randrange(max(0, count - 4), count) for _ in range(random.randint(1, 2))]
    made: Json = {"label": random.choice(LABELS)} if random.random() < 0.1 else {}
    if random.random() < 0.25:
        numbers = [random_number(random, mood) for _ in range(1 + len(operands))]
        made |= {"operation": "custom", "data": numbers[0], "local_grads": numbers[1:]}
        return {**made, **_named(random), "operands": operands}
    row = random.choice([*load_operations().values()])
    if row.operation == "**":
        exponent = random.choice([2, 3, 0, -1, 0.5, random_number(random, mood)])
        return {**made, "operation": "**", "operands": operands[:1], "exponent": exponent}
    return {**made, "operation": row.operation, "operands": (operands * 2)[: row.arity]}


def _named(random: Random) -> Json:
    return {"name": random.choice(NAMES)} if random.random() < 0.8 else {}


def _other(random: Random, mood: str, nodes: list[Json]) -> Any:
    """Give a number; also one that was there before."""
    return random.choice([random_number(random, mood), nodes[0]["data"], 0, -0.0])


def _spoil(random: Random, request: Json) -> None:
    """Put nonsense in the place of something, or leave it out."""
    part: Any = request
    while True:
        keys = [*part] if isinstance(part, dict) else [*range(len(part))]
        key = random.choice(keys)
        inner = part[key]
        if not isinstance(inner, dict | list) or not inner or random.random() < 0.2:
            break
        part = inner
    if random.random() < 0.3:
        del part[key]
    else:
        part[key] = random.choice(NONSENSE)
