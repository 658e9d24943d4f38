"""Request -> its body is received, then its turn comes, then the application answers it.

A thread that receives a body may wait for its client, so it has no turn yet. Everything else runs
in turns: hundreds of threads that compete for the interpreter delay each other, and every probe, by
a second.
"""

from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from service.errors import MalformedRequest, PayloadTooLarge
from service.observe.observation import QUIET, RECORD, Record
from service.request.body import read_body
from service.turns import Turns

_LONGEST_QUERY = 8_000
"""Bytes."""


class Admitted:
    """A WSGI application that answers each request in its turn, and probes immediately."""

    def __init__(self, application: WSGIApplication, turns: Turns, max_body_bytes: int) -> None:
        """Wrap `application`; a body may have `max_body_bytes` bytes."""
        self._application = application
        self._turns = turns
        self._max_body_bytes = max_body_bytes

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Keep the body, or the error of receiving it, in the request's record."""
        if environ["PATH_INFO"] in QUIET:
            return self._application(environ, start_response)
        record: Record = environ[RECORD]
        if environ["REQUEST_METHOD"] == "POST":
            try:
                record.received = read_body(environ, self._max_body_bytes)
            except PayloadTooLarge as error:
                record.received = error
        else:
            record.received = _query(environ)
        with self._turns.turn(environ.get("REMOTE_ADDR", ""), record.started) as turn:
            record.turn = turn
            return self._application(environ, start_response)


def _query(environ: WSGIEnvironment) -> bytes | MalformedRequest:
    """Return the query, or an error if it is too long; the server takes more than it documents."""
    query: bytes = environ.get("QUERY_STRING", "").encode("latin-1")
    if len(query) <= _LONGEST_QUERY:
        return query
    message = f"the query has {len(query)} bytes; at most {_LONGEST_QUERY} are accepted"
    return MalformedRequest(f"{message}; send a long program by POST")
