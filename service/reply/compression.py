"""Reply -> the reply as gzip, where the client accepts that and it is worth it; GRADIENT_COMPRESS.

zlib alone, because Flask-Compress brings two more compressors in C, and holds the lines of a stream
back until a block is full. It takes 0.7 ms for the largest page; the replies to large requests are
compressed where they are made, in the process for large requests.
"""

import zlib
from collections.abc import Iterable, Iterator
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.datastructures import Headers
from werkzeug.http import parse_accept_header, parse_set_header
from werkzeug.wsgi import ClosingIterator

_LEAST = 1_000
"""Bytes: what is shorter is one packet either way."""

_LEVEL = 4
"""Half the time of zlib's default, a tenth more bytes."""

_GZIP = 16 + zlib.MAX_WBITS
_WITHOUT_BODY = ("204", "304")


def accepts_gzip(environ: WSGIEnvironment) -> bool:
    """Say whether the client takes gzip, and does not prefer what is not compressed."""
    header = environ.get("HTTP_ACCEPT_ENCODING", "")
    if not header:
        return False
    accepted = parse_accept_header(header)
    return 0 < accepted.quality("gzip") >= accepted.quality("identity")


class Compressed:
    """A WSGI application whose replies are compressed: all of them are text."""

    def __init__(self, application: WSGIApplication) -> None:
        """Take the application."""
        self._application = application

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Let the application answer, and compress what it answers."""
        started: list[Any] = []
        pieces = self._application(environ, lambda *given: started.extend(given))  # type: ignore[arg-type]
        status, headers = started[0], Headers(started[1])
        _vary(headers)
        if accepts_gzip(environ) and _is_worth_it(status, headers):
            headers["Content-Encoding"] = "gzip"
            length = headers.pop("Content-Length", None)
            if environ["REQUEST_METHOD"] != "HEAD":
                pieces = _whole(pieces, headers) if length else _stream(pieces)
        start_response(status, headers.to_wsgi_list(), *started[2:])
        return pieces


def _vary(headers: Headers) -> None:
    """Tell caches that there may be two forms; a weak tag says that they mean the same."""
    names = parse_set_header(headers.get("Vary"))
    names.add("Accept-Encoding")
    headers["Vary"] = names.to_header()
    tag = headers.get("ETag", "")
    if tag.startswith('"'):
        headers["ETag"] = f"W/{tag}"


def _is_worth_it(status: str, headers: Headers) -> bool:
    if "Content-Encoding" in headers:  # the sandbox's files are compressed when they are built
        return False
    length = headers.get("Content-Length", type=int)
    return not status.startswith(_WITHOUT_BODY) and (length is None or length >= _LEAST)


def _whole(pieces: Iterable[bytes], headers: Headers) -> Iterable[bytes]:
    body = zlib.compress(b"".join(pieces), _LEVEL, _GZIP)
    headers["Content-Length"] = str(len(body))
    return ClosingIterator([body], getattr(pieces, "close", None))


def _stream(pieces: Iterable[bytes]) -> Iterable[bytes]:
    """Compress piece by piece: each can be read as soon as it has come."""

    def compressed() -> Iterator[bytes]:
        compressor = zlib.compressobj(_LEVEL, wbits=_GZIP)
        for piece in pieces:
            yield compressor.compress(piece) + compressor.flush(zlib.Z_SYNC_FLUSH)
        yield compressor.flush()

    return ClosingIterator(compressed(), getattr(pieces, "close", None))
