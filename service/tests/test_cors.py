"""Pages of other origins: CORS, https://fetch.spec.whatwg.org/#http-cors-protocol"""

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service import Config, create_app
from service.tests.validated import EXAMPLE

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
def test_a_page_of_a_configured_origin_may_read_the_reply(
    origin: str, path: str, status: int
) -> None:
    response = make_client(OURS, LOCAL).post(path, json=EXAMPLE, headers={"Origin": origin})
    assert response.status_code == status
    assert response.headers["Access-Control-Allow-Origin"] == origin
    assert "origin" in names(response.headers["Vary"])
    # Without these a page sees none of the headers that are not safelisted.
    exposed = names(response.headers["Access-Control-Expose-Headers"])
    assert {"etag", "retry-after", "x-request-id", "traceparent"} <= exposed


@pytest.mark.parametrize(
    "origin", [OTHER, "null", f"{OURS}:8443", "http://example.org", f"{OURS}.evil.net", "", "*"]
)
def test_another_origin_is_told_nothing_but_answered(origin: str) -> None:
    client = make_client(OURS)
    response = client.post("/v1/gradient", json=EXAMPLE, headers={"Origin": origin})
    assert response.status_code == 200
    assert cors_headers(response) == set()
    # Or a cache would hand this reply to a page of ours.
    assert "origin" in names(response.headers["Vary"])
    preflight = client.options("/v1/gradient", headers={"Origin": origin, **PREFLIGHT})
    assert cors_headers(preflight) == set()


def test_a_reply_to_no_page_at_all_varies_by_origin_too() -> None:
    client = make_client(OURS)
    response = client.get("/v1/gradient", query_string={"expression": "1"})
    assert cors_headers(response) == set()
    assert names(response.headers["Vary"]) == {"accept", "origin"}
    again = client.get(
        "/v1/gradient",
        query_string={"expression": "1"},
        headers={"If-None-Match": response.headers["ETag"], "Origin": OURS},
    )
    assert again.status_code == 304
    assert again.headers["Access-Control-Allow-Origin"] == OURS
    assert "origin" in names(again.headers["Vary"])


def test_a_star_stands_for_every_origin() -> None:
    client = make_client("*")
    for origin in (OURS, OTHER, "null"):
        response = client.post("/v1/gradient", json=EXAMPLE, headers={"Origin": origin})
        assert response.headers["Access-Control-Allow-Origin"] == "*"
        assert "Vary" not in response.headers


def test_a_preflight_is_answered_for_a_day_with_what_the_path_knows() -> None:
    response = make_client(OURS).options("/v1/gradient", headers={"Origin": OURS, **PREFLIGHT})
    assert 200 <= response.status_code < 300  # what the standard calls an ok status
    assert response.data == b""
    headers = response.headers
    assert headers["Access-Control-Allow-Origin"] == OURS
    assert {"get", "head", "post"} <= names(headers["Access-Control-Allow-Methods"])
    allowed = names(headers["Access-Control-Allow-Headers"])
    assert {"content-type", "if-none-match", "x-request-id", "traceparent"} <= allowed
    assert "authorization" in allowed  # as the TypeScript client's `headers` may have it
    assert headers["Access-Control-Max-Age"] == "86400"
    assert "Access-Control-Allow-Credentials" not in headers
    assert "origin" in names(headers["Vary"])


def test_only_a_preflight_is_answered_as_one() -> None:
    response = make_client(OURS).options("/v1/gradient", headers={"Origin": OURS})
    assert "Access-Control-Allow-Methods" not in response.headers
    response = make_client(OURS).post(
        "/v1/gradient", json=EXAMPLE, headers={"Origin": OURS, **PREFLIGHT}
    )
    assert "Access-Control-Allow-Methods" not in response.headers


def test_unless_origins_are_configured_there_is_no_word_of_them() -> None:
    client = make_client()
    response = client.post("/v1/gradient", json=EXAMPLE, headers={"Origin": OURS})
    assert cors_headers(response) == set()
    assert "Vary" not in response.headers
    response = client.options("/v1/gradient", headers={"Origin": OURS, **PREFLIGHT})
    assert cors_headers(response) == set()
