"""Requests -> turns to compute: one small request at a time, and one large one beside it.

The interpreter runs one thread at a time. Requests that compute side by side gain nothing by it:
they only hold memory, and keep each other waiting. So a request waits with its body alone.
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
"""Of the body or the query of a small request."""

SMALL_TOKENS, SMALL_CHARACTERS = 250, 50
"""Of its text: tokens to be differentiated, or characters to be drawn or rewritten. The dearest
such request takes 6 ms, 20 times as long as a usual one, and has a reply of 160 kB, at most:
`make bench-dearest` searches for it."""

_TOKEN = re.compile(r"[A-Za-z0-9_]+|\S")
"""At least one match for each token of the language."""

_LINES = 256
"""Small requests of one address wait in one of these lines; the first of each line is next."""

_SHARE = 3, 4
"""The part of the large requests that wait which one address may have."""

_SLICE_SECONDS = 0.005
"""CPU time that a large request uses before it may be paused, and between two charges."""

_PAUSED = 1
"""Large requests that may be paused. Each holds its memory."""

_LATELY_SECONDS, _LEAST_SECONDS = 10, 0.001
"""The half-life of what an address has used, and the least use that is remembered."""

_SWITCH_SECONDS, _SWITCH_SECONDS_BESIDE_LARGE = sys.getswitchinterval(), 0.0005
"""How long a thread may compute while others want to. A short one costs a tenth of the speed."""


class Turn(Deadline):
    """The turn of one request. A `with` block waits for it and holds it; the block can be repeated.

    It is also the deadline of the request's computation. When the computation checks it, a large
    request may be paused in favour of another address.
    """

    is_large = is_refusable = has_begun = is_paused = False
    called: Event
    """Set by whoever gives a large request its turn, or refuses it."""
    refusal: Overloaded | None = None
    latest = inf
    """The CPU time of all large requests beyond which it is refused."""
    charged = 0.0
    """The thread's CPU time up to which its use is counted."""

    def __init__(self, turns: "Turns", address: str, since: float) -> None:
        """Keep what its place among others depends on. A small request needs no deadline."""
        self.address = hash(address)  # as long as others', whatever a client calls itself
        self.since = since
        self._turns = turns

    def __enter__(self) -> Self:
        """Wait for the turn of a small request, or of a large one that has begun."""
        if self.is_large:
            self._turns.take_large(self)
        else:
            self._turns.take_small(self)
        return self

    def __exit__(self, *_: object) -> None:
        """Let the next request have its turn."""
        if self.is_large:
            self._turns.end_large(self)
        else:
            self._turns.end_small(self)

    def grow(self, *, is_refusable: bool = True) -> None:
        """Wait for the turn of a large request. Raises Overloaded: it is in a small one's then."""
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
        """Go on as a large request if a text is too much for a small one; its body is short.

        Args:
            text: the request's member `expression`, which need not be a text.
            is_slow: whether it is to be drawn or rewritten.
        """
        if self.is_large or not isinstance(text, str) or len(text) <= SMALL_CHARACTERS:
            return
        if is_slow or len(_TOKEN.findall(text)) > SMALL_TOKENS:
            self.grow(is_refusable=False)

    def memory_is_short(self) -> Overloaded:
        """Return the error of a request for which there is too little memory."""
        most = self._turns.most_bytes
        message = f"the service may hold {most} bytes of memory, too few for this request"
        cure = "send less at once, or wait a second and try again"
        return Overloaded(f"{message}; {cure}", limit=most, actual=None)

    def check(self) -> None:
        """Wait where another is to compute.

        Raises:
            DeadlineExceeded: the end has passed.
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
        """Have the turn while a piece is made, and not while the client takes it."""
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
            waiting: how many large requests may wait.
            wait_seconds: CPU time of other large requests for which one waits at most.
            compute_seconds: CPU time that one request may use.
            most_bytes: memory of the process beyond which the request that computes is refused.
        """
        part, whole = _SHARE
        self._most, self._share = waiting, max(1, waiting * part // whole)
        self._wait_seconds, self.compute_seconds = wait_seconds, compute_seconds
        self.most_bytes = most_bytes
        self._small, self._lines = Lock(), [Lock() for _ in range(_LINES)]
        self._lock = Lock()
        self._computing: Turn | None = None
        self._waiting: dict[int, list[Turn]] = {}
        """By address, those that are paused among them."""
        self._paused = 0
        self._spent = 0.0
        """CPU time of all large requests."""
        self._used: dict[int, float] = {}
        """That of each address, lately."""
        self._faded = monotonic()
        """When the use of all addresses was last reduced by its age."""

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
        """Return the turn of a request, to be waited for.

        Args:
            address: the client's.
            since: when the request came, by any clock; the newest is first.
        """
        return Turn(self, address, since)

    def take_small(self, own: Turn) -> None:
        """Wait behind one request of each other address at most, as long as it takes.

        Locks that are free cost nothing. A queue, which would hand the turn over, costs 5 %: each
        request would be put to sleep and woken.
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
                sys.setswitchinterval(_SWITCH_SECONDS_BESIDE_LARGE)
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
        """Pause a large request if one waits whose address has used less. Raises Overloaded."""
        if held_memory() > self.most_bytes:
            raise own.memory_is_short()
        with self._lock:
            self._charge(own)
            if not (waiting := self._those_that_may_begin()):
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
        """Choose the address that has used least, and its newest request: a slider's last.

        One that has begun comes before, since it holds memory.
        """
        return max(waiting[min(waiting, key=self._use)], key=_recency)

    def _those_that_may_begin(self) -> dict[int, list[Turn]]:
        """Return all that wait, or where enough are paused only those that have begun."""
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
        """Note what a request has used, and refuse those that have waited for that too long."""
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
        """Refuse the oldest request of an address that has its share, or of the one with most."""
        refusable = {
            each: [turn for turn in turns if _is_refusable(turn)]
            for each, turns in self._waiting.items()
        }
        own = refusable[address]
        if len(own) > self._share:
            limit, whose = self._share, "of one address"
        elif sum(map(len, refusable.values())) > self._most:
            own = max(refusable.values(), key=len)
            limit, whose = self._most, "in all"
        else:
            return
        message = f"{limit} newer large requests wait, which is the most {whose}"
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
