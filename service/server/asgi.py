"""ASGI -> the WSGI application, within budgets that no client passes.

The bytes of bodies are counted as they arrive. Requests that are cheap by an estimate are answered
on the event loop, and a child process computes the others, and those of clients whose requests were
not as cheap. Probes and refusals do not count against the limit of requests at the same time.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from wsgiref.types import WSGIApplication

from engine_py import GradientError
from service.config import Config
from service.errors import REFUSAL, MalformedRequest
from service.server.address import find_address
from service.server.bridge import Reply, call_wsgi
from service.server.budget import Budget
from service.server.cost import is_costly
from service.server.debts import Debts
from service.server.environ import Environ, make_environ, shorten
from service.server.malformed import find_fault
from service.server.receive import Bodies, Message, Receive
from service.server.send import Send, send_reply
from service.server.turns import Turns

_LARGE_SHARE = 8
"""One request in so many may be large: a piece of the reply to a large one has megabytes."""

_PROBES = frozenset((b"/healthz", b"/readyz", b"/metrics"))

CallLarge = Callable[[Environ, bytes], Awaitable[Reply]]
"""Calls the application without keeping the event loop."""


class AsgiAdapter:
    """An ASGI application around a WSGI application."""

    def __init__(
        self,
        application: WSGIApplication,
        config: Config,
        *,
        call_large: CallLarge | None = None,
        on_startup: Callable[[], None] = lambda: None,
        on_shutdown: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Take the application and the limits of a process.

        Args:
            application: what answers.
            config: the limits.
            call_large: what computes large requests; None for the event loop.
            on_startup: called when the worker has set up its signals and does not listen yet.
            on_shutdown: called when all requests have been answered.
        """
        self.application, self.config = application, config
        self.call_large = call_large
        self.on_startup, self.on_shutdown = on_startup, on_shutdown
        self.bodies = Bodies(config)
        self.sending = Budget(config.max_concurrency)
        self.turns = Turns()
        self.debts = Debts()
        self.computing = Budget(max(1, config.max_concurrency // _LARGE_SHARE))
        self._answering = set[asyncio.Task[None] | None]()

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request, or follow the life of the server."""
        if scope["type"] == "lifespan":
            await self._follow_lifespan(receive, send)
            return
        is_probe = scope["raw_path"] in _PROBES
        address = find_address(scope, self.config.proxies)
        is_late = (
            not is_probe
            and self.turns.is_crowded()
            and not await self.turns.wait(address, partial(shorten, scope))
        )
        environ = make_environ(scope)  # after its turn: a probe may stand behind thousands
        if fault := find_fault(scope):
            environ[REFUSAL] = fault
        elif is_late:
            environ[REFUSAL] = self.turns.too_many()
        scope.clear()  # the server keeps it; many may wait, and need only the environment
        body, is_whole = await self._read(environ, receive, address)
        if not is_whole:
            reply = self._answer_now(environ, body)
            reply.headers.append((b"connection", b"close"))  # the rest of the body may still come
            await self._send(reply, receive, send)
            del environ, body, reply  # the rest may take its time
            await self.bodies.discard(receive, address)
        elif REFUSAL in environ or is_probe:
            await self._send(self._answer_now(environ, body), receive, send)
        else:
            await self._answer(environ, body, address, receive, send)

    async def _follow_lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        self.on_startup()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        if self.on_shutdown:
            await self.on_shutdown()
        await send({"type": "lifespan.shutdown.complete"})

    async def _read(self, environ: Environ, receive: Receive, address: str) -> tuple[bytes, bool]:
        """Give the body, and whether that is all of it; what is wrong is the environment's."""
        has_body = "CONTENT_LENGTH" in environ or "HTTP_TRANSFER_ENCODING" in environ
        if has_body and REFUSAL not in environ:
            try:
                return await self.bodies.read(environ.get("CONTENT_LENGTH", ""), receive, address)
            except GradientError as refusal:
                refusal.__context__ = None  # with its traceback it would keep what came of the body
                environ[REFUSAL] = refusal.with_traceback(None)
                return b"", isinstance(refusal, MalformedRequest)  # after that nothing comes
        return b"", not has_body

    async def _answer(
        self, environ: Environ, body: bytes, address: str, receive: Receive, send: Send
    ) -> None:
        """Answer while there are places; a large request has its place until its reply is sent."""
        if not self.sending.take(address):
            environ[REFUSAL] = self.sending.too_much("replies are under way")
            await self._send(self._answer_now(environ, body), receive, send)
            return
        self._answering.add(asyncio.current_task())
        is_large = is_costly(environ, body) or self.debts.owes(address)
        try:
            if is_large and not self.computing.take(address):
                is_large = False
                environ[REFUSAL] = self.computing.too_much("large requests are under way")
            reply = await self._compute(environ, body, is_large=is_large)
            del body
            try:
                await self._send(reply, receive, send)
            finally:
                self.debts.add(address, reply.pieces.seconds)
        finally:
            self._answering.remove(asyncio.current_task())
            self.sending.give_back(address)
            if is_large:
                self.computing.give_back(address)

    def cut(self) -> None:
        """Cut the replies that have not ended; each is told of as one that its client left."""
        for task in filter(None, self._answering):
            task.cancel()

    async def _compute(self, environ: Environ, body: bytes, *, is_large: bool) -> Reply:
        if is_large and self.call_large:
            try:
                return await self.call_large(environ, body)
            except GradientError as refusal:
                environ[REFUSAL] = refusal
        return self._answer_now(environ, body)

    def _answer_now(self, environ: Environ, body: bytes) -> Reply:
        reply = Reply(*call_wsgi(self.application, environ, body))
        if REFUSAL in environ:
            environ[REFUSAL].__traceback__ = None  # it would hold the environment
        return reply

    def _send(self, reply: Reply, receive: Receive, send: Send) -> Awaitable[None]:
        return send_reply(reply, receive, send, self.config.read_seconds)
