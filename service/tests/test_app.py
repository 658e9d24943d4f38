"""The whole application: paths and methods, internal errors, probes, CORS."""

import json
import logging

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

import service.compute
import service.routes
from engine_py import __version__, introspect
from service.app import create_app
from service.config import Config
from service.tests.validated import EXAMPLE, Post, reply_of


def test_the_factory_reads_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRADIENT_MAX_CHARACTERS", "3")
    reply = reply_of(create_app().test_client().post("/v1/gradient", json=EXAMPLE))
    assert (reply.content["code"], reply.content["limit"]) == ("limit_exceeded", 3)


@pytest.mark.parametrize(
    ("path", "suggestion"),
    [
        ("/v2", "; POST /v1/gradient; "),
        ("/é%00%ff", "; POST /v1/gradient; "),
        ("/v1/gradient/", "; did you mean /v1/gradient? "),
        ("/v1//gradient", "; did you mean /v1/gradient? "),
        ("/v1/gradent", "; did you mean /v1/gradient? "),
        ("/hessian", "; did you mean /v1/hessian? "),
    ],
)
@pytest.mark.parametrize("method", ["GET", "BREW"])
def test_an_unknown_path_is_not_found_with_a_suggestion(
    client: FlaskClient, method: str, path: str, suggestion: str
) -> None:
    reply = reply_of(client.open(path, method=method))
    assert (reply.status, reply.content["code"]) == (404, "not_found")
    assert suggestion in reply.content["detail"]


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", "/v1/gradients", "OPTIONS, POST"),
        ("PUT", "/v1/gradient", "GET, HEAD, OPTIONS, POST"),
        ("BREW", "/v1/gradient", "GET, HEAD, OPTIONS, POST"),
        ("POST", "/healthz", "GET, HEAD, OPTIONS"),
    ],
)
def test_an_unsupported_method_is_refused_with_the_methods_allowed(
    client: FlaskClient, method: str, path: str, allowed: str
) -> None:
    reply = reply_of(client.open(path, method=method))
    assert (reply.status, reply.content["code"]) == (405, "method_not_allowed")
    assert reply.headers["Allow"] == allowed
    assert reply.content["allowed"] == allowed.split(", ")


@pytest.mark.parametrize("error", [RuntimeError, RecursionError, KeyError])
def test_an_internal_error_is_logged_and_reveals_nothing_to_the_client(
    post: Post,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: type[Exception],
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error("secret of the house")

    monkeypatch.setattr(service.compute, "differentiate", fail)
    with caplog.at_level(logging.ERROR):
        reply = post(EXAMPLE)
    assert (reply.status, reply.content["code"]) == (500, "internal_error")
    assert not any(word in reply.body for word in (b"secret", b"Traceback", b'Error"', b".py"))
    assert "secret of the house" in caplog.text
    [record] = [each for each in caplog.records if each.levelno == logging.ERROR]
    assert vars(record)["request_id"] == reply.headers["X-Request-Id"]


# Probes.


def test_a_running_process_is_healthy_and_ready(client: FlaskClient) -> None:
    found = {"/healthz": {"status": "ok", "version": __version__}, "/readyz": {"status": "ready"}}
    for path, content in found.items():
        response = client.get(path)
        assert (response.status_code, response.json) == (200, content)
        assert response.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "wrong",
    [
        introspect("(a + b) * c", {"a": 2, "b": -3, "c": 11}),
        introspect("(a + b) * -c", {"a": 2, "b": -3, "c": -10}),  # only the result is right
    ],
)
def test_a_process_whose_engine_miscomputes_is_not_ready(
    client: FlaskClient,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    wrong: object,
) -> None:
    monkeypatch.setattr(service.routes, "introspect", lambda *_: wrong)
    reply = reply_of(client.get("/readyz"))
    assert (reply.status, reply.content["code"]) == (503, "not_ready")
    assert "engine" in reply.content["detail"]
    [line] = map(json.loads, capsys.readouterr().out.splitlines())
    found = (line["level"], line["route"], line["status"], line["code"])
    assert found == ("error", "/readyz", 503, "not_ready")
    assert client.get("/healthz").status_code == 200


# CORS: https://fetch.spec.whatwg.org/#http-cors-protocol


OURS = "https://example.org"
LOCAL = "http://localhost:3000"
OTHER = "https://example.com"
PREFLIGHT = {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "content-type",
}


def make_client(*origins: str) -> FlaskClient:
    return create_app(Config(cors_origins=origins)).test_client()


def names(text: str) -> set[str]:
    return {each.strip().lower() for each in text.split(",")}


def cors_headers(response: TestResponse) -> set[str]:
    return {name for name, _ in response.headers if name.startswith("Access-Control-")}


@pytest.mark.parametrize(
    ("origin", "path", "status"),
    [(OURS, "/v1/gradient", 200), (LOCAL, "/v1/parse", 422), (OURS, "/nowhere", 404)],
)
def test_a_page_of_an_allowed_origin_can_read_the_reply(
    origin: str, path: str, status: int
) -> None:
    response = make_client(OURS, LOCAL).post(path, json=EXAMPLE, headers={"Origin": origin})
    assert response.status_code == status
    assert response.headers["Access-Control-Allow-Origin"] == origin
    assert "origin" in names(response.headers["Vary"])
    # A page sees a header that is not safelisted only if it is exposed.
    exposed = names(response.headers["Access-Control-Expose-Headers"])
    assert {"etag", "retry-after", "x-request-id"} <= exposed


@pytest.mark.parametrize(
    "origin", [OTHER, "null", f"{OURS}:8443", "http://example.org", f"{OURS}.evil.net", "", "*"]
)
def test_other_origins_get_no_cors_headers(origin: str) -> None:
    client = make_client(OURS)
    response = client.post("/v1/gradient", json=EXAMPLE, headers={"Origin": origin})
    assert response.status_code == 200
    assert cors_headers(response) == set()
    # Otherwise a cache would give this reply to a page of an allowed origin.
    assert "origin" in names(response.headers["Vary"])
    preflight = client.options("/v1/gradient", headers={"Origin": origin, **PREFLIGHT})
    assert cors_headers(preflight) == set()


def test_a_reply_without_an_origin_still_varies_by_origin() -> None:
    client, path = make_client(OURS), "/v1/gradient?expression=1"
    response = client.get(path)
    assert cors_headers(response) == set()
    assert names(response.headers["Vary"]) == {"accept", "origin"}
    has_it = {"If-None-Match": response.headers["ETag"]}
    again = client.get(path, headers={**has_it, "Origin": OURS})
    assert again.status_code == 304
    assert again.headers["Access-Control-Allow-Origin"] == OURS
    assert "origin" in names(again.headers["Vary"])


def test_a_star_allows_every_origin() -> None:
    client = make_client("*")
    for origin in (OURS, OTHER, "null"):
        response = client.post("/v1/gradient", json=EXAMPLE, headers={"Origin": origin})
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert "Vary" not in response.headers


def test_a_preflight_allows_every_method_and_lists_the_headers_for_a_day() -> None:
    response = make_client(OURS).options("/v1/gradient", headers={"Origin": OURS, **PREFLIGHT})
    assert 200 <= response.status_code < 300  # the "ok status" of the standard
    assert response.data == b""
    headers = response.headers
    assert headers["Access-Control-Allow-Origin"] == OURS
    assert headers["Access-Control-Allow-Methods"] == "*"
    allowed = names(headers["Access-Control-Allow-Headers"])
    assert {"content-type", "if-none-match", "x-request-id"} <= allowed
    assert "authorization" in allowed  # the TypeScript client can send it in `headers`
    assert headers["Access-Control-Max-Age"] == "86400"
    assert "Access-Control-Allow-Credentials" not in headers
    assert "origin" in names(headers["Vary"])


def test_a_page_can_read_that_a_path_is_mistyped() -> None:
    client = make_client(OURS)
    preflight = client.options("/v1/gradeint", headers={"Origin": OURS, **PREFLIGHT})
    assert (preflight.status_code, preflight.data) == (204, b"")
    assert preflight.headers["Access-Control-Allow-Origin"] == OURS
    assert preflight.headers["Access-Control-Allow-Methods"] == "*"
    response = client.post("/v1/gradeint", json=EXAMPLE, headers={"Origin": OURS})
    assert response.headers["Access-Control-Allow-Origin"] == OURS
    assert "did you mean /v1/gradient?" in response.json["detail"]  # type: ignore[index]
    assert client.options("/v1/gradeint", headers={"Origin": OTHER, **PREFLIGHT}).status_code == 404


def test_only_a_preflight_gets_preflight_headers() -> None:
    client = make_client(OURS)
    for response in (
        client.options("/v1/gradient", headers={"Origin": OURS}),
        client.post("/v1/gradient", json=EXAMPLE, headers={"Origin": OURS, **PREFLIGHT}),
    ):
        assert "Access-Control-Allow-Methods" not in response.headers


def test_there_are_no_cors_headers_by_default() -> None:
    client = make_client()
    response = client.post("/v1/gradient", json=EXAMPLE, headers={"Origin": OURS})
    assert cors_headers(response) == set()
    assert "Vary" not in response.headers
    response = client.options("/v1/gradient", headers={"Origin": OURS, **PREFLIGHT})
    assert cors_headers(response) == set()
