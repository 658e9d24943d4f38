"""Accept header or `format` -> one way to write a document, and the document written so."""

from collections.abc import Callable
from typing import NamedTuple

from flask import Request
from werkzeug.utils import get_content_type

from engine_py import Document, draw
from engine_py.errors import InvalidRequest, LimitExceeded
from engine_py.show.diagrams import to_dot, to_mermaid
from service.errors import NotAcceptable
from service.lean import Whole
from service.reply.replies import json_bytes
from service.request.negotiation import best_type, shown_accept

_SHOWN_LENGTH = 60


class Format(NamedTuple):
    """A way to write a document."""

    name: str
    media_type: str
    write: Callable[[Document], str | bytes]
    headers: list[tuple[str, str]]


def _typed(media_type: str) -> list[tuple[str, str]]:
    return [("Content-Type", get_content_type(media_type, "utf-8"))]


JSON = Format("json", "application/json", json_bytes, _typed("application/json"))
DOT = Format("dot", "text/vnd.graphviz", to_dot, _typed("text/vnd.graphviz"))
MERMAID = Format("mermaid", "text/vnd.mermaid", to_mermaid, _typed("text/vnd.mermaid"))
SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"
"""Content Security Policy of a picture, whose style is in it; it runs and loads nothing."""


class Formats:
    """The formats of one service."""

    def __init__(self, most_nodes: int) -> None:
        """Take the size of the largest SVG."""
        headers = [*_typed("image/svg+xml"), ("Content-Security-Policy", SVG_POLICY)]
        svg = Format("svg", "image/svg+xml", _svg_writer(most_nodes), headers)
        formats = [JSON, DOT, MERMAID, svg]
        self.by_name = {each.name: each for each in formats}
        self.by_type = {each.media_type: each for each in formats}

    def choose(self, request: Request) -> Format:
        """Choose by `format`, or else by `Accept`.

        Raises:
            InvalidRequest: there is no such format.
            NotAcceptable: no format is of a media type that is accepted.
        """
        if request.query_string and (name := request.args.get("format")) is not None:
            return self._named(name)
        types = list(self.by_type)
        best = best_type(request, types)
        if best is not None:
            return self.by_type[best]
        message = f"a document cannot be written as {shown_accept(request)}; "
        raise NotAcceptable(message + f"accept {', '.join(types)}", allowed=types)

    def _named(self, name: str) -> Format:
        if name in self.by_name:
            return self.by_name[name]
        message = f"there is no format {name[:_SHOWN_LENGTH]!a}; choose {', '.join(self.by_name)}"
        raise InvalidRequest(message, pointer="/format")


def write_document(document: Document, chosen: Format) -> Whole:
    """Answer with the document in the format that was chosen."""
    text = chosen.write(document)
    return Whole(text.encode() if isinstance(text, str) else text, chosen.headers)


def _svg_writer(most_nodes: int) -> Callable[[Document], str]:
    """Size bounds the time: drawing takes some ten times as long as differentiating."""

    def write(document: Document) -> str:
        actual = len(document["nodes"])
        if actual > most_nodes:
            message = f"the graph has {actual} nodes; an SVG is drawn of at most {most_nodes}"
            raise LimitExceeded(message, name="picture_nodes", limit=most_nodes, actual=actual)
        return draw(document)

    return write
