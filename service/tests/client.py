"""Clients that are connected by nothing but memory, on a loop whose time passes at once."""

import asyncio
import json
from collections import deque
from collections.abc import Callable, Coroutine, Iterable
from http.client import HTTPResponse, IncompleteRead
from io import BytesIO
from math import inf
from selectors import DefaultSelector
from typing import Any, NamedTuple, TypeVar
from wsgiref.types import WSGIApplication

from uvicorn.server import ServerState

from service import Config, create_app
from service.attack.bodies import posted
from service.server.entry import CallLarge, Entry
from service.server.protocol import Connection, make_settings
from service.tests.validated import EXAMPLE, PROBLEM

Environ = dict[str, Any]
BODY = json.dumps(EXAMPLE).encode()
POSTED = posted("/v1/gradient", BODY)
LARGE = posted("/v1/gradient", b" " * 5_000)
_Result = TypeVar("_Result")


def scope(headers: list[tuple[bytes, bytes]] | None = None, **options: Any) -> dict[str, Any]:
    """Give what ASGI calls the connection."""
    host = [] if b"host" in dict(headers or []) else [(b"host", b"localhost")]
    return {
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "raw_path": b"/",
        "query_string": b"",
        "headers": [*host, *(headers or [])],
        "client": ("127.0.0.1", 50_000),
        "server": ("127.0.0.1", 8_000),
        **options,
    }


def got(target: str, *headers: str, version: str = "1.1", method: str = "GET") -> bytes:
    """Give the bytes of a request without a body."""
    lines = (f"{method} {target} HTTP/{version}", "Host: x", *headers, "", "")
    return "\r\n".join(lines).encode()


def chunked(*pieces: bytes) -> list[bytes]:
    """Give the bytes of a request whose length is not announced."""
    head = posted("/v1/gradient", b"", headers="Transfer-Encoding: chunked\r\n")
    head = head.replace(b"Content-Length: 0\r\n", b"")
    return [head, *(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces), b"0\r\n\r\n"]


class Reply(NamedTuple):
    """What a client is sent for one request."""

    status: int
    headers: dict[str, str]
    body: bytes
    is_whole: bool

    @property
    def problem(self) -> dict[str, Any]:
        """The problem, whose shape is proven."""
        assert self.headers["content-type"] == "application/problem+json"
        content: dict[str, Any] = json.loads(self.body)
        PROBLEM.validate(content)
        assert content["status"] == self.status
        return content


class _Received(BytesIO):
    def makefile(self, _: str) -> "_Received":
        return self

    def close(self) -> None:
        """Go on: another reply may follow."""


class Client(asyncio.Transport):
    """A client and its connection; how long it takes to take each piece is given in seconds."""

    def __init__(
        self,
        entry: Entry,
        address: str = "127.0.0.1",
        *,
        takes: Iterable[float] = (),
        stays: bool = False,
    ) -> None:
        super().__init__({"peername": (address, 50_000), "sockname": ("127.0.0.1", 8_000)})
        self.entry, self._takes, self._stays = entry, iter(takes), stays
        self.written: list[bytes] = []
        self.is_ended = False
        self.unread = deque[bytes]()
        self._is_paused = self._is_full = self._is_closing = self._is_lost = False
        config = make_settings(entry)
        state = ServerState()
        self.tasks = state.tasks
        self.connection = Connection(config=config, server_state=state, app_state={})
        self.connection.connection_made(self)

    # What the client does.

    def send(self, *pieces: bytes) -> "Client":
        """Send one after the other as the server reads; an empty one is the end of all."""
        self.unread += pieces
        self.resume_reading()
        return self

    def leave(self) -> None:
        """Break off."""
        self._is_closing = True
        self._lose(ConnectionResetError())

    async def rest(self) -> "Client":
        """Wait until it has been answered, or let go."""
        async with asyncio.timeout(100):
            while not self._is_closing and (self.is_answered or not self.written):
                if self.tasks:
                    await asyncio.wait([*self.tasks])
                else:
                    await asyncio.sleep(0 if self.is_answered else 0.001)
        return self

    @property
    def is_answered(self) -> bool:
        """Whether something is under way."""
        if self.tasks or self._is_lost:
            return bool(self.tasks)
        return self.connection._answering is not None or self.connection._unparsed != b""

    @property
    def replies(self) -> list[Reply]:
        """What it was sent so far, as http.client reads it."""
        received, found = _Received(b"".join(self.written)), []
        while received.tell() < len(received.getbuffer()):
            response = HTTPResponse(received)  # type: ignore[arg-type]
            response.begin()
            headers = {name.lower(): text for name, text in response.getheaders()}
            try:
                body, is_whole = response.read(), True
            except IncompleteRead as cut:
                body, is_whole = cut.partial, False
            found.append(Reply(response.status, headers, body, is_whole))
        return found

    @property
    def statuses(self) -> list[int]:
        return [reply.status for reply in self.replies]

    @property
    def reply(self) -> Reply:
        """The one reply."""
        [reply] = self.replies
        return reply

    # What the server does with its transport.

    def is_closing(self) -> bool:
        return self._is_closing

    def pause_reading(self) -> None:
        self._is_paused = True

    def resume_reading(self) -> None:
        self._is_paused = False
        while self.unread and not self._is_paused and not self._is_closing:
            if piece := self.unread.popleft():
                self.connection.data_received(piece)
            elif not self.connection.eof_received():
                self.close()

    def write(self, data: Any) -> None:
        assert not self.is_ended
        if self._is_lost or not data:
            return
        self.written.append(bytes(data))
        if seconds := next(self._takes, 0):
            self._is_full = True
            self.connection.pause_writing()
            if seconds < inf:
                asyncio.get_running_loop().call_later(seconds, self._take)

    def get_write_buffer_size(self) -> int:
        return len(self.written[-1]) if self._is_full else 0

    def _take(self) -> None:
        self._is_full = False
        if self._is_closing:
            self._lose(None)
        else:
            self.connection.resume_writing()

    def write_eof(self) -> None:
        self.is_ended = True
        if not self._stays:
            asyncio.get_running_loop().call_soon(self.send, b"")

    def close(self) -> None:
        """End when all that was written is taken."""
        self._is_closing = True
        if not self._is_full:
            asyncio.get_running_loop().call_soon(self._lose, None)

    def abort(self) -> None:
        self._is_closing = True
        asyncio.get_running_loop().call_soon(self._lose, None)

    def _lose(self, fault: Exception | None) -> None:
        if not self._is_lost:
            self._is_lost = True
            self.connection.connection_lost(fault)
            del self.connection


class _NoTime(DefaultSelector):
    """Where there is nothing to do until a timer is due, it is due at once."""

    now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        if timeout is None:
            return super().select()
        if not (events := super().select(0)):
            self.now += max(timeout, 0)
        return events


def without_waiting(coroutine: Coroutine[Any, Any, _Result]) -> _Result:
    """Run on a loop whose time passes only while all sleep, however slow the machine is."""
    selector = _NoTime()
    loop = asyncio.SelectorEventLoop(selector)
    loop.time = lambda: selector.now  # type: ignore[method-assign]
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        return runner.run(coroutine)


def serve(
    config: Config | None = None,
    application: WSGIApplication | None = None,
    call_large: CallLarge | None = None,
) -> Entry:
    config = config or Config()
    application = application or create_app(config._replace(log_requests=False))
    return Entry(application, config, call_large)


def answered(entry: Entry, *pieces: bytes, **options: Any) -> Client:
    """Have a client send so much, and leave when it is answered; nothing is left behind."""

    async def run() -> Client:
        client = await Client(entry, **options).send(*pieces).rest()
        client.leave()
        await until(lambda: not client.is_answered)
        return client

    try:
        return without_waiting(run())
    finally:
        assert held(entry) == (0, 0, 0)


def held(entry: Entry) -> tuple[int, int, int]:
    """Give what a process holds of its budgets."""
    return entry.sending.held, entry.computing.held, entry.waiting.budget.held


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 - threads set no asyncio.Event
            await asyncio.sleep(0.001)
