"""OpenAPI document and JSON values -> the variables and filters of the pages' templates."""

import json
import re
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlencode

from markupsafe import Markup, escape

from engine_py import introspect
from service.config import Config
from service.openapi import (
    ON_EVERY_REPLY,
    ON_EVERY_ROUTE,
    PLACES,
    build_openapi,
    table,
    with_plain_references,
)
from service.reply import EXPLAINED

Json = dict[str, Any]

_EXAMPLE: Json = {"expression": "(a + b) * c", "values": {"a": 2, "b": -3, "c": 10}}
_QUERY = {"expression": _EXAMPLE["expression"], **_EXAMPLE["values"]}

_WIDTH = 104
_TOKEN = re.compile(
    r'(?P<key>"(?:[^"\\]|\\.)*")(?=\s*:)|(?P<string>"(?:[^"\\]|\\.)*")'
    r"|(?P<number>-?\b[0-9][0-9.eE+-]*)|(?P<word>\b(?:true|false|null)\b)"
)
_BRIEFLY = 5


def reference(config: Config) -> Json:
    """Return the variables of docs.html."""
    openapi = with_plain_references(build_openapi())
    schemas = openapi["components"]["schemas"]
    return {
        "openapi": openapi,
        "on_every_reply": ON_EVERY_REPLY,
        "on_every_route": ON_EVERY_ROUTE,
        "schemas": schemas,
        "type_of": partial(type_of, schemas=schemas),
        "resolved": partial(_resolved, openapi),
        "operations": table("operations"),
        "url": config.url,
        "limits": config.published_limits(),
        "example": _EXAMPLE,
        "document": introspect(**_EXAMPLE),
        "query": _QUERY,
        "picture": f"/v1/gradient?{urlencode({**_QUERY, 'format': 'svg'})}",
    }


def _resolved(openapi: Json, part: Json) -> Json:
    """Follow the reference of a part of the document, if it is one."""
    if "$ref" not in part:
        return part
    found = openapi
    for step in part["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return found


def type_of(schema: Json, schemas: Json) -> Markup:
    """Describe briefly what a schema accepts, with a link to the schema of an object."""
    describe = partial(type_of, schemas=schemas)
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(PLACES)
        if "properties" in schemas[name]:
            return Markup('<a href="#{}">{}</a>').format(name.lower(), name)
        schema = schemas[name]
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return Markup(" or ").join(map(describe, schema[several]))
    if "enum" in schema or "const" in schema:
        return _choices(schema.get("enum") or [schema["const"]])
    kinds = schema.get("type", "anything")
    if kinds == "array":
        return Markup("array of {}").format(describe(schema.get("items", {})))
    entries = schema.get("additionalProperties")
    if kinds == "object" and isinstance(entries, dict):
        return Markup("object of {}").format(describe(entries))
    return escape(kinds if isinstance(kinds, str) else " or ".join(kinds))


def _choices(values: list[Any]) -> Markup:
    shown = Markup(" | ").join(
        Markup("<code>{}</code>").format(json.dumps(value)) for value in values[:_BRIEFLY]
    )
    return shown + " | …" if len(values) > _BRIEFLY else shown


def prose(text: str) -> Markup:
    """Mark text between backticks as code, and link codes of problems to their pages."""
    code = Markup("<code>{}</code>")
    link = Markup('<a href="/problems/{0}"><code>{0}</code></a>')
    words, *rest = (escape(piece) for piece in text.split("`"))
    for index, piece in enumerate(rest):
        words += piece if index % 2 else (link if piece in EXPLAINED else code).format(piece)
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
