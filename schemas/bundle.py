"""The contract's JSON Schemas -> one, in which each schema and each definition has a name.

    python -m schemas.bundle > gradient.schema.json

The schemas of this folder refer to one another by `$id`. Most tools that read schemas, such as code
generators, follow references within one document only.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

Json = dict[str, Any]

NAMES = "urn:gradient-service:schema:"
"""Begins the `$id` of each schema; its name follows."""

_FOLDER, _SUFFIX = Path(__file__).parent, ".schema.json"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_DEFINITIONS = "#/$defs/"
_DROPPED = ("$schema", "$id", "$defs", "x-prose")

_CLEARER = {
    "request": "gradient_request",
    "document": "gradient_document",
    "node": "graph_node",
    "edge": "graph_edge",
    "path": "graph_path",
}
"""Clearer names of schemas: their own would hide types of browsers or of Python's library."""


def schema(name: str) -> Json:
    """Read a schema of the contract."""
    read: Json = json.loads((_FOLDER / f"{name}{_SUFFIX}").read_text("utf-8"))
    return read


def bundle() -> Json:
    """Return one schema with all of the contract's, by name, under `$defs`."""
    names = sorted(file.name.removesuffix(_SUFFIX) for file in _FOLDER.glob(f"*{_SUFFIX}"))
    named = Named({name: schema(name) for name in names}, _DEFINITIONS)
    return {"$schema": _DIALECT, "$id": f"{NAMES}all", "$defs": named.schemas()}


class Named:
    """Schemas by the names of their places in one document.

    Every definition in a schema gets a place, and a reference to a part of a schema becomes a copy
    of the part. Members lose `default`, because generators make such a member required, and unions
    lose a member that any value fits, because generators make the whole union such.
    """

    def __init__(self, schemas: Mapping[str, Json], home: str) -> None:
        """Take schemas by their names, and `home`, the pointer to their new places."""
        self._schemas, self._home = schemas, home
        self._titles = _titles(schemas)

    def schemas(self) -> Json:
        """Return all schemas and definitions by their new names."""
        return {
            title: _titled(self.copy(self._found(place), place.partition("#")[0]), title)
            for place, title in self._titles.items()
        }

    def copy(self, value: Any, schema: str = "") -> Any:
        """Copy a value from the schema named `schema`, or, if that is empty, from elsewhere."""
        if isinstance(value, list):
            return [self.copy(item, schema) for item in value]
        if not isinstance(value, dict):
            return value
        copied = {key: self.copy(one, schema) for key, one in value.items() if key not in _DROPPED}
        if isinstance(copied.get("properties"), dict):
            copied["properties"] = {
                name: _without_default(one) for name, one in copied["properties"].items()
            }
        if isinstance(copied.get("anyOf"), list):
            copied["anyOf"] = [one for one in copied["anyOf"] if one.keys() != {"description"}]
        if not isinstance(copied.get("$ref"), str):
            return copied
        return self._referring(copied, copied.pop("$ref"), schema)

    def _referring(self, others: Json, reference: str, schema: str) -> Json:
        place = self._place(reference, schema)
        if place in self._titles:
            return {"$ref": self._home + self._titles[place], **others}
        if not schema and reference.startswith("#"):  # to another part of the document
            return {"$ref": reference, **others}
        return {**self.copy(self._found(place), place.partition("#")[0]), **others}

    def _place(self, reference: str, schema: str) -> str:
        """Return a reference as the schema's name, followed by `#` and its pointer, if any."""
        if reference.startswith(self._home) and self._home != _DEFINITIONS:
            return reference.removeprefix(self._home)
        address, _, pointer = reference.partition("#")
        name = address.removeprefix(NAMES) or schema
        return f"{name}#{pointer}" if pointer else name

    def _found(self, place: str) -> Any:
        name, _, pointer = place.partition("#")
        found = self._schemas[name]
        for step in pointer.split("/")[1:]:
            found = found[step]
        return found


def _titles(schemas: Mapping[str, Json]) -> dict[str, str]:
    """Return the new name of each schema and of each definition, by their places.

    A definition is called `Span`, or `SweepNumber` if several schemas define a different `number`.
    Equal definitions share a place, which is called after the first.
    """
    homes: dict[str, dict[str, str]] = {}
    for schema, name, text in _definitions(schemas):
        homes.setdefault(name, {}).setdefault(text, schema)
    titles = {}
    for schema in schemas:
        titles[schema] = _title(schema)
        for _, name, text in _definitions({schema: schemas[schema]}):
            prefix = _title(homes[name][text]) if len(homes[name]) > 1 else ""
            titles[f"{schema}#/$defs/{name}"] = prefix + _title(name)
    return titles


def _definitions(schemas: Mapping[str, Json]) -> Iterator[tuple[str, str, str]]:
    """Yield the schema, the name and the text of each definition."""
    for schema, content in schemas.items():
        for name, definition in content.get("$defs", {}).items():
            yield schema, name, json.dumps(definition, sort_keys=True)


def _title(name: str) -> str:
    return "".join(word.capitalize() for word in _CLEARER.get(name, name).split("_"))


def _titled(schema: Json, title: str) -> Json:
    """Give a schema with a title its new name, because some generators prefer the title."""
    return {**schema, "title": title} if "title" in schema else schema


def _without_default(member: Any) -> Any:
    if not isinstance(member, dict) or "default" not in member:
        return member
    kept = {key: value for key, value in member.items() if key != "default"}
    default = json.dumps(member["default"])
    return {**kept, "description": f"{member['description']} Without it: `{default}`."}


if __name__ == "__main__":
    json.dump(bundle(), sys.stdout, ensure_ascii=False, indent=1)
