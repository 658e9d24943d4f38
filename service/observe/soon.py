"""Many small writes -> few: those within a moment are joined to one.

A write is a system call, or a mapped file and two locks: they were a tenth of a small request's
time. Writes are put off only while an event loop runs.
"""

import asyncio
from collections.abc import Callable

_MOMENT = 0.05
"""Seconds. Of what is put off a kill loses this much; a stop loses nothing."""

_AT_ONCE = 4
"""So many writes of a moment are not put off."""


class Soon:
    """Calls a function that writes what has come together."""

    def __init__(self, write: Callable[[], None]) -> None:
        """Take the function."""
        self._write = write
        self._loop: asyncio.AbstractEventLoop | None = None
        self._asked = 0

    def follow(self, loop: asyncio.AbstractEventLoop) -> None:
        """Put writes off from now on, where they are many."""
        self._loop = loop

    def stop(self) -> None:
        """Write, and put nothing off any more: the loop ends."""
        self._loop = None
        self.now()

    def ask(self) -> None:
        """Have it written."""
        self._asked += 1
        if self._asked <= _AT_ONCE or not self._loop:
            self._write()
        elif self._asked == _AT_ONCE + 1:
            self._loop.call_later(_MOMENT, self.now)

    def now(self) -> None:
        """Write."""
        self._asked = 0
        self._write()
