"""stdin, stdout and stderr, each of which may be closed, full or unreadable -> a sentence."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


class StreamFailed(Exception):
    """A standard stream cannot be used; the text says which, and why."""


@contextmanager
def using(*names: str) -> Iterator[None]:
    """Read or write these standard streams.

    Raises:
        StreamFailed: one is closed, or it cannot be read or written.
        BrokenPipeError: nobody reads any more, as in `gradient ... | head`.
    """
    for name in names:
        if getattr(sys, name) is None:
            raise StreamFailed(f"{name} is closed")
    try:
        yield
    except OSError as fault:
        for name in names:
            if name != "stdin":  # what is left in it goes nowhere; else Python fails as it ends
                os.dup2(os.open(os.devnull, os.O_WRONLY), getattr(sys, name).fileno())
        if isinstance(fault, BrokenPipeError):
            raise
        reason = f"{' or '.join(names)} failed: {fault.strerror or fault}"
        raise StreamFailed(reason) from None


def print_error(text: str, end: str = "\n") -> None:
    """Print to stderr, or nowhere if that is closed or full."""
    try:
        with using("stderr"):
            print(text, end=end, file=sys.stderr, flush=True)
    except (StreamFailed, BrokenPipeError):
        return
