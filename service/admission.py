"""Request -> its body is received, and then the application answers it in its turn.

A thread that receives a body waits for its client, so it does that before. All the rest of the
application runs in turns: hundreds of threads that want the interpreter at once would keep each
other, and every probe, waiting for a second.
"""

from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from service.errors import PayloadTooLarge
from service.observe.observation import QUIET, RECORD, Record
from service.request.body import read_body
from service.turns import Turns


class Admitted:
    """A WSGI application that answers each request in its turn, and probes at once."""

    def __init__(self, application: WSGIApplication, turns: Turns, max_body_bytes: int) -> None:
        """Take the application, the turns of the process, and how long a body may be."""
        self._application = application
        self._turns = turns
        self._max_body_bytes = max_body_bytes

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Keep the body, or why there is none, in the request's record."""
        if environ["PATH_INFO"] in QUIET:
            return self._application(environ, start_response)
        record: Record = environ[RECORD]
        if environ["REQUEST_METHOD"] == "POST":
            try:
                record.received = read_body(environ, self._max_body_bytes)
            except PayloadTooLarge as fault:
                record.received = fault
        else:
            record.received = environ.get("QUERY_STRING", "").encode("latin-1")
        with self._turns.turn(environ.get("REMOTE_ADDR", ""), record.started) as turn:
            record.turn = turn
            return self._application(environ, start_response)
