"""Plain dictionary -> HTTP response.

marshmallow's dump takes 50 times as long as orjson, so a test proves the shape of replies instead.
"""

from collections.abc import Mapping
from typing import Any

import orjson
from flask import Response, request

_CONDITION = "HTTP_IF_NONE_MATCH"


def json_bytes(content: Mapping[str, Any]) -> bytes:
    """Write JSON, ended by a newline for those who read it in a terminal."""
    return orjson.dumps(content, option=orjson.OPT_APPEND_NEWLINE)


def json_reply(
    content: Mapping[str, Any], status: int = 200, mimetype: str = "application/json"
) -> Response:
    """Answer with JSON."""
    return Response(json_bytes(content), status, mimetype=mimetype)


def cacheable_reply(response: Response, seconds: int, tag: str | None = None) -> Response:
    """Let caches keep a reply; one that the client has already is 304 without a body."""
    if tag:
        response.set_etag(tag)
    else:
        response.add_etag()
    response.cache_control.public = True
    response.cache_control.max_age = seconds
    # Of the conditions this one alone: If-Match guards what can be changed, and nothing can here.
    asked = {name: request.environ.get(name, "") for name in ("REQUEST_METHOD", _CONDITION)}
    response.make_conditional(asked)
    del response.headers["Date"]  # which the server writes, as of every reply
    return response
