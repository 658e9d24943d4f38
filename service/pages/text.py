"""Plain text and JSON values -> HTML for the templates."""

import json
import re
from collections.abc import Callable
from typing import Any

from markupsafe import Markup, escape

_WIDTH = 104
_TOKEN = re.compile(
    r'(?P<key>"(?:[^"\\]|\\.)*")(?=\s*:)|(?P<string>"(?:[^"\\]|\\.)*")'
    r"|(?P<number>-?\b[0-9][0-9.eE+-]*)|(?P<word>\b(?:true|false|null)\b)"
)


def prose(text: str) -> Markup:
    """Mark text between backticks as code."""
    words, *rest = (escape(piece) for piece in text.split("`"))
    for index, piece in enumerate(rest):
        words += piece if index % 2 else Markup("<code>{}</code>").format(piece)
    return Markup(words)  # noqa: S704 - every piece is escaped


def pretty(value: Any, indent: str = "") -> str:
    """Write JSON with as much on a line as fits, so that a node or an edge takes a line or two."""
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
