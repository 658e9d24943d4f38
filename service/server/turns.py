"""Many requests that come at once -> some after the others, and all else between.

One of each address has its turn, and after a few of them the event loop looks around: a probe that
comes behind a crowd would otherwise wait until all of it is done.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any

from service.errors import Overloaded
from service.server.budget import Budget

Turn = tuple[Callable[[Any], None], Any]
"""What begins a request, and the request."""


class Turns:
    """Requests that wait to be begun, or other things."""

    def __init__(self, most: int, begun: int) -> None:
        """Take how many wait at most, and how many begin in one turn of the event loop."""
        self._begun, self.places = begun, Budget(most)
        self._to_begin: dict[str, deque[Turn]] = {}
        """By address, that whose turn it is first."""
        self._goes_on = False

    def add(self, address: str, begin: Callable[[Any], None], request: Any) -> bool:
        """Have it begun in its turn; False where too many wait, or too many of its address."""
        if not self.places.take(address):
            return False
        self._to_begin.setdefault(address, deque()).append((begin, request))
        self._go_on()
        return True

    def too_many(self) -> Overloaded:
        """Give the error for a client that can't wait."""
        return self.places.too_much("requests wait to be begun")

    def _go_on(self) -> None:
        if not self._goes_on:
            self._goes_on = True
            asyncio.get_running_loop().call_soon(self._let_some_go)

    def _let_some_go(self) -> None:
        for _ in range(self._begun):
            if self._to_begin:
                address = next(iter(self._to_begin))
                queue = self._to_begin.pop(address)
                begin, request = queue.popleft()
                self.places.give_back(address)
                begin(request)
                if queue:
                    self._to_begin[address] = queue
        self._goes_on = False
        if self._to_begin:
            self._go_on()
