"""The application as a whole: its configuration, its paths and methods, its probes."""

import logging

import pytest
from flask.testing import FlaskClient

import service.compute.engine
import service.routes
from engine_py import __version__, introspect
from service import ConfigError, create_app
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


@pytest.mark.parametrize("path", ["/v2", "/v1/gradient/", "/v1//gradient", "/é%00%ff"])
@pytest.mark.parametrize("method", ["GET", "BREW"])
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
