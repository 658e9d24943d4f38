"""The memory of the worker: what it gives back, what it holds, and its bound. Linux only."""

import gc
import os
import resource
import sys
from functools import cache

_ALLOCATOR = (
    "glibc.malloc.arena_max=1:glibc.malloc.tcache_count=0:"
    "glibc.malloc.mmap_threshold=65536:glibc.malloc.trim_threshold=131072"
)
"""glibc gives freed memory back only if its thresholds do not follow the largest block, and if
threads keep none of it for themselves."""

_STACK = 2**21
"""Bytes of a thread's stack, which count as data although few of them are used."""

_SURVIVORS = 50_000
"""To collect them takes some 10 ms, and they hold 10 MB."""

_PAGE = resource.getpagesize()


def restart_with_settings() -> None:
    """Start this process anew with settings for glibc, which reads them only then."""
    if sys.platform == "linux" and "GLIBC_TUNABLES" not in os.environ:
        os.environ["GLIBC_TUNABLES"] = _ALLOCATOR
        os.execv(sys.executable, sys.orig_argv)  # noqa: S606 - itself


def bound_memory(most: int, threads: int) -> None:
    """Make an allocation beyond `most` bytes and all stacks a MemoryError, and no crash."""
    if sys.platform == "linux":
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (most + threads * _STACK, hard))


def collect_seldom() -> None:
    """Keep modules from the collector, and leave it to `collect_survivors` when it runs.

    All threads wait while it runs. By itself it would run in the middle of a computation, for 20 to
    200 ms, since that has many objects.
    """
    gc.collect()
    gc.freeze()
    gc.disable()


def collect_survivors() -> None:
    """Free cycles after a request, once this many objects have outlived those that made them."""
    if gc.get_count()[0] > _SURVIVORS:
        gc.collect()


def held_memory() -> int:
    """Return how many bytes the process holds, 0 where the system does not say."""
    file = _statm()
    return int(os.pread(file, 100, 0).split()[1]) * _PAGE if file else 0


@cache
def _statm() -> int:
    return os.open("/proc/self/statm", os.O_RDONLY) if sys.platform == "linux" else 0
