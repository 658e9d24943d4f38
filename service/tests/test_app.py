import logging

import pytest
from flask.testing import FlaskClient

import service.compute.engine
from engine_py import Limits
from service import Config, ConfigError, create_app
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
