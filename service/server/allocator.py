"""Freed memory -> back to the system at once, where the allocator can be told so.

A process that held megabytes of bodies and replies for a moment would otherwise keep them: glibc
raises its threshold for blocks of their own to the size of the largest block that was freed.
"""

import ctypes
from contextlib import suppress

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
