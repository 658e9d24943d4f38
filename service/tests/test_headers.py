"""Compression (RFC 9110, sections 8.4, 8.8.3, 12.5.3, 13.1.2) and CORS (the fetch standard)."""

import json
import zlib
from collections.abc import Iterable
from wsgiref.types import StartResponse, WSGIEnvironment

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse
from werkzeug.wsgi import ClosingIterator

from service import Config, create_app
from service.reply.compression import Compressed
from service.tests.validated import EXAMPLE

# Compression.


QUERY = "/v1/gradient?expression=(a%2Bb)*c&a=2&b=-3&c=10"
BATCH = {"requests": [EXAMPLE] * 40}


@pytest.fixture
def compressing() -> FlaskClient:
    return create_app(Config(compress=True)).test_client()


def get(client: FlaskClient, path: str = QUERY, **headers: str) -> TestResponse:
    headers.setdefault("Accept_Encoding", "gzip")
    return client.get(
        path, headers={name.replace("_", "-"): text for name, text in headers.items()}
    )


def unpacked(body: bytes) -> bytes:
    """Undo RFC 1952, checksum and end included."""
    reader = zlib.decompressobj(wbits=31)
    whole = reader.decompress(body)
    assert (reader.eof, reader.unused_data) == (True, b"")
    return whole


@pytest.mark.parametrize(
    ("accepted", "is_packed"),
    [
        ("gzip", True),
        ("GZIP", True),
        ("gzip, deflate, br, zstd", True),
        ("br;q=1.0, gzip;q=0.8, *;q=0.1", True),
        ("*", True),
        ("identity;q=0, *", True),
        ("", False),
        ("identity", False),
        ("br", False),
        ("gzip;q=0", False),
        ("gzip;q=0, *", False),
        ("identity, gzip;q=0.5", False),
        ("gzip;q=nonsense", False),
    ],
)
def test_a_reply_is_compressed_for_those_who_accept_it(
    compressing: FlaskClient, accepted: str, *, is_packed: bool
) -> None:
    plain = create_app(Config()).test_client().get(QUERY).data
    reply = get(compressing, Accept_Encoding=accepted)
    assert ("Content-Encoding" in reply.headers) is is_packed
    assert (unpacked(reply.data) if is_packed else reply.data) == plain
    assert int(reply.headers["Content-Length"]) == len(reply.data)
    assert (len(reply.data) < len(plain) / 2) is is_packed
    assert reply.vary.as_set() == {"accept", "accept-encoding"}


@pytest.mark.parametrize("path", ["/docs", "/openapi.json", "/problems", QUERY + "&format=svg"])
def test_pages_and_pictures_are_compressed(compressing: FlaskClient, path: str) -> None:
    reply = get(compressing, path)
    assert reply.headers["Content-Encoding"] == "gzip"
    assert len(unpacked(reply.data)) > 1_000


@pytest.mark.parametrize("path", ["/healthz", "/v1/limits", "/nowhere"])
def test_what_is_short_is_sent_as_it_is(compressing: FlaskClient, path: str) -> None:
    reply = get(compressing, path)
    assert "Content-Encoding" not in reply.headers
    assert reply.is_json
    assert "accept-encoding" in reply.vary.as_set()


def test_nothing_is_compressed_unless_it_is_asked_for(client: FlaskClient) -> None:
    reply = get(client)
    assert "Content-Encoding" not in reply.headers
    assert reply.vary.as_set() == {"accept"}
    assert reply.headers["ETag"].startswith('"')


@pytest.mark.parametrize("path", [QUERY, "/docs", "/v1/operations"])
def test_both_forms_have_one_weak_tag_and_either_revalidates_the_other(
    compressing: FlaskClient, path: str
) -> None:
    packed, plain = get(compressing, path), get(compressing, path, Accept_Encoding="identity")
    assert ("Content-Encoding" in packed.headers, "Content-Encoding" in plain.headers) == (
        True,
        False,
    )
    tag = packed.headers["ETag"]
    assert tag == plain.headers["ETag"]
    assert tag.startswith('W/"')
    for known in (tag, tag.removeprefix("W/"), f'"other", {tag}', "*"):
        for accepted in ("gzip", "identity"):
            again = get(compressing, path, Accept_Encoding=accepted, If_None_Match=known)
            assert (again.status_code, again.data) == (304, b"")
            assert "Content-Encoding" not in again.headers
            for name in ("ETag", "Vary", "Cache-Control"):
                assert again.headers[name] == packed.headers[name]
    assert get(compressing, path, If_None_Match='W/"other"').status_code == 200


@pytest.mark.parametrize("accepted", ["gzip", "identity"])
def test_head_tells_what_get_would(compressing: FlaskClient, accepted: str) -> None:
    asked = get(compressing, Accept_Encoding=accepted)
    head = compressing.head(QUERY, headers={"Accept-Encoding": accepted})
    assert (head.status_code, head.data) == (200, b"")
    for name in ("Content-Encoding", "Content-Type", "ETag", "Vary", "Cache-Control"):
        assert head.headers.get(name) == asked.headers.get(name)
    # It may be left out, but not be wrong (section 8.6).
    assert head.headers.get("Content-Length") in (None, asked.headers["Content-Length"])


def test_every_line_of_a_stream_can_be_read_when_it_comes(compressing: FlaskClient) -> None:
    response = compressing.post(
        "/v1/gradients",
        json=BATCH,
        headers={"Accept": "application/x-ndjson", "Accept-Encoding": "gzip"},
        buffered=False,
    )
    assert response.headers["Content-Encoding"] == "gzip"
    assert "Content-Length" not in response.headers
    reader = zlib.decompressobj(wbits=31)
    lines = [reader.decompress(piece) for piece in response.iter_encoded()]
    assert [json.loads(line)["result"] for line in lines if line] == [-10] * 40
    assert reader.eof


def test_a_stream_that_is_left_is_closed() -> None:
    closed: list[bool] = []
    made = ClosingIterator([b"a", b"b"], lambda: closed.append(True))

    def application(_environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        start("200 OK", [("Content-Type", "text/plain")])
        return made

    environ = {"HTTP_ACCEPT_ENCODING": "gzip", "REQUEST_METHOD": "GET"}
    pieces = Compressed(application)(environ, lambda *_: None)  # type: ignore[arg-type]
    assert next(iter(pieces))
    pieces.close()  # type: ignore[attr-defined]
    assert closed == [True]


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


@pytest.mark.parametrize("origin", [OURS, LOCAL])
def test_a_page_of_a_configured_origin_may_read_the_reply(origin: str) -> None:
    response = make_client(OURS, LOCAL).post(
        "/v1/gradient", json=EXAMPLE, headers={"Origin": origin}
    )
    assert response.status_code == 200
    assert response.headers["Access-Control-Allow-Origin"] == origin
    assert "origin" in names(response.headers["Vary"])
    # Without these a page sees none of the headers that are not safelisted.
    exposed = names(response.headers["Access-Control-Expose-Headers"])
    assert {"etag", "retry-after", "x-request-id", "traceparent"} <= exposed


@pytest.mark.parametrize("path", ["/v1/gradient", "/nowhere"])
def test_a_problem_may_be_read_as_well(path: str) -> None:
    response = make_client(OURS).post(path, data=b"{", headers={"Origin": OURS})
    assert response.status_code >= 400
    assert response.headers["Access-Control-Allow-Origin"] == OURS


@pytest.mark.parametrize(
    "origin", [OTHER, "null", f"{OURS}:8443", "http://example.org", f"{OURS}.evil.net", "", "*"]
)
def test_another_origin_is_told_nothing_but_answered(origin: str) -> None:
    response = make_client(OURS).post("/v1/gradient", json=EXAMPLE, headers={"Origin": origin})
    assert response.status_code == 200
    assert cors_headers(response) == set()
    # Or a cache would hand this reply to a page of ours.
    assert "origin" in names(response.headers["Vary"])


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
    assert "origin" in names(headers["Vary"])


def test_a_preflight_of_another_origin_allows_nothing() -> None:
    response = make_client(OURS).options("/v1/gradient", headers={"Origin": OTHER, **PREFLIGHT})
    assert cors_headers(response) == set()


def test_only_a_preflight_is_answered_as_one() -> None:
    response = make_client(OURS).options("/v1/gradient", headers={"Origin": OURS})
    assert "Access-Control-Allow-Methods" not in response.headers
    response = make_client(OURS).post(
        "/v1/gradient", json=EXAMPLE, headers={"Origin": OURS, **PREFLIGHT}
    )
    assert "Access-Control-Allow-Methods" not in response.headers


@pytest.mark.parametrize("origins", [(), (OURS,), ("*",)])
def test_no_page_is_ever_allowed_to_send_credentials(origins: tuple[str, ...]) -> None:
    response = make_client(*origins).options("/v1/gradient", headers={"Origin": OURS, **PREFLIGHT})
    assert "Access-Control-Allow-Credentials" not in response.headers


def test_unless_origins_are_configured_there_is_no_word_of_them() -> None:
    client = make_client()
    response = client.post("/v1/gradient", json=EXAMPLE, headers={"Origin": OURS})
    assert cors_headers(response) == set()
    assert "Vary" not in response.headers
    response = client.options("/v1/gradient", headers={"Origin": OURS, **PREFLIGHT})
    assert cors_headers(response) == set()
