"""All that comes in crowds -> some of it at a time, one of each address, and all else between.

A probe that comes behind a crowd would otherwise wait until all of it is done.
"""

import asyncio
from collections import deque
from collections.abc import Callable

PIECE, CONNECTION, REQUEST = 2, 10, 30
"""What it costs the event loop to parse, to make and to answer one, in hundredths of a
millisecond."""

_TURN = 100
"""What is begun in one turn of the loop."""


class Turns:
    """What waits to be begun."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._waiting: dict[str, deque[tuple[int, Callable[[], object]]]] = {}
        """By address, that whose turn it is first."""
        self._left, self._goes_on = _TURN, False

    def add(self, address: str, cost: int, begin: Callable[[], object]) -> None:
        """Have something of an address begun: now, or when it is its turn."""
        if self._left > 0:
            self._left -= cost
            begin()
        else:
            self._waiting.setdefault(address, deque()).append((cost, begin))
        self._go_on()

    def _go_on(self) -> None:
        if not self._goes_on:
            self._goes_on = True
            asyncio.get_running_loop().call_soon(self._let_some_go)

    def _let_some_go(self) -> None:
        self._left = _TURN
        while self._waiting and self._left > 0:
            address = next(iter(self._waiting))
            queue = self._waiting.pop(address)
            cost, begin = queue.popleft()
            if queue:
                self._waiting[address] = queue
            self._left -= cost
            begin()
        self._goes_on = False
        if self._waiting:
            self._go_on()
