"""What happened -> a line of JSON on stdout, for requests and for all that uses `logging`.

Nobody waits for who reads them: lines for which stdout has no room wait in memory, a megabyte at
most; what is more is lost, and counted.
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
"""For `logging.config.dictConfig`; `_granian` is the server's own name for its logger."""

_PIECE = 4_096
"""Bytes that a pipe takes at once where it takes any (POSIX, PIPE_BUF of Linux)."""

_MOST_WAITING = 256
"""Pieces."""

_lock = Lock()
# A worker is forked while another thread may write: its lock is free all the same.
os.register_at_fork(
    before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release
)
_waiting: deque[bytes] = deque()
_lost = 0


def lost_lines() -> int:
    """Return how many lines this process could not write."""
    return _lost


def write_line(level: str, **members: Any) -> None:
    """Write one line; where nobody can read it, nothing happens."""
    line = {"time": datetime.now(UTC), "level": level, **members}
    try:
        text = orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)
    except orjson.JSONEncodeError:  # a request is answered, whatever its line holds
        told = {name: _writable(value) for name, value in line.items()}
        text = orjson.dumps(told, option=orjson.OPT_APPEND_NEWLINE)
    with _lock:
        _write(text)


def write_waiting() -> bool:
    """Write what has waited, as far as there is room for it; return whether some still waits."""
    with _lock:
        _write(b"")
        return bool(_waiting)


def _writable(value: Any) -> Any:
    """Return a value, or why JSON cannot have it: an integer of more than 64 bits, for one."""
    try:
        orjson.dumps(value)
    except orjson.JSONEncodeError as fault:
        return f"<{type(value).__name__}: {fault}>"
    return value


def _write(text: bytes) -> None:
    global _lost  # noqa: PLW0603 - of the process, as stdout is
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
    """Ask the system whether a write would have to wait; what is no file of it never has to."""
    asked = poll()
    try:
        asked.register(sys.stdout, POLLOUT)
        return bool(asked.poll(0))
    except (OSError, ValueError, TypeError):
        return True


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
