"""Many requests that come, or are refused, at once -> a few after the others, all else between."""

import asyncio
from collections import deque

from service.errors import Overloaded

_AT_ONCE = 32
"""So many are begun, or refused, together, in some milliseconds."""

_MOST = 512
"""So many wait at most: each has 4 kB here, and up to 16 kB of its request in the server."""


class Turns:
    """Who waits here leaves the event loop to probes, and to requests that can go on."""

    def __init__(self) -> None:
        """Begin without a crowd."""
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._arrived = 0

    def is_crowded(self) -> bool:
        """Count a request that came; say whether many did since the loop last looked around."""
        if not self._arrived:
            asyncio.get_running_loop().call_soon(self._look_around)
        self._arrived += 1
        return self._arrived > _AT_ONCE

    def _look_around(self) -> None:
        self._arrived = 0

    def is_full(self) -> bool:
        """Say whether as many wait as may."""
        return len(self._waiting) >= _MOST

    def too_many(self) -> Overloaded:
        """Give the error for a client that cannot wait, too."""
        message = f"{_MOST} requests wait to be begun, no more; wait a second and try again"
        return Overloaded(message, limit=_MOST, actual=len(self._waiting) + 1)

    async def give_way(self) -> None:
        """Let all that can go on do so, and those who gave way before."""
        loop = asyncio.get_running_loop()
        turn = loop.create_future()
        self._waiting.append(turn)
        if len(self._waiting) == 1:
            loop.call_soon(self._let_some_go)
        await turn

    def _let_some_go(self) -> None:
        for _ in range(min(_AT_ONCE, len(self._waiting))):
            turn = self._waiting.popleft()
            if not turn.done():  # as it is where its client's task was cancelled
                turn.set_result(None)
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._let_some_go)
