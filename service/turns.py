"""Large requests -> a few places, the newest request of each address first.

What one thread computes keeps the interpreter from the others, so few large requests are computed
at once, and small ones between them. A slider sends a request for each step and aborts the one
before: the newest is the one that somebody waits for. Addresses take turns, so nobody's sliders
keep another client waiting.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from threading import Event, Lock

from service.errors import Overloaded

_SHARE = 3, 4
"""What one address may have of the requests that wait, as a fraction."""

_SWITCH_SECONDS, _SWITCH_SECONDS_BESIDE_LARGE = sys.getswitchinterval(), 0.0005
"""How long a thread may compute while others want to. A short one costs a tenth of the speed."""


class _Waiting:
    """A request that waits: its place, or the error that it gets instead."""

    def __init__(self, address: str, since: float, *, has_begun: bool) -> None:
        self.address, self.since, self.has_begun = address, since, has_begun
        self.is_called = Event()
        self.refusal: Overloaded | None = None


class Places:
    """The places of one process."""

    def __init__(self, places: int, waiting: int, seconds: int) -> None:
        """Take how many requests are computed at once, how many wait at most, and for how long."""
        part, whole = _SHARE
        self._most, self._share, self._seconds = waiting, max(1, waiting * part // whole), seconds
        self._lock = Lock()
        self._places = self._free = places
        self._waiting: dict[str, list[_Waiting]] = {}
        """By address; the address whose turn it is first."""

    @property
    def taken(self) -> int:
        """How many requests are computed now."""
        return self._places - self._free

    @property
    def waiting(self) -> int:
        """How many requests wait for a place now."""
        with self._lock:
            return self._count()

    @contextmanager
    def place(self, address: str, since: float, *, has_begun: bool = False) -> Iterator[None]:
        """Hold a place, after waiting for it.

        Args:
            address: the client's.
            since: when the request came, by any clock; the newest is first.
            has_begun: whether a part of the reply is sent; then it waits as long as it takes.

        Raises:
            Overloaded: none was free in time, or too many newer requests wait.
        """
        self._take(_Waiting(address, since, has_begun=has_begun))
        try:
            yield
        finally:
            self._give_back()

    def in_turns(self, address: str, since: float, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """Hold a place while a piece of a reply is made, and none while the client takes it."""
        has_begun = False
        while True:
            with self.place(address, since, has_begun=has_begun):
                made = list(islice(pieces, 1))
            if not made:
                return
            has_begun = True
            yield made.pop()

    def _take(self, own: _Waiting) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                sys.setswitchinterval(_SWITCH_SECONDS_BESIDE_LARGE)
                return
            self._waiting.setdefault(own.address, []).append(own)
            if not own.has_begun:
                self._make_room(own.address)
        if not own.is_called.wait(None if own.has_begun else self._seconds):
            with self._lock:
                if not own.is_called.is_set():
                    wants = self._places + self._count()
                    self._forget(own)
                    message = f"no place was free for this large request within {self._seconds} s"
                    own.refusal = _refusal(message, limit=self._places, actual=wants)
        if own.refusal:
            raise own.refusal

    def _give_back(self) -> None:
        with self._lock:
            if not self._waiting:
                self._free += 1
                if self._free == self._places:
                    sys.setswitchinterval(_SWITCH_SECONDS)
                return
            address = next(iter(self._waiting))
            newest = max(self._waiting[address], key=_since)
            self._forget(newest)
            if others := self._waiting.pop(address, None):
                self._waiting[address] = others  # after those of all other addresses
            newest.is_called.set()

    def _make_room(self, address: str) -> None:
        """Refuse the oldest request of an address that has its share, or of the one with most."""
        own = self._refusable(address)
        if len(own) > self._share:
            limit, whose = self._share, "of one address"
        elif self._count() > self._most:
            own = max(map(self._refusable, self._waiting), key=len)
            limit, whose = self._most, "in all"
        else:
            return
        if own:
            oldest = min(own, key=_since)
            self._forget(oldest)
            message = f"{limit} newer large requests wait, which is the most {whose}"
            oldest.refusal = _refusal(message, limit=limit, actual=limit + 1)
            oldest.is_called.set()

    def _refusable(self, address: str) -> list[_Waiting]:
        return [each for each in self._waiting.get(address, ()) if not each.has_begun]

    def _forget(self, waiting: _Waiting) -> None:
        of_address = self._waiting[waiting.address]
        of_address.remove(waiting)
        if not of_address:
            del self._waiting[waiting.address]

    def _count(self) -> int:
        return sum(map(len, self._waiting.values()))


def _since(waiting: _Waiting) -> tuple[bool, float]:
    """Order by arrival; replies that have begun are the newest."""
    return waiting.has_begun, waiting.since


def _refusal(message: str, limit: int, actual: int) -> Overloaded:
    return Overloaded(f"{message}; wait a second and try again", limit=limit, actual=actual)
