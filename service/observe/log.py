"""What happened -> a line of JSON on stdout, for requests and for all that uses `logging`."""

import fcntl
import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import starmap
from traceback import format_exception
from typing import Any, BinaryIO

import orjson

from service.observe.soon import Soon

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {},
    "handlers": {"lines": {"class": "service.observe.log.LineHandler"}},
    "loggers": {"uvicorn.error": {"level": "CRITICAL"}},
    "root": {"handlers": ["lines"], "level": "WARNING"},
}
"""For `logging.config.dictConfig`; of what uvicorn logs, a request's line or the entry's tells."""


def write_line(level: str, **members: Any) -> None:
    """Write one line; where nobody can read it, nothing happens."""
    _write(_line(datetime.now(UTC), level, members))


def note_line(level: str, **members: Any) -> None:
    """Write one short line soon, with others if they come. For the thread of the event loop."""
    _waiting.append((datetime.now(UTC), level, members))
    if len(_waiting) == _MOST:
        _write_waiting()
    LINES.ask()


def _line(time: datetime, level: str, members: dict[str, Any]) -> bytes:
    line = {"time": time, "level": level, **members}
    try:
        return orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)
    except orjson.JSONEncodeError:  # a request is answered, whatever its line holds
        told = {name: _writable(value) for name, value in line.items()}
        return orjson.dumps(told, option=orjson.OPT_APPEND_NEWLINE)


def _writable(value: Any) -> Any:
    """Return a value, or why JSON cannot have it: an integer of more than 64 bits, for one."""
    try:
        orjson.dumps(value)
    except orjson.JSONEncodeError as fault:
        return f"<{type(value).__name__}: {fault}>"
    return value


def _write(text: bytes) -> None:
    # The reader of a pipe may have gone, stdout may be closed or None: requests are answered.
    with suppress(OSError, ValueError, AttributeError), _locked(sys.stdout.buffer):
        sys.stdout.buffer.write(text)
        sys.stdout.buffer.flush()


@contextmanager
def _locked(file: BinaryIO) -> Iterator[None]:
    """Keep other processes from a file, or a pipe: a long line is written in parts."""
    with suppress(OSError):  # not each system locks pipes
        fcntl.lockf(file, fcntl.LOCK_EX)
    try:
        yield
    finally:
        with suppress(OSError):
            fcntl.lockf(file, fcntl.LOCK_UN)


_MOST = 64
"""So many lines wait at most."""

_waiting: list[tuple[datetime, str, dict[str, Any]]] = []


def _write_waiting() -> None:
    text = b"".join(starmap(_line, _waiting))
    _waiting.clear()
    if text:
        _write(text)


LINES = Soon(_write_waiting)
"""Writes the lines that wait."""


class LineHandler(logging.Handler):
    """Writes a record of `logging`, with its traceback where it has one."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write it; `request_id` is a member if the record was made with one."""
        members = {"logger": record.name, "message": record.getMessage()}
        if hasattr(record, "request_id"):
            members["request_id"] = record.request_id
        if record.exc_info:
            members["exception"] = "".join(format_exception(record.exc_info[1]))
        write_line(record.levelname.lower(), **members)
