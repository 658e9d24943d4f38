"""Limits of time for a learner's code, in the child process; slow code is not waiting code.

A limit counts CPU time, so a busy machine does not change a verdict. Code that uses none for some
seconds waits for something that never comes. Windows has no such timers.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from time import process_time

PROGRAM = 1.0
"""Seconds of CPU time that a program may take; a right class takes milliseconds."""
_AGAIN = 0.2
"""Seconds after which the exception is raised again, if the file has caught it."""
_IDLE, _WAITED = 0.005, 5
"""A process waits if it uses less than `_IDLE` seconds of CPU time in each of `_WAITED` seconds."""


class TooSlow(BaseException):
    """The code takes too long; no `except Exception` of the file catches this."""


class Waits(BaseException):
    """The code uses no CPU time."""


@contextmanager
def limited(seconds: float = PROGRAM) -> Iterator[None]:
    """Raise TooSlow or Waits in the block."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    before, idle = process_time(), 0

    def give_up(_signal: int, _frame: object) -> None:
        raise TooSlow

    def check(_signal: int, _frame: object) -> None:
        nonlocal before, idle
        now = process_time()
        idle = idle + 1 if now - before < _IDLE else 0
        before = now
        if idle >= _WAITED:
            raise Waits

    signal.signal(signal.SIGVTALRM, give_up)
    signal.signal(signal.SIGALRM, check)
    signal.setitimer(signal.ITIMER_VIRTUAL, max(seconds, 0.001), _AGAIN)
    signal.setitimer(signal.ITIMER_REAL, 1, 1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
