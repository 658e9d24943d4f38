"""Many requests that come at once -> some after the others, and all else between.

granian hands requests over in a thread of its own, one by one, and Python lets that thread in when
the event loop's has nothing to do. So there is a rest after every few milliseconds: a probe that
comes behind a crowd would otherwise wait until all of it is done.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from time import monotonic

from service.errors import Overloaded
from service.server.budget import Budget

_CROWD = 32
"""More in one turn of the event loop are a crowd."""

_BEGUN, _REFUSED = 4, 8
"""So many go on before the time is looked at: a small request takes 0.1 ms, a refusal half."""

_SLICE, _REST = 0.002, 0.001
"""Seconds in which some go on, and until the next ones do."""

_STILL_COMING = 4
"""Where more came since some last went on, there is a rest at once: others have to be handed over,
and what is handed over is in order."""

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
        self._slice_ends = 0.0

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
        return self._arrived > _CROWD

    def _look_around(self) -> None:
        self._arrived = 0

    async def wait(self, address: str, let_go: Callable[[], None] = lambda: None) -> bool:
        """Let others go on first, one of each address in turn.

        False where too many wait, or too many of one address: it is time to refuse this one, which
        has let go of what only an answer needs.
        """
        if not self._places.take(address):
            let_go()
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
        self._slice_ends = monotonic() + _SLICE
        self._let_few_go()

    def _let_few_go(self) -> None:
        self._came = 0
        for _ in range(min(_REFUSED, len(self._to_refuse))):
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
            asyncio.get_running_loop().call_soon(self._go_on)

    def _go_on(self) -> None:
        """Let others go, at once or later; those who were let go have gone on before this."""
        if self._came <= _STILL_COMING and monotonic() < self._slice_ends:
            self._let_few_go()
        else:
            asyncio.get_running_loop().call_later(_REST, self._let_some_go)


def _give(turn: Turn) -> None:
    if not turn.done():  # as it is where its client's task was cancelled
        turn.set_result(None)
