"""What happened -> a line of JSON on stdout, for requests and for all that uses `logging`."""

import logging
import sys
from contextlib import suppress
from datetime import UTC, datetime
from traceback import format_exception
from typing import Any

import orjson

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {},
    "handlers": {"lines": {"class": "service.observe.log.LineHandler"}},
    "loggers": {"_granian": {"handlers": ["lines"], "propagate": False}},
    "root": {"handlers": ["lines"], "level": "WARNING"},
}
"""For `logging.config.dictConfig`; `_granian` is the logger whose level granian sets itself."""


def write_line(level: str, **members: Any) -> None:
    """Write one line; where nobody can read it, nothing happens."""
    line = {"time": datetime.now(UTC), "level": level, **members}
    text = orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)
    # The reader of a pipe may have gone, stdout may be closed or None: requests are answered.
    with suppress(OSError, ValueError, AttributeError):
        sys.stdout.buffer.write(text)
        sys.stdout.buffer.flush()


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
