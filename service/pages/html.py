"""JSON Schemas, JSON values and plain text -> HTML for the templates."""

import json
import re
from collections.abc import Callable
from typing import Any, NamedTuple

from markupsafe import Markup, escape

from service.openapi import PLACES

Json = dict[str, Any]

_WIDTH = 104
_TOKEN = re.compile(
    r'(?P<key>"(?:[^"\\]|\\.)*")(?=\s*:)|(?P<string>"(?:[^"\\]|\\.)*")'
    r"|(?P<number>-?\b[0-9][0-9.eE+-]*)|(?P<word>\b(?:true|false|null)\b)"
)
_BRIEFLY = 5


def prose(text: str) -> Markup:
    """Mark text between backticks as code."""
    words, *rest = (escape(piece) for piece in text.split("`"))
    for index, piece in enumerate(rest):
        words += piece if index % 2 else Markup("<code>{}</code>").format(piece)
    return Markup(words)  # noqa: S704 - every piece is escaped


def pretty(value: Any, indent: str = "") -> str:
    """Write JSON with lines as full as possible: a node or an edge takes a line or two."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(flat) <= _WIDTH or not isinstance(value, (dict, list)):
        return flat
    deeper = indent + "  "
    if isinstance(value, dict):
        items = [f"{json.dumps(name)}: {pretty(item, deeper)}" for name, item in value.items()]
        if len(flat) <= 2 * _WIDTH and "\n" not in "".join(items):
            return _filled(items, indent + " ")
        opening, closing = "{}"
    else:
        items = [pretty(item, deeper) for item in value]
        opening, closing = "[]"
    inner = ",\n".join(deeper + item for item in items)
    return f"{opening}\n{inner}\n{indent}{closing}"


def _filled(items: list[str], indent: str) -> str:
    lines = [""]
    for item in items:
        if lines[-1] and len(indent) + len(lines[-1]) + len(item) > _WIDTH:
            lines.append("")
        lines[-1] += f"{item}, "
    text = f"\n{indent}".join(line.rstrip() for line in lines)
    return f"{{{text[:-1]}}}"


def coloured(text: str) -> Markup:
    """Mark the keys, strings, numbers and words of JSON in a text."""
    pieces, end = Markup(), 0
    for token in _TOKEN.finditer(text):
        pieces += text[end : token.start()]
        pieces += Markup('<span class="{}">{}</span>').format(token.lastgroup, token[0])
        end = token.end()
    return pieces + text[end:]


FILTERS: dict[str, Callable[..., str]] = {"prose": prose, "pretty": pretty, "coloured": coloured}


class Member(NamedTuple):
    """A row of a table: a member of an object."""

    name: str
    type: Markup
    required: bool
    description: str


class Table(NamedTuple):
    """The members of one schema; types link to `anchor`."""

    anchor: str
    title: str
    description: str
    members: list[Member]


class Shapes:
    """The schemas of an OpenAPI document with plain references."""

    def __init__(self, openapi: Json) -> None:
        self.schemas: Json = openapi["components"]["schemas"]

    def tables(self) -> list[Table]:
        """Make a table for each object among the schemas."""
        return [
            Table(name.lower(), name, shape.get("description", ""), self._members(shape))
            for name, shape in self.schemas.items()
            if "properties" in shape
        ]

    def type_of(self, schema: Json) -> Markup:
        """Describe briefly what a schema accepts, with a link to its table if it has one."""
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
