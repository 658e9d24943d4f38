"""Thousands of clients that all send the same -> what each got, on plain sockets with one selector.

Attackers have processors of their own elsewhere; here they share the server's. A stream and a task
for each client would take more of them than the server does.
"""

import asyncio
from collections import Counter
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from socket import socket
from time import monotonic, sleep

from service.attack.crowd import PENDING, Outcomes, outcome_of
from service.attack.wire import Address, unconnected

_PIECE = 65_536

_PACE = 125_000_000
"""Bytes a second of one crowd: a gigabit, as a network brings them. Within one machine it would be
eight, and to copy them would keep both processors from the server."""

_AHEAD = 0.002
"""Seconds."""

_STATUS = slice(9, 12)
"""Of a reply, which begins with HTTP/1.1 and a blank."""


async def all_send(count: int, address: Address, request: bytes, seconds: float) -> Outcomes:
    """Connect so many, and then let all send at once; give the statuses that they get.

    What is sent may be less than a request, or nothing.
    """
    return await asyncio.to_thread(_Crowd(address, request).run, count, seconds)


class _Crowd:
    def __init__(self, address: Address, request: bytes) -> None:
        self._address, self._request = address, memoryview(request)
        self._selector = DefaultSelector()
        self._outcomes: Outcomes = Counter()
        self._sent_at = 0.0
        """When the last bytes would have been sent at the pace."""

    def run(self, count: int, seconds: float) -> Outcomes:
        end = monotonic() + seconds
        with self._selector:
            self._connect(count)
            while (now := monotonic()) < end and self._selector.get_map():
                for key, events in self._selector.select(end - now):
                    self._go_on(key.fileobj, key.data, events)  # type: ignore[arg-type]
            for key in [*self._selector.get_map().values()]:
                self._end(key.fileobj, PENDING)  # type: ignore[arg-type]
        return self._outcomes

    def _connect(self, count: int) -> None:
        """Have so many connect; each sends when it is connected, and none before all have begun."""
        clients = [self._begin() for _ in range(count)]
        for client in filter(None, clients):
            self._selector.register(client, EVENT_READ | EVENT_WRITE, self._request)

    def _begin(self) -> socket | None:
        client = unconnected(self._address)
        try:
            client.connect(self._address[:2])
        except BlockingIOError:
            return client
        except OSError as fault:
            client.close()
            self._outcomes[outcome_of(fault)] += 1
            return None
        return client

    def _go_on(self, client: socket, rest: memoryview, events: int) -> None:
        """Take what has come, or send what can be sent."""
        try:
            if events & EVENT_READ:
                reply = client.recv(_PIECE)
                self._end(client, reply[_STATUS].decode("latin-1") or "closed")
            else:
                count = client.send(rest[:_PIECE])
                self._keep_pace(count)
                rest = rest[count:]
                self._selector.modify(client, EVENT_READ | (EVENT_WRITE if rest else 0), rest)
        except OSError as fault:
            self._end(client, outcome_of(fault))

    def _keep_pace(self, count: int) -> None:
        now = monotonic()
        self._sent_at = max(self._sent_at, now) + count / _PACE
        if self._sent_at > now + _AHEAD:
            sleep(self._sent_at - now)

    def _end(self, client: socket, outcome: str) -> None:
        self._outcomes[outcome] += 1
        self._selector.unregister(client)
        client.close()
