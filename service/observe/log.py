"""Events -> lines of JSON on stdout, for requests and for everything that uses `logging`.

On a terminal only the messages are written, as text. No request waits for the reader of stdout:
lines that do not fit wait in memory, at most a megabyte; further lines are dropped and counted.
"""

import logging
import os
import sys
from collections import deque
from datetime import UTC, datetime
from select import POLLOUT, poll
from threading import Lock
from traceback import format_exception
from typing import Any

import orjson

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {},
    "handlers": {"lines": {"class": "service.observe.log.LineHandler"}},
    "loggers": {"_granian": {"level": "ERROR"}},
    "root": {"handlers": ["lines"], "level": "WARNING"},
}
"""For `logging.config.dictConfig`; `_granian` is granian's name for its logger."""

_PIECE = 4_096
"""Bytes that a pipe with room takes at once (POSIX, PIPE_BUF of Linux)."""

_MOST_WAITING = 256
"""Pieces."""

_lock = Lock()
# A worker may be forked while another thread writes; its lock must be free.
os.register_at_fork(
    before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release
)
_waiting: deque[bytes] = deque()
_lost = 0
_for_a_person = False


def lost_lines() -> int:
    """Return the number of lines that this process could not write."""
    return _lost


def choose_form(form: str) -> None:
    """Write JSON, or plain messages if `form` is "auto" and stdout is a terminal."""
    global _for_a_person  # noqa: PLW0603 - as stdout
    _for_a_person = form == "auto" and sys.stdout is not None and sys.stdout.isatty()


def write_line(level: str, **members: Any) -> None:
    """Write one line; if stdout is closed, it is lost."""
    if _for_a_person:
        texts = [members[name] for name in ("message", "exception") if name in members]
        with _lock:
            _write("".join(f"{one.rstrip()}\n" for one in texts).encode(errors="backslashreplace"))
        return
    line = {"time": datetime.now(UTC), "level": level, **members}
    try:
        text = orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)
    except orjson.JSONEncodeError:  # a line that cannot be written must not fail its request
        writable = {name: _writable(value) for name, value in line.items()}
        text = orjson.dumps(writable, option=orjson.OPT_APPEND_NEWLINE)
    with _lock:
        _write(text)


def write_waiting() -> bool:
    """Write waiting lines while stdout has room; return whether some still wait."""
    with _lock:
        _write(b"")
        return bool(_waiting)


def _writable(value: Any) -> Any:
    """Return a value, or the reason why JSON cannot hold it, such as an integer above 64 bits."""
    try:
        orjson.dumps(value)
    except orjson.JSONEncodeError as error:
        return f"<{type(value).__name__}: {error}>"
    return value


def _write(text: bytes) -> None:
    global _lost  # noqa: PLW0603 - stdout is the process's, too
    if len(_waiting) > _MOST_WAITING:
        _lost += 1
    else:
        _waiting.extend(text[at : at + _PIECE] for at in range(0, len(text), _PIECE))
    while _waiting and _has_room():
        piece = _waiting.popleft()
        try:
            sys.stdout.buffer.write(piece)
            sys.stdout.buffer.flush()
        except (OSError, ValueError, AttributeError):
            # The reader of a pipe has gone, a disk is full, stdout is closed or None.
            _lost += piece.endswith(b"\n")


def _has_room() -> bool:
    """Return whether stdout takes a write now; an object that is not a file always does."""
    poller = poll()
    try:
        poller.register(sys.stdout, POLLOUT)
        return bool(poller.poll(0))
    except (OSError, ValueError, TypeError):
        return True


class LineHandler(logging.Handler):
    """Writes records of `logging` as lines, with their tracebacks."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write the record, with its `request_id` if it has one."""
        members = {"logger": record.name, "message": record.getMessage()}
        if hasattr(record, "request_id"):
            members["request_id"] = record.request_id
        if record.exc_info:
            members["exception"] = "".join(format_exception(record.exc_info[1]))
        write_line(record.levelname.lower(), **members)
