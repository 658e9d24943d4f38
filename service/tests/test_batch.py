"""Batches. The expected result of a request is the reply to that request alone."""

import json
import logging
from itertools import count
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

import service.compute
from engine_py import GradientDocument
from engine_py.introspect import Prepared, differentiate
from engine_py.request import GradientRequest
from service.app import create_app
from service.config import Config
from service.tests.validated import DOCUMENT, EXAMPLE, PROBLEM, reply_of

NDJSON = "application/x-ndjson"
JSON = {"Content-Type": "application/json"}
MIXED: list[Any] = [
    EXAMPLE,
    {"expression": "2x + 1", "values": {"x": 3}},
    {"expression": "w * w", "values": {"w": 3}, "parameters": ["w"], "view": "primitive"},
    {"expression": "log(a)", "values": {"a": 0}},
    {"expression": "a", "values": {"a": "2", "2b": 1}, "vew": 1},
    7,
    {},
    {"expression": "1 +\nx y", "values": {"x": 1, "y": 1}},
    EXAMPLE,
]
"""Valid and invalid requests."""


def send(client: FlaskClient, body: Any, **headers: str) -> TestResponse:
    return client.post(  # buffered: the whole reply is read, and closed
        "/v1/gradients", data=json.dumps(body), headers=JSON | headers, buffered=True
    )


def results_of(response: TestResponse) -> list[Any]:
    """Read JSON or NDJSON, whose last line must end, too, and validate each result."""
    assert response.status_code == 200
    if response.mimetype == NDJSON:
        *lines, rest = response.data.split(b"\n")
        assert rest == b""
        results = [json.loads(line) for line in lines]
    else:
        assert response.mimetype == "application/json"
        content = json.loads(response.data)
        assert list(content) == ["results"]
        results = content["results"]
    for result in {json.dumps(result): result for result in results}.values():
        plain = {name: member for name, member in result.items() if name != "id"}
        (PROBLEM if "code" in result else DOCUMENT).validate(plain)
    return results


def alone(client: FlaskClient, body: Any) -> Any:
    return reply_of(client.post("/v1/gradient", data=json.dumps(body), headers=JSON)).content


@pytest.mark.parametrize("accept", ["application/json", NDJSON])
def test_each_result_equals_the_reply_to_its_request_alone(
    client: FlaskClient, accept: str
) -> None:
    response = send(client, {"requests": MIXED}, Accept=accept)
    assert response.mimetype == accept
    results = results_of(response)
    assert results == [alone(client, body) for body in MIXED]
    statuses = [result.get("status", 200) for result in results]
    assert statuses == [200, 422, 200, 422, 422, 422, 422, 422, 200]


@pytest.mark.parametrize("accept", ["application/json", NDJSON])
def test_an_internal_error_in_one_request_does_not_affect_the_others(
    client: FlaskClient,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    accept: str,
) -> None:
    def fail(prepared: Prepared, asked: GradientRequest, **options: Any) -> GradientDocument:
        if asked.expression == "13":
            raise RuntimeError("secret of the house")
        return differentiate(prepared, asked, **options)

    monkeypatch.setattr(service.compute, "differentiate", fail)
    with caplog.at_level(logging.ERROR):
        bad = {"expression": "13", "values": {}}
        response = send(client, {"requests": [EXAMPLE, bad, EXAMPLE]}, Accept=accept)
    first, second, third = results_of(response)
    assert first == third == alone(client, EXAMPLE)
    assert (second["code"], second["status"]) == ("internal_error", 500)
    assert b"secret" not in response.data
    assert "secret of the house" in caplog.text


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ([EXAMPLE], ""),
        ({}, "/requests"),
        ({"requests": None}, "/requests"),
        ({"requests": EXAMPLE}, "/requests"),
        (EXAMPLE, "/expression"),
        ({"requests": [], "a/b": 1}, "/a~1b"),
    ],
)
def test_a_body_that_is_not_a_batch_is_refused(
    client: FlaskClient, body: Any, pointer: str
) -> None:
    problem = reply_of(send(client, body)).content
    assert (problem["code"], problem["pointer"]) == ("invalid_request", pointer)


def test_a_batch_with_invalid_json_is_refused_as_a_whole(client: FlaskClient) -> None:
    data = b'{"requests":[{"expression":"1","values":{}},{"expression":"1","expression":"1"}]}'
    assert reply_of(client.post("/v1/gradients", data=data, headers=JSON)).status == 400


def test_a_batch_of_too_many_requests_is_refused_before_any_is_computed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client = create_app(Config(batch_requests=2)).test_client()
    assert len(results_of(send(client, {"requests": [EXAMPLE] * 2}))) == 2
    monkeypatch.setattr(service.compute, "differentiate", None)  # a call would fail
    problem = reply_of(send(client, {"requests": [EXAMPLE] * 3})).content
    exposed = tuple(problem[key] for key in ("code", "name", "limit", "actual"))
    assert exposed == ("limit_exceeded", "batch_requests", 2, 3)


def test_an_empty_batch_has_no_results(client: FlaskClient) -> None:
    assert results_of(send(client, {"requests": []})) == []
    assert results_of(send(client, {"requests": []}, Accept=NDJSON)) == []


@pytest.mark.parametrize("accept", ["application/json", NDJSON])
def test_the_id_of_a_request_is_returned_with_its_document_or_problem(
    client: FlaskClient, accept: str
) -> None:
    refused = {"expression": "2x", "values": {}}
    requests = [{"id": 'a"b', **EXAMPLE}, {"id": 7, **refused}, {"id": 2**53, **EXAMPLE}, EXAMPLE]
    *known, unknown, alone = results_of(send(client, {"requests": requests}, Accept=accept))
    assert [(each.pop("id"), each.get("code")) for each in known] == [
        ('a"b', None),
        (7, "unexpected_token"),
    ]
    assert known[0] == alone
    assert (unknown["code"], unknown["pointer"]) == ("invalid_request", "/id")
    assert "id" not in unknown


@pytest.mark.parametrize(
    ("given", "described"), [(None, "null"), (True, "true"), (0.5, "a number"), ([1], "an array")]
)
def test_an_id_is_a_string_or_a_whole_number(
    client: FlaskClient, given: object, described: str
) -> None:
    [problem] = results_of(send(client, {"requests": [{"id": given, **EXAMPLE}]}))
    assert problem["detail"] == f"id must be a string or a whole number, not {described}"


# NDJSON and streaming.


@pytest.mark.parametrize(
    ("accept", "media_type"),
    [
        (f"{NDJSON}, application/json;q=0.9", NDJSON),
        (f"{NDJSON};q=0.5, application/json", "application/json"),
        (f"{NDJSON};q=0, */*", "application/json"),
        ("application/*", "application/json"),
        ("*/*", "application/json"),
    ],
)
def test_accept_chooses_between_json_and_ndjson(
    client: FlaskClient, accept: str, media_type: str
) -> None:
    assert send(client, {"requests": [EXAMPLE]}, Accept=accept).mimetype == media_type


def test_a_large_json_reply_is_streamed(client: FlaskClient) -> None:
    response = send(client, {"requests": MIXED * 20})
    assert 2 < len([*response.iter_encoded()]) < 40
    assert "Content-Length" not in response.headers
    assert "Content-Length" in send(client, {"requests": MIXED[:2]}).headers
    assert results_of(response) == results_of(send(client, {"requests": MIXED})) * 20


@pytest.mark.parametrize("path", ["gradients", "sweep", "descend"])
def test_an_unsupported_accept_is_refused_with_the_types_offered(
    client: FlaskClient, path: str
) -> None:
    reply = reply_of(client.post(f"/v1/{path}", headers={**JSON, "Accept": "text/html"}))
    assert (reply.status, reply.content["code"]) == (406, "not_acceptable")
    assert reply.content["allowed"] == ["application/json", NDJSON]


@pytest.mark.parametrize(("accept", "ahead"), [(NDJSON, 2), ("application/json", 40)])
def test_results_are_computed_as_they_are_read(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, accept: str, ahead: int
) -> None:
    answered: list[str] = []

    def note(prepared: Prepared, asked: GradientRequest, **options: Any) -> GradientDocument:
        answered.append(asked.expression)
        return differentiate(prepared, asked, **options)

    monkeypatch.setattr(service.compute, "differentiate", note)
    batch = {"requests": [EXAMPLE] * 100}
    response = client.post("/v1/gradients", json=batch, headers={"Accept": accept})
    pieces = iter(response.iter_encoded())
    assert b'"result":-10.0' in next(pieces)
    assert 0 < len(answered) <= ahead
    assert sum(piece.count(b'"result":-10.0') for piece in pieces) > 50
    assert len(answered) == 100
    response.close()


@pytest.mark.parametrize("accept", ["application/json", NDJSON])
def test_a_long_reply_is_split_into_pieces_of_64_kib(client: FlaskClient, accept: str) -> None:
    requests = [{"expression": "-" * 2_000 + "a", "values": {"a": 1}}] * 4
    response = send(client, {"requests": requests}, Accept=accept)
    assert len(results_of(response)) == 4
    assert max(map(len, response.response)) == 65_536


def test_the_metrics_count_each_problem_and_each_document_of_a_batch(client: FlaskClient) -> None:
    requests = [EXAMPLE, {"expression": "2x", "values": {}}, EXAMPLE]
    for accept in ("application/json", NDJSON):
        assert send(client, {"requests": requests}, Accept=accept).data
    exposed = client.get("/metrics").text.splitlines()
    assert 'gradient_problems_total{code="unexpected_token"} 2.0' in exposed
    assert "gradient_nodes_count 4.0" in exposed
    assert "gradient_nodes_sum 20.0" in exposed  # the example has five nodes
    assert 'http_requests_total{route="/v1/gradients",status="200"} 2.0' in exposed


def test_requests_after_the_compute_time_of_a_batch_are_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # It is read twice at the start and twice before each request, so it passes 2 before the third.
    clock = count(0, 0.4)
    monkeypatch.setattr("service.turns.thread_time", lambda: next(clock))
    client = create_app(Config(compute_seconds=2, log_requests=False)).test_client()
    results = results_of(send(client, {"requests": [EXAMPLE] * 4}))
    assert [result.get("code") for result in results] == [None, None, *["compute_timeout"] * 2]
    assert (results[2]["status"], results[2]["limit"]) == (503, 2)


@pytest.mark.parametrize("accept", ["application/json", NDJSON])
def test_requests_beyond_the_nodes_of_a_batch_are_refused(accept: str) -> None:
    client = create_app(Config(batch_nodes=10, log_requests=False)).test_client()
    requests = [EXAMPLE, {"expression": "2x", "values": {}}, EXAMPLE, EXAMPLE, EXAMPLE]
    results = results_of(send(client, {"requests": requests}, Accept=accept))
    # The example has five nodes, a refused request has none.
    codes = [result.get("code") for result in results]
    assert codes == [None, "unexpected_token", None, "limit_exceeded", "limit_exceeded"]
    found = [results[3][name] for name in ("status", "name", "limit", "actual")]
    assert found == [422, "batch_nodes", 10, 10]
