"""What operators see: lines of a log, metrics, and an entry in both for each request."""

import logging
import os
import re
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from functools import cache, partial
from platform import python_version
from random import getrandbits
from select import POLLOUT, poll
from threading import Lock
from traceback import format_exception
from typing import Any, Self
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

import orjson
from prometheus_client import (
    GC_COLLECTOR,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    Metric,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector

from engine_py import CONTRACT, __version__
from service.config import Config
from service.memory import collect_survivors
from service.turns import Turn

# Events -> lines of JSON on stdout, for requests and for everything that uses `logging`
#
# On a terminal only the messages are written, as text. No request waits for the reader of stdout:
# lines that do not fit wait in memory, at most a megabyte; further lines are dropped and counted.

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {},
    "handlers": {"lines": {"class": "service.observe.LineHandler"}},
    "loggers": {"_granian": {"level": "ERROR"}},
    "root": {"handlers": ["lines"], "level": "WARNING"},
}
"""For `logging.config.dictConfig`; `_granian` is granian's name for its logger."""

_PIECE = 4_096
"""Bytes that a pipe with room takes at once (POSIX, PIPE_BUF of Linux)."""

_MAX_WAITING = 256
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
    if len(_waiting) > _MAX_WAITING:
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


# Events -> counts, durations and the state of the process, for Prometheus

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_SECONDS = (
    *(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25),
    *(0.5, 1.0, 2.5, 5.0, 10.0, 25.0, 50.0, 100.0),
)
_NODE_BUCKETS = (5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)


class _LostLines(Collector):
    """Counts lost lines of the log."""

    def collect(self) -> Iterator[Metric]:
        """Yield the count when Prometheus asks."""
        yield CounterMetricFamily("log_lines_lost", "Lines not written to stdout.", lost_lines())


class Metrics:
    """The metrics of the service in this process."""

    def __init__(self) -> None:
        self._registry = own = CollectorRegistry()
        requests = Counter("http_requests", "Requests.", ["route", "status"], registry=own)
        durations = Histogram(
            "http_request_duration_seconds",
            "From the complete request to the complete reply.",
            ["route"],
            buckets=_SECONDS,
            registry=own,
        )
        cut = Counter("http_replies_cut", "Replies cut off.", ["route"], registry=own)
        self._problems = Counter("gradient_problems", "Refusals.", ["code"], registry=own)
        self._problems.labels("internal_error")  # start at 0, or the first would not be an increase
        self._engine = Histogram(
            "gradient_engine_seconds", "A document's time.", buckets=_SECONDS, registry=own
        )
        self._nodes = Histogram(
            "gradient_nodes", "A document's nodes.", buckets=_NODE_BUCKETS, registry=own
        )
        self._in_flight = Gauge(
            "http_requests_in_flight",
            "Requests now: small ones, large ones, and large ones that wait for their turn.",
            ["kind"],
            registry=own,
        )
        own.register(_LostLines())
        build = {"version": __version__, "contract": CONTRACT, "python": python_version()}
        Info("gradient_build", "The running versions.", registry=own).info(build)
        ProcessCollector(registry=own)
        own.register(GC_COLLECTOR)
        # Looking a label up takes as long as counting; there are few routes and statuses.
        self._requests_of, self._durations_of = cache(requests.labels), cache(durations.labels)
        self._cut_of = cache(cut.labels)

    def follow(self, kind: str, count: Callable[[], float]) -> None:
        """Expose the current number of requests of a kind."""
        self._in_flight.labels(kind).set_function(count)

    def note_request(self, route: str, status: int, seconds: float) -> None:
        """Count a request that has been answered."""
        self._requests_of(route, status).inc()
        self._durations_of(route).observe(seconds)
        self._cut_of(route)  # start at 0, as above

    def note_cut(self, route: str) -> None:
        """Count a reply that was cut before its end."""
        self._cut_of(route).inc()

    def note_problem(self, code: str) -> None:
        """Count a refused request, or a refused request of a batch."""
        self._problems.labels(code).inc()

    def note_document(self, nodes: int, seconds: float) -> None:
        """Count a document."""
        self._engine.observe(seconds)
        self._nodes.observe(nodes)

    def exposed(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        return generate_latest(self._registry)


# Request and reply -> headers of every reply, metrics and a line in the log
#
# This wraps the whole application, so it sees the result of every hook and error handler, and
# whether the reply was sent to its end.

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; "
    "require-trusted-types-for 'script'"
)
"""Content Security Policy: pages load the service's files only, and run no inline scripts."""

SAFE_HEADERS = (
    ("X-Content-Type-Options", "nosniff"),
    ("Content-Security-Policy", POLICY),
    ("Referrer-Policy", "no-referrer"),
)
"""No sniffing of media types, no third-party scripts, no Referer."""

NO_STORE = ("Cache-Control", "no-store")
"""The default; views override it for replies that may be cached."""

RECORD = "gradient.record"
"""The key of the request's Record in the WSGI environment."""

_REQUEST_ID = re.compile(r"[A-Za-z0-9._:/+=-]{1,128}")

QUIET = frozenset(("/healthz", "/readyz", "/metrics"))
"""Probes, which come every few seconds: successes are not logged."""

_SAFE_NAMES = frozenset(name for name, _ in SAFE_HEADERS)

_WITHOUT_BODY = frozenset((204, 304))

_FIRST_REFUSAL, _FIRST_FAULT = 400, 500
"""The lowest statuses of client errors and of server errors."""

_BUSY = frozenset(("overloaded", "compute_timeout"))
"""Refusals under load, or while the service stops, which are not bugs."""

_LEFT, _STOPPED = "its client left", "the service stopped"
"""Why a reply was cut."""


class Record:
    """A request being answered; `details` is for the log."""

    __slots__ = (
        *("body", "details", "method", "received", "request_id", "route", "started", "status"),
        "turn",
    )

    def __init__(self, environ: WSGIEnvironment) -> None:
        """Start the clock; keep the client's X-Request-Id if it is well formed."""
        self.started = time.perf_counter()
        given = environ.get("HTTP_X_REQUEST_ID", "")
        self.request_id = given if _REQUEST_ID.fullmatch(given) else f"{getrandbits(64):016x}"
        self.method: str = environ["REQUEST_METHOD"]
        self.route, self.status = "unmatched", 0
        self.received: bytes | Exception = b""
        """The body or the query, or the error of receiving it."""
        self.turn: Turn
        """Set for every request that is not a probe."""
        self.body: Any = None
        self.details: dict[str, Any] = {}


class Observed:
    """A WSGI application that counts and logs every request, and names it in its reply."""

    def __init__(self, application: WSGIApplication, config: Config, metrics: Metrics) -> None:
        self._application = application
        self._config = config
        self._metrics = metrics
        self._in_flight: set[Record] = set()

    @property
    def in_flight(self) -> int:
        """The number of requests that have begun but not ended."""
        return len(self._in_flight)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Let the application answer; send a reply of known length in one piece."""
        record = environ[RECORD] = Record(environ)
        self._in_flight.add(record)
        is_whole = False

        def start(status: str, headers: list[tuple[str, str]], *exc_info: Any) -> Any:
            nonlocal is_whole
            request = environ.get("werkzeug.request")  # Flask's, until it returns
            if rule := getattr(request, "url_rule", None):
                record.route = rule.rule
            names = {name for name, _ in headers}
            record.status = int(status[:3])
            is_whole = "Content-Length" in names or record.status in _WITHOUT_BODY
            if names.isdisjoint(_SAFE_NAMES):
                headers += SAFE_HEADERS
            else:
                headers += [header for header in SAFE_HEADERS if header[0] not in names]
            headers.append(("X-Request-Id", record.request_id))
            if "Cache-Control" not in names:
                headers.append(NO_STORE)
            return start_response(status, headers, *exc_info)

        pieces = self._application(environ, start)
        if not is_whole:  # it is sent while it is computed
            return _Sent(pieces, partial(self._note, record))
        body = b"".join(pieces)
        _close(pieces)
        self._note(record)
        return [body]

    def note_stop(self) -> None:
        """Log the replies that the stop is about to cut."""
        for record in list(self._in_flight):
            self._note(record, _STOPPED)

    def _note(self, record: Record, cut: str | None = None) -> None:
        try:
            self._in_flight.remove(record)
        except KeyError:  # logged at the stop
            return
        collect_survivors()
        seconds = time.perf_counter() - record.started
        status, code = record.status, record.details.get("code")
        self._metrics.note_request(record.route, status, seconds)
        if code:
            self._metrics.note_problem(code)
        if cut:
            self._metrics.note_cut(record.route)
            record.details["cut"] = cut
        if self._config.log_requests and (status >= _FIRST_REFUSAL or record.route not in QUIET):
            is_fault = status >= _FIRST_FAULT and code not in _BUSY
            write_line(
                "error" if is_fault else "warning" if cut or code in _BUSY else "info",
                method=record.method,
                route=record.route,
                status=status,
                milliseconds=int(seconds * 1e6) / 1000,
                request_id=record.request_id,
                **record.details,
            )


class _Sent:
    """The pieces of a reply; notes whether all were taken when the server closes it."""

    def __init__(self, pieces: Iterable[bytes], note: Callable[[str | None], None]) -> None:
        self._pieces, self._rest, self._note = pieces, iter(pieces), note
        self._cut: str | None = _LEFT

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> bytes:
        try:
            return next(self._rest)
        except StopIteration:
            self._cut = None
            raise

    def close(self) -> None:
        """Note how the reply ended (PEP 3333: servers always call this)."""
        _close(self._pieces)
        self._note(self._cut)


def _close(pieces: Iterable[bytes]) -> None:
    if hasattr(pieces, "close"):
        pieces.close()
