"""random.Random + program + command -> a request of the command, drawn from its schema.

So a member that a schema gains is tried at once. One request in seven is spoiled somewhere.
"""

from functools import cache
from math import inf
from random import Random
from typing import Any

from parity_tests.fuzz.damage import BAD_VALUES
from parity_tests.fuzz.random_numbers import random_number
from parity_tests.kit.cases import read_json
from parity_tests.kit.engines import SCHEMAS
from parity_tests.kit.worker import Call, Json

LABELS = ("n0", "n1", "root", "a", "b", "x1")
OF_THE_PROGRAM = ("expression", "values", "parameters", "view")
NONSENSE = (*BAD_VALUES, 0, -0.0, 1, 1.5, -1, 3, 1e16, 1e300, "a", "0", [], ["a", "a"], {"a": 1})


def with_members(random: Random, call: Call) -> Call:
    """Add members to the request of a program, as the schema of the call's command has them."""
    command, program, limits = call
    schema = _schema_of(command)
    values = program["values"]
    if schema is None or not isinstance(values, dict):
        return call
    draw = _Draw(random, schema, sorted(values))
    request = dict(program)
    for name, part in schema["properties"].items():
        of_program = name in OF_THE_PROGRAM
        if not of_program and (name in schema["required"] or random.random() < 0.5):
            request[name] = draw.any_of(part)
    if command == "sweep":
        each = schema["properties"]["values"]["additionalProperties"]
        request["values"] = {name: draw.any_of(each) for name in values}
    if "parameters" in schema["required"]:
        request["parameters"] = [name for name in values if random.random() < 0.6]
    if random.random() < 1 / 7:
        for _ in range(random.choice([1, 1, 2])):
            _spoil(random, request)
    if random.random() < 0.1:
        limits = {**(limits or {}), random.choice(_limits()): random.randint(0, 60)}
    return command, request, limits


class _Draw:
    """Draws what a schema allows, with the program's names, in one mood of numbers."""

    def __init__(self, random: Random, schema: Json, names: list[str]) -> None:
        self.random, self.schema, self.names = random, schema, names
        self.mood = random.choice(["tame", "tame", "wide", "edgy"])
        self.length = random.randint(1, 4)
        """Of all lists, nearly always: the columns of a sweep have one length."""

    def any_of(self, part: Json) -> Any:
        if "$ref" in part:
            return self.any_of(_resolved(part["$ref"], self.schema))
        if "const" in part:
            return part["const"]
        for choices in ("enum", "oneOf"):
            if choices in part:
                chosen = self.random.choice(part[choices])
                return chosen if choices == "enum" else self.any_of(chosen)
        return getattr(self, part["type"])(part)

    def null(self, _part: Json) -> None:
        return None

    def string(self, _part: Json) -> str:
        return self.random.choice([*self.names, *self.names, *LABELS])

    def boolean(self, _part: Json) -> bool:
        return self.random.random() < 0.5

    def integer(self, part: Json) -> int:
        beyond = self.random.choice([0, 0, 1, 1, 2, 3, self.random.randint(0, 9)])
        return int(part["minimum"]) + beyond

    def number(self, part: Json) -> float:
        least, most = float(part.get("minimum", -inf)), float(part.get("maximum", inf))
        if "exclusiveMaximum" in part:  # a share
            return self.random.choice([0, 0.5, 0.9, self.random.random()])
        number = random_number(self.random, self.mood)
        if "exclusiveMinimum" in part:
            return abs(number) or 1e-8
        return min(max(abs(number) if least == 0 else number, least), most)

    def array(self, part: Json) -> list[Any]:
        length = self.length if self.random.random() < 0.98 else self.length + 1
        if not part.get("uniqueItems"):
            return [self.any_of(part["items"]) for _ in range(length)]
        if "oneOf" in part["items"]:  # ids and labels of a small graph: any order of some of them
            size = self.random.randint(1, 12)
            items: list[Any] = self.random.sample(range(size), self.random.randint(0, size))
            labels = self.random.random() < 0.2
            return [*items, self.random.choice(LABELS)] if labels else items
        return self.random.sample(self.names, self.random.randint(0, len(self.names)))

    def object(self, part: Json) -> Json:
        if "properties" in part:
            return {name: self.any_of(each) for name, each in part["properties"].items()}
        names = [name for name in self.names if self.random.random() < 0.5]
        return {name: self.any_of(part["additionalProperties"]) for name in names}


def _spoil(random: Random, request: Json) -> None:
    """Put nonsense in the place of a member, or of something inside it; or leave it out."""
    inside: Any = request
    while inside:
        places = list(inside) if isinstance(inside, dict) else list(range(len(inside)))
        if inside is request:
            places = [name for name in places if name != "expression"] or ["expression"]
        place = random.choice(places)
        if isinstance(inside[place], dict | list) and inside[place] and random.random() < 0.7:
            inside[place] = inside[place].copy()
            inside = inside[place]
            continue
        way = random.random()
        if way < 0.2:
            del inside[place]
        elif way < 0.4 and isinstance(inside, dict):
            inside[random.choice(["a", "step", "q", "1", "é"])] = random.choice(NONSENSE)
        else:
            inside[place] = random.choice(NONSENSE)
        return


@cache
def _schema_of(command: str) -> Json | None:
    file = SCHEMAS / f"{command}_request.schema.json"
    return _schema(file.name) if file.exists() else None


@cache
def _schema(name: str) -> Json:
    schema: Json = read_json(SCHEMAS / name)
    return schema


@cache
def _limits() -> tuple[str, ...]:
    """Name the limits that a line of the protocol may hand over."""
    run, *_ = _schema("protocol.schema.json")["$defs"]["run"]["oneOf"]
    return tuple(run["properties"]["limits"]["properties"])


def _resolved(reference: str, schema: Json) -> Json:
    """Give what a `$ref` names, in this schema or in another of the folder."""
    file, _, path = reference.partition("#")
    found: Any = _schema(f"{file.split(':')[-1]}.schema.json") if file else schema
    for step in path.split("/")[1:]:
        found = found[step]
    return dict(found)
