"""Requests -> the WSGI application, within budgets that no client passes.

Requests that are cheap by an estimate are answered on the event loop, and a child process computes
the others, and those of clients whose requests were not as cheap. Probes and refusals do not count
against the limit of requests at the same time.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any
from wsgiref.types import WSGIApplication

from engine_py import GradientError
from service.config import Config
from service.errors import REFUSAL
from service.server.address import find_address
from service.server.bridge import Receive, Reply, Send, call_wsgi, send_reply
from service.server.budget import Budget
from service.server.cost import is_costly
from service.server.debts import Debts
from service.server.environ import Environ, make_environ
from service.server.turns import REQUEST, Turns
from service.server.waiting import Waiting

_BYTES = 28_000_000
"""What connections hold for what their clients send."""

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
        most = config.max_concurrency
        self.waiting = Waiting(_BYTES, config.read_seconds)
        self.parsing, self.turns, self.debts = Turns(), Turns(), Debts()
        self.sending = Budget(most, "replies are under way")
        self.computing = Budget(max(1, most // _LARGE_SHARE), "large requests are under way")

    def begin(self, scope: Any, start: Callable[[], object]) -> None:
        """Have a request started: a probe at once, another when it is its turn."""
        if scope["raw_path"] in _PROBES:
            start()
        else:
            scope["address"] = find_address(scope, self.config.proxies)
            self.turns.add(scope["address"], REQUEST, start)

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
        address = scope.get("address", "")
        if REFUSAL in scope:
            environ[REFUSAL] = scope[REFUSAL]
        for name in scope.keys() - {"method"}:
            del scope[name]  # many may wait, and need only the environment
        if (message := await receive())["type"] == "http.disconnect":
            return
        places = list[Budget]()
        try:
            reply = await self._reply(environ, message.pop("body"), address, places)
            try:
                await send_reply(reply, send)
            finally:
                self.debts.add(address, reply.pieces.seconds)
        finally:
            for each in places:
                each.give_back(address)

    async def _reply(
        self, environ: Environ, body: bytes, address: str, places: list[Budget]
    ) -> Reply:
        """Compute it; what is large has its place until its reply is sent, and probes need none."""
        try:
            if address and REFUSAL not in environ:
                is_large = is_costly(environ, body) or self.debts.owes(address)
                for each in (self.sending, self.computing) if is_large else (self.sending,):
                    if not each.take(address):
                        raise each.too_much()
                    places.append(each)
                if is_large and self.call_large:
                    return await self.call_large(environ, body)
        except GradientError as refusal:
            environ[REFUSAL] = refusal
        reply = Reply(*call_wsgi(self.application, environ, body))
        if REFUSAL in environ:
            environ[REFUSAL].__traceback__ = None  # it would hold the environment
        return reply
