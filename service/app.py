"""Configuration -> Flask application."""

import os
from collections.abc import Callable, Iterable
from http import HTTPStatus
from typing import Any
from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

from flask import Flask, Request, Response, request
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import MapAdapter

from service.config import Config
from service.errors import MalformedRequest, PayloadTooLarge
from service.observe import QUIET, RECORD, Metrics, Observed, Record
from service.openapi import query_parameters
from service.pages import make_pages, render_early
from service.reply import register_problems
from service.request import read_body, refuse_unknown
from service.routes import add_probes, add_routes
from service.turns import Turns

_REQUEST_HEADERS = "Authorization, Content-Type, If-None-Match, X-Request-Id"
_REPLY_HEADERS = "Allow, ETag, Retry-After, X-Request-Id"
_METHOD = "Access-Control-Request-Method"
_DAY = "86400"

_LONGEST_QUERY = 8_000
"""Bytes."""


def create_app(config: Config | None = None, *, renders_early: bool = False) -> Flask:
    """Build the application.

    Args:
        config: the limits of the service and what it logs; by default from the environment.
        renders_early: whether slow pages are rendered now, not at their first request.

    Raises:
        ConfigError: an environment variable is invalid.
    """
    config = config or Config.from_environ(os.environ)
    metrics = Metrics()
    turns = Turns(
        config.waiting, config.wait_seconds, config.compute_seconds, config.max_memory_bytes
    )
    app = _Application(__name__, static_folder=None)
    app.url_map.merge_slashes = False  # or `/v1//gradient` is a redirect
    if config.cors_origins:
        app.after_request(_cross_origin_headers(config.cors_origins))
    register_problems(app)
    add_routes(app, config, metrics)
    add_probes(app, metrics)
    app.register_blueprint(make_pages(config))
    app.before_request(_refuse_unknown_parameters)
    application: WSGIApplication = _Admitted(app.wsgi_app, turns, config.body_bytes)
    if config.proxies:
        application = ProxyFix(application, x_for=config.proxies)
    observed = Observed(application, config, metrics)
    app.wsgi_app = observed  # type: ignore[method-assign]
    app.extensions.update(observed=observed, metrics=metrics)
    metrics.follow("small", lambda: observed.in_flight - turns.large - turns.waiting)
    metrics.follow("large", lambda: turns.large)
    metrics.follow("waiting", lambda: turns.waiting)
    if renders_early:
        query_parameters()
        with app.app_context():
            render_early(config)
    return app


def make_probes(metrics: Metrics) -> Flask:
    """Build an application that has only the operators' routes."""
    app = Flask(__name__, static_folder=None)
    add_probes(app, metrics)
    return app


class _Application(Flask):
    """Flask with plain functions as views."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """Return `func`. Flask would check at each call whether it is a coroutine."""
        return func

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """Bind the routes to a request, in a third of Flask's time: no route has a host."""
        if request is None:
            return None
        return self.url_map.bind(
            request.host, default_method=request.method, path_info=request.path
        )


class _Admitted:
    """A WSGI application that answers probes immediately, and other requests in their turn.

    A thread that receives a body may wait for its client, so it has no turn yet. Everything else
    runs in turns: hundreds of threads that compete for the interpreter delay each other, and every
    probe, by a second.
    """

    def __init__(self, application: WSGIApplication, turns: Turns, max_body_bytes: int) -> None:
        """Wrap `application`; a body may have `max_body_bytes` bytes."""
        self._application = application
        self._turns = turns
        self._max_body_bytes = max_body_bytes

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Store the body, or the error of receiving it, in the request's record."""
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
    """Return the query, or an error if it is too long; the server accepts more than documented."""
    query: bytes = environ.get("QUERY_STRING", "").encode("latin-1")
    if len(query) <= _LONGEST_QUERY:
        return query
    message = f"the query has {len(query)} bytes; at most {_LONGEST_QUERY} are accepted"
    return MalformedRequest(f"{message}; send a long program by POST")


def _refuse_unknown_parameters() -> None:
    """Raise InvalidRequest for a query parameter that the route does not have."""
    if request.query_string and request.url_rule:
        method = "GET" if request.method == "HEAD" else request.method
        path = request.url_rule.rule
        if (known := query_parameters().get((path, method))) is not None:
            refuse_unknown(request.args, known, f"{method} {path}")


def _cross_origin_headers(origins: tuple[str, ...]) -> Callable[[Response], Response]:
    """Let pages of these origins read replies (CORS, in the Fetch standard); `*` allows all.

    Credentials are not allowed, but a page may set Authorization for a proxy. Every path and method
    passes a preflight: if one failed, the browser would hide the problem of the request itself.
    """

    def add(response: Response) -> Response:
        origin = request.headers.get("Origin")
        is_allowed = origin is not None and not {origin, "*"}.isdisjoint(origins)
        is_preflight = request.method == "OPTIONS" and _METHOD in request.headers
        if is_allowed and is_preflight and response.status_code == HTTPStatus.NOT_FOUND:
            response = Response(status=HTTPStatus.NO_CONTENT)
        if "*" not in origins:
            response.vary.add("Origin")
        if is_allowed:
            headers = response.headers
            headers["Access-Control-Allow-Origin"] = "*" if "*" in origins else origin
            headers["Access-Control-Expose-Headers"] = _REPLY_HEADERS
            if is_preflight:
                headers["Access-Control-Allow-Methods"] = "*"
                headers["Access-Control-Allow-Headers"] = _REQUEST_HEADERS
                headers["Access-Control-Max-Age"] = _DAY
        return response

    return add
