"""Many requests that come, or are refused, at once -> some after the others, all else between."""

import asyncio
import sys
from collections import deque

from service.errors import Overloaded
from service.server.budget import Budget

_BEGUN, _REFUSED = 32, 96
"""So many go on together, in some milliseconds: a small request takes 0.1, a refusal 0.04."""

_MOST = 512
"""So many wait to be begun at most, and so many to be refused, as the rest is: that goes faster."""

_USUAL, _IN_A_CROWD = 0.005, 0.0005
"""Seconds until Python has a busy thread give way. granian hands requests over in a thread of its
own: with the usual ones for each, a probe that comes behind a crowd waits until all of it is done.
At any other time, giving way so often would make small requests dearer."""

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
        """Let others go on first; False, at once, where too many wait, or too many of one."""
        if not self._places.take(address):
            return False
        try:
            await self._stand_in(self._to_begin)
        finally:
            self._places.give_back(address)
        return True

    def too_many(self) -> Overloaded:
        """Give the error for a client that can't wait."""
        return self._places.too_much("requests wait to be begun")

    def refusal(self) -> Turn | None:
        """Give what to wait for while others are refused; None where so many wait for that, too.

        No coroutine: this is where a crowd waits, with all that each request holds.
        """
        return self._stand_in(self._to_refuse) if len(self._to_refuse) < _MOST else None

    def _stand_in(self, queue: deque[Turn]) -> Turn:
        loop = asyncio.get_running_loop()
        if not self._to_begin and not self._to_refuse:
            loop.call_soon(self._let_some_go)
            sys.setswitchinterval(_IN_A_CROWD)
        queue.append(loop.create_future())
        return queue[-1]

    def _let_some_go(self) -> None:
        for queue, most in ((self._to_begin, _BEGUN), (self._to_refuse, _REFUSED)):
            for _ in range(min(most, len(queue))):
                turn = queue.popleft()
                if not turn.done():  # as it is where its client's task was cancelled
                    turn.set_result(None)
        if self._to_begin or self._to_refuse:
            asyncio.get_running_loop().call_soon(self._let_some_go)
        else:
            sys.setswitchinterval(_USUAL)
