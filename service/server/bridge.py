"""WSGI environment and body -> the answer of the application, sent as fast as a client takes it."""

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from functools import lru_cache
from io import BytesIO
from time import thread_time
from typing import Any, NamedTuple, Protocol
from wsgiref.types import WSGIApplication

from service.observe.observation import CUT
from service.server.environ import Environ

_WITHOUT_BODY = ("204", "304")
_LENGTH = b"content-length"

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
"""ASGI's."""

SLICE = 16_384
"""Bytes of a piece that are sent in one message, and unpacked for it."""


class Pieces(Protocol):
    """The body of a reply, which may be made while it is taken."""

    seconds: float
    """Of the event loop's time, that the reply took so far."""

    @property
    def more(self) -> bool:
        """Whether another piece may come."""

    async def take(self) -> bytes:
        """Give the next piece, which may be empty."""

    def close(self, *, is_cut: bool) -> None:
        """Let go of it, whether the client has all of it or not."""


class Reply(NamedTuple):
    """What an application answers."""

    status: int
    headers: list[tuple[bytes, bytes]]
    pieces: Pieces


class LocalPieces:
    """Pieces that this process makes."""

    more = True

    def __init__(
        self, whole: list[bytes], made: Iterable[bytes], environ: Environ, seconds: float
    ) -> None:
        """Take the one piece of a whole reply, or what makes pieces, and the seconds so far."""
        self._whole, self._made, self._rest = whole, made, iter(made)
        self._environ, self.seconds = environ, seconds

    async def take(self) -> bytes:
        """Make the next piece."""
        return self.take_now()

    def take_now(self) -> bytes:
        """Make the next piece, which nothing holds any more."""
        if self._whole:
            self.more = False
            return self._whole.pop()
        began = thread_time()
        piece = next(self._rest, None)
        self.seconds += thread_time() - began
        self.more = piece is not None
        return piece or b""

    def close(self, *, is_cut: bool) -> None:
        """Close what the application returned, as PEP 3333 wants it."""
        close(self._made)
        if is_cut and CUT in self._environ:
            self._environ[CUT]()


def call_wsgi(
    application: WSGIApplication, environ: Environ, body: bytes
) -> tuple[int, list[tuple[bytes, bytes]], LocalPieces]:
    """Call the application. What has a length is made at once, the rest while it is sent."""
    environ["wsgi.input"] = BytesIO(body)
    status, headers, began = "", [], thread_time()

    def start_response(*started: Any) -> Any:
        nonlocal status, headers
        status, headers, *_ = started
        return _refuse_to_write

    made = application(environ, start_response)
    encoded = [(_encode_name(name), text.encode("latin-1")) for name, text in headers]
    has_length = isinstance(made, list) or any(name == _LENGTH for name, _ in encoded)
    whole = list[bytes]()
    if has_length or status.startswith(_WITHOUT_BODY):
        try:
            whole.append(b"".join(made))
        finally:
            close(made)
        made = ()
    return int(status[:3]), encoded, LocalPieces(whole, made, environ, thread_time() - began)


@lru_cache(64)
def _encode_name(name: str) -> bytes:
    return name.lower().encode("latin-1")


def _refuse_to_write(_piece: bytes) -> None:
    raise NotImplementedError("the write() of PEP 3333 is for applications older than it")


async def send_reply(reply: Reply, send: Send) -> None:
    """Send all of it, unless the client leaves, or takes it too slowly: then it is cut off."""
    is_cut = more = True
    try:
        start = {"type": "http.response.start", "status": reply.status, "headers": reply.headers}
        await send(start)
        while more:
            piece = await reply.pieces.take()
            for place in range(0, max(len(piece), 1), SLICE):
                body = piece[place : place + SLICE]
                more = reply.pieces.more or place + SLICE < len(piece)
                await send({"type": "http.response.body", "body": body, "more_body": more})
        is_cut = False
    except (TimeoutError, ConnectionError):
        pass  # without its last message the client can tell that the reply is cut off
    finally:
        reply.pieces.close(is_cut=is_cut)


def close(pieces: Iterable[bytes]) -> None:
    """Close an iterable that can be closed."""
    if hasattr(pieces, "close"):
        pieces.close()
