"""Accept header or `format` -> one way to write a document, and the document written so."""

import shutil
from collections.abc import Callable
from threading import BoundedSemaphore
from typing import NamedTuple

from flask import Request, Response

from engine_py import Document
from engine_py.errors import InvalidRequest, LimitExceeded
from service.errors import NotAcceptable, Overloaded
from service.pictures import PictureTimeout, to_dot, to_mermaid, to_svg
from service.replies import json_bytes

_SVG_SECONDS = 3.0
_DRAWN_AT_ONCE = 2
_SHOWN_LENGTH = 60


class Format(NamedTuple):
    """A way to write a document."""

    name: str
    media_type: str
    write: Callable[[Document], str | bytes]


JSON = Format("json", "application/json", json_bytes)
DOT = Format("dot", "text/vnd.graphviz", to_dot)
MERMAID = Format("mermaid", "text/vnd.mermaid", to_mermaid)
SVG = "svg"
SVG_TYPE = "image/svg+xml"


class Formats:
    """The formats of one service; SVG is among them where Graphviz is installed."""

    def __init__(self, most_nodes: int, program: str | None = shutil.which("dot")) -> None:
        """Take the size of the largest SVG and the program that lays it out."""
        formats = [JSON, DOT, MERMAID]
        if program:
            formats.append(Format(SVG, SVG_TYPE, _svg_writer(program, most_nodes)))
        self.by_name = {each.name: each for each in formats}
        self.by_type = {each.media_type: each for each in formats}

    def choose(self, request: Request) -> Format:
        """Choose by `format`, or else by `Accept`.

        Raises:
            InvalidRequest: there is no such format.
            NotAcceptable: there is, but not here.
        """
        if request.query_string and (name := request.args.get("format")) is not None:
            return self._named(name)
        accepted = request.environ.get("HTTP_ACCEPT") or "*/*"
        if accepted in ("*/*", JSON.media_type):
            return JSON
        best = request.accept_mimetypes.best_match(list(self.by_type))
        if best is not None:
            return self.by_type[best]
        if SVG_TYPE in accepted:
            raise self._no_svg()
        message = f"a document cannot be written as {accepted[:_SHOWN_LENGTH]!a}; "
        raise self._not_acceptable(message + f"accept {', '.join(self.by_type)}")

    def _named(self, name: str) -> Format:
        if name in self.by_name:
            return self.by_name[name]
        if name == SVG:
            raise self._no_svg()
        message = f"there is no format {name[:_SHOWN_LENGTH]!a}; choose {', '.join(self.by_name)}"
        raise InvalidRequest(message, pointer="/format")

    def _no_svg(self) -> NotAcceptable:
        message = "SVG needs Graphviz, which is not installed here; take the format dot and draw it"
        return self._not_acceptable(message)

    def _not_acceptable(self, message: str) -> NotAcceptable:
        return NotAcceptable(message, allowed=list(self.by_type))


def write_document(document: Document, chosen: Format) -> Response:
    """Answer with the document in the format that was chosen."""
    return Response(chosen.write(document), mimetype=chosen.media_type)


def _svg_writer(program: str, most_nodes: int) -> Callable[[Document], bytes]:
    """Layouts are bounded by size, by number and by time, which size alone does not tell."""
    drawing = BoundedSemaphore(_DRAWN_AT_ONCE)

    def write(document: Document) -> bytes:
        actual = len(document["nodes"])
        if actual > most_nodes:
            message = f"the graph has {actual} nodes; an SVG is drawn of at most {most_nodes}"
            raise LimitExceeded(message, name="picture_nodes", limit=most_nodes, actual=actual)
        if not drawing.acquire(blocking=False):
            message = (
                f"{_DRAWN_AT_ONCE} SVGs are being drawn, no more at once; try again, or take dot"
            )
            raise Overloaded(message, limit=_DRAWN_AT_ONCE, actual=_DRAWN_AT_ONCE + 1)
        try:
            return to_svg(to_dot(document), program, _SVG_SECONDS)
        except PictureTimeout as fault:
            raise NotAcceptable(str(fault), allowed=[JSON.media_type, DOT.media_type]) from None
        finally:
            drawing.release()

    return write
