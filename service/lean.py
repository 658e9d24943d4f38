"""Flask without what this service does not use: two thirds of Flask's part of a request's time.

Each method overrides one that Flask documents for subclasses. They leave out coroutines as views,
sessions, subdomains, signals, functions of blueprints before a request, and all functions at its
very end; a test checks that the service uses none of these.
"""

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, NamedTuple
from wsgiref.types import StartResponse, WSGIEnvironment

from flask import Flask, Request
from flask.ctx import RequestContext
from flask.sessions import NullSession
from werkzeug.datastructures import EnvironHeaders
from werkzeug.routing import MapAdapter, Rule

_SESSION = NullSession()


class LeanRequest(Request):
    """A request that brings no files, to an application at the root of its host."""

    def __init__(self, environ: WSGIEnvironment) -> None:
        """Set the attributes that werkzeug documents, in half of its time."""
        self.environ, self.shallow = environ, False
        self.method, self.scheme = environ["REQUEST_METHOD"], environ["wsgi.url_scheme"]
        self.server = environ["SERVER_NAME"], int(environ["SERVER_PORT"])
        self.root_path, path = "", environ["PATH_INFO"].lstrip("/")
        if not path.isascii():  # bytes decoded as latin-1 (PEP 3333)
            path = path.encode("latin-1").decode(errors="replace")
        self.path = "/" + path
        self.query_string = environ["QUERY_STRING"].encode("latin-1")
        self.headers = EnvironHeaders(environ)
        self.remote_addr = environ.get("REMOTE_ADDR")

    def close(self) -> None:
        """Do nothing: where no form is read, there are no files of one to be closed."""


class Whole(NamedTuple):
    """A reply of status 200, made as a whole: a WSGI application, which a view may return.

    Flask's own response takes five times as long to make and to send.
    """

    body: bytes
    headers: list[tuple[str, str]]
    """Without Content-Length."""

    def __call__(self, _environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Send it."""
        length = ("Content-Length", str(len(self.body)))
        start_response("200 OK", [*self.headers, length])
        return [self.body]


class _Found(NamedTuple):
    """What MapAdapter.match would find, known beforehand."""

    rule: Rule

    def match(self, **_: Any) -> tuple[Rule, dict[str, Any]]:
        return self.rule, {}


class Lean(Flask):
    """A Flask application of plain functions at the root of any host."""

    request_class = LeanRequest

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

    def full_dispatch_request(self) -> Any:
        """Answer; all that views and error handlers give can be sent, and no signal is heard."""
        try:
            reply: Any = self.preprocess_request() or self.dispatch_request()
        except Exception as fault:  # noqa: BLE001 - as Flask does
            reply = self.handle_user_exception(fault)
        return self.process_response(reply)

    def process_response(self, response: Any) -> Any:
        """Pass it on where no function is registered; there is no session to be saved."""
        if not self.after_request_funcs:
            return response
        return super().process_response(self.make_response(response))

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
