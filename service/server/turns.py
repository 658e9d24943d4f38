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

_REFUSED_MEANWHILE = 8
"""So many are refused together while more than _STILL_COMING came since the last ones."""

_STILL_COMING = 4

_REST = 0.001
"""Seconds until the next ones go on."""

_MOST = 512
"""So many wait to be begun at most."""

_MOST_REFUSED = 2_048
"""So many wait to be refused at most, with 3 kB each; others are refused at once."""

Turn = asyncio.Future[None]


class Turns:
    """Who waits here leaves the event loop to probes, and to requests that can go on."""

    def __init__(self) -> None:
        """Begin without a crowd."""
        self._to_begin: dict[str, deque[Turn]] = {}
        """By address, that whose turn it is first."""
        self._to_refuse = deque[Turn]()
        self._goes_on = False
        self._places = Budget(_MOST)
        self._arrived, self._came = 0, 0
        """Requests, since the loop last looked around, and since some last went on."""

    @property
    def goes_on(self) -> bool:
        """Say whether some still wait."""
        return self._goes_on

    def is_crowded(self) -> bool:
        """Count a request that came; say whether many did since the loop last looked around."""
        if not self._arrived:
            asyncio.get_running_loop().call_soon(self._look_around)
        self._arrived += 1
        self._came += 1
        return self._arrived > _BEGUN

    def _look_around(self) -> None:
        self._arrived = 0

    async def wait(self, address: str) -> bool:
        """Let others go on first, one of each address in turn.

        False where too many wait, or too many of one address: it is time to refuse this one.
        """
        if not self._places.take(address):
            if len(self._to_refuse) < _MOST_REFUSED:
                await self._stand_in(self._to_refuse)
            return False
        try:
            await self._stand_in(self._to_begin.setdefault(address, deque()))
        finally:
            self._places.give_back(address)
        return True

    def too_many(self) -> Overloaded:
        """Give the error for a client that can't wait."""
        return self._places.too_much("requests wait to be begun")

    def _stand_in(self, queue: deque[Turn]) -> Turn:
        loop = asyncio.get_running_loop()
        if not self._goes_on:
            self._goes_on = True
            loop.call_soon(self._let_some_go)
        queue.append(loop.create_future())
        return queue[-1]

    def _let_some_go(self) -> None:
        most = _REFUSED_MEANWHILE if self._came > _STILL_COMING else _REFUSED
        self._came = 0
        for _ in range(min(most, len(self._to_refuse))):
            _give(self._to_refuse.popleft())
        for _ in range(_BEGUN):
            if self._to_begin:
                address = next(iter(self._to_begin))
                queue = self._to_begin.pop(address)
                _give(queue.popleft())
                if queue:
                    self._to_begin[address] = queue
        self._goes_on = bool(self._to_begin or self._to_refuse)
        if self._goes_on:
            asyncio.get_running_loop().call_soon(self._rest)

    def _rest(self) -> None:
        """Go on later; those who were let go have gone on before this."""
        asyncio.get_running_loop().call_later(_REST, self._let_some_go)


def _give(turn: Turn) -> None:
    if not turn.done():  # as it is where its client's task was cancelled
        turn.set_result(None)
