"""The conftest.py of a mutated engine: a test that runs for long has met an endless loop."""

import signal
from collections.abc import Iterator
from typing import NoReturn

import pytest

SECONDS = 10
"""Sound, no test that runs here takes more than one, on a machine that has nothing else to do."""


@pytest.fixture(autouse=True)
def _time_limit() -> Iterator[None]:
    def stop(*_: object) -> NoReturn:
        raise TimeoutError

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS, SECONDS)  # again, should something go on
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
