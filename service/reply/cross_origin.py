"""Origin of a page -> the headers that let it read the reply (the fetch standard's CORS)."""

from collections.abc import Callable

from flask import Response, request

_REQUEST_HEADERS = "Authorization, Content-Type, If-None-Match, X-Request-Id, traceparent"
_REPLY_HEADERS = "Allow, ETag, Retry-After, X-Request-Id, traceparent"
_DAY = "86400"


def cross_origin_headers(origins: tuple[str, ...]) -> Callable[[Response], Response]:
    """Give the hook that adds them; `*` stands for every origin.

    The browser adds no credentials of its own, but a page may set Authorization for a proxy.
    """

    def add(response: Response) -> Response:
        if "*" not in origins:
            response.vary.add("Origin")
        origin = request.headers.get("Origin")
        if origin is None or not {origin, "*"} & set(origins):
            return response
        headers = response.headers
        headers["Access-Control-Allow-Origin"] = "*" if "*" in origins else origin
        headers["Access-Control-Expose-Headers"] = _REPLY_HEADERS
        if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
            headers["Access-Control-Allow-Methods"] = headers.get("Allow", "")
            headers["Access-Control-Allow-Headers"] = _REQUEST_HEADERS
            headers["Access-Control-Max-Age"] = _DAY
        return response

    return add
