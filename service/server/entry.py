"""Requests -> the WSGI application, within budgets that no client passes.

Requests that are cheap by an estimate are answered on the event loop, and a child process computes
the others, and those of clients whose requests were not as cheap. Probes and refusals do not count
against the limit of requests at the same time.
"""

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable
from typing import Any
from wsgiref.types import WSGIApplication

from engine_py import GradientError
from service.config import Config
from service.errors import REFUSAL
from service.server.address import find_address
from service.server.bridge import Reply, call_wsgi
from service.server.budget import Budget
from service.server.cost import is_costly
from service.server.debts import Debts
from service.server.environ import Environ, make_environ, shorten
from service.server.send import Receive, Send, send_reply
from service.server.turns import Turns
from service.server.waiting import Waiting

_BYTES = 32_000_000
"""What connections hold for what their clients send."""

_MOST_TO_BEGIN, _BEGUN, _REFUSED = 512, 4, 8
"""Requests that wait to be begun, and that begin or are refused in one turn of the event loop: 0.3
ms each, and half of that."""

_LARGE_SHARE = 8
"""One request in so many may be large: a piece of the reply to a large one has megabytes."""

_PROBES = frozenset((b"/healthz", b"/readyz", b"/metrics"))

CallLarge = Callable[[Environ, bytes], Awaitable[Reply]]
"""Calls the application without keeping the event loop."""

_logger = logging.getLogger(__name__)


class Entry:
    """What all connections of a process share: an ASGI application, and its budgets."""

    def __init__(
        self, application: WSGIApplication, config: Config, call_large: CallLarge | None = None
    ) -> None:
        """Take the application, the limits, and what computes large requests, if not the loop."""
        self.application, self.config, self.call_large = application, config, call_large
        self.waiting = Waiting(_BYTES, config.read_seconds)
        self.turns, self.refusals = Turns(_MOST_TO_BEGIN, _BEGUN), Turns(sys.maxsize, _REFUSED)
        self.debts = Debts()
        self.sending = Budget(config.max_concurrency)
        self.computing = Budget(max(1, config.max_concurrency // _LARGE_SHARE))

    def begin(self, cycle: Any, start: Callable[[Any], None]) -> None:
        """Have a request of `protocol` started: a probe at once, another when it is its turn."""
        scope = cycle.scope
        if scope["raw_path"] in _PROBES:
            start(cycle)
            return
        scope["address"] = address = find_address(scope, self.config.proxies)
        if not self.turns.add(address, start, cycle):
            shorten(scope)
            scope.setdefault(REFUSAL, self.turns.too_many())
            self.refusals.add(address, start, cycle)

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        """Answer one request."""
        try:
            await self._answer(scope, receive, send)
        except asyncio.CancelledError:
            pass  # at a stop, when it takes too long
        except Exception:
            _logger.exception("a request could not be answered")
            raise

    async def _answer(self, scope: Any, receive: Receive, send: Send) -> None:
        environ = make_environ(scope)
        refusal, address = scope.get(REFUSAL), scope.get("address")
        for name in scope.keys() - {"method"}:
            del scope[name]  # many may wait, and need only the environment
        if (message := await receive())["type"] == "http.disconnect":
            return
        body = message["body"]
        if refusal:
            environ[REFUSAL] = refusal
        if refusal or address is None:
            await self._send(self._answer_now(environ, body), receive, send)
        elif self.sending.take(address):
            try:
                await self._answer_in_place(environ, body, address, receive, send)
            finally:
                self.sending.give_back(address)
        else:
            environ[REFUSAL] = self.sending.too_much("replies are under way")
            await self._send(self._answer_now(environ, body), receive, send)

    async def _answer_in_place(
        self, environ: Environ, body: bytes, address: str, receive: Receive, send: Send
    ) -> None:
        """Answer; a large request has its place until its reply is sent."""
        is_large = is_costly(environ, body) or self.debts.owes(address)
        if is_large and not self.computing.take(address):
            is_large = False
            environ[REFUSAL] = self.computing.too_much("large requests are under way")
        try:
            reply = await self._compute(environ, body, is_large=is_large)
            del body
            try:
                await self._send(reply, receive, send)
            finally:
                self.debts.add(address, reply.pieces.seconds)
        finally:
            if is_large:
                self.computing.give_back(address)

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
