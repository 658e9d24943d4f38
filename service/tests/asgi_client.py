"""A server as the ASGI specification describes it, whose clients do what clients do."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from selectors import DefaultSelector
from typing import Any
from wsgiref.types import WSGIApplication

from service import Config, create_app
from service.server.asgi import AsgiAdapter, CallLarge
from service.tests.validated import EXAMPLE, PROBLEM

Environ = dict[str, Any]
Headers = list[tuple[bytes, bytes]]
Sent = list[dict[str, Any]]
BODY = json.dumps(EXAMPLE).encode()
HOST = (b"host", b"localhost")
GONE: dict[str, Any] = {"type": "http.disconnect"}


def scope(headers: Headers | None = None, **options: Any) -> dict[str, Any]:
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": "/",
        "raw_path": b"/",
        "query_string": b"",
        "headers": headers if b"host" in dict(headers or []) else [HOST, *(headers or [])],
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 8_000),
        **options,
    }


class Client:
    """One request and what is sent for it; it takes each message as soon as `takes` allows."""

    def __init__(
        self, *pieces: bytes | dict[str, Any], delay: float = 0, takes: asyncio.Event | None = None
    ) -> None:
        self.arriving = [self._message(piece) for piece in pieces]
        if self.arriving and self.arriving[-1]["type"] == "http.request":
            self.arriving[-1]["more_body"] = False
        self.delay, self.takes = delay, takes
        self.read = 0
        self.sent: Sent = []

    def _message(self, piece: bytes | dict[str, Any]) -> dict[str, Any]:
        if isinstance(piece, dict):
            return piece
        return {"type": "http.request", "body": piece, "more_body": True}

    async def receive(self) -> dict[str, Any]:
        await asyncio.sleep(self.delay)
        if not self.arriving:
            await asyncio.Event().wait()  # it neither sends nor leaves
        self.read += 1
        return self.arriving.pop(0)

    async def send(self, message: Any) -> None:
        self.sent.append(dict(message))
        if self.takes:
            await self.takes.wait()

    @property
    def status(self) -> int:
        start = self.sent[0]
        assert start["type"] == "http.response.start"
        status: int = start["status"]
        return status

    @property
    def headers(self) -> dict[str, str]:
        return {name.decode().lower(): text.decode() for name, text in self.sent[0]["headers"]}

    @property
    def body(self) -> bytes:
        assert {message["type"] for message in self.sent[1:]} <= {"http.response.body"}
        return b"".join(message.get("body", b"") for message in self.sent[1:])

    @property
    def is_whole(self) -> bool:
        more = [message.get("more_body", False) for message in self.sent[1:]]
        return more != [] and not more[-1] and all(more[:-1])

    @property
    def problem(self) -> dict[str, Any]:
        assert self.headers["content-type"] == "application/problem+json"
        content: dict[str, Any] = json.loads(self.body)
        PROBLEM.validate(content)
        assert content["status"] == self.status
        return content


class _NoTime(DefaultSelector):
    """Where there is nothing to do until a timer is due, it is due at once."""

    now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        if timeout is None:
            return super().select()
        if not (events := super().select(0)):
            self.now += max(timeout, 0)
        return events


def without_waiting(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run on a loop whose time passes only while all sleep, however slow the machine is."""
    selector = _NoTime()
    loop = asyncio.SelectorEventLoop(selector)
    loop.time = lambda: selector.now  # type: ignore[method-assign]
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(coroutine)


def impatient(seconds: float, **options: Any) -> Config:
    """Make a configuration with less than a second, which nobody could configure."""
    return Config(read_seconds=seconds, **options)  # type: ignore[arg-type]


def serve(
    config: Config | None = None,
    application: WSGIApplication | None = None,
    call_large: CallLarge | None = None,
) -> AsgiAdapter:
    config = config or Config()
    application = application or create_app(config._replace(log_requests=False))
    return AsgiAdapter(application, config, call_large=call_large)


def posted(path: bytes = b"/v1/gradient", *, length: int | None = None, **options: Any) -> Environ:
    """Give the scope of a POST, chunked unless its length is announced."""
    framing = (b"transfer-encoding", b"chunked")
    if length is not None:
        framing = (b"content-length", b"%d" % length)
    headers = [(b"content-type", b"application/json"), framing]
    return scope(headers, method="POST", raw_path=path, **options)


def got(path: bytes = b"/healthz", query: bytes = b"") -> Environ:
    return scope(raw_path=path, query_string=query)


def answered(adapter: AsgiAdapter, asked: Environ, client: Client) -> Client:
    """Serve one request; whatever happens, it leaves nothing behind."""

    async def run() -> None:
        async with asyncio.timeout(10):
            await adapter(asked, client.receive, client.send)

    try:
        asyncio.run(run())
    finally:
        assert held(adapter) == (0, 0, 0)
    return client


def held(adapter: AsgiAdapter) -> tuple[int, int, int]:
    """Give what a process holds of its budgets."""
    return adapter.sending.held, adapter.computing.held, adapter.bodies.budget.held


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not condition():  # noqa: ASYNC110 - threads set no asyncio.Event
            await asyncio.sleep(0.001)


def large(length: int = 5_000) -> tuple[Environ, Client]:
    return posted(length=length), Client(b" " * length)
