"""Two JSON values -> the first place where they differ, to the bit.

Every JSON number is a double here: 2 and 2.0 are equal, -0.0 and 0.0 are not. A member whose schema
says `"x-prose": true` is text for people and is not compared (CONTRACT.md R30).
"""

import json
import struct
from collections.abc import Callable, Mapping
from functools import cache
from math import copysign
from typing import Any, NamedTuple

from parity_tests.kit.contract import load_results
from parity_tests.kit.engines import SCHEMAS

Prose = dict[str, Any]
"""Members by name, `*` for any item or other member; True marks prose."""


class Absent:
    """Stands for a missing member or item."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT = Absent()
NUMBERS = (int, float)
"""The types that JSON numbers have in Python; true and false have another."""
CONTAINERS = (dict, list)
SHOWN = 80
"""Characters of a value that a difference shows."""


class Difference(NamedTuple):
    """The first place where two values differ, as an RFC 6901 pointer, and both values there."""

    pointer: str
    expected: Any
    actual: Any

    def __str__(self) -> str:
        """Show it on three lines; numbers that are not both whole also with bits and distance."""
        expected, actual, distance = *_from_difference(self.expected, self.actual), ""
        shown: Callable[[Any], str] = _shown
        if _are_counts(self.expected, self.actual):
            shown = "{:.0f}".format
        elif type(self.expected) in NUMBERS and type(self.actual) in NUMBERS:
            distance = f", {distance_between(self.expected, self.actual)}"
        return (
            f"at {self.pointer or 'the top'}\n"
            f"  expected {shown(expected)}\n"
            f"  actual   {shown(actual)}{distance}"
        )

    def within(self, key: str | int) -> "Difference":
        """Return the difference seen from one level higher: `key` is prepended to the pointer."""
        step = str(key).replace("~", "~0").replace("/", "~1")
        return self._replace(pointer=f"/{step}{self.pointer}")


def first_difference(
    expected: object, actual: object, *, partial: bool = False
) -> Difference | None:
    """Find the first difference, in the order of the members of `expected`; None if there is none.

    With `partial`, `actual` may have more members than expected, at any depth, but never more items
    (the `expect.document` of `fixture.schema.json`).
    """
    if isinstance(expected, dict) and isinstance(actual, dict):
        ours, theirs = expected, actual
    elif isinstance(expected, list) and isinstance(actual, list):
        ours, theirs = dict(enumerate(expected)), dict(enumerate(actual))
    else:
        return None if _same(expected, actual) else Difference("", expected, actual)
    for key, one in ours.items():
        other = theirs.get(key, ABSENT)
        # Most members are equal leaves, and a call for each would take most of the time.
        if one is other or (type(one) not in CONTAINERS and _same(one, other)):
            continue
        found = first_difference(one, other, partial=partial)
        if found is not None:
            return found.within(key)
    if len(theirs) > len(ours) and not (partial and ours is expected):
        extra = next(key for key in theirs if key not in ours)
        return Difference("", ABSENT, theirs[extra]).within(extra)
    return None


WITHOUT_SCHEMA = ("canonicalize", "evaluate", "picture")
"""Commands whose results have no prose; the protocol's own schema describes them."""


def outcome(response: Mapping[str, Any], command: str) -> dict[str, Any]:
    """Return the part of a response to a command that is compared: all except prose."""
    kind = response["kind"]
    if kind in ("result", "error"):
        name = load_results().get(command, command) if kind == "result" else kind
        return {name: without_prose(response[kind], prose_in(kind, command))}
    ignored = ("kind", "sequence", "message")
    return {kind: {member: response[member] for member in response if member not in ignored}}


def prose_in(kind: str, command: str) -> Prose:
    """Return where a result of `command`, or an error, has prose."""
    if kind == "error":
        return prose_of("error")
    return {} if command in WITHOUT_SCHEMA else prose_of(load_results()[command])


def bits(number: float) -> str:
    """Return the 16 hex digits of the nearest double, big-endian."""
    return struct.pack(">d", _as_double(number)).hex()


def ulps_between(one: float, other: float) -> int:
    """Count the steps between neighbouring doubles from one to the other; -0 and 0 are the same."""
    return abs(_place(one) - _place(other))


def distance_between(one: float, other: float) -> str:
    """Describe how far two numbers are apart: in steps between doubles, or by their signs."""
    if copysign(1.0, _as_double(one)) != copysign(1.0, _as_double(other)) and one != other:
        return "of the other sign" if one == -other else "of another size and sign"
    return f"{ulps_between(one, other)} ulp away"


def _same(one: Any, other: Any) -> bool:
    if type(one) in NUMBERS and type(other) in NUMBERS:
        return one == other != 0 or bits(one) == bits(other)
    return type(one) is type(other) and bool(one == other)


def _are_counts(one: Any, other: Any) -> bool:
    """True for two different whole numbers, such as offsets: bits and distance say nothing more."""
    both = (one, other)
    return one != other and all(
        type(each) in NUMBERS and abs(each) < 2**53 and each == int(each) for each in both
    )


def _as_double(number: float) -> float:
    try:
        return float(number)
    except OverflowError:  # an integer beyond the largest double
        return float("inf") if number > 0 else float("-inf")


def _place(number: float) -> int:
    magnitude = int(bits(abs(number)), 16)
    return -magnitude if bits(number) >= "8" else magnitude


def _from_difference(expected: Any, actual: Any) -> tuple[Any, Any]:
    """Leave out the common beginning of two long texts."""
    if not (isinstance(expected, str) and isinstance(actual, str)):
        return expected, actual
    pairs = enumerate(zip(expected, actual, strict=False))
    shared = next((place for place, (one, other) in pairs if one != other), 0)
    start = max(0, shared - SHOWN // 2)
    return expected[start:], actual[start:]


def _shown(value: Any) -> str:
    if type(value) in NUMBERS:
        return f"{_as_double(value)!r} = {bits(value)}"
    if isinstance(value, Absent):
        return repr(value)
    text = json.dumps(value)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."


# --- prose ----------------------------------------------------------------------------------------

URN = "urn:gradient-service:schema:"


def without_prose(value: Any, places: Prose) -> Any:
    """Return the value without the members that are prose."""
    if not places:
        return value
    if isinstance(value, dict):
        within: Prose = {name: places.get(name, places.get("*", {})) for name in value}
        return {
            name: without_prose(member, within[name])
            for name, member in value.items()
            if within[name] is not True
        }
    if isinstance(value, list):
        return [without_prose(item, places.get("*", {})) for item in value]
    return value


@cache
def prose_of(schema: str) -> Prose:
    """Return where a schema of schemas/ has prose."""
    places: Prose = _referred(f"{URN}{schema}", schema)
    return places


def _places(schema: Any, file: str) -> Any:
    if not isinstance(schema, dict):
        return {}
    if schema.get("x-prose"):
        return True
    parts: list[tuple[str, Any]] = list(schema.get("properties", {}).items())
    parts += [("*", schema[name]) for name in ("items", "additionalProperties") if name in schema]
    found: Any = {name: places for name, part in parts if (places := _places(part, file))}
    for same in [*schema.get("oneOf", []), *schema.get("anyOf", []), *schema.get("allOf", [])]:
        found = _merged(found, _places(same, file))
    return _merged(found, _referred(schema["$ref"], file)) if "$ref" in schema else found


def _merged(one: Any, other: Any) -> Any:
    if True in (one, other):
        return True
    return {name: _merged(one.get(name, {}), other.get(name, {})) for name in one | other}


def _referred(reference: str, file: str) -> Any:
    """Follow a `$ref` within a schema file or into another."""
    name, _, pointer = reference.partition("#")
    file = name.removeprefix(URN) or file
    schema = json.loads((SCHEMAS / f"{file}.schema.json").read_text(encoding="utf-8"))
    for step in pointer.split("/")[1:]:
        schema = schema[step]
    return _places(schema, file)
