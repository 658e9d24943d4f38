"""Document or error -> reply, in the form that the client accepts."""

import logging
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.resources import files
from itertools import islice
from typing import Any, NamedTuple, TypeVar, cast

import mimeparse
import orjson
from flask import Flask, Request, Response, current_app, request
from werkzeug.exceptions import HTTPException
from werkzeug.exceptions import MethodNotAllowed as HttpMethodNotAllowed
from werkzeug.exceptions import NotFound as HttpNotFound

from engine_py import GradientDocument, GradientError, Rewritten, draw, rewrite
from engine_py.deadline import DeadlineExceeded
from engine_py.errors import InvalidRequest, LimitExceeded, Span
from engine_py.show.diagrams import to_dot, to_mermaid
from engine_py.show.explanation import draw_carets
from engine_py.tables import REASONS, says_more
from service.errors import ComputeTimeout, InternalError, MethodNotAllowed, NotAcceptable, NotFound
from service.observe import RECORD, Record
from service.request import InvalidBody, MemberError, nearest, shown
from service.turns import Turn

# Document -> reply: its format, its members, its caching
#
# marshmallow's dump takes 50 times as long as orjson, so tests check the schemas of replies
# instead.

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


# Error -> problem (RFC 9457), with the status and title of its code

_log = logging.getLogger("service")


class ProblemKind(NamedTuple):
    """The status and title that all problems of one code share."""

    status: int
    title: str


EXPLAINED = tomllib.loads((files("service") / "problems.toml").read_text("utf-8"))
MEMBERS: dict[str, str] = EXPLAINED.pop("members")
"""The members that only some problems have, each with its meaning."""

KINDS = {code: ProblemKind(one["status"], one["title"]) for code, one in EXPLAINED.items()}

_OF_TEXT = frozenset(code for code, one in EXPLAINED.items() if one.get("of_text"))
"""Errors that another text may cure: the problem offers it as `rewrite`."""

_LONGEST_REWRITTEN = 1_000
"""The maximum length of a text that is rewritten after an error."""

MEDIA_TYPE = "application/problem+json"

_RETRY_AFTER = "1"


def register_problems(app: Flask) -> None:
    """Answer every error outside a turn with a problem, which has no `rewrite`."""
    app.register_error_handler(Exception, problem_reply)


def content_of(
    error: Exception, body: Any, turn: Turn | None, request_id: str = ""
) -> dict[str, Any]:
    """Return `problem.schema.json` for an error, with the errors of all members of the body.

    Args:
        error: the error.
        body: the request's body, if it was read.
        turn: the request's turn, in which its text is rewritten; without a turn it is not.
        request_id: for the log, if the error is a bug.
    """
    errors: list[MemberError] = []
    if isinstance(error, InvalidBody):
        errors, error = error.errors, error.errors[0].error
    if isinstance(error, DeadlineExceeded):
        message = f"the answer takes more than {error.seconds:g} seconds to compute"
        cure = "send less at once, or smaller programs"
        error = ComputeTimeout(f"{message}; {cure}", limit=error.seconds)
    if turn and isinstance(error, MemoryError):
        error = turn.memory_is_short()
    if not isinstance(error, GradientError):
        error = _unforeseen(error, request_id)
    kind = KINDS[error.code]
    content: dict[str, Any] = error.as_dict()
    message = content.pop("message")
    content = {
        "type": f"/problems/{error.code}",
        "title": kind.title,
        "status": kind.status,
        "detail": _detail(message, error.span, body),
        **content,
    }
    if turn and error.code in _OF_TEXT and (found := _rewritten(body, turn)):
        content["rewrite"] = found
        if (refused := found["refused"]) and not found["readings"]:
            content["detail"] += f"\n\n{REASONS[refused['reason']]}"
    if errors:
        content["errors"] = [{**each.as_dict(), "pointer": pointer} for each, pointer in errors]
    return content


def headers_of(content: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the headers of a problem."""
    if content["code"] == "method_not_allowed":
        return [("Allow", ", ".join(content["allowed"]))]
    if content["code"] == "overloaded":
        return [("Retry-After", _RETRY_AFTER)]
    return []


def _detail(message: str, span: Span | None, body: Any) -> str:
    """Return the message, with the place in the text below it if there is a span."""
    expression = body.get("expression") if isinstance(body, dict) else None
    if span is None or not isinstance(expression, str):
        return message
    return f"{message}\n\n{draw_carets(expression, span)}"


def _rewritten(body: Any, turn: Turn) -> Rewritten | None:
    """Rewrite the text of a request; None if no program is found in time."""
    members = body if isinstance(body, dict) else {}
    text, values = members.get("expression"), members.get("values")
    names = [*values] if isinstance(values, dict) else None
    if not isinstance(text, str) or len(text) > _LONGEST_REWRITTEN:
        return None
    turn.weigh(text, is_slow=True)
    try:
        found = rewrite(text, names, deadline=turn)
    except (GradientError, DeadlineExceeded):
        return None
    return found if found["changes"] or says_more(found["refused"]) else None


def problem_reply(error: Exception, turn: Turn | None = None) -> Response:
    """Answer the current request with a problem, in its turn if it has one."""
    if isinstance(error, HTTPException):
        error = _of_http(error)
    record: Record = request.environ[RECORD]
    content = content_of(error, record.body, turn, record.request_id)
    record.details["code"] = content["code"]
    response = json_reply(content, content["status"], MEDIA_TYPE)
    response.headers.extend(headers_of(content))
    return response


def _of_http(refused: HTTPException) -> GradientError:
    """Translate an error of Flask itself."""
    if isinstance(refused, HttpNotFound):
        paths = [rule.rule for rule in current_app.url_map.iter_rules() if not rule.arguments]
        near = nearest(request.path, paths) or "POST /v1/gradient; "
        return NotFound(f"there is nothing at {request.path!a}; {near}/docs has them all")
    if isinstance(refused, HttpMethodNotAllowed):
        allowed = sorted(refused.valid_methods or ())
        message = f"{request.path} does not allow {request.method}; it allows {', '.join(allowed)}"
        return MethodNotAllowed(message, allowed=allowed)
    return InvalidRequest(str(refused.description), pointer="")


def _unforeseen(error: Exception, request_id: str) -> InternalError:
    """Log an unexpected exception, which the client must not see."""
    _log.error("a request failed", exc_info=error, extra={"request_id": request_id})
    message = "the service failed to answer; the error is logged, the request may be right"
    return InternalError(message)
