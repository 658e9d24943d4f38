"""The numbers of metrics -> a file for each process, where several count together."""

import fcntl
import os
from functools import cache, partial
from itertools import count
from pathlib import Path
from typing import Any, BinaryIO

from service.observe.log import write_line
from service.observe.soon import Soon

SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that names the folder of the files."""


class Held:
    """A number as prometheus_client's metrics want it, written to its file when that is asked for.

    Without a lock: one thread of a process counts.
    """

    def __init__(self, make: Any, *described: Any, **options: Any) -> None:
        """Take what makes prometheus_client's own number, and what describes it."""
        self._written, self._held = make(*described, **options), 0.0
        _all.append(self)

    def inc(self, amount: float) -> None:
        """Add so much."""
        self._held += amount

    def get(self) -> float:
        """Give the number of this process."""
        return float(self._written.get()) + self._held

    def write(self) -> None:
        """Write what has been added."""
        if self._held:
            self._written.inc(self._held)
            self._held = 0.0


_all: list[Held] = []


def _write_all() -> None:
    for value in _all:
        value.write()


WRITING = Soon(_write_all)
"""Writes the numbers of this process for the others to read."""


_RESERVED = 262_144
"""Bytes of a file: three times what all routes and statuses take."""


@cache
def use_files() -> bool:
    """Have a process go on with the files of one that has ended: there are never more of them.

    By itself prometheus_client names files by process, and each that is killed leaves some behind.
    Without a folder, or without space in it, a process counts by itself: False.
    """
    from prometheus_client import values  # noqa: PLC0415

    if SHARED not in os.environ:
        return False
    folder = Path(os.environ[SHARED])

    def slot() -> str:
        return _slot(folder, os.getpid())

    try:
        _reserve(folder, slot())
    except OSError as fault:
        values.ValueClass = values.MutexValue
        write_line("warning", message=f"counts are this process's alone: {fault.strerror}")
        return False
    own = values.MultiProcessValue(slot)  # type: ignore[no-untyped-call]
    values.ValueClass = partial(Held, own)
    return True


def _reserve(folder: Path, slot: str) -> None:
    """Write the files that will be mapped: a process that maps more than there is space for dies.

    Raises:
        OSError: the space is used up.
    """
    for kind in ("counter", "histogram"):
        with (folder / f"{kind}_{slot}.db").open("ab") as file:
            file.write(bytes(max(0, _RESERVED - file.tell())))  # one that has grown is kept


@cache
def _slot(folder: Path, _process: int) -> str:
    """Give the first number that no living process has: its lock goes with the process."""
    for number in count():
        file = (folder / f"{number}.slot").open("wb")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
        else:
            _locked.append(file)
            return str(number)
    raise AssertionError


_locked: list[BinaryIO] = []
"""As long as the process lives."""
