"""ASGI -> the WSGI application, so that a client that stalls holds no thread.

Bodies are awaited: a thousand clients that never finish cost a thousand small tasks until their
time is over. A complete request is answered on the event loop if it is small, and by one of a few
threads if it is large, so that the small ones need not wait behind it. A reply is sent as the
client takes it.
"""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from io import BytesIO
from typing import Any
from wsgiref.types import WSGIApplication

from service.config import Config
from service.errors import Overloaded, RequestTimeout
from service.server.bridge import Message, Send, call_wsgi, send_reply
from service.server.environ import REFUSAL, Environ, make_environ

Receive = Callable[[], Awaitable[Message]]

_SMALL = 4_096
"""Bytes of a request that is answered within a few milliseconds."""

_THREADS = 4
_LARGE_SHARE = 8
"""This share of the concurrent requests may be large: a large reply has megabytes."""

_LINGERING = 64
"""Lingering close: how many times the largest body is read and dropped before the connection is
closed, for clients that read no reply before they have sent everything."""


class AsgiAdapter:
    """An ASGI application around a WSGI application."""

    def __init__(
        self,
        application: WSGIApplication,
        config: Config,
        on_startup: Callable[[], None] = lambda: None,
    ) -> None:
        """Take the application, the limits of a process, and what is called before it serves."""
        self.application = application
        self.config = config
        self.on_startup = on_startup
        self.active = self.large = 0
        self.most_large = max(1, config.max_concurrency // _LARGE_SHARE)
        self.threads = ThreadPoolExecutor(_THREADS, "large-request")

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request, or follow the life of the server."""
        if scope["type"] == "lifespan":
            await self._follow_lifespan(receive, send)
            return
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

    async def _follow_lifespan(self, receive: Receive, send: Send) -> None:
        """Call `on_startup` when the worker has set up its signals and does not listen yet."""
        await receive()
        self.on_startup()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})

    async def _read(self, announced: str, receive: Receive) -> tuple[bytes, bool]:
        """Read a body, or as much of it as shows the application that it is too large."""
        limit = self.config.max_body_bytes
        if announced.isdecimal() and int(announced) > limit:
            return b"", False
        body, more = bytearray(), True
        async with asyncio.timeout(self.config.read_seconds):
            while more and len(body) <= limit:
                piece, more = await _next_piece(receive)
                body += piece
        return bytes(body), not more

    async def _discard(self, receive: Receive) -> None:
        """Drop the rest of a body: many clients read the reply only when they have sent it all."""
        rest, more = _LINGERING * self.config.max_body_bytes, True
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
                reply = await self._in_thread(call_wsgi, self.application, environ)
            else:
                reply = call_wsgi(self.application, environ)
            await send_reply(reply, send, self._in_thread, self.config.read_seconds)
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
    """Drawing takes longer than differentiating."""
    return "svg" in environ["QUERY_STRING"] or "svg" in environ.get("HTTP_ACCEPT", "")
