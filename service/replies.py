"""Plain dictionary -> HTTP response.

marshmallow's dump takes 50 times as long as orjson, so a test proves the shape of replies instead.
"""

from collections.abc import Mapping
from typing import Any

import orjson
from flask import Response


def json_reply(
    content: Mapping[str, Any], status: int = 200, mimetype: str = "application/json"
) -> Response:
    """Write JSON, ended by a newline for those who read it in a terminal."""
    text = orjson.dumps(content, option=orjson.OPT_APPEND_NEWLINE)
    return Response(text, status, mimetype=mimetype)


def add_headers(response: Response) -> Response:
    """Forbid guessing at the type of a reply and keeping it."""
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "no-store"
    return response
