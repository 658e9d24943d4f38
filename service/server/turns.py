"""Many requests that come at once -> some after the others, and all else between.

granian hands requests over in a thread of its own, one by one, and Python lets that thread in when
the event loop's has nothing to do. So there is a rest after every few: a probe that comes behind a
crowd would otherwise wait until all of it is done.
"""

import asyncio
from collections import deque

from service.errors import Overloaded
from service.server.budget import Budget

_BEGUN, _REFUSED = 32, 64
"""So many go on together, in some milliseconds: a small request takes 0.1, a refusal 0.04."""

_REST = 0.001
"""Seconds until the next ones go on."""

_MOST = 512
"""So many wait to be begun at most."""

_MOST_REFUSED = 4_096
"""So many wait to be refused at most, with 3 kB each; others are refused at once."""

Turn = asyncio.Future[None]


class Turns:
    """Who waits here leaves the event loop to probes, and to requests that can go on."""

    def __init__(self) -> None:
        """Begin without a crowd."""
        self._to_begin, self._to_refuse = deque[Turn](), deque[Turn]()
        self._places, self._arrived = Budget(_MOST), 0

    def is_crowded(self) -> bool:
        """Count a request that came; say whether many did since the loop last looked around."""
        if not self._arrived:
            asyncio.get_running_loop().call_soon(self._look_around)
        self._arrived += 1
        return self._arrived > _BEGUN

    def _look_around(self) -> None:
        self._arrived = 0

    async def wait(self, address: str) -> bool:
        """Let others go on first.

        False where too many wait, or too many of one address: it is time to refuse this one.
        """
        if not self._places.take(address):
            if len(self._to_refuse) < _MOST_REFUSED:
                await self._stand_in(self._to_refuse)
            return False
        try:
            await self._stand_in(self._to_begin)
        finally:
            self._places.give_back(address)
        return True

    def too_many(self) -> Overloaded:
        """Give the error for a client that can't wait."""
        return self._places.too_much("requests wait to be begun")

    def _stand_in(self, queue: deque[Turn]) -> Turn:
        loop = asyncio.get_running_loop()
        if not self._to_begin and not self._to_refuse:
            loop.call_soon(self._let_some_go)
        queue.append(loop.create_future())
        return queue[-1]

    def _let_some_go(self) -> None:
        for queue, most in ((self._to_begin, _BEGUN), (self._to_refuse, _REFUSED)):
            for _ in range(min(most, len(queue))):
                turn = queue.popleft()
                if not turn.done():  # as it is where its client's task was cancelled
                    turn.set_result(None)
        if self._to_begin or self._to_refuse:
            asyncio.get_running_loop().call_later(_REST, self._let_some_go)
