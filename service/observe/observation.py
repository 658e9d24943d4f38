"""Request and reply -> the headers that every reply has, metrics and one line in the log.

This wraps the whole application: it sees what every hook and error handler did, at a tenth of what
Flask's own hooks cost.
"""

import time
from collections.abc import Iterable
from functools import partial
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.wsgi import ClosingIterator

from service.config import Config
from service.observe.log import note_line, write_line
from service.observe.metrics import Metrics
from service.observe.tracing import Tracing, read_trace_context, trace_of

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; "
    "require-trusted-types-for 'script'"
)
"""Content Security Policy: pages use what is theirs, and nothing runs that stands in a page."""

SAFE_HEADERS = (
    ("X-Content-Type-Options", "nosniff"),
    ("Content-Security-Policy", POLICY),
    ("Referrer-Policy", "no-referrer"),
)
"""No sniffing of media types, no scripts of others, no Referer to others."""

NO_STORE = ("Cache-Control", "no-store")
"""The default, for replies that no view makes cacheable."""

RECORD = "gradient.record"
"""In the WSGI environment: the request's Record."""

CUT = "gradient.cut"
"""In the WSGI environment: what the server calls where a client does not get the whole reply."""

_QUIET = frozenset(("/healthz", "/readyz", "/metrics"))
"""Machines ask these every few seconds; that they got an answer is no news."""

_SAFE_NAMES = frozenset(name for name, _ in SAFE_HEADERS)

_FIRST_REFUSAL, _FIRST_FAULT = 400, 500
"""The lowest statuses that blame the client, and the service."""


class Record:
    """What is known of a request while it is answered; `details` is for the log."""

    __slots__ = ("body", "details", "method", "route", "span", "started", "status", "trace")

    def __init__(self, environ: WSGIEnvironment, tracing: Tracing | None) -> None:
        """Start the clock."""
        self.started = time.perf_counter()
        self.trace = read_trace_context(
            environ.get("HTTP_X_REQUEST_ID"), environ.get("HTTP_TRACEPARENT")
        )
        self.span = tracing.begin(environ) if tracing else None
        if self.span:
            self.trace = trace_of(self.span, self.trace.request_id)
        self.method: str = environ["REQUEST_METHOD"]
        self.route, self.status = "unmatched", 0
        self.body: Any = None
        self.details: dict[str, Any] = {}


class Observed:
    """A WSGI application whose every request is counted, logged and named in its reply."""

    def __init__(
        self,
        application: WSGIApplication,
        config: Config,
        metrics: Metrics,
        tracing: Tracing | None = None,
    ) -> None:
        """Take the application to observe."""
        self._application = application
        self._config = config
        self._metrics = metrics
        self._tracing = tracing

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Let the application answer."""
        record = environ[RECORD] = Record(environ, self._tracing)
        environ[CUT] = partial(self._note_cut, record)
        has_length = False

        def start(status: str, headers: list[tuple[str, str]], *exc_info: Any) -> Any:
            nonlocal has_length
            names = {name for name, _ in headers}
            has_length = "Content-Length" in names
            record.status = int(status[:3])
            if names.isdisjoint(_SAFE_NAMES):
                headers += SAFE_HEADERS
            else:
                headers += [header for header in SAFE_HEADERS if header[0] not in names]
            headers.append(("X-Request-Id", record.trace.request_id))
            headers.append(("traceparent", record.trace.traceparent))
            if "Cache-Control" not in names:
                headers.append(NO_STORE)
            return start_response(status, headers, *exc_info)

        pieces = self._application(environ, start)
        if not has_length:  # the work goes on while the reply is sent
            return ClosingIterator(pieces, partial(self._note, record))
        self._note(record)
        return pieces

    def _note_cut(self, record: Record) -> None:
        """Tell of a reply that its client left or took too slowly, or that a stop ended."""
        self._metrics.note_cut(record.route)
        if self._config.log_requests:
            write_line(
                "warning",
                message="the reply was cut: its client left or was too slow, or the service stops",
                route=record.route,
                request_id=record.trace.request_id,
            )

    def _note(self, record: Record) -> None:
        seconds = time.perf_counter() - record.started
        status, code = record.status, record.details.get("code")
        self._metrics.note_request(record.route, status, seconds)
        if code:
            self._metrics.note_problem(code)
        if self._tracing and record.span:
            self._tracing.end(record.span, record.method, record.route, status)
        is_fault = status >= _FIRST_FAULT
        if self._config.log_requests and (status >= _FIRST_REFUSAL or record.route not in _QUIET):
            # What is sent may be long, and a fault may be the last that is heard.
            write = write_line if is_fault or self._config.log_values else note_line
            write(
                "error" if is_fault else "info",
                method=record.method,
                route=record.route,
                status=status,
                milliseconds=int(seconds * 1e6) / 1000,
                request_id=record.trace.request_id,
                trace_id=record.trace.trace_id,
                **record.details,
            )
