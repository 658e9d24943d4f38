"""Error -> problem: the only place that knows the status of a code (RFC 9457)."""

from typing import Any, NamedTuple

from flask import Flask, Response, current_app, request
from werkzeug.exceptions import HTTPException
from werkzeug.exceptions import MethodNotAllowed as HttpMethodNotAllowed
from werkzeug.exceptions import NotFound as HttpNotFound

from engine_py import GradientError
from engine_py.errors import InvalidRequest
from service.errors import InternalError, MethodNotAllowed, NotFound
from service.payloads import Fault, InvalidBody
from service.replies import json_reply


class Kind(NamedTuple):
    """What all problems of one code have in common."""

    status: int
    title: str


KINDS = {
    "invalid_json": Kind(400, "The body cannot be read as JSON"),
    "not_found": Kind(404, "There is nothing here"),
    "method_not_allowed": Kind(405, "The method is not allowed here"),
    "payload_too_large": Kind(413, "The body is too large"),
    "unsupported_media_type": Kind(415, "The body is not announced as plain JSON"),
    "invalid_request": Kind(422, "A member of the request has the wrong shape"),
    "invalid_value": Kind(422, "A value is not a finite number under a proper name"),
    "limit_exceeded": Kind(422, "The request is larger than a limit"),
    "unexpected_character": Kind(422, "A character is not part of the language"),
    "unexpected_token": Kind(422, "The expression has something out of place"),
    "unexpected_end": Kind(422, "The expression stops too early"),
    "unknown_function": Kind(422, "There is no such function"),
    "wrong_arity": Kind(422, "A function has the wrong number of arguments"),
    "exponent_not_literal": Kind(422, "An exponent is not a number"),
    "duplicate_name": Kind(422, "A name has a meaning already"),
    "unused_name": Kind(422, "The result does not depend on a statement"),
    "missing_value": Kind(422, "A variable has no value"),
    "domain_error": Kind(422, "An operation is outside its domain"),
    "non_finite": Kind(422, "A number is too large for a double"),
    "internal_error": Kind(500, "The service failed"),
}


def register_problems(app: Flask) -> None:
    """Answer everything that goes wrong with a problem."""
    app.register_error_handler(GradientError, problem)
    app.register_error_handler(InvalidBody, _of_body)
    app.register_error_handler(HTTPException, _of_http)
    app.register_error_handler(Exception, _of_fault)


def problem(error: GradientError, faults: list[Fault] | None = None) -> Response:
    """Write `problem.schema.json`: what the error carries, its status and all faults of a body."""
    kind = KINDS[error.code]
    content: dict[str, Any] = error.as_dict()
    del content["message"]
    content = {
        "type": f"/problems/{error.code}",
        "title": kind.title,
        "status": kind.status,
        "detail": error.message,
        **content,
    }
    if faults:
        content["errors"] = [{**error.as_dict(), "pointer": pointer} for error, pointer in faults]
    return json_reply(content, kind.status, "application/problem+json")


def _of_body(invalid: InvalidBody) -> Response:
    return problem(invalid.faults[0].error, invalid.faults)


def _of_http(refused: HTTPException) -> Response:
    """Translate what Flask refuses by itself."""
    if isinstance(refused, HttpNotFound):
        message = f"there is nothing at {request.path!a}; POST /v1/gradient, or GET /healthz"
        return problem(NotFound(message))
    if isinstance(refused, HttpMethodNotAllowed):
        allowed = sorted(refused.valid_methods or ())
        message = f"{request.path} does not know {request.method}; it knows {', '.join(allowed)}"
        response = problem(MethodNotAllowed(message, allowed=allowed))
        response.headers["Allow"] = ", ".join(allowed)
        return response
    return problem(InvalidRequest(str(refused.description), pointer=""))


def _of_fault(fault: Exception) -> Response:
    """Log what the service did not foresee, and tell the client nothing of it."""
    current_app.logger.error("%s %s failed", request.method, request.path, exc_info=fault)
    message = "the service failed to answer; the fault is logged, the request may be right"
    return problem(InternalError(message))
