"""The application as a whole: its configuration, its paths and methods, its probes, lean Flask."""

import logging
from inspect import iscoroutinefunction

import pytest
from flask import Request, Response
from flask.testing import FlaskClient
from werkzeug.test import EnvironBuilder, run_wsgi_app

import service.compute.engine
import service.routes
from engine_py import Limits, __version__, introspect
from service import Config, ConfigError, create_app
from service.lean import LeanRequest, Whole
from service.routes import engine_is_right
from service.tests.validated import EXAMPLE, Post, reply_of


def test_the_factory_reads_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADIENT_MAX_CHARACTERS", "3")
    reply = reply_of(create_app().test_client().post("/v1/gradient", json=EXAMPLE))
    assert (reply.content["code"], reply.content["limit"]) == ("limit_exceeded", 3)


def test_the_factory_refuses_an_environment_that_cannot_be_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GRADIENT_MAX_NODES", "many")
    with pytest.raises(ConfigError, match="GRADIENT_MAX_NODES"):
        create_app()


def test_two_applications_keep_their_own_configuration() -> None:
    small = create_app(Config(limits=Limits(characters=1))).test_client()
    large = create_app(Config()).test_client()
    assert small.post("/v1/gradient", json=EXAMPLE).status_code == 422
    assert large.post("/v1/gradient", json=EXAMPLE).status_code == 200


@pytest.mark.parametrize(
    "path", ["/v2", "/v1", "/v1/gradient/", "/v1//gradient", "/static/x", "/é%00%ff"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "BREW"])
def test_a_path_that_leads_nowhere_is_a_problem_that_shows_the_way(
    client: FlaskClient, method: str, path: str
) -> None:
    reply = reply_of(client.open(path, method=method))
    assert (reply.status, reply.content["code"]) == (404, "not_found")
    assert "POST /v1/gradient" in reply.content["detail"]


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/v1/gradients", "OPTIONS, POST"),
        ("PUT", "/v1/gradient", "GET, HEAD, OPTIONS, POST"),
        ("BREW", "/v1/gradient", "GET, HEAD, OPTIONS, POST"),
        ("POST", "/healthz", "GET, HEAD, OPTIONS"),
    ],
)
def test_a_method_that_a_path_does_not_know_is_a_problem_with_those_it_knows(
    client: FlaskClient, method: str, path: str, allowed: str
) -> None:
    reply = reply_of(client.open(path, method=method))
    assert (reply.status, reply.content["code"]) == (405, "method_not_allowed")
    assert reply.headers["Allow"] == allowed
    assert reply.content["allowed"] == allowed.split(", ")


def test_head_and_options_are_answered_without_a_body(client: FlaskClient) -> None:
    assert client.head("/healthz").status_code == 200
    options = client.options("/v1/gradient")
    assert (options.status_code, options.data) == (200, b"")
    assert set(options.headers["Allow"].split(", ")) == {"GET", "HEAD", "OPTIONS", "POST"}


@pytest.mark.parametrize("fault", [RuntimeError, RecursionError, MemoryError, KeyError])
def test_a_fault_of_the_service_is_logged_and_tells_the_client_nothing(
    post: Post,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    fault: type[Exception],
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise fault("secret of the house")

    monkeypatch.setattr(service.compute.engine, "differentiate", fail)
    with caplog.at_level(logging.ERROR):
        reply = post(EXAMPLE)
    assert (reply.status, reply.content["code"]) == (500, "internal_error")
    assert not any(word in reply.body for word in (b"secret", b"Traceback", b'Error"', b".py"))
    assert "secret of the house" in caplog.text
    [record] = [each for each in caplog.records if each.levelno == logging.ERROR]
    assert vars(record)["request_id"] == reply.headers["X-Request-Id"]


# Probes.


def test_a_process_that_answers_is_alive_and_ready(client: FlaskClient) -> None:
    told = {"/healthz": {"status": "ok", "version": __version__}, "/readyz": {"status": "ready"}}
    for path, content in told.items():
        response = client.get(path)
        assert (response.status_code, response.json) == (200, content)
        assert response.headers["Cache-Control"] == "no-store"


def test_a_process_that_was_told_to_stop_is_alive_but_not_ready() -> None:
    draining = False
    client = create_app(Config(), is_draining=lambda: draining).test_client()
    assert client.get("/readyz").status_code == 200
    draining = True
    reply = reply_of(client.get("/readyz"))
    assert (reply.status, reply.content["code"]) == (503, "not_ready")
    assert "stopping" in reply.content["detail"]
    assert client.get("/healthz").status_code == 200
    # Those who have not heard of it yet are answered.
    asked = client.get("/v1/gradient", query_string={"expression": "1"})
    assert asked.status_code == 200


@pytest.mark.parametrize(
    "wrong",
    [
        introspect("(a + b) * c", {"a": 2, "b": -3, "c": 11}),
        introspect("(a + b) * -c", {"a": 2, "b": -3, "c": -10}),  # the result alone is right
    ],
)
def test_a_process_whose_engine_is_wrong_is_not_ready(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, wrong: object
) -> None:
    monkeypatch.setattr(service.routes, "introspect", lambda *_: wrong)
    assert not engine_is_right()
    reply = reply_of(client.get("/readyz"))
    assert (reply.status, reply.content["code"]) == (503, "not_ready")
    assert "engine" in reply.content["detail"]
    assert client.get("/healthz").status_code == 200


def test_a_process_whose_engine_fails_is_not_ready_either(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service.routes, "introspect", None)
    assert client.get("/readyz").status_code >= 500
    assert client.get("/healthz").status_code == 200


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_probes_are_read_and_never_written(client: FlaskClient, path: str) -> None:
    head = client.head(path)
    assert (head.status_code, head.data) == (200, b"")
    reply = reply_of(client.post(path))
    assert reply.status == 405
    assert reply.content["allowed"] == ["GET", "HEAD", "OPTIONS"]


# Flask without what the service leaves out.


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
