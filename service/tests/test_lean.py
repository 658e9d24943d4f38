"""What lean.py leaves out is not used, and what it sends is what Flask would send."""

from inspect import iscoroutinefunction

import pytest
from flask import Request, Response
from werkzeug.test import EnvironBuilder, run_wsgi_app

from service import Config, create_app
from service.lean import LeanRequest, Whole


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


@pytest.mark.parametrize("body", [b"bytes", b""])
@pytest.mark.parametrize("more", [[], [("Content-Security-Policy", "default-src 'none'")]])
def test_a_whole_reply_is_sent_as_flasks_own_would_be(
    body: bytes, more: list[tuple[str, str]]
) -> None:
    headers = [("Content-Type", "application/json"), *more]
    environ = EnvironBuilder(method="POST").get_environ()
    whole = run_wsgi_app(Whole(body, headers), environ)  # type: ignore[arg-type]
    flasks = run_wsgi_app(Response(body, headers=headers), environ)
    assert b"".join(whole[0]) == b"".join(flasks[0]) == body
    assert whole[1] == flasks[1]
    assert sorted(whole[2]) == sorted(flasks[2])
    assert len(headers) == 1 + len(more)  # they are those of all replies


ATTRIBUTES = (
    *("method", "scheme", "server", "root_path", "path", "query_string", "remote_addr", "shallow"),
    *("full_path", "url", "host", "args", "mimetype", "content_length", "access_route"),
)


@pytest.mark.parametrize("path", ["/", "//v1//gradient", "/v1/gr%C3%A4dient", "/%ff", "/a%2Fb"])
@pytest.mark.parametrize("query", ["", "a=1&b=%20", "a=\u00fc"])
def test_a_request_has_the_attributes_that_flasks_own_has(path: str, query: str) -> None:
    builder = EnvironBuilder(
        f"http://example.org:8000{path}", method="POST", json={}, query_string=query
    )
    environ = {**builder.get_environ(), "REMOTE_ADDR": "192.0.2.1"}
    lean, flasks = LeanRequest(dict(environ)), Request(dict(environ))
    for name in ATTRIBUTES:
        assert getattr(lean, name) == getattr(flasks, name), name
    assert dict(lean.headers) == dict(flasks.headers)
    assert vars(lean).keys() == vars(flasks).keys()
