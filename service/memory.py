"""Return freed memory to the system and bound the worker's total. Linux only."""

import gc
import os
import resource
import sys
from functools import cache

_ALLOCATOR = (
    "glibc.malloc.arena_max=1:glibc.malloc.tcache_count=0:"
    "glibc.malloc.mmap_threshold=65536:glibc.malloc.trim_threshold=131072"
)
"""glibc returns freed memory to the system only if its thresholds are fixed and threads have no
arenas or caches of their own."""

_STACK = 2**21
"""Bytes of a thread's stack. They count as data, although most are never used."""

_SURVIVORS = 50_000
"""Objects that hold about 10 MB and take about 10 ms to collect."""

_PAGE = resource.getpagesize()


def restart_with_settings() -> None:
    """Restart this process with settings for glibc, which reads them only at the start."""
    if sys.platform == "linux" and "GLIBC_TUNABLES" not in os.environ:
        os.environ["GLIBC_TUNABLES"] = _ALLOCATOR
        os.execv(sys.executable, sys.orig_argv)  # noqa: S606 - its own command


def bound_memory(most: int, threads: int) -> None:
    """Limit data to `most` bytes plus `threads` stacks; beyond that Python raises MemoryError."""
    if sys.platform == "linux":
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (most + threads * _STACK, hard))


def collect_seldom() -> None:
    """Exempt all modules from garbage collection, and run it only in `collect_survivors`.

    It stops all threads. If it ran in the middle of a computation, with its many objects, it would
    stop them for 20 to 200 ms.
    """
    gc.collect()
    gc.freeze()
    gc.disable()


def collect_survivors() -> None:
    """Collect garbage after a request, if more than `_SURVIVORS` objects have been left over."""
    if gc.get_count()[0] > _SURVIVORS:
        gc.collect()


def held_memory() -> int:
    """Return the process's resident bytes, or 0 if the system does not report them."""
    file = _statm()
    return int(os.pread(file, 100, 0).split()[1]) * _PAGE if file else 0


@cache
def _statm() -> int:
    return os.open("/proc/self/statm", os.O_RDONLY) if sys.platform == "linux" else 0
