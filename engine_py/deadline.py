"""When a computation has to end: long loops check a deadline, and stop once it has passed.

A check costs a microsecond or two, so loops check every few milliseconds: after some hundred cheap
items, or before each expensive one.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from math import inf
from time import thread_time
from typing import TypeVar

Item = TypeVar("Item")

NODES_PER_CHECK = 256
"""Nodes of a pass between two checks: 0.1 ms, or 20 ms if integers decide each node."""


class DeadlineExceeded(Exception):
    """A computation took too long; the request may still be valid."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"the computation takes more than {seconds} s")
        self.seconds = seconds


class Deadline:
    """Limits the time of one thread to `seconds` after construction.

    The default clock counts the processor time of this thread. To stop for another reason, such as
    a flag, derive a class and override `check`.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = thread_time) -> None:
        self.seconds = seconds
        self._clock = clock
        self._end = clock() + seconds

    def check(self) -> None:
        """Raise DeadlineExceeded if the time is over."""
        if self._clock() > self._end:
            raise DeadlineExceeded(self.seconds)

    def over(self, items: Sequence[Item], every: int = 1) -> Iterable[Item]:
        """Iterate over `items`, checking before every `every`-th; up to `every` items: no check."""
        return items if len(items) <= every else chain.from_iterable(self._slices(items, every))

    def _slices(self, items: Sequence[Item], every: int) -> Iterator[Sequence[Item]]:
        for first in range(0, len(items), every):
            self.check()
            yield items[first : first + every]


def passes_per_check(nodes: int) -> int:
    """Return how many passes over `nodes` nodes fit between two checks."""
    return max(1, NODES_PER_CHECK // nodes)


NEVER = Deadline(inf, lambda: 0.0)
"""No deadline."""
