"""Schemas -> where a response has prose, which nothing compares.

A member whose schema says `"x-prose": true` is for people and may change (CONTRACT.md R30).
"""

import json
from functools import cache
from typing import Any

from parity_tests.kit.engines import SCHEMAS

Places = dict[str, Any]
"""Members by name, `*` for any item or other member; True where prose stands."""

URN = "urn:gradient-service:schema:"


def without_prose(value: Any, places: Places) -> Any:
    """Leave out the members that are prose."""
    if not places:
        return value
    if isinstance(value, dict):
        within: Places = {name: places.get(name, places.get("*", {})) for name in value}
        return {
            name: without_prose(member, within[name])
            for name, member in value.items()
            if within[name] is not True
        }
    if isinstance(value, list):
        return [without_prose(item, places.get("*", {})) for item in value]
    return value


@cache
def prose_of(schema: str) -> Places:
    """Give the places of a file in schemas/."""
    places: Places = _referred(f"{URN}{schema}", schema)
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
    """Follow a reference within a file, or to another."""
    name, _, pointer = reference.partition("#")
    file = name.removeprefix(URN) or file
    schema = json.loads((SCHEMAS / f"{file}.schema.json").read_text(encoding="utf-8"))
    for step in pointer.split("/")[1:]:
        schema = schema[step]
    return _places(schema, file)
