"""Output of commands on a terminal: the command that repeats a run, and its progress."""

import os
import shlex
import shutil
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

SCRIPTS = {
    "parity_tests": "gradient-parity",
    "parity_tests.fuzz": "gradient-parity-fuzz",
}
"""The commands of the wheel, by their modules."""


def again(module: str) -> str:
    """Return the command that starts a module: that of the wheel, or `python -m`.

    A command that is not on PATH is written with its path, except on GitHub, where a runner's path
    would mean nothing to the reader of a report.
    """
    started = Path(sys.argv[0])
    if started.name not in SCRIPTS.values():
        return f"{shlex.quote(sys.orig_argv[0])} -m {module}"
    script = started.with_name(SCRIPTS[module])
    found = shutil.which(script.name)
    is_found = found is not None and script.exists() and script.samefile(found)
    if is_found or "GITHUB_ACTIONS" in os.environ:
        return script.name
    return shlex.quote(str(script))


# --- progress -------------------------------------------------------------------------------------

Item = TypeVar("Item")

WIDTH = 30
EVERY = 0.1
"""Seconds between two updates of the bar."""


def progress(items: Iterable[Item], total: int, unit: str) -> Iterator[Item]:
    """Yield the items, and draw a progress bar on stderr if that is a terminal."""
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
