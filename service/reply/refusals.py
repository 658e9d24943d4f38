"""A request that the server refuses -> a problem, without Flask's work around a view.

Thousands may be refused at once. Each takes 40 µs instead of 100, so fewer of them wait meanwhile,
each with its buffers.
"""

from collections.abc import Iterable
from http import HTTPStatus
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from werkzeug.routing import Map

from service.errors import REFUSAL
from service.observe.observation import RECORD, Record
from service.reply.problems import MEDIA_TYPE, content_of, headers_of
from service.reply.replies import json_bytes


class Refusing:
    """A WSGI application that is asked only where the server has no refusal of its own."""

    def __init__(self, application: WSGIApplication, routes: Map) -> None:
        """Take the application, and the routes that the log and the metrics name."""
        self._application = application
        self._routes = {
            (method, rule.rule) for rule in routes.iter_rules() for method in rule.methods or ()
        }

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer with the problem, or have the application answer."""
        if REFUSAL not in environ:
            return self._application(environ, start_response)
        record: Record = environ[RECORD]
        method, path = environ["REQUEST_METHOD"], environ["PATH_INFO"]
        if (method, path) in self._routes:
            record.route = path
        content = content_of(environ[REFUSAL], None, record.trace.request_id)
        record.details["code"] = content["code"]
        body = json_bytes(content)
        status = HTTPStatus(content["status"])
        headers = [
            ("Content-Type", MEDIA_TYPE),
            ("Content-Length", str(len(body))),
            *headers_of(content),
        ]
        start_response(f"{status} {status.phrase}", headers)
        return [] if method == "HEAD" else [body]
