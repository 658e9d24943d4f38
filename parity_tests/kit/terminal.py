"""What a command tells at the terminal: how to start it again, and how far it is."""

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
    """Return the command that starts a module.

    It is that of the wheel, by its path unless PATH has it, or `python -m`. A path of GitHub's
    runner says nothing to who reads its report.
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
