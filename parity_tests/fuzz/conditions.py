"""random.Random + call -> the same call with members for the lab: orders, passes, claims."""

from random import Random
from typing import Any

from parity_tests.fuzz.damage import BAD_VALUES
from parity_tests.fuzz.random_numbers import random_number
from parity_tests.kit.worker import Call, Json

LABELS = ("n0", "n1", "root", "a", "x1")


def with_conditions(random: Random, call: Call) -> Call:
    """Add members that `experiment`, `paths` and `check` read; leave other commands as they are."""
    command, request, limits = call
    if command not in ("experiment", "paths", "check"):
        return call
    values = request["values"]
    names = sorted(values) if isinstance(values, dict) else []
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
            chosen = [name for name in names if random.random() < 0.5]
            members[member] = {name: random_number(random, "tame") for name in chosen}
    if random.random() < 0.1:
        members[random.choice(sorted(members))] = random.choice(BAD_VALUES)
    return command, {**request, **members}, limits


def _order(random: Random) -> list[Any]:
    """Give ids of small graphs in any order, most of them all, sometimes with labels among them."""
    size = random.randint(1, 12)
    order: list[Any] = random.sample(range(size), random.randint(0, size))
    if random.random() < 0.2:
        order.insert(random.randint(0, len(order)), random.choice(LABELS))
    return order
