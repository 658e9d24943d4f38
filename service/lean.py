"""Flask without what this service does not use: half of Flask's part of a small request's time.

Each method is one that Flask documents for subclasses, and a test holds what they leave out: views
that are coroutines, sessions, subdomains, signals, functions of blueprints before a request, any at
its very end.
"""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, NamedTuple
from wsgiref.types import StartResponse, WSGIEnvironment

from flask import Flask, Request, Response
from flask.ctx import RequestContext
from flask.sessions import NullSession
from werkzeug.routing import MapAdapter, Rule

_OK = 200
_SESSION = NullSession()


class LeanRequest(Request):
    """A request that brings no files."""

    def close(self) -> None:
        """Do nothing: where no form is read, there are no files of one to be closed."""


class LeanResponse(Response):
    """A response whose headers are sent as they are, where it is an answer to a POST."""

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Skip what other statuses, methods and streams need."""
        pieces = self.response
        is_plain = self.status_code == _OK and environ["REQUEST_METHOD"] == "POST"
        if not is_plain or not isinstance(pieces, list):
            return super().__call__(environ, start_response)
        headers = self.headers.to_wsgi_list()
        if not any(name.lower() == "content-length" for name, _ in headers):
            headers.append(("Content-Length", str(sum(map(len, pieces)))))
        start_response(self.status, headers)
        return pieces


class _Found(NamedTuple):
    """What MapAdapter.match would find, known beforehand."""

    rule: Rule

    def match(self, **_: Any) -> tuple[Rule, dict[str, Any]]:
        return self.rule, {}


class Lean(Flask):
    """A Flask application of plain functions at the root of any host."""

    request_class = LeanRequest
    response_class = LeanResponse

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Take it as it is, since no view is a coroutine; Flask looks at each call."""
        return func

    def request_context(self, environ: WSGIEnvironment) -> RequestContext:
        """Have no session opened."""
        return RequestContext(self, environ, session=_SESSION)

    @cached_property
    def _fixed(self) -> dict[tuple[str, str], _Found]:
        """The rules without a part that varies, by method and path."""
        return {
            (method, rule.rule): _Found(rule)
            for rule in self.url_map.iter_rules()
            if not rule.arguments
            for method in (rule.methods or set()) - {"OPTIONS"}
        }

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Match by path and method alone; the server has looked at Host."""
        if request is None:
            return None
        method, path = request.method, request.path
        if found := self._fixed.get((method, path)):
            return found  # type: ignore[return-value]
        return MapAdapter(self.url_map, "", "/", "", request.scheme, path, method)

    def full_dispatch_request(self) -> Response:
        """Answer; every view and every error handler gives a response, and no signal is heard."""
        try:
            reply: Any = self.preprocess_request() or self.dispatch_request()
        except Exception as fault:  # noqa: BLE001 - as Flask does
            reply = self.handle_user_exception(fault)
        return self.process_response(reply)

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
