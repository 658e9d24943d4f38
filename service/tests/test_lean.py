"""What lean.py leaves out is not used, and what it sends is what Flask would send."""

from inspect import iscoroutinefunction
from typing import Any

import pytest
from flask import Response
from werkzeug.test import EnvironBuilder, run_wsgi_app

from service import Config, create_app
from service.lean import LeanResponse


def test_the_application_has_nothing_that_is_left_out() -> None:
    app = create_app(Config())
    hooks = [function for of in app.before_request_funcs.values() for function in of]
    assert app.view_functions
    assert hooks
    assert not any(map(iscoroutinefunction, [*app.view_functions.values(), *hooks]))
    assert app.secret_key is None  # so that no session is ever opened
    assert app.config["SERVER_NAME"] is None
    assert not app.url_map.host_matching
    assert not app.subdomain_matching
    assert not any(rule.subdomain or rule.redirect_to for rule in app.url_map.iter_rules())
    assert set(app.before_request_funcs) == {None}
    assert not any([app.after_request_funcs, app.teardown_request_funcs])
    assert not any([app.teardown_appcontext_funcs, app.url_value_preprocessors])
    assert create_app(Config(cors_origins=("*",))).after_request_funcs


@pytest.mark.parametrize("method", ["POST", "GET", "HEAD"])
@pytest.mark.parametrize("status", [200, 201, 204, 304, 404])
@pytest.mark.parametrize("body", ["× and text", b"bytes", [b"a", b"bc"], "", []])
@pytest.mark.parametrize("headers", [{}, {"Content-Length": "3"}, {"Location": "/ü"}])
def test_a_response_is_sent_as_flasks_own_would_be(
    method: str, status: int, body: Any, headers: dict[str, str]
) -> None:
    if status == 200:
        headers = {name: text for name, text in headers.items() if name != "Location"}
    environ = EnvironBuilder(method=method).get_environ()
    lean, flasks = (
        run_wsgi_app(kind(body, status, headers, mimetype="text/plain"), environ)
        for kind in (LeanResponse, Response)
    )
    assert b"".join(lean[0]) == b"".join(flasks[0])
    assert lean[1] == flasks[1]
    assert sorted(lean[2]) == sorted(flasks[2])


def test_a_stream_is_not_joined() -> None:
    environ = EnvironBuilder(method="POST").get_environ()
    _, _, headers = run_wsgi_app(LeanResponse(iter([b"a", b"b"])), environ)
    assert "Content-Length" not in headers
