"""Request and reply -> the headers that every reply has, metrics and one line in the log.

This wraps the whole application: it sees what every hook and error handler did, and how much of a
reply was sent.
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

_REQUEST_ID = re.compile(r"[A-Za-z0-9._:/+=-]{1,128}")

QUIET = frozenset(("/healthz", "/readyz", "/metrics"))
"""Machines ask these every few seconds; that they got an answer is no news."""

_SAFE_NAMES = frozenset(name for name, _ in SAFE_HEADERS)

_WITHOUT_BODY = frozenset((204, 304))

_FIRST_REFUSAL, _FIRST_FAULT = 400, 500
"""The lowest statuses that blame the client, and the service."""

_BUSY = frozenset(("overloaded", "compute_timeout"))
"""Refusals under load, or while the service stops: it did what it should."""

_LEFT, _STOPPED = "its client left", "the service stopped"
"""Why a reply was cut."""


class Record:
    """What is known of a request while it is answered; `details` is for the log."""

    __slots__ = (
        *("body", "details", "method", "received", "request_id", "route", "started", "status"),
        "turn",
    )

    def __init__(self, environ: WSGIEnvironment) -> None:
        """Start the clock; keep the client's name for the request where it is well formed."""
        self.started = time.perf_counter()
        given = environ.get("HTTP_X_REQUEST_ID", "")
        self.request_id = given if _REQUEST_ID.fullmatch(given) else f"{getrandbits(64):016x}"
        self.method: str = environ["REQUEST_METHOD"]
        self.route, self.status = "unmatched", 0
        self.received: bytes | Exception = b""
        """The body or the query, or why it was not taken."""
        self.turn: Turn
        """Of a request that is no probe."""
        self.body: Any = None
        self.details: dict[str, Any] = {}


class Observed:
    """A WSGI application whose every request is counted, logged and named in its reply."""

    def __init__(
        self,
        application: WSGIApplication,
        config: Config,
        metrics: Metrics,
    ) -> None:
        """Take the application to observe."""
        self._application = application
        self._config = config
        self._metrics = metrics
        self._in_flight: set[Record] = set()

    @property
    def in_flight(self) -> int:
        """How many requests have begun and not ended."""
        return len(self._in_flight)

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Let the application answer; a reply that has a length is one piece."""
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
        if not is_whole:  # the work goes on while the reply is sent
            return _Sent(pieces, partial(self._note, record))
        body = b"".join(pieces)
        _close(pieces)
        self._note(record)
        return [body]

    def note_stop(self) -> None:
        """Tell of the replies that a stop cuts, before it does."""
        for record in list(self._in_flight):
            self._note(record, _STOPPED)

    def _note(self, record: Record, cut: str | None = None) -> None:
        try:
            self._in_flight.remove(record)
        except KeyError:  # a stop has told of it
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
    """The pieces of a reply, and whether they were taken to the end when the server closes them."""

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
        """Tell how it ended (PEP 3333: servers call it in any case)."""
        _close(self._pieces)
        self._note(self._cut)


def _close(pieces: Iterable[bytes]) -> None:
    if hasattr(pieces, "close"):
        pieces.close()
