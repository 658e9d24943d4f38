"""The conftest.py of a mutated engine: a test that runs for long has met an endless loop."""

import signal
from collections.abc import Iterator
from typing import NoReturn

import pytest

SECONDS = 10
"""Of computing, whatever else the machine does. Sound, no test here takes more than one."""


@pytest.fixture(autouse=True)
def _time_limit() -> Iterator[None]:
    def stop(*_: object) -> NoReturn:
        raise TimeoutError

    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS, SECONDS)  # again, should something go on
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
