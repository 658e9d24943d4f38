"""Requests -> turns to compute: one small request at a time, next to one large one.

The interpreter runs one thread at a time. Requests that compute concurrently gain nothing: they
hold memory and delay each other. So a request that waits holds only its body.
"""

import re
import sys
from collections.abc import Iterator
from itertools import islice
from math import inf
from threading import Event, Lock
from time import monotonic, thread_time
from typing import Self

from engine_py.deadline import Deadline, DeadlineExceeded
from service.errors import Overloaded
from service.memory import held_memory

SMALL_BYTES = 1_000
"""The maximum size of a small request's body or query."""

SMALL_TOKENS, SMALL_CHARACTERS = 250, 15
"""The maximum number of tokens in its text, or of characters if it is drawn or rewritten. The most
expensive small request takes 7 ms, 20 times as long as a usual one, and its reply has 160 kB:
`make bench-dearest` searches for it."""

_TOKEN = re.compile(r"[A-Za-z0-9_]+|\S")
"""Matches at least once for each token of the language."""

_LINES = 256
"""Lines in which small requests wait, by their address; the first of each line competes."""

_SHARE = 3, 4
"""Numerator and denominator of the share of the waiting requests that one address may have."""

_SLICE_SECONDS = 0.005
"""CPU time after which a large request is charged, and may be paused."""

_PAUSED = 1
"""The maximum number of paused large requests. Each holds its memory."""

_LATELY_SECONDS, _LEAST_SECONDS = 10, 0.001
"""Half-life of the CPU time charged to an address, and the least that is kept."""

_SWITCH_SECONDS, _SHORT_SWITCH_SECONDS = sys.getswitchinterval(), 0.0005
"""How long a thread computes before it yields. The short time costs a tenth of the speed."""


class Turn(Deadline):
    """The turn of one request: a `with` block waits for it and holds it, and may be repeated.

    It is also the deadline of the request's computation. At a check of the deadline a large request
    may be paused in favour of another address.
    """

    is_large = is_refusable = has_begun = is_paused = False
    called: Event
    """Set when a large request gets its turn, or is refused."""
    refusal: Overloaded | None = None
    latest = inf
    """Total CPU time of large requests after which it is refused."""
    charged = 0.0
    """CPU time of its thread when it was last charged."""

    def __init__(self, turns: "Turns", address: str, since: float) -> None:
        self.address = hash(address)  # of fixed size, however long the name is
        self.since = since
        self._turns = turns

    def __enter__(self) -> Self:
        """Wait for the turn: of a small request, or of a large one that goes on."""
        if self.is_large:
            self._turns.take_large(self)
        else:
            self._turns.take_small(self)
        return self

    def __exit__(self, *_: object) -> None:
        """Give the turn to the next request."""
        if self.is_large:
            self._turns.end_large(self)
        else:
            self._turns.end_small(self)

    def grow(self, *, is_refusable: bool = True) -> None:
        """Become large and wait for that turn. If it raises Overloaded, the turn is small again."""
        self._turns.end_small(self)
        self.is_large, self.is_refusable = True, is_refusable
        super().__init__(self._turns.compute_seconds, thread_time)
        try:
            self._turns.take_large(self)
        except Overloaded:
            self.is_large = False
            self._turns.take_small(self)
            raise

    def weigh(self, text: object, *, is_slow: bool = False) -> None:
        """Become large, and never be refused, if `text` is too long for a small request.

        Args:
            text: the request's member `expression`, of any type.
            is_slow: whether it is drawn or rewritten.
        """
        if self.is_large or not isinstance(text, str):
            return
        if len(text) <= (SMALL_CHARACTERS if is_slow else SMALL_TOKENS):
            return  # a token has a character or more, and counting them takes time
        if is_slow or len(_TOKEN.findall(text)) > SMALL_TOKENS:
            self.grow(is_refusable=False)

    def memory_is_short(self) -> Overloaded:
        """Return the error of a request that needs too much memory."""
        most = self._turns.most_bytes
        message = f"the service may hold {most} bytes of memory, too few for this request"
        cure = "send less at once, or wait a second and try again"
        return Overloaded(f"{message}; {cure}", limit=most, actual=None)

    def check(self) -> None:
        """Wait if another request is to compute now.

        Raises:
            DeadlineExceeded: the request has used its CPU time.
            Overloaded: the process holds too much memory.
        """
        if not self.is_large:
            return
        now = thread_time()
        if now > self._end:
            raise DeadlineExceeded(self.seconds)
        if now - self.charged > _SLICE_SECONDS:
            self._turns.go_on(self)

    def pieces(self, rest: Iterator[bytes]) -> Iterator[bytes]:
        """Hold the turn while a piece is made, not while the client reads it."""
        while True:
            with self:
                made = list(islice(rest, 1))
            if not made:
                return
            yield made.pop()


class Turns:
    """The turns of one process."""

    def __init__(
        self, waiting: int, wait_seconds: float, compute_seconds: float, most_bytes: int = 10**12
    ) -> None:
        """Take the bounds.

        Args:
            waiting: the maximum number of large requests that wait.
            wait_seconds: CPU time of other large requests after which one that waits is refused.
            compute_seconds: the maximum CPU time of one request.
            most_bytes: memory of the process beyond which the large request is refused.
        """
        part, whole = _SHARE
        self._most, self._share = waiting, max(1, waiting * part // whole)
        self._wait_seconds, self.compute_seconds = wait_seconds, compute_seconds
        self.most_bytes = most_bytes
        self._small, self._lines = Lock(), [Lock() for _ in range(_LINES)]
        self._lock = Lock()
        self._computing: Turn | None = None
        self._waiting: dict[int, list[Turn]] = {}
        """By address; includes paused requests."""
        self._paused = 0
        self._spent = 0.0
        """Total CPU time of large requests."""
        self._used: dict[int, float] = {}
        """Recent CPU time of each address."""
        self._faded = monotonic()
        """When the times in `_used` were last reduced by their half-life."""

    @property
    def large(self) -> int:
        """How many large requests compute now."""
        return int(self._computing is not None)

    @property
    def waiting(self) -> int:
        """How many large requests wait for their turn now."""
        with self._lock:
            return sum(map(len, self._waiting.values()))

    def turn(self, address: str, since: float) -> Turn:
        """Return the turn of a request, before its wait.

        Args:
            address: the client's address.
            since: when the request arrived, by any clock; the newest of an address is next.
        """
        return Turn(self, address, since)

    def take_small(self, own: Turn) -> None:
        """Wait behind at most one request of each other address, for as long as it takes.

        Free locks cost nothing. A queue that hands the turn over would cost 5 %, since it puts
        each request to sleep and wakes it.
        """
        self._lines[own.address % _LINES].acquire()
        self._small.acquire()

    def end_small(self, own: Turn) -> None:
        """Let the next small request compute."""
        self._small.release()
        self._lines[own.address % _LINES].release()

    def take_large(self, own: Turn) -> None:
        """Wait for the turn of a large request. Raises Overloaded."""
        with self._lock:
            is_free = self._computing is None
            if is_free:
                self._computing = own
                sys.setswitchinterval(_SHORT_SWITCH_SECONDS)
            else:
                self._enqueue(own)
                if _is_refusable(own):
                    own.latest = self._spent + self._wait_seconds
                    self._make_room(own.address)
        if not is_free:
            own.called.wait()
        if own.refusal:
            raise own.refusal
        own.has_begun = True
        own.charged = thread_time()

    def end_large(self, own: Turn) -> None:
        """Let the next large request compute."""
        with self._lock:
            self._charge(own)
            if self._waiting:
                self._call(self._next(self._waiting))
            else:
                self._computing = None
                sys.setswitchinterval(_SWITCH_SECONDS)

    def go_on(self, own: Turn) -> None:
        """Pause a large request if an address with less use waits. Raises Overloaded."""
        if held_memory() > self.most_bytes:
            raise own.memory_is_short()
        with self._lock:
            self._charge(own)
            if not (waiting := self._eligible()):
                return
            other = self._next(waiting)
            if self._use(other.address) + _SLICE_SECONDS > self._use(own.address):
                return
            self._enqueue(own)
            own.is_paused = True
            self._paused += 1
            self._call(other)
        own.called.wait()
        own.charged = thread_time()

    def _enqueue(self, own: Turn) -> None:
        own.called = Event()
        self._waiting.setdefault(own.address, []).append(own)

    def _call(self, turn: Turn) -> None:
        self._forget(turn)
        self._paused -= turn.is_paused
        turn.is_paused = False
        self._computing = turn
        turn.called.set()

    def _next(self, waiting: dict[int, list[Turn]]) -> Turn:
        """Choose the newest request (a slider's latest) of the address with the least use.

        A request that has begun comes first, since it holds memory.
        """
        return max(waiting[min(waiting, key=self._use)], key=_recency)

    def _eligible(self) -> dict[int, list[Turn]]:
        """Return all that wait, or, if enough are paused, only those that have begun."""
        if self._paused < _PAUSED:
            return self._waiting
        begun = {
            address: [turn for turn in turns if turn.has_begun]
            for address, turns in self._waiting.items()
        }
        return {address: turns for address, turns in begun.items() if turns}

    def _use(self, address: int) -> float:
        return self._used.get(address, 0.0)

    def _charge(self, own: Turn) -> None:
        """Charge a request's use to its address, and refuse those that have waited too long."""
        now = thread_time()
        used, own.charged = now - own.charged, now
        age = monotonic() - self._faded
        if age > _LATELY_SECONDS:
            left = {
                address: use * 0.5 ** (age / _LATELY_SECONDS) for address, use in self._used.items()
            }
            self._used = {address: use for address, use in left.items() if use > _LEAST_SECONDS}
            self._faded += age
        self._spent += used
        self._used[own.address] = self._use(own.address) + used
        late = (turn for turns in self._waiting.values() for turn in turns)
        for turn in [turn for turn in late if turn.latest < self._spent and _is_refusable(turn)]:
            wanted = 1 + sum(map(len, self._waiting.values()))
            message = f"other large requests were computed for {self._wait_seconds} s before it"
            self._refuse(turn, message, limit=1, actual=wanted)

    def _make_room(self, address: int) -> None:
        """Refuse the oldest request of the address above its share, or of the one with the most."""
        refusable = {
            each: [turn for turn in turns if _is_refusable(turn)]
            for each, turns in self._waiting.items()
        }
        own = refusable[address]
        if len(own) > self._share:
            limit, whose = self._share, "for one address"
        elif sum(map(len, refusable.values())) > self._most:
            own = max(refusable.values(), key=len)
            limit, whose = self._most, "in all"
        else:
            return
        message = f"{limit} newer large requests wait, the maximum {whose}"
        self._refuse(min(own, key=_recency), message, limit=limit, actual=limit + 1)

    def _refuse(self, turn: Turn, message: str, limit: int, actual: int) -> None:
        self._forget(turn)
        cure = "wait a second and try again"
        turn.refusal = Overloaded(f"{message}; {cure}", limit=limit, actual=actual)
        turn.called.set()

    def _forget(self, turn: Turn) -> None:
        of_address = self._waiting[turn.address]
        of_address.remove(turn)
        if not of_address:
            del self._waiting[turn.address]


def _is_refusable(turn: Turn) -> bool:
    return turn.is_refusable and not turn.has_begun


def _recency(turn: Turn) -> tuple[bool, float]:
    return turn.has_begun, turn.since
