"""The time that a learner's code may take, in the child process: slow is not waiting.

A limit counts the time of the processor, so a busy machine blames nobody. Code that uses none for
some seconds waits for what never comes. Windows has no such timers.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time

PROGRAM = 1.0
"""Seconds of the processor's time that a program may take; those here take milliseconds."""
_AGAIN = 0.2
"""Seconds after which a file that catches the exception gets it again."""
_IDLE, _WAITED = 0.005, 5
"""A process waits if it uses less than `_IDLE` seconds of CPU time in each of `_WAITED` seconds."""


class TooSlow(BaseException):
    """The code takes too long; no `except Exception` of the file catches this."""


class Waits(BaseException):
    """The code waits for what does not come."""


@contextmanager
def limited(seconds: float = PROGRAM) -> Iterator[None]:
    """Raise TooSlow or Waits in the block."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    before, idle = process_time(), 0

    def give_up(_signal: int, _frame: object) -> None:
        raise TooSlow

    def look(_signal: int, _frame: object) -> None:
        nonlocal before, idle
        now = process_time()
        idle = idle + 1 if now - before < _IDLE else 0
        before = now
        if idle >= _WAITED:
            raise Waits

    signal.signal(signal.SIGVTALRM, give_up)
    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_VIRTUAL, max(seconds, 0.001), _AGAIN)
    signal.setitimer(signal.ITIMER_REAL, 1, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
