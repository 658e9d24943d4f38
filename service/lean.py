"""Flask without what this service does not use: a quarter of a small request's time.

Each method is one that Flask documents for subclasses, and a test holds what they leave out: views
that are coroutines, subdomains, functions of blueprints before a request, any at its very end.
"""

from collections.abc import Callable, Iterable
from typing import Any
from wsgiref.types import StartResponse, WSGIEnvironment

from flask import Flask, Request, Response
from werkzeug.routing import MapAdapter

_OK = 200


class LeanResponse(Response):
    """A response whose headers are sent as they are, where it is an answer to a POST."""

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Skip what other statuses, methods and streams need."""
        pieces = self.response
        is_plain = self.status_code == _OK and environ["REQUEST_METHOD"] == "POST"
        if not is_plain or not isinstance(pieces, list):
            return super().__call__(environ, start_response)
        headers = self.headers.to_wsgi_list()
        if "Content-Length" not in self.headers:
            headers.append(("Content-Length", str(sum(map(len, pieces)))))
        start_response(self.status, headers)
        return pieces


class Lean(Flask):
    """A Flask application of plain functions at the root of any host."""

    response_class = LeanResponse

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Take it as it is, since no view is a coroutine; Flask looks at each call."""
        return func

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Match by path and method alone; the server has looked at Host."""
        if request is None:
            return None
        scheme, path, method = request.scheme, request.path, request.method
        return MapAdapter(self.url_map, "", "/", "", scheme, path, method)

    def process_response(self, response: Response) -> Response:
        """Pass it on where no function is registered; there is no session to be saved."""
        return super().process_response(response) if self.after_request_funcs else response

    def preprocess_request(self, *_: Any) -> Any:
        """Call the application's own functions; no blueprint has any."""
        for function in self.before_request_funcs[None]:
            if (reply := function()) is not None:
                return reply
        return None

    def do_teardown_request(self, *_: Any) -> None:
        """Do nothing: no function is registered, and nobody listens to the signal."""

    def do_teardown_appcontext(self, *_: Any) -> None:
        """Do nothing, as above."""
