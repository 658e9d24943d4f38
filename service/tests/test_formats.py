"""How documents are written: formats (RFC 9110, section 12.5.1), and `?fields=`."""

import json
from typing import Any

import orjson
import pytest
from flask import Flask, request
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

import engine_py
from engine_py import introspect
from engine_py.show.diagrams import to_dot, to_mermaid
from service.app import create_app
from service.config import Config
from service.reply import KNOWN, Formats
from service.tests.validated import EXAMPLE, reply_of, schema_of

README = introspect("(a + b) * c", {"a": 2, "b": -3, "c": 10})
CHROME_PAGE = (
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,"
    "*/*;q=0.8,application/signed-exchange;v=b3;q=0.7"
)
CHROME_IMAGE = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"
JAVA = "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2"
"""What java.net.HttpURLConnection sends by default."""


def draw(client: FlaskClient, query: str = "", **headers: str) -> TestResponse:
    return client.post(f"/v1/gradient{query}", json=EXAMPLE, headers=headers)


def test_a_large_document_is_written_as_the_same_json() -> None:
    expression, values = "+".join(["a*b"] * 1_500), {"a": 2.0, "b": -3.0}
    client = create_app(Config(log_requests=False)).test_client()
    response = client.post("/v1/gradient", json={"expression": expression, "values": values})
    assert response.data == orjson.dumps(introspect(expression, values)) + b"\n"


@pytest.mark.parametrize(
    ("accept", "name"),
    [
        (None, "json"),
        ("*/*", "json"),
        ("application/*", "json"),
        ("Text/VND.Graphviz", "dot"),
        ("image/*", "svg"),
        ("text/vnd.mermaid;q=0.5, text/vnd.graphviz;q=0.6", "dot"),
        ("application/json;q=0, text/vnd.mermaid;q=0.1", "mermaid"),
        # The most specific range wins, so JSON has 0.1 here and the others have 0.9.
        ("application/json;q=0.1, */*;q=0.9", "dot"),
        (CHROME_PAGE, "json"),
        (CHROME_IMAGE, "svg"),
        (JAVA, "json"),
        ("application/json; charset=UTF-8", "json"),
        ("text/vnd.mermaid; charset=utf-8, application/json;q=.5", "mermaid"),
        ("", "json"),  # an empty list prefers nothing, section 5.6.1
        (" , ", "json"),
        ("nonsense", "json"),  # not a list of media types, so it is ignored
    ],
)
def test_accept_is_resolved_by_preference_then_by_the_order_of_formats(
    accept: str | None, name: str
) -> None:
    headers = {} if accept is None else {"Accept": accept}
    with Flask(__name__).test_request_context("/", headers=headers):
        assert Formats(300).choose(request).name == name


@pytest.mark.parametrize(
    ("name", "media_type", "body"),
    [
        ("dot", "text/vnd.graphviz", to_dot(README)),
        ("mermaid", "text/vnd.mermaid", to_mermaid(README)),
        ("svg", "image/svg+xml", engine_py.draw(README)),
    ],
)
def test_a_drawing_is_the_engines_in_utf_8(
    client: FlaskClient, name: str, media_type: str, body: str
) -> None:
    by_name = draw(client, f"?format={name}", Accept="application/json")
    for response in (by_name, draw(client, Accept=media_type)):
        assert response.headers["Content-Type"] == f"{media_type}; charset=utf-8"
        assert response.data.decode() == body
    assert "×" in body  # otherwise the charset would prove nothing


def test_only_an_svg_can_have_inline_style(client: FlaskClient) -> None:
    policy = draw(client, "?format=svg").headers.getlist("Content-Security-Policy")
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"]
    [others] = draw(client, "?format=dot").headers.getlist("Content-Security-Policy")
    assert "unsafe-inline" not in others


def test_a_problem_is_json_whatever_the_client_accepts(client: FlaskClient) -> None:
    body = {"expression": "2x", "values": {}}
    response = client.post("/v1/gradient", json=body, headers={"Accept": "text/vnd.mermaid"})
    assert reply_of(response).content["code"] == "unexpected_token"


@pytest.mark.parametrize("name", ["SVG", "", "x" * 1_000])
def test_an_unknown_format_is_refused_with_the_known_ones(client: FlaskClient, name: str) -> None:
    problem = reply_of(draw(client, f"?format={name}")).content
    assert (problem["status"], problem["code"]) == (422, "invalid_request")
    assert problem["pointer"] == "/format"
    assert "json, dot, mermaid, svg" in problem["detail"]
    assert len(problem["detail"]) < 200


def test_an_svg_of_too_many_nodes_is_refused() -> None:
    four, five = (create_app(Config(picture_nodes=most)).test_client() for most in (4, 5))
    assert draw(four, "?format=dot").status_code == 200
    problem = reply_of(draw(four, "?format=svg")).content
    found = tuple(problem[key] for key in ("code", "name", "limit", "actual", "span"))
    assert found == ("limit_exceeded", "picture_nodes", 4, 5, None)
    assert draw(five, "?format=svg").status_code == 200


# `?fields=` chooses members of documents.


PART: Any = {"result": -10.0, "gradients": {"a": 10.0, "b": 10.0, "c": -1.0}}
QUERY = "expression=(a%2Bb)*c&a=2&b=-3&c=10"


LONG: Any = {
    "expression": "h = tanh(x*y) - x/y; k = h**2; k + relu(x) * zero - zero + x",
    "values": {"y": 0.3, "x": -1.7, "unused": 5, "zero": -0.0},
}


def test_the_fields_are_the_members_of_a_document() -> None:
    assert list(KNOWN) == list(README)
    assert list(KNOWN) == list(schema_of("document")["properties"])
    assert ["id", *KNOWN] == list(schema_of("part")["properties"])


@pytest.mark.parametrize(
    "fields", ["result,gradients", "gradients,result,gradients", "gradients&fields=result"]
)
def test_a_document_has_only_the_requested_fields_in_its_own_order(
    client: FlaskClient, fields: str
) -> None:
    posted = client.post(f"/v1/gradient?fields={fields}", json=EXAMPLE)
    assert posted.get_json() == PART
    assert list(json.loads(posted.data)) == ["result", "gradients"]
    assert client.get(f"/v1/gradient?{QUERY}&fields={fields}").data == posted.data


def test_requesting_all_fields_gives_the_whole_document(client: FlaskClient) -> None:
    whole = client.post(f"/v1/gradient?fields={','.join(KNOWN)}", json=EXAMPLE)
    assert whole.data == client.post("/v1/gradient", json=EXAMPLE).data


def test_fields_apply_to_each_document_of_a_batch_but_not_to_problems(client: FlaskClient) -> None:
    batch = {"requests": [EXAMPLE, {"expression": "a", "values": {}}]}
    reply = client.post("/v1/gradients?fields=result,gradients", json=batch)
    first, second = reply.get_json()["results"]
    assert first == PART
    assert (second["code"], second["status"]) == ("missing_value", 422)
    lines = client.post(
        "/v1/gradients?fields=result", json=batch, headers={"Accept": "application/x-ndjson"}
    )
    assert json.loads(lines.data.splitlines()[0]) == {"result": -10.0}
    refused = reply_of(client.post("/v1/gradients?fields=results", json=batch))
    assert refused.content["pointer"] == "/fields"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("fields=gradient", "no member 'gradient'; did you mean gradients?"),
        ("fields=result,Nodes", "no member 'Nodes'; did you mean nodes?"),
        ("fields=", "no member ''; fields takes contract, expression, "),
        ("fields=result," + "x" * 3_000, "fields takes contract, "),
        ("fields=%C3%A9%0A", r"no member '\xe9\n'"),
        ("fields=result&format=svg", "leave it out for svg"),
        ("fields=result&format=dot", "leave it out for dot"),
    ],
)
def test_invalid_fields_are_refused_with_the_known_ones(
    client: FlaskClient, query: str, found: str
) -> None:
    problem = reply_of(draw(client, f"?{query}")).content
    assert (problem["code"], problem["pointer"]) == ("invalid_request", "/fields")
    assert found in problem["detail"]
    assert len(problem["detail"]) < 400


@pytest.mark.parametrize(
    "body",
    [
        {"expression": "a * b", "values": {"a": 1}},
        {"expression": "a", "values": {"a": 1}, "parameters": ["b"]},
        {"expression": "log(a)", "values": {"a": 0}},
        {"expression": "a ** 2", "values": {"a": 1e200}},
        {"expression": "log(a) * 1e300", "values": {"a": 1e-300}},
        {"expression": "2x", "values": {}},
        LONG,
        {**LONG, "view": "primitive"},
    ],
)
def test_a_reply_without_edges_has_the_same_numbers_and_problems(
    client: FlaskClient, body: Any
) -> None:
    whole = client.post("/v1/gradient", json=body)
    part = client.post("/v1/gradient?fields=gradients,result", json=body)
    members = json.loads(whole.data)
    if whole.status_code == 200:
        members = {name: members[name] for name in ("result", "gradients")}
    assert (part.status_code, part.data) == (whole.status_code, orjson.dumps(members) + b"\n")
