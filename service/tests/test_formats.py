"""Formats are negotiated as RFC 9110, section 12.5.1, has it."""

import pytest
from flask import Flask, request
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

import engine_py
from engine_py import introspect
from engine_py.show.diagrams import to_dot, to_mermaid
from service import Config, create_app
from service.reply.formats import Formats
from service.tests.validated import EXAMPLE, Reply, reply_of

README = introspect("(a + b) * c", {"a": 2, "b": -3, "c": 10})
CHROME_PAGE = (
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,"
    "*/*;q=0.8,application/signed-exchange;v=b3;q=0.7"
)
CHROME_IMAGE = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"
JAVA = "text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2"
"""What java.net.HttpURLConnection sends unasked."""
FIREFOX_IMAGE = "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5"


def draw(client: FlaskClient, query: str = "", **headers: str) -> TestResponse:
    return client.post(f"/v1/gradient{query}", json=EXAMPLE, headers=headers)


def refusal(response: TestResponse) -> Reply:
    reply = reply_of(response)
    assert reply.headers["Cache-Control"] == "no-store"
    return reply


def chosen(accept: str | None) -> str:
    headers = {} if accept is None else {"Accept": accept}
    with Flask(__name__).test_request_context("/", headers=headers):
        return Formats(300).choose(request).name


@pytest.mark.parametrize(
    ("accept", "name"),
    [
        (None, "json"),
        ("*/*", "json"),
        ("application/json", "json"),
        ("application/*", "json"),
        ("text/vnd.graphviz", "dot"),
        ("Text/VND.Graphviz", "dot"),
        ("text/vnd.mermaid", "mermaid"),
        ("image/svg+xml", "svg"),
        ("image/*", "svg"),
        ("text/vnd.mermaid;q=0.5, text/vnd.graphviz;q=0.6", "dot"),
        ("text/vnd.graphviz;q=0.5, text/vnd.mermaid", "mermaid"),
        ("application/json;q=0.1, image/svg+xml;q=0.2", "svg"),
        ("text/html, text/vnd.mermaid;q=0.001", "mermaid"),
        ("application/json;q=0, text/vnd.mermaid;q=0.1", "mermaid"),
        ("application/json;q=0, */*;q=0.5, text/vnd.mermaid", "mermaid"),
        # The most specific range has the last word, so JSON has 0.1 here and the others 0.9.
        ("application/json;q=0.1, */*;q=0.9", "dot"),
        (CHROME_PAGE, "json"),
        (CHROME_IMAGE, "svg"),
        (FIREFOX_IMAGE, "svg"),
        ("", "json"),  # an empty list prefers nothing, section 5.6.1
        (" , ", "json"),
        ("application/json; charset=UTF-8", "json"),
        (JAVA, "json"),
        ("text/vnd.mermaid; charset=utf-8, application/json;q=.5", "mermaid"),
        ("application/json;q=.5, text/vnd.mermaid;q=.4", "json"),
        ("*;q=.5, text/vnd.graphviz", "dot"),
        ("nonsense", "json"),  # no list of media types is no wish
    ],
)
def test_accept_chooses_by_preference_and_then_by_our_order(accept: str | None, name: str) -> None:
    assert chosen(accept) == name


@pytest.mark.parametrize(
    ("name", "media_type", "body"),
    [
        ("dot", "text/vnd.graphviz", to_dot(README)),
        ("mermaid", "text/vnd.mermaid", to_mermaid(README)),
    ],
)
@pytest.mark.parametrize("by", ["format", "accept", "both"])
def test_text_comes_as_it_is_drawn_in_utf_8(
    client: FlaskClient, name: str, media_type: str, body: str, by: str
) -> None:
    query = "" if by == "accept" else f"?format={name}"
    accept = {"format": "*/*", "accept": media_type, "both": "application/json"}[by]
    response = draw(client, query, Accept=accept)
    assert response.headers["Content-Type"] == f"{media_type}; charset=utf-8"
    assert response.data.decode() == body
    assert "×" in body  # or the charset proved nothing


def test_json_may_be_asked_for_by_name(client: FlaskClient) -> None:
    assert reply_of(draw(client, "?format=json", Accept="image/svg+xml")).content == README


def test_svg_is_what_the_engine_draws(client: FlaskClient) -> None:
    for response in (draw(client, "?format=svg"), draw(client, Accept="image/svg+xml")):
        assert response.headers["Content-Type"] == "image/svg+xml; charset=utf-8"
        assert response.data.decode() == engine_py.draw(README)


def test_a_picture_may_have_the_style_in_it_and_nothing_else(client: FlaskClient) -> None:
    policy = draw(client, "?format=svg").headers.getlist("Content-Security-Policy")
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'"]
    [others] = draw(client, "?format=dot").headers.getlist("Content-Security-Policy")
    assert "unsafe-inline" not in others


def test_a_refusal_is_json_whatever_is_accepted(client: FlaskClient) -> None:
    body = {"expression": "2x", "values": {}}
    for accept in ("text/vnd.mermaid", "text/vnd.graphviz"):
        response = client.post("/v1/gradient", json=body, headers={"Accept": accept})
        assert refusal(response).content["code"] == "unexpected_token"


@pytest.mark.parametrize("name", ["png", "SVG", "", "json ", "x" * 1_000])
def test_an_unknown_format_is_named_with_those_there_are(client: FlaskClient, name: str) -> None:
    problem = refusal(draw(client, f"?format={name}")).content
    assert (problem["status"], problem["code"]) == (422, "invalid_request")
    assert problem["pointer"] == "/format"
    assert "json, dot, mermaid, svg" in problem["detail"]
    assert len(problem["detail"]) < 200


@pytest.mark.parametrize(
    "accept", ["text/html", "image/png", "application/json;q=0", "application/xml;q=0.9", "*/*;q=0"]
)
def test_what_cannot_be_accepted_is_refused_with_what_can(client: FlaskClient, accept: str) -> None:
    problem = refusal(draw(client, Accept=accept)).content
    assert (problem["status"], problem["code"]) == (406, "not_acceptable")
    texts = ["application/json", "text/vnd.graphviz", "text/vnd.mermaid"]
    assert problem["allowed"] == [*texts, "image/svg+xml"]


def test_an_svg_of_too_many_nodes_is_refused() -> None:
    four, five = (create_app(Config(max_picture_nodes=most)).test_client() for most in (4, 5))
    assert draw(four, "?format=dot").status_code == 200
    problem = refusal(draw(four, "?format=svg")).content
    told = tuple(problem[key] for key in ("code", "name", "limit", "actual", "span"))
    assert told == ("limit_exceeded", "picture_nodes", 4, 5, None)
    assert draw(five, "?format=svg").status_code == 200
