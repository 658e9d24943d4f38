"""What a client accepts -> the best of the media types that there are; whether gzip (RFC 9110)."""

from wsgiref.types import WSGIEnvironment

import mimeparse
from flask import Request
from werkzeug.http import parse_accept_header

_SHOWN_LENGTH = 60


def best_type(request: Request, media_types: list[str]) -> str | None:
    """Give the one that the client prefers, the first of those it likes alike; None if it has none.

    A header that is no list of media types is as good as none.
    """
    header = request.environ.get("HTTP_ACCEPT", "").lower()
    if header in ("", "*/*", media_types[0]) or not header.strip(" ,"):
        return media_types[0]
    try:
        # Of equals mimeparse gives the last one.
        return mimeparse.best_match(media_types[::-1], header) or None
    except mimeparse.MimeTypeParseException:
        return media_types[0]


def shown_accept(request: Request) -> str:
    """Give the header as a message repeats it."""
    return ascii(request.environ["HTTP_ACCEPT"][:_SHOWN_LENGTH])


def accepts_gzip(environ: WSGIEnvironment) -> bool:
    """Say whether the client takes gzip, and does not prefer what is not compressed."""
    header = environ.get("HTTP_ACCEPT_ENCODING", "")
    if not header:
        return False
    accepted = parse_accept_header(header)
    return 0 < accepted.quality("gzip") >= accepted.quality("identity")
