"""When a computation has to end: long loops look at a deadline, and stop once it has passed.

A look costs a microsecond or two, so that loops look after each some hundred cheap items, or before
each expensive one: every few milliseconds.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from math import inf
from time import thread_time
from typing import TypeVar

Item = TypeVar("Item")

NODES_PER_CHECK = 256
"""Nodes of a pass between two looks: a tenth of a millisecond, 20 where integers decide each."""


class DeadlineExceeded(Exception):
    """A computation took too long, which says nothing about what was asked for."""

    def __init__(self, seconds: float) -> None:
        """Keep how long it might have taken."""
        super().__init__(f"the computation takes more than {seconds} s")
        self.seconds = seconds


class Deadline:
    """An end, so many seconds after it was made, for what one thread computes.

    The clock is by default the time that the processor spends on this thread. To stop for another
    reason, such as a flag that something else sets, derive a class with a `check` of its own.
    """

    def __init__(self, seconds: float, clock: Callable[[], float] = thread_time) -> None:
        """Begin to count."""
        self.seconds = seconds
        self._clock = clock
        self._end = clock() + seconds

    def check(self) -> None:
        """Raise DeadlineExceeded where the end has passed."""
        if self._clock() > self._end:
            raise DeadlineExceeded(self.seconds)

    def over(self, items: Sequence[Item], every: int = 1) -> Iterable[Item]:
        """Return the items, with a look before each so many; no look where there are no more."""
        return items if len(items) <= every else chain.from_iterable(self._slices(items, every))

    def _slices(self, items: Sequence[Item], every: int) -> Iterator[Sequence[Item]]:
        for first in range(0, len(items), every):
            self.check()
            yield items[first : first + every]


def passes_per_check(nodes: int) -> int:
    """Return how many passes over so many nodes are made between two looks."""
    return max(1, NODES_PER_CHECK // nodes)


NEVER = Deadline(inf, lambda: 0.0)
"""The deadline of what may take as long as it takes."""
