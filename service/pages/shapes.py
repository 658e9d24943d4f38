"""JSON Schemas -> tables of members, for people."""

import json
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from service.openapi.plain import PLACES

Json = dict[str, Any]

_BRIEFLY = 5


class Member(NamedTuple):
    """A row: a member of an object."""

    name: str
    type: Markup
    required: bool
    description: str


class Table(NamedTuple):
    """The members of one schema; types link to the anchor."""

    anchor: str
    title: str
    description: str
    members: list[Member]


class Shapes:
    """The schemas of an OpenAPI document with plain references."""

    def __init__(self, openapi: Json) -> None:
        """Take the document."""
        self.schemas: Json = openapi["components"]["schemas"]

    def tables(self) -> list[Table]:
        """Give a table for each object among the schemas."""
        return [
            Table(name.lower(), name, shape.get("description", ""), self._members(shape))
            for name, shape in self.schemas.items()
            if "properties" in shape
        ]

    def type_of(self, schema: Json) -> Markup:
        """Describe in a few words what a schema accepts, with a link to its table if it has one."""
        if "$ref" in schema:
            return self._reference(schema["$ref"])
        for several in ("oneOf", "anyOf"):
            if several in schema:
                return Markup(" or ").join(self.type_of(one) for one in schema[several])
        if "enum" in schema or "const" in schema:
            return _choices(schema.get("enum") or [schema["const"]])
        kinds = schema.get("type", "anything")
        if kinds == "array":
            return Markup("array of {}").format(self.type_of(schema.get("items", {})))
        entries = schema.get("additionalProperties")
        if kinds == "object" and isinstance(entries, dict):
            return Markup("object of {}").format(self.type_of(entries))
        return escape(kinds if isinstance(kinds, str) else " or ".join(kinds))

    def _members(self, shape: Json) -> list[Member]:
        required = shape.get("required", [])
        return [
            Member(key, self.type_of(one), key in required, one.get("description", ""))
            for key, one in shape["properties"].items()
        ]

    def _reference(self, reference: str) -> Markup:
        """Link to the table of a schema, or describe a schema without one."""
        name = reference.removeprefix(PLACES)
        if "properties" in self.schemas[name]:
            return Markup('<a href="#{}">{}</a>').format(name.lower(), name)
        return self.type_of(self.schemas[name])


def _choices(values: list[Any]) -> Markup:
    shown = Markup(" | ").join(
        Markup("<code>{}</code>").format(json.dumps(value)) for value in values[:_BRIEFLY]
    )
    return shown + " | …" if len(values) > _BRIEFLY else shown
