"""WSGI environment -> what the application answers -> ASGI messages, as the client takes them."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from functools import partial
from typing import Any, NamedTuple
from wsgiref.types import WSGIApplication

from service.server.environ import Environ

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]

_PIECE = 16_384
"""Bytes of a reply that a client must take in the time that it has for a body."""

_PATIENCE = 6
"""A whole reply, or a line of a stream, may take this many times as long."""

_WITHOUT_BODY = ("204", "304")


class Reply(NamedTuple):
    """A WSGI response; its pieces may be computed as they are sent."""

    status: int
    headers: list[tuple[bytes, bytes]]
    pieces: Iterable[bytes]


def call_wsgi(application: WSGIApplication, environ: Environ) -> Reply:
    """Call the application. What has a length is made at once, the rest while it is sent."""
    status, headers = "", []

    def start_response(*started: Any) -> Callable[[bytes], None]:
        nonlocal status, headers
        status, headers, *_ = started
        return _refuse_to_write

    made = pieces = application(environ, start_response)
    has_length = any(name == "Content-Length" for name, _ in headers)
    if has_length or status.startswith(_WITHOUT_BODY) or isinstance(pieces, list):
        try:
            pieces = [b"".join(pieces)]
        finally:
            _close(made)
    encoded = [(name.lower().encode("latin-1"), text.encode("latin-1")) for name, text in headers]
    return Reply(int(status[:3]), encoded, pieces)


async def send_reply(
    reply: Reply, send: Send, in_thread: Callable[..., Awaitable[Any]], seconds: float
) -> None:
    """Send piece by piece; give up when the client takes none for `seconds`."""
    status, headers, pieces = reply
    start = {"type": "http.response.start", "status": status, "headers": headers}
    if isinstance(pieces, list) and len(pieces[0]) <= _PIECE:
        await send(start)
        await send({"type": "http.response.body", "body": pieces[0]})
        return
    is_made, take = isinstance(pieces, list), partial(next, iter(pieces), None)
    try:
        await send(start)
        while (piece := take() if is_made else await in_thread(take)) is not None:
            await _send_slowly(piece, send, seconds)
        await send({"type": "http.response.body"})
    except TimeoutError:
        pass  # without its last piece the reply is cut off, which the client can tell
    finally:
        _close(pieces)


async def _send_slowly(piece: bytes, send: Send, seconds: float) -> None:
    async with asyncio.timeout(_PATIENCE * seconds):
        for start in range(0, len(piece), _PIECE):
            body = piece[start : start + _PIECE]
            async with asyncio.timeout(seconds):
                await send({"type": "http.response.body", "body": body, "more_body": True})


def _refuse_to_write(_piece: bytes) -> None:
    raise NotImplementedError("the write() of PEP 3333 is for applications older than it")


def _close(pieces: Iterable[bytes]) -> None:
    if hasattr(pieces, "close"):
        pieces.close()
