import pytest
from flask.testing import FlaskClient

import service.routes
from engine_py import __version__, introspect
from service import Config, create_app
from service.routes import engine_is_right
from service.tests.validated import reply_of


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
