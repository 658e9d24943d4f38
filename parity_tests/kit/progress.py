"""Items -> the same items, while a terminal sees how far they are."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

Item = TypeVar("Item")

WIDTH = 30
EVERY = 0.1
"""Seconds between two pictures of the bar."""


def progress(items: Iterable[Item], total: int, unit: str) -> Iterator[Item]:
    """Draw a bar on stderr where that is a terminal; elsewhere draw nothing."""
    if not sys.stderr.isatty():
        yield from items
        return
    try:
        yield from _drawn(items, total, unit)
    finally:
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _drawn(items: Iterable[Item], total: int, unit: str) -> Iterator[Item]:
    started = drawn = time.monotonic()
    for done, item in enumerate(items, 1):
        now = time.monotonic()
        if now - drawn > EVERY:
            drawn = now
            bar = "#" * (WIDTH * done // total)
            rate = done / (now - started)
            text = f"\r[{bar:.<{WIDTH}}] {done:,} of {total:,} {unit}, {rate:,.0f}/s "
            print(text, end="", file=sys.stderr, flush=True)
        yield item
