"""ASGI -> the WSGI application, so that a client that stalls holds no thread.

Bodies are awaited: a thousand clients that never finish cost a thousand small tasks until their
time is over. A complete request is answered on the event loop if it is small, and by one of a few
threads if it is large, so that the small ones need not wait behind it. A reply is sent as the
client takes it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from io import BytesIO
from typing import Any, NamedTuple
from wsgiref.types import WSGIApplication

from service.config import Config
from service.environ import REFUSAL, Environ, make_environ
from service.errors import Overloaded, RequestTimeout

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_SMALL = 4_096
"""Bytes of a request that is answered within a few milliseconds."""

_THREADS = 4
_LARGE_SHARE = 8
"""One request in so many may be large: the reply to a large one has megabytes."""

_PIECE = 16_384
"""Bytes of a reply that a client must take in the time that it has for a body."""

_WITHOUT_BODY = ("204", "304")

_DISCARDED = 64
"""So many times the largest body is read past, for clients that listen when they have spoken."""


class Reply(NamedTuple):
    """What the application answers; pieces may be made as they are asked for."""

    status: int
    headers: list[tuple[bytes, bytes]]
    pieces: Iterable[bytes]


class Gateway:
    """An ASGI application around a WSGI application."""

    def __init__(self, application: WSGIApplication, config: Config) -> None:
        """Take the application and what a process of it may take on."""
        self.application = application
        self.config = config
        self.active = self.large = 0
        self.most_large = max(1, config.max_concurrency // _LARGE_SHARE)
        self.threads = ThreadPoolExecutor(_THREADS, "large-request")

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request."""
        environ = make_environ(scope)
        body, is_whole = b"", True
        if "CONTENT_LENGTH" in environ or "HTTP_TRANSFER_ENCODING" in environ:
            try:
                body, is_whole = await self._read(environ.get("CONTENT_LENGTH", ""), receive)
            except TimeoutError:
                environ[REFUSAL] = _too_slow(self.config.read_seconds)
            except ConnectionError:
                return
        environ["wsgi.input"] = BytesIO(body)
        await self._answer(environ, len(body), send)
        if not is_whole:
            await self._discard(receive)

    async def _read(self, announced: str, receive: Receive) -> tuple[bytes, bool]:
        """Read a body, or as much of it as shows the application that it is too large."""
        limit = self.config.max_body_bytes
        if announced.isdecimal() and int(announced) > limit:
            return b"", False
        body, more = b"", True
        async with asyncio.timeout(self.config.read_seconds):
            while more and len(body) <= limit:
                piece, more = await _next_piece(receive)
                body += piece
        return body, not more

    async def _discard(self, receive: Receive) -> None:
        """Read past the rest of a body: many clients listen only when they have sent all."""
        rest, more = _DISCARDED * self.config.max_body_bytes, True
        with suppress(TimeoutError, ConnectionError):
            async with asyncio.timeout(self.config.read_seconds):
                while more and rest > 0:
                    piece, more = await _next_piece(receive)
                    rest -= len(piece)

    async def _answer(self, environ: Environ, size: int, send: Send) -> None:
        is_large = size + len(environ["QUERY_STRING"]) > _SMALL or _wants_picture(environ)
        self.active += 1
        self.large += is_large
        try:
            await asyncio.sleep(0)  # all that came at the same time are counted first
            self._refuse_too_many(environ, is_large=is_large)
            if is_large and REFUSAL not in environ:
                reply = await self._in_thread(self._call, environ)
            else:
                reply = self._call(environ)
            await self._send(reply, send)
        finally:
            self.active -= 1
            self.large -= is_large

    def _refuse_too_many(self, environ: Environ, *, is_large: bool) -> None:
        if self.active > self.config.max_concurrency:
            environ[REFUSAL] = _too_many("requests", self.config.max_concurrency, self.active)
        elif is_large and self.large > self.most_large:
            environ[REFUSAL] = _too_many("large requests", self.most_large, self.large)

    async def _in_thread(self, call: Callable[..., Any], *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self.threads, call, *arguments)

    def _call(self, environ: Environ) -> Reply:
        """Call the application. What has a length is made at once, the rest while it is sent."""
        status, headers = "", []

        def start_response(*started: Any) -> Callable[[bytes], None]:
            nonlocal status, headers
            status, headers, *_ = started
            return _refuse_to_write

        pieces = self.application(environ, start_response)
        has_length = any(name == "Content-Length" for name, _ in headers)
        if has_length or status.startswith(_WITHOUT_BODY):
            whole = b"".join(pieces)
            _close(pieces)
            pieces = [whole]
        encoded = [(name.encode("latin-1"), text.encode("latin-1")) for name, text in headers]
        return Reply(int(status[:3]), encoded, pieces)

    async def _send(self, reply: Reply, send: Send) -> None:
        status, headers, pieces = reply
        await send({"type": "http.response.start", "status": status, "headers": headers})
        if isinstance(pieces, list) and len(pieces[0]) <= _PIECE:
            await send({"type": "http.response.body", "body": pieces[0]})
            return
        is_made, take = isinstance(pieces, list), partial(next, iter(pieces), None)
        try:
            while (piece := take() if is_made else await self._in_thread(take)) is not None:
                await self._send_slowly(piece, send)
            await send({"type": "http.response.body"})
        except TimeoutError:
            pass  # without its last piece the reply is cut off, which the client can tell
        finally:
            _close(pieces)

    async def _send_slowly(self, piece: bytes, send: Send) -> None:
        for start in range(0, len(piece), _PIECE):
            body = piece[start : start + _PIECE]
            async with asyncio.timeout(self.config.read_seconds):
                await send({"type": "http.response.body", "body": body, "more_body": True})


def _refuse_to_write(_piece: bytes) -> None:
    raise NotImplementedError("the write() of PEP 3333 is for applications older than it")


def _close(pieces: Iterable[bytes]) -> None:
    if hasattr(pieces, "close"):
        pieces.close()


def _too_slow(seconds: int) -> RequestTimeout:
    message = f"the body did not arrive within {seconds} seconds; send the request again"
    return RequestTimeout(message, limit=seconds)


def _too_many(what: str, limit: int, actual: int) -> Overloaded:
    message = f"{limit} {what} are being answered, no more at once; wait a second and try again"
    return Overloaded(message, limit=limit, actual=actual)


async def _next_piece(receive: Receive) -> tuple[bytes, bool]:
    message = await receive()
    if message["type"] == "http.disconnect":
        raise ConnectionError
    return message.get("body", b""), message.get("more_body", False)


def _wants_picture(environ: Environ) -> bool:
    """Graphviz needs a while to lay out a graph."""
    return "svg" in environ["QUERY_STRING"] or "svg" in environ.get("HTTP_ACCEPT", "")
