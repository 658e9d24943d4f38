"""random.Random + call -> the same call with members for its command: orders, claims, columns."""

from random import Random
from typing import Any

from parity_tests.fuzz.damage import BAD_VALUES
from parity_tests.fuzz.random_numbers import random_number
from parity_tests.kit.worker import Call, Json

LABELS = ("n0", "n1", "root", "a", "x1")


def with_conditions(random: Random, call: Call) -> Call:
    """Add members that the lab's commands read, and make axes of the values of a sweep."""
    command, request, limits = call
    if command == "sweep":
        return _with_axes(random, call)
    if command not in MEMBERS:
        return call
    values = request["values"]
    members = MEMBERS[command](random, sorted(values) if isinstance(values, dict) else [])
    if random.random() < 0.1 and members:
        members[random.choice(sorted(members))] = random.choice(BAD_VALUES)
    return command, {**request, **members}, limits


def _of_documents(random: Random, names: list[str]) -> Json:
    """Give what `experiment`, `paths` and `check` read."""
    members: Json = {"variable": random.choice([*names, "a"])}
    if random.random() < 0.7:
        members["order"] = _order(random)
    if random.random() < 0.5:
        members["accumulate"] = "replace"
    if random.random() < 0.5:
        members["passes"] = random.randint(1, 4)
    if random.random() < 0.5:
        members["most"] = random.randint(0, 8)
    for member in ("mutate", "claimed"):
        if random.random() < 0.3:
            members[member] = _numbers(random, names)
    return members


def _with_axes(random: Random, call: Call) -> Call:
    """Put columns and small grids in the place of values, sometimes with something wrong."""
    command, request, limits = call
    if not isinstance(request["values"], dict):
        return call
    values, rows, grids = dict(request["values"]), random.randint(1, 4), 0
    mood = random.choice(["tame", "wide", "edgy"])
    for name in values:
        roll = random.random()
        if roll < 0.4:
            length = rows if random.random() < 0.98 else rows + 1
            values[name] = [random_number(random, mood) for _ in range(length)]
        elif roll < 0.8 and grids < 2:
            grids += 1
            ends = {end: random_number(random, mood) for end in ("from", "to")}
            values[name] = {**ends, "count": random.randint(1, 5)}
    if random.random() < 0.1 and values:
        _spoil(random, values[random.choice(sorted(values))])
    if random.random() < 0.1:
        limits = {**(limits or {}), "sweep_nodes": random.randint(0, 60)}
    return command, {**request, "values": values}, limits


def _spoil(random: Random, axis: object) -> None:
    """Put something wrong into a column or a grid."""
    if isinstance(axis, list):
        axis[random.randrange(len(axis)) :] = random.sample([*BAD_VALUES, 1], random.randint(0, 2))
    if isinstance(axis, dict):
        axis[random.choice(["from", "to", "count", "step"])] = random.choice([*BAD_VALUES, 0, 1.5])


def _descent(random: Random, names: list[str]) -> Json:
    """Move some of the variables for a few steps, over rows that set some of the others."""
    moved = [name for name in names if random.random() < 0.6] or names[:1]
    inputs = [name for name in names if name not in moved]
    members: Json = {
        "parameters": moved,
        "steps": random.randint(0, 4),
        "optimizer": random.choice(["sgd", "adamw"]),
        "loss": random.choice(["sum", "mean"]),
        "learning_rate": abs(random_number(random, "tame")),
        "epsilon": 10.0 ** -random.randint(1, 12),
        "weight_decay": random.choice([0, 0.01, 1]),
        "every": random.randint(1, 3),
    }
    for part in ("momentum", "beta1", "beta2"):
        members[part] = random.choice([0, 0.5, 0.9, random.random()])
    if random.random() < 0.7:
        members["rows"] = [_numbers(random, inputs) for _ in range(random.randint(1, 3))]
    return members


def _hessian(random: Random, names: list[str]) -> Json:
    members: Json = {}
    if random.random() < 0.4:
        members["variables"] = [name for name in names if random.random() < 0.5]
    if random.random() < 0.5:
        members["vector"] = _numbers(random, names)
    return members


def _numbers(random: Random, names: list[str]) -> dict[str, float]:
    """Draw numbers for about half of the names."""
    chosen = [name for name in names if random.random() < 0.5]
    return {name: random_number(random, "tame") for name in chosen}


def _order(random: Random) -> list[Any]:
    """Give ids of small graphs in any order, most of them all, sometimes with labels among them."""
    size = random.randint(1, 12)
    order: list[Any] = random.sample(range(size), random.randint(0, size))
    if random.random() < 0.2:
        order.insert(random.randint(0, len(order)), random.choice(LABELS))
    return order


MEMBERS = {
    **dict.fromkeys(("experiment", "paths", "check"), _of_documents),
    "descend": _descent,
    "hessian": _hessian,
}
