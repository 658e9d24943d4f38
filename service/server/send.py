"""Reply -> ASGI messages, as fast as the client takes them; one that takes too long is cut off."""

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from service.server.bridge import LocalPieces, Pieces, Reply

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

SMALL = 16_384
"""Bytes of a reply that is one message; larger ones are sent in pieces of this size."""

_LEAST_PACE = 1_600
"""Bytes a second that a client has to take, over the whole of a reply."""

STALL, _GRACE, _IN_ALL = 3, 6, 60
"""Times `read_seconds`: until a client that takes nothing is left, until that pace counts, and
until a reply is cut off whose client is still not done."""


async def send_reply(reply: Reply, receive: Receive, send: Send, seconds: float) -> None:
    """Send all of it, unless the client leaves, or takes it too slowly: then it is cut off."""
    pieces = reply.pieces
    start = {"type": "http.response.start", "status": reply.status, "headers": reply.headers}
    is_cut = True
    try:
        await send(start)
        if (only := only_message(reply)) is not None:
            await send({"type": "http.response.body", "body": only})
        else:
            await _send_pieces(pieces, receive, _Pace(send, seconds))
            await send({"type": "http.response.body"})
        is_cut = False
    except (TimeoutError, ConnectionError):
        pass  # without its last message the client can tell that the reply is cut off
    finally:
        pieces.close(is_cut=is_cut)


async def _send_pieces(pieces: Pieces, receive: Receive, pace: "_Pace") -> None:
    leaving = asyncio.ensure_future(_wait_until_left(receive))
    try:
        while (piece := await pieces.take()) is not None:
            await asyncio.sleep(0)  # a client that takes at once does not keep the loop
            if leaving.done():
                raise ConnectionError
            await pace.send(piece)
    finally:
        leaving.cancel()


async def _wait_until_left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass  # the end of a body that is not there


def only_message(reply: Reply) -> bytes | None:
    """Give the whole body where it is small."""
    if isinstance(reply.pieces, LocalPieces) and reply.pieces.whole is not None:
        [whole] = reply.pieces.whole
        return whole if len(whole) <= SMALL else None
    return None


class _Pace:
    """How fast one client takes one reply. The time in which pieces are made does not count.

    A kernel takes up to its whole buffer at once and then nothing until a third of that is free,
    so a client that reads steadily looks as if it paused: the pace counts, not the single message.
    """

    def __init__(self, send: Send, seconds: float) -> None:
        self._send, self._waited = send, 0.0
        self._allowed, self._in_all = _GRACE * seconds, _IN_ALL * seconds

    async def send(self, piece: bytes) -> None:
        now = asyncio.get_running_loop().time
        for place in range(0, len(piece), SMALL):
            body = piece[place : place + SMALL]
            started = now()
            left = min(self._allowed, self._in_all) - self._waited
            async with asyncio.timeout(left):
                await self._send({"type": "http.response.body", "body": body, "more_body": True})
            self._waited += now() - started
            self._allowed += len(body) / _LEAST_PACE
