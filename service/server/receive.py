"""ASGI messages -> the body of a request, within a time and a budget of bytes."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from service.config import Config
from service.errors import MalformedRequest, RequestTimeout
from service.server.budget import Budget
from service.server.deadline import Deadline

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]

_HELD = 8
"""So many of the largest bodies are held at once, as many as are computed: 2 MB by default."""

_WAITING = 256
"""So many bodies are waited for at once, at most; each costs some kilobytes beside its bytes."""

_READ_PAST = 64
"""So many times the largest body is read past, for clients that listen when they have spoken."""

_LINGERING = 128
"""So many clients have their bodies read past at once; the connections of others are closed."""


class Bodies:
    """The bodies that a process holds while their clients send them."""

    def __init__(self, config: Config) -> None:
        """Take the largest body, and the time for one."""
        self.limit, self.seconds = config.max_body_bytes, config.read_seconds
        self.budget = Budget(_HELD * self.limit)
        self._deadline = Deadline(self.seconds)
        self.waiting, self.lingering = Budget(_WAITING), Budget(_LINGERING)

    async def read(self, announced: str, receive: Receive, address: str) -> tuple[bytes, bool]:
        """Read a body, or as much of it as shows the application that it is too large.

        Raises:
            RequestTimeout: it did not come in time.
            Overloaded: too many bodies are being sent, or too many bytes of them are held.
            MalformedRequest: it ended too early, or its chunks are not HTTP.
        """
        if announced.isdecimal() and int(announced) > self.limit:
            return b"", False
        if not self.waiting.take(address):
            raise self.waiting.too_much("bodies are being sent")
        try:
            return await self._deadline.wait(self._read_pieces(receive, address))
        except TimeoutError:
            message = f"the body did not arrive within {self.seconds} seconds"
            raise RequestTimeout(f"{message}; send the request again", limit=self.seconds) from None
        finally:
            self.waiting.give_back(address)

    async def _read_pieces(self, receive: Receive, address: str) -> tuple[bytes, bool]:
        piece, more = _piece_of(await receive())
        if not more:
            return piece, True  # as most are: it is never held
        body, held = bytearray(), 0
        try:
            while True:
                if not self.budget.take(address, len(piece)):
                    raise self.budget.too_much("bytes of bodies are held")
                held += len(piece)
                body += piece
                del piece
                if not more or len(body) > self.limit:
                    return bytes(body), not more
                piece, more = _piece_of(await receive())
        finally:
            self.budget.give_back(address, held)

    async def discard(self, receive: Receive, address: str) -> None:
        """Read past the rest of a body: many clients listen only when they have sent all."""
        rest, more = _READ_PAST * self.limit, True
        if not self.lingering.take(address):
            return
        try:
            async with asyncio.timeout(self.seconds):
                while more and rest > 0:
                    piece, more = _piece_of(await receive())
                    rest -= len(piece)
                    del piece  # or it would be kept until the next one comes
        except (TimeoutError, MalformedRequest):
            pass
        finally:
            self.lingering.give_back(address)


def _piece_of(message: Message) -> tuple[bytes, bool]:
    if message["type"] == "http.disconnect":
        raise MalformedRequest("the body ends too early, or its chunks are not as HTTP wants them")
    return message.get("body", b""), message.get("more_body", False)
