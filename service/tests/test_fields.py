"""`?fields=` chooses members of documents, wherever one is answered."""

import json
from typing import Any

import orjson
import pytest
import rfc8785
from flask.testing import FlaskClient

from engine_py import introspect
from engine_py.canonical import digest
from service.reply.formats import KNOWN
from service.tests.validated import EXAMPLE, schema_of

DOCUMENT = introspect("(a + b) * c", {"a": 2, "b": -3, "c": 10})
ASKED: Any = {"result": -10.0, "gradients": {"a": 10.0, "b": 10.0, "c": -1.0}}
QUERY = "expression=(a%2Bb)*c&a=2&b=-3&c=10"


def test_the_fields_are_the_members_of_a_document() -> None:
    assert list(KNOWN) == list(DOCUMENT)
    assert list(KNOWN) == list(schema_of("document")["properties"])
    assert list(KNOWN) == list(schema_of("part")["properties"])


@pytest.mark.parametrize(
    "fields", ["result,gradients", "gradients,result", "result,gradients,result"]
)
def test_a_document_has_the_fields_that_are_asked_for(client: FlaskClient, fields: str) -> None:
    posted = client.post(f"/v1/gradient?fields={fields}", json=EXAMPLE)
    assert posted.get_json() == ASKED
    got = client.get(f"/v1/gradient?{QUERY}&fields={fields}")
    assert got.get_json() == ASKED
    repeated = client.post("/v1/gradient?fields=result&fields=gradients", json=EXAMPLE)
    assert repeated.get_json() == ASKED
    assert list(json.loads(repeated.data)) == ["result", "gradients"]


def test_all_fields_are_the_document(client: FlaskClient) -> None:
    whole = client.post(f"/v1/gradient?fields={','.join(KNOWN)}", json=EXAMPLE)
    assert whole.data == client.post("/v1/gradient", json=EXAMPLE).data


def test_the_tag_is_the_digest_of_what_is_sent(client: FlaskClient) -> None:
    address = f"/v1/gradient?{QUERY}&fields=result,gradients"
    reply = client.get(address)
    assert reply.get_etag() == (digest(ASKED), False)
    assert rfc8785.dumps(ASKED) == rfc8785.dumps(reply.get_json())
    again = client.get(address, headers={"If-None-Match": reply.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    whole = client.get(f"/v1/gradient?{QUERY}", headers={"If-None-Match": reply.headers["ETag"]})
    assert whole.status_code == 200


def test_a_batch_has_them_in_each_document_and_problems_stay_whole(client: FlaskClient) -> None:
    batch = {"requests": [EXAMPLE, {"expression": "a", "values": {}}]}
    reply = client.post("/v1/gradients?fields=result,gradients", json=batch)
    first, second = reply.get_json()["results"]
    assert first == ASKED
    assert (second["code"], second["status"]) == ("missing_value", 422)
    lines = client.post(
        "/v1/gradients?fields=result", json=batch, headers={"Accept": "application/x-ndjson"}
    )
    assert json.loads(lines.data.splitlines()[0]) == {"result": -10.0}


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("fields=gradient", "no member 'gradient'; did you mean gradients?"),
        ("fields=result,Nodes", "no member 'Nodes'; did you mean nodes?"),
        ("fields=", "no member ''; fields takes contract, expression, "),
        ("fields=result,", "no member ''"),
        ("fields=" + "x" * 3_000, "fields takes contract, "),
        ("fields=%C3%A9%0A", r"no member '\xe9\n'"),
        ("fields=result&format=svg", "leave it out for svg"),
    ],
)
@pytest.mark.parametrize("path", ["gradient", "gradients"])
def test_what_is_no_field_is_told_with_those_there_are(
    client: FlaskClient, path: str, query: str, words: str
) -> None:
    if path == "gradients" and "format" in query:
        return  # a batch has no other format
    problem = client.post(f"/v1/{path}?{query}", json=EXAMPLE).get_json()
    assert (problem["code"], problem["pointer"]) == ("invalid_request", "/fields")
    assert words in problem["detail"]
    assert len(problem["detail"]) < 400


def test_a_picture_by_accept_has_no_fields(client: FlaskClient) -> None:
    headers = {"Accept": "image/svg+xml"}
    reply = client.post("/v1/gradient?fields=result", json=EXAMPLE, headers=headers)
    assert reply.get_json()["pointer"] == "/fields"


def test_a_variable_may_be_called_fields_under_values(client: FlaskClient) -> None:
    values = "%7B%22fields%22%3A3%7D"
    reply = client.get(f"/v1/gradient?expression=fields*fields&values={values}&fields=gradients")
    assert reply.get_json() == {"gradients": {"fields": 6.0}}


FAULTY: list[Any] = [
    {"expression": "a * b", "values": {"a": 1}},
    {"expression": "a", "values": {"a": 1}, "parameters": ["b"]},
    {"expression": "log(a)", "values": {"a": 0}},
    {"expression": "a ** 2", "values": {"a": 1e200}},
    {"expression": "log(a) * 1e300", "values": {"a": 1e-300}},
    {"expression": "2x", "values": {}},
]


@pytest.mark.parametrize("body", FAULTY, ids=[body["expression"] for body in FAULTY])
def test_what_has_no_document_has_no_part_of_one_for_the_same_reason(
    client: FlaskClient, body: Any
) -> None:
    whole, part = (
        client.post(f"/v1/gradient{query}", json=body) for query in ("", "?fields=gradients")
    )
    assert part.status_code == 422
    assert part.get_json() == whole.get_json()


@pytest.mark.parametrize("view", ["folded", "primitive"])
def test_without_a_ledger_the_numbers_are_the_same(client: FlaskClient, view: str) -> None:
    values = {"y": 0.3, "x": -1.7, "unused": 5, "zero": -0.0}
    body = {
        "expression": "h = tanh(x*y) - x/y; k = h**2; k + relu(x) * zero - zero + x",
        "values": values,
        "view": view,
    }
    whole = client.post("/v1/gradient", json=body)
    part = client.post("/v1/gradient?fields=gradients,result", json=body)
    members = json.loads(whole.data)
    asked = {name: members[name] for name in ("result", "gradients")}
    assert part.data == orjson.dumps(asked) + b"\n"


def test_what_is_computed_without_a_ledger_counts_its_nodes(client: FlaskClient) -> None:
    client.post("/v1/gradient?fields=result", json=EXAMPLE)
    assert b"gradient_nodes_sum 5.0" in client.get("/metrics").data
