"""Tasks that have so many seconds each -> TimeoutError in those that are late.

`asyncio.timeout` makes a timer for each, which takes a tenth of a small request's time. Here all
have equally long, so they are late in the order in which they began, and one timer serves all.
"""

import asyncio
from collections.abc import Awaitable
from itertools import islice
from typing import Any, TypeVar

_CHECKS = 40
"""How often tasks are looked at within their seconds; they are a fortieth late at most."""

_TOGETHER = 32
"""So many are ended in one turn of the event loop: each has 0.1 ms to do then."""

T = TypeVar("T")


class Deadline:
    """So many seconds for whatever a task waits for."""

    def __init__(self, seconds: float) -> None:
        """Take the seconds."""
        self._seconds = seconds
        self._ends: dict[asyncio.Task[Any], float] = {}
        self._watched_on: asyncio.AbstractEventLoop | None = None

    async def wait(self, work: Awaitable[T]) -> T:
        """Wait for it in the current task. Raises TimeoutError: it is not done in time."""
        loop = asyncio.get_running_loop()
        task: Any = asyncio.current_task(loop)
        self._ends[task] = loop.time() + self._seconds
        if self._watched_on is not loop:
            self._watched_on = loop
            self._watch(loop)
        try:
            return await work
        except asyncio.CancelledError:
            if task in self._ends or task.uncancel():
                raise  # somebody else wants it to end
            raise TimeoutError from None
        finally:
            self._ends.pop(task, None)

    def _watch(self, loop: asyncio.AbstractEventLoop) -> None:
        """End what is late, and look again as long as there is something to look at."""
        now = loop.time()
        for task, end in list(islice(self._ends.items(), _TOGETHER)):
            if end > now:
                loop.call_later(self._seconds / _CHECKS, self._watch, loop)
                return
            del self._ends[task]
            task.cancel()
        if self._ends:
            loop.call_soon(self._watch, loop)
        else:
            self._watched_on = None
