"""random.Random -> requests of the other commands, drawn from their schemas, and graphs of Values.

A member that is added to a schema is covered at once. Three requests in ten are damaged.
"""

import json
import re
from collections.abc import Sequence
from functools import cache
from math import inf
from random import Random
from typing import Any

from parity_tests.fuzz.damage import about_nodes, damage_member
from parity_tests.fuzz.programs import random_number
from parity_tests.fuzz.texts import random_damaged_text
from parity_tests.kit.cases import read_json
from parity_tests.kit.compare import bits
from parity_tests.kit.contract import load_operations
from parity_tests.kit.engines import SCHEMAS
from parity_tests.kit.worker import Call, Json

LABELS = ("n0", "n1", "root", "a", "b", "x1")
NO_NUMBERS = ("7ff0000000000000", "fff0000000000000", "7ff8000000000000")
OF_THE_PROGRAM = ("expression", "values", "parameters", "view")


def with_members(random: Random, call: Call) -> Call:
    """Return the call with members drawn from the request schema of its command."""
    command, program, limits = call
    if command == "evaluate":
        return command, _evaluation(random), None
    schema = _schema_of(command)
    values = program["values"]
    if schema is None or not isinstance(values, dict):
        return call
    request, names = dict(program), sorted(values)
    loose = command == "rewrite" and isinstance(request["expression"], str)
    request |= {"expression": random_damaged_text(random)} if loose else {}
    if "parameters" in schema["required"]:
        request["parameters"] = [name for name in names if random.random() < 0.7]
        if random.random() < 0.95:
            names = [name for name in names if name not in request["parameters"]]
    draw = _Draw(random, schema, names, about_nodes(program["expression"]))
    for name, part in schema["properties"].items():
        of_program = name in OF_THE_PROGRAM
        if not of_program and (name in schema["required"] or random.random() < 0.5):
            request[name] = draw.any_of(part)
    if command == "sweep":
        each = schema["properties"]["values"]["additionalProperties"]
        request["values"] = {name: draw.any_of(each) for name in values}
    rare = OF_THE_PROGRAM[::2] if command == "sweep" else OF_THE_PROGRAM
    for _ in range(random.choice([0] * 7 + [1, 1, 2])):
        own = [name for name in request if name not in rare or random.random() < 0.1]
        if request:
            _spoil(random, request, own or [*request], _near_bounds(command))
    return command, request, {**(limits or {}), **_limits(random, command, request)} or None


def _limits(random: Random, command: str, request: Json) -> dict[str, int]:
    """Draw limits for one request in four, and for each that may take very many steps."""
    has_many = request.get("steps") in _near_bounds(command)
    if not has_many and random.random() > 0.25:
        return {}
    drawn = [name for name in _limit_names() if has_many or random.random() < 0.5]
    return {name: int(10 ** random.uniform(0, 3.5)) for name in drawn}


def _evaluation(random: Random) -> Json:
    """Draw an operation and two dozen rows of operands, a few of them infinite or NaN."""
    symbol, operation = random.choice([*load_operations().items()])
    mood = random.choice(["tame", "wide", "wide", "edgy"])
    rows = [
        [
            random.choice(NO_NUMBERS)
            if random.random() < 0.01
            else bits(random_number(random, mood))
            for _ in range(operation.arity)
        ]
        for _ in range(24)
    ]
    return {"operation": symbol, "operands": rows}


class _Draw:
    """Draws values that a schema allows, with the program's names and numbers of one mood."""

    def __init__(self, random: Random, schema: Json, names: list[str], size: int) -> None:
        self.random, self.schema, self.names, self.size = random, schema, names, size
        self.mood = random.choice(["tame", "tame", "wide", "edgy"])
        self.length = random.randint(1, 4)
        """The length of nearly all lists, because the columns of a sweep have the same length."""

    def any_of(self, part: Json) -> Any:
        if "$ref" in part:
            return self.any_of(_resolved(part["$ref"], self.schema))
        if "const" in part:
            return part["const"]
        if "enum" in part:
            return self.random.choice(part["enum"])
        if "oneOf" in part:  # a word or null among them means the default
            others = [
                each for each in part["oneOf"] if not {"const", "null"} & {*each, each.get("type")}
            ]
            return self.any_of(
                self.random.choice(others if self.random.random() < 0.7 else part["oneOf"])
            )
        return getattr(self, part["type"])(part)

    def null(self, _part: Json) -> None:
        return None

    def string(self, _part: Json) -> str:
        return self.random.choice([*self.names * 5, *LABELS])

    def boolean(self, _part: Json) -> bool:
        return self.random.random() < 0.5

    def integer(self, part: Json) -> int:
        if "maximum" in part and self.random.random() < 0.04:
            return int(part["maximum"]) - self.random.choice([0, 0, 1])
        beyond = self.random.choice([0, 0, 1, 1, 2, 3, self.random.randint(0, 9)])
        return int(part["minimum"]) + beyond

    def number(self, part: Json) -> float:
        least, most = float(part.get("minimum", -inf)), float(part.get("maximum", inf))
        if "exclusiveMaximum" in part:  # a share
            return self.random.choice([0, 0.5, 0.9, self.random.random()])
        number = random_number(self.random, self.mood)
        if self.random.random() < 0.1:
            number = self.random.choice([0.0, 0.0, 1e308])
        if "exclusiveMinimum" in part:
            return abs(number) or 1e-8
        return min(max(abs(number) if least == 0 else number, least), most)

    def array(self, part: Json) -> list[Any]:
        length = self.length if self.random.random() < 0.98 else self.length + 1
        if not part.get("uniqueItems"):
            return [self.any_of(part["items"]) for _ in range(length)]
        if "oneOf" in part["items"]:  # ids and labels of a small graph: any order of some of them
            return self.order(max(1, self.size - self.random.randint(0, 3)))
        return self.random.sample(self.names, self.random.randint(0, len(self.names)))

    def order(self, size: int) -> list[Any]:
        """Draw some ids in any order, or most of them nearly in reverse, perhaps with a label."""
        if self.random.random() < 0.4:
            items: list[Any] = self.random.sample(range(size), self.random.randint(0, size))
        else:
            items = list(range(size))[::-1]
            for _ in range(self.random.randint(0, 2)):
                items.insert(self.random.randint(0, size), items.pop(self.random.randrange(size)))
            del items[self.random.randint(1, 3 * size) :]
        if self.random.random() < 0.2:
            items.insert(self.random.randint(0, size), self.random.choice([*self.names, *LABELS]))
        return items

    def object(self, part: Json) -> Json:
        if "properties" in part:
            return {name: self.any_of(each) for name, each in part["properties"].items()}
        names = [name for name in self.names if self.random.random() < 0.5]
        return {name: self.any_of(part["additionalProperties"]) for name in names}


def _spoil(random: Random, request: Json, names: list[str], near_bounds: Sequence[float]) -> None:
    """Replace one of these members, or something inside it, by nonsense; or delete it."""
    inside: Any = request
    place: Any = random.choice(names)
    while (found := inside[place]) and isinstance(found, dict | list) and random.random() < 0.7:
        inside[place] = found.copy()
        inside = inside[place]
        place = random.choice(_places(inside))
    for _ in range(random.choice([1, 1, 1, 2])):
        damage_member(random, inside, place, near_bounds)
        if not inside:
            return
        place = random.choice(_places(inside))


def _places(inside: Any) -> list[Any]:
    return list(inside) if isinstance(inside, dict) else list(range(len(inside)))


@cache
def _schema_of(command: str) -> Json | None:
    file = SCHEMAS / f"{command}_request.schema.json"
    return _schema(file.name) if file.exists() else None


@cache
def _schema(name: str) -> Json:
    schema: Json = read_json(SCHEMAS / name)
    return schema


@cache
def _limit_names() -> tuple[str, ...]:
    """Name the limits that a line of the protocol may carry, except those of a program."""
    of_program = ("characters", "variables", "nodes")
    names = _schema("protocol.schema.json")["$defs"]["limits"]["propertyNames"]["enum"]
    return tuple(name for name in names if name not in of_program)


@cache
def _near_bounds(command: str) -> list[float]:
    """List numbers at and next to the bounds of the command's members."""
    text = json.dumps({**(_schema_of(command) or {}), "examples": None})
    found = {
        int(bound) for bound in re.findall(r'"(?:min|max|exclusiveM)[A-Za-z]*": ([0-9]+)[,}]', text)
    }
    return [bound + beyond for bound in sorted(found) for beyond in (-1, 0, 0.5, 1)]


def _resolved(reference: str, schema: Json) -> Json:
    """Resolve a `$ref` in this schema or into another of the folder."""
    file, _, path = reference.partition("#")
    found: Any = _schema(f"{file.split(':')[-1]}.schema.json") if file else schema
    for step in path.split("/")[1:]:
        found = found[step]
    return dict(found)


# Graphs of Values

VALUE_LABELS = ("a", "b", "c", "x1 * w1", "__proto__")
NAMES = ("f", "own step", "ReLU", "__proto__", "constructor")


def random_values(random: Random) -> Call:
    """Return a graph; four in ten have data assigned afterwards, and one in eight is damaged."""
    mood = random.choice(["tame", "tame", "tame", "wide", "edgy"])
    labels = random.sample(VALUE_LABELS, len(VALUE_LABELS))
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
        request["parameters"] = random.sample(VALUE_LABELS, random.randint(0, 2))
    if random.random() < 0.125:
        _spoil(random, request, [*request], ())
    return "introspect_value", request, {"nodes": 5} if random.random() < 0.05 else None


def _operation(random: Random, mood: str, count: int) -> Json:
    """Draw an operation on one or two of the last four nodes."""
    operands = [random.randrange(max(0, count - 4), count) for _ in range(random.randint(1, 2))]
    made: Json = {"label": random.choice(VALUE_LABELS)} if random.random() < 0.1 else {}
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
    """Draw new data, sometimes equal to the old."""
    return random.choice([random_number(random, mood), nodes[0]["data"], 0, -0.0])
