"""The bytes that connections hold -> within a budget, and clients that are late let go.

Where all hold more than there is, those go who have waited for their clients the longest.
"""

import asyncio
from collections import OrderedDict
from itertools import islice
from typing import Protocol

from service.server.budget import Budget

_CHECKS = 40
"""How often connections are looked at within their seconds; they are a fortieth late at most."""

_LOOKED_AT = 16
"""Of so many who have waited longest that one goes whose address holds the most."""

_TOGETHER = 32
"""So many are let go in one turn of the event loop: a reply to each takes 0.1 ms."""


class Client(Protocol):
    """A connection, as far as its client can be waited for."""

    address: str
    held: int
    """Bytes of the budget."""

    def expire(self) -> None:
        """End, for the client is late."""

    def make_room(self) -> None:
        """End, for others need the bytes."""


class Waiting:
    """What connections hold, and which of them wait for their clients, each equally long."""

    def __init__(self, limit: int, seconds: float) -> None:
        """Take the bytes that all may hold, and the seconds that a client has."""
        self.budget, self._seconds = Budget(limit, "bytes of requests are held"), seconds
        self._ends = OrderedDict[Client, float]()
        """In the order in which they began to wait; a dict would pass over all that has gone."""
        self._is_watched = False

    def begin(self, client: Client) -> None:
        """Wait for a client, from now on."""
        self._ends.pop(client, None)
        loop = asyncio.get_running_loop()
        self._ends[client] = loop.time() + self._seconds
        if not self._is_watched:
            self._is_watched = True
            self._watch(loop)

    def end(self, client: Client) -> None:
        """Wait no more: it has sent what it had to, or has left."""
        self._ends.pop(client, None)

    def hold(self, client: Client, size: int) -> bool:
        """Hold so many more bytes for a client, and say whether that can be."""
        while not self.budget.take(client.address, size):
            oldest = [each for each in islice(self._ends, _LOOKED_AT) if each is not client]
            if not self.budget.has_share(client.address, size):
                oldest = [each for each in oldest if each.address == client.address]
            if not oldest:
                return False
            out = max(oldest, key=self._held_by_address)
            self.end(out)
            out.make_room()
            self.release(out)
        client.held += size
        return True

    def _held_by_address(self, client: Client) -> int:
        return self.budget.held_by(client.address)

    def release(self, client: Client, but: int = 0) -> None:
        """Hold no more of it than so many bytes."""
        if client.held > but:
            self.budget.give_back(client.address, client.held - but)
            client.held = but

    def _watch(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        for client, end in list(islice(self._ends.items(), _TOGETHER)):
            if end > now:
                loop.call_later(self._seconds / _CHECKS, self._watch, loop)
                return
            self.end(client)
            client.expire()
        if self._ends:
            loop.call_soon(self._watch, loop)
        else:
            self._is_watched = False
