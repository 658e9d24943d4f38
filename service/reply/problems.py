"""Error -> problem (RFC 9457), with the status and title of its code."""

import logging
import tomllib
from importlib.resources import files
from typing import Any, NamedTuple

from flask import Flask, Response, current_app, request
from werkzeug.exceptions import HTTPException
from werkzeug.exceptions import MethodNotAllowed as HttpMethodNotAllowed
from werkzeug.exceptions import NotFound as HttpNotFound

from engine_py import GradientError, Rewritten, rewrite
from engine_py.deadline import DeadlineExceeded
from engine_py.errors import InvalidRequest, Span
from engine_py.show.explanation import draw_carets
from engine_py.tables import REASONS, says_more
from service.errors import ComputeTimeout, InternalError, MethodNotAllowed, NotFound
from service.observe import RECORD, Record
from service.reply.formats import json_reply
from service.request import InvalidBody, MemberError, nearest
from service.turns import Turn

_log = logging.getLogger("service")


class ProblemKind(NamedTuple):
    """The status and title that all problems of one code share."""

    status: int
    title: str


EXPLAINED = tomllib.loads((files(__package__) / "problems.toml").read_text("utf-8"))
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
