"""Document -> reply: its format, its members, its caching.

marshmallow's dump takes 50 times as long as orjson, so tests check the schemas of replies instead.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeVar, cast

import mimeparse
import orjson
from flask import Request, Response, request

from engine_py import GradientDocument, draw
from engine_py.errors import InvalidRequest, LimitExceeded
from engine_py.show.diagrams import to_dot, to_mermaid
from service.errors import NotAcceptable
from service.request import nearest, shown

_ROWS = 1_000
"""Entries of a list that are written at once, in about half a millisecond."""

_CONDITION = "HTTP_IF_NONE_MATCH"


def json_bytes(content: Mapping[str, Any]) -> bytes:
    """Write JSON, with a newline at the end for terminals."""
    nodes = content.get("nodes")
    written = _in_parts(content) if type(nodes) is list and len(nodes) > _ROWS else content
    return orjson.dumps(written, option=orjson.OPT_APPEND_NEWLINE)


def _in_parts(content: Mapping[str, Any]) -> dict[str, Any]:
    """Write long lists in parts: no other thread can run while orjson writes."""

    def written(member: Any) -> Any:
        if type(member) is dict:
            return _in_parts(member)
        if type(member) is not list or len(member) <= _ROWS:
            return member
        return orjson.Fragment(b"[" + b"".join(written_entries(member)) + b"]")

    return {name: written(member) for name, member in content.items()}


def written_entries(values: Iterable[Any]) -> Iterator[bytes]:
    """Write the entries of an array, `_ROWS` at a time."""
    rest, comma = iter(values), b""
    while rows := list(islice(rest, _ROWS)):
        yield comma + orjson.dumps(rows)[1:-1]
        comma = b","


def json_reply(
    content: Mapping[str, Any], status: int = 200, mimetype: str = "application/json"
) -> Response:
    """Answer with JSON."""
    return Response(json_bytes(content), status, mimetype=mimetype)


def cacheable_reply(response: Response, seconds: int, tag: str | None = None) -> Response:
    """Let caches keep a reply for `seconds`; reply 304 if the client has it already."""
    if tag:
        response.set_etag(tag)
    else:
        response.add_etag()
    response.cache_control.public = True
    response.cache_control.max_age = seconds
    # Only If-None-Match: If-Match protects resources that can change, and none here can.
    condition = {name: request.environ.get(name, "") for name in ("REQUEST_METHOD", _CONDITION)}
    response.make_conditional(condition)
    del response.headers["Date"]  # the server adds it to every reply
    return response


def best_type(request: Request, media_types: list[str]) -> str | None:
    """Return the type that the client prefers, the first of a tie, or None if it accepts none.

    A header that is not a list of media types is ignored.
    """
    header = request.environ.get("HTTP_ACCEPT", "").lower()
    if header in ("", "*/*", media_types[0]) or not header.strip(" ,"):
        return media_types[0]
    try:
        # mimeparse returns the last of a tie.
        return mimeparse.best_match(media_types[::-1], header) or None
    except mimeparse.MimeTypeParseException:
        return media_types[0]


def shown_accept(request: Request) -> str:
    """Return the header as messages quote it."""
    return shown(request.environ["HTTP_ACCEPT"])


class Format(NamedTuple):
    """A format of documents."""

    name: str
    media_type: str
    write: Callable[[GradientDocument], str | bytes]
    content_type: str
    is_slow: bool = False
    """Whether writing takes longer than computing."""
    policy: str = ""
    """Its Content Security Policy, if it is not the service's."""


JSON = Format("json", "application/json", json_bytes, "application/json")
DOT = Format("dot", "text/vnd.graphviz", to_dot, "text/vnd.graphviz; charset=utf-8")
MERMAID = Format("mermaid", "text/vnd.mermaid", to_mermaid, "text/vnd.mermaid; charset=utf-8")
SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"
"""A picture's Content Security Policy: its style is inline, and it runs and loads nothing."""


class Formats:
    """The formats of one service."""

    def __init__(self, most_nodes: int) -> None:
        write, svg = _svg_writer(most_nodes), "image/svg+xml"
        content_type = f"{svg}; charset=utf-8"
        picture = Format("svg", svg, write, content_type, is_slow=True, policy=SVG_POLICY)
        formats = [JSON, DOT, MERMAID, picture]
        self.by_name = {each.name: each for each in formats}
        self.by_type = {each.media_type: each for each in formats}

    def choose(self, request: Request) -> Format:
        """Choose by the parameter `format`, or else by `Accept`.

        Raises:
            InvalidRequest: the format is unknown.
            NotAcceptable: the client accepts none of the media types.
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
        known = list(self.by_name)
        message = f"there is no format {shown(name)}; {nearest(name, known)}"
        raise InvalidRequest(f"{message}choose {', '.join(known)}", pointer="/format")


def write_document(document: GradientDocument, chosen: Format) -> Response:
    """Answer with the document in the chosen format."""
    response = Response(chosen.write(document), content_type=chosen.content_type)
    if chosen.policy:
        response.headers["Content-Security-Policy"] = chosen.policy
    return response


def _svg_writer(most_nodes: int) -> Callable[[GradientDocument], str]:
    """Return a writer that bounds the nodes: drawing takes ten times as long as differentiating."""

    def write(document: GradientDocument) -> str:
        actual = len(document["nodes"])
        if actual > most_nodes:
            message = f"the graph has {actual} nodes; an SVG has at most {most_nodes}"
            raise LimitExceeded(message, name="picture_nodes", limit=most_nodes, actual=actual)
        return draw(document)

    return write


Fields = Sequence[str]
Content = TypeVar("Content", bound=Mapping[str, Any])

KNOWN: Fields = tuple(GradientDocument.__annotations__)
"""The members of a document."""

NUMBERS = frozenset(("result", "gradients"))
"""The members that need neither graph nor ledger: a batch of only these takes 0.7 of the time."""


def asked_fields(request: Request, known: Fields = KNOWN, form: str = JSON.name) -> Fields:
    """Return the members that `?fields=result,gradients` asks for; by default all of them.

    Args:
        request: the request.
        known: the members of the reply, in order.
        form: the name of the reply's format.

    Raises:
        InvalidRequest: a member is unknown, or the format is not JSON.
    """
    if not request.query_string or "fields" not in request.args:
        return known
    if form != JSON.name:
        message = f"fields chooses members of JSON; leave it out for {form}"
        raise InvalidRequest(message, pointer="/fields")
    asked = {name for text in request.args.getlist("fields") for name in text.split(",")}
    for name in sorted(asked.difference(known)):
        message = f"the reply has no member {shown(name)}; {nearest(name, known)}"
        raise InvalidRequest(f"{message}fields takes {', '.join(known)}", pointer="/fields")
    return [name for name in known if name in asked]


def pick(content: Content, fields: Fields) -> Content:
    """Return only the members `fields`."""
    if len(fields) == len(content):
        return content
    return cast("Content", {name: content[name] for name in fields})
