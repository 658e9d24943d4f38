"""Request and reply -> headers of every reply, metrics and a line in the log.

This wraps the whole application, so it sees the result of every hook and error handler, and whether
the reply was sent to its end.
"""

import re
import time
from collections.abc import Callable, Iterable
from functools import partial
from random import getrandbits
from typing import Any, Self
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from service.config import Config
from service.memory import collect_survivors
from service.observe.log import write_line
from service.observe.metrics import Metrics
from service.turns import Turn

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
