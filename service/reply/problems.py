"""Error -> problem: the only place that knows the status of a code (RFC 9457)."""

import logging
from typing import Any, NamedTuple

from flask import Flask, Response, current_app, request
from werkzeug.exceptions import HTTPException
from werkzeug.exceptions import MethodNotAllowed as HttpMethodNotAllowed
from werkzeug.exceptions import NotFound as HttpNotFound

from engine_py import GradientError, Rewritten, rewrite
from engine_py.deadline import DeadlineExceeded
from engine_py.errors import InvalidRequest, Span
from engine_py.show.explanation import draw_carets
from service.errors import ComputeTimeout, InternalError, MethodNotAllowed, NotFound
from service.observe.observation import RECORD, Record
from service.reply.formats import json_reply
from service.request.payloads import Fault, InvalidBody
from service.request.query import nearest
from service.turns import Turn

_log = logging.getLogger("service")


class Kind(NamedTuple):
    """What all problems of one code have in common."""

    status: int
    title: str


KINDS = {
    "invalid_json": Kind(400, "The body cannot be read as JSON"),
    "malformed_request": Kind(400, "The request is not valid HTTP"),
    "not_found": Kind(404, "There is no such path"),
    "method_not_allowed": Kind(405, "The path does not have this method"),
    "not_acceptable": Kind(406, "No acceptable format can be produced"),
    "payload_too_large": Kind(413, "The body is too large"),
    "unsupported_media_type": Kind(415, "The content type is not JSON"),
    "invalid_request": Kind(422, "A member of the request is not valid"),
    "invalid_value": Kind(422, "A value or its name is not valid"),
    "limit_exceeded": Kind(422, "The request is larger than a limit"),
    "unexpected_character": Kind(422, "A character is not part of the language"),
    "unexpected_token": Kind(422, "A token is out of place in the expression"),
    "unexpected_end": Kind(422, "The expression is incomplete"),
    "unknown_function": Kind(422, "There is no such function"),
    "wrong_arity": Kind(422, "A function has the wrong number of arguments"),
    "exponent_not_literal": Kind(422, "An exponent is not a number"),
    "duplicate_name": Kind(422, "A name is already in use"),
    "unused_name": Kind(422, "The result does not depend on a statement"),
    "missing_value": Kind(422, "A variable has no value"),
    "domain_error": Kind(422, "An operation is outside its domain"),
    "non_finite": Kind(422, "A number is infinite or NaN"),
    "internal_error": Kind(500, "The service failed"),
    "overloaded": Kind(503, "Too many requests at once"),
    "compute_timeout": Kind(503, "The answer takes too long to compute"),
    "not_ready": Kind(503, "The service is not ready"),
}

_OF_TEXT = frozenset(
    (
        "unexpected_character",
        "unexpected_token",
        "unexpected_end",
        "unknown_function",
        "wrong_arity",
        "exponent_not_literal",
        "duplicate_name",
        "unused_name",
        "missing_value",
    )
)
"""What another text could cure, so that the problem has it as `rewrite`."""

_LONGEST_REWRITTEN = 1_000
"""Characters of a text that is read a second time when it is refused."""

MEDIA_TYPE = "application/problem+json"

_RETRY_AFTER = "1"


def register_problems(app: Flask) -> None:
    """Answer everything that goes wrong outside of a turn with a problem, which takes no time."""
    app.register_error_handler(Exception, problem_reply)


def content_of(
    fault: Exception, body: Any, turn: Turn | None, request_id: str = ""
) -> dict[str, Any]:
    """Return `problem.schema.json` for an error, with all faults of a body's members.

    Args:
        fault: what went wrong.
        body: the request's, as far as it was read.
        turn: the request's, in which its text is rewritten; without one it is not.
        request_id: for the log, where the fault is the service's.
    """
    faults: list[Fault] = []
    if isinstance(fault, InvalidBody):
        faults, fault = fault.faults, fault.faults[0].error
    if isinstance(fault, DeadlineExceeded):
        message = f"the answer takes more than {fault.seconds:g} seconds to compute"
        cure = "send less at once, or smaller programs"
        fault = ComputeTimeout(f"{message}; {cure}", limit=fault.seconds)
    if turn and isinstance(fault, MemoryError):
        fault = turn.memory_is_short()
    if not isinstance(fault, GradientError):
        fault = _unforeseen(fault, request_id)
    kind = KINDS[fault.code]
    content: dict[str, Any] = fault.as_dict()
    message = content.pop("message")
    content = {
        "type": f"/problems/{fault.code}",
        "title": kind.title,
        "status": kind.status,
        "detail": _detail(message, fault.span, body),
        **content,
    }
    if turn and fault.code in _OF_TEXT and (found := _rewritten(body, turn)):
        content["rewrite"] = found
    if faults:
        content["errors"] = [{**error.as_dict(), "pointer": pointer} for error, pointer in faults]
    return content


def headers_of(content: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the headers that only problems have."""
    if content["code"] == "method_not_allowed":
        return [("Allow", ", ".join(content["allowed"]))]
    if content["code"] == "overloaded":
        return [("Retry-After", _RETRY_AFTER)]
    return []


def _detail(message: str, span: Span | None, body: Any) -> str:
    """Write the message, and under it the place in the text where there is one."""
    expression = body.get("expression") if isinstance(body, dict) else None
    if span is None or not isinstance(expression, str):
        return message
    return f"{message}\n\n{draw_carets(expression, span)}"


def _rewritten(body: Any, turn: Turn) -> Rewritten | None:
    """Read the text of a request as people write; None where no program is found in time."""
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
    return found if found["changes"] or found["readings"] else None


def problem_reply(fault: Exception, turn: Turn | None = None) -> Response:
    """Answer a request with what went wrong, in its turn if it has one."""
    if isinstance(fault, HTTPException):
        fault = _of_http(fault)
    record: Record = request.environ[RECORD]
    content = content_of(fault, record.body, turn, record.request_id)
    record.details["code"] = content["code"]
    response = json_reply(content, content["status"], MEDIA_TYPE)
    response.headers.extend(headers_of(content))
    return response


def _of_http(refused: HTTPException) -> GradientError:
    """Translate what Flask refuses by itself."""
    if isinstance(refused, HttpNotFound):
        paths = [rule.rule for rule in current_app.url_map.iter_rules() if not rule.arguments]
        near = nearest(request.path, paths) or "POST /v1/gradient; "
        return NotFound(f"there is nothing at {request.path!a}; {near}/docs has them all")
    if isinstance(refused, HttpMethodNotAllowed):
        allowed = sorted(refused.valid_methods or ())
        message = f"{request.path} does not know {request.method}; it knows {', '.join(allowed)}"
        return MethodNotAllowed(message, allowed=allowed)
    return InvalidRequest(str(refused.description), pointer="")


def _unforeseen(fault: Exception, request_id: str) -> InternalError:
    """Log an unexpected exception; the client sees none of it."""
    _log.error("a request failed", exc_info=fault, extra={"request_id": request_id})
    message = "the service failed to answer; the fault is logged, the request may be right"
    return InternalError(message)
