"""Freed memory -> back to the system, where the allocator can be told so.

A process that held megabytes of bodies and replies for a moment would otherwise keep them: glibc
raises its threshold for blocks of their own to the size of the largest block that was freed.
"""

import ctypes
import gc
import os
from contextlib import suppress
from pathlib import Path

_TRIM_THRESHOLD, _MMAP_THRESHOLD, _ARENA_MAX = -1, -3, -8
"""The names of mallopt(3), in glibc's malloc.h."""

_BYTES = 131_072


def give_memory_back() -> None:
    """Fix glibc's thresholds at their first values; another library is left as it is."""
    with suppress(AttributeError, OSError):
        library = ctypes.CDLL(None)
        library.mallopt(_ARENA_MAX, 1)
        library.mallopt(_TRIM_THRESHOLD, _BYTES)
        library.mallopt(_MMAP_THRESHOLD, _BYTES)


def keep_what_is_loaded() -> None:
    """Have the garbage collector pass over modules and the like: it takes a tenth of the time."""
    gc.collect()
    gc.freeze()


def collect_early() -> None:
    """Have the garbage collector look at new objects by the hundred; `trim` looks at others.

    It counts what is made less what is freed: in a crowd it would find 60,000 at once, for 40 ms.
    """
    gc.set_threshold(100, 10, 1_000_000)


def trim() -> None:
    """Give back what is free between blocks in use, after a burst; cycles are in the way of it."""
    gc.collect()
    with suppress(AttributeError, OSError):
        ctypes.CDLL(None).malloc_trim(0)


def resident(process: int) -> int:
    """Give the bytes that a process holds; 0 where the system does not tell."""
    with suppress(OSError):
        pages = Path(f"/proc/{process}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    return 0
