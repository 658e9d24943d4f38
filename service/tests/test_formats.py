"""Formats are negotiated as RFC 9110, section 12.5.1, has it."""

import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from flask import Flask, request
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

import service.formats
import service.routes
from engine_py import introspect
from service import Config, create_app
from service.formats import Formats
from service.pictures import to_dot, to_mermaid
from service.tests.validated import EXAMPLE, Reply, reply_of

README = introspect("(a + b) * c", {"a": 2, "b": -3, "c": 10})
DRAWN = '<svg xmlns="http://www.w3.org/2000/svg"/>'
CHROME_PAGE = (
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,"
    "*/*;q=0.8,application/signed-exchange;v=b3;q=0.7"
)
CHROME_IMAGE = "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8"
FIREFOX_IMAGE = "image/avif,image/webp,image/png,image/svg+xml,image/*;q=0.8,*/*;q=0.5"

WithGraphviz = Callable[..., FlaskClient]


@pytest.fixture
def with_graphviz(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> WithGraphviz:
    """Make a service whose Graphviz is a script, or None."""

    def make(script: str | None, **options: Any) -> FlaskClient:
        program = None if script is None else tmp_path / "dot"
        if program and script:
            program.write_text(f"#!{sys.executable}\nimport sys, time\nsys.stdin.read()\n{script}")
            program.chmod(0o755)
        path = str(program) if program else None
        monkeypatch.setattr(service.routes, "Formats", partial(Formats, program=path))
        return create_app(Config(**options)).test_client()

    return make


def draw(client: FlaskClient, query: str = "", **headers: str) -> TestResponse:
    return client.post(f"/v1/gradient{query}", json=EXAMPLE, headers=headers)


def refusal(response: TestResponse) -> Reply:
    reply = reply_of(response)
    assert reply.headers["Cache-Control"] == "no-store"
    return reply


def chosen(accept: str | None, program: str | None = "dot") -> str:
    headers = {} if accept is None else {"Accept": accept}
    with Flask(__name__).test_request_context("/", headers=headers):
        return Formats(300, program).choose(request).name


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
    ],
)
def test_accept_chooses_by_preference_and_then_by_our_order(accept: str | None, name: str) -> None:
    assert chosen(accept) == name


def test_an_image_that_cannot_be_drawn_here_may_be_text_where_the_client_allows_it() -> None:
    assert chosen(CHROME_IMAGE, program=None) == "json"


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


def test_svg_is_what_graphviz_draws(with_graphviz: WithGraphviz) -> None:
    client = with_graphviz(f"assert sys.argv[1:] == ['-Tsvg']\nprint({DRAWN!r})")
    for response in (draw(client, "?format=svg"), draw(client, Accept="image/svg+xml")):
        assert (response.status_code, response.mimetype) == (200, "image/svg+xml")
        assert ET.fromstring(response.text).tag == "{http://www.w3.org/2000/svg}svg"


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
    assert "json, dot, mermaid" in problem["detail"]
    assert len(problem["detail"]) < 200


@pytest.mark.parametrize(
    "accept", ["text/html", "image/png", "application/json;q=0", "application/xml;q=0.9", "*/*;q=0"]
)
def test_what_cannot_be_accepted_is_refused_with_what_can(client: FlaskClient, accept: str) -> None:
    problem = refusal(draw(client, Accept=accept)).content
    assert (problem["status"], problem["code"]) == (406, "not_acceptable")
    assert problem["allowed"][:3] == ["application/json", "text/vnd.graphviz", "text/vnd.mermaid"]


@pytest.mark.parametrize("query", ["?format=svg", ""])
def test_without_graphviz_an_svg_is_refused_with_the_reason(
    with_graphviz: WithGraphviz, query: str
) -> None:
    problem = refusal(draw(with_graphviz(None), query, Accept="image/svg+xml")).content
    assert (problem["status"], problem["code"]) == (406, "not_acceptable")
    assert problem["allowed"] == ["application/json", "text/vnd.graphviz", "text/vnd.mermaid"]
    assert "Graphviz" in problem["detail"]


def test_an_svg_of_too_many_nodes_is_not_begun(with_graphviz: WithGraphviz, tmp_path: Path) -> None:
    script = f"open({str(tmp_path / 'begun')!r}, 'w')\nprint({DRAWN!r})"
    assert draw(with_graphviz(script, max_picture_nodes=4), "?format=dot").status_code == 200
    problem = refusal(draw(with_graphviz(script, max_picture_nodes=4), "?format=svg")).content
    told = tuple(problem[key] for key in ("code", "name", "limit", "actual", "span"))
    assert told == ("limit_exceeded", "picture_nodes", 4, 5, None)
    assert not (tmp_path / "begun").exists()
    # Five is not too many for five.
    assert draw(with_graphviz(script, max_picture_nodes=5), "?format=svg").status_code == 200
    assert (tmp_path / "begun").exists()


def test_an_svg_that_takes_too_long_is_refused_in_time(
    with_graphviz: WithGraphviz, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service.formats, "_SVG_SECONDS", 0.2)
    client = with_graphviz("time.sleep(60)")
    for _ in range(3):  # and each gives its place back
        problem = refusal(draw(client, "?format=svg")).content
        assert (problem["status"], problem["code"]) == (406, "not_acceptable")
        assert "image/svg+xml" not in problem["allowed"]


def test_a_graphviz_that_fails_is_a_fault_of_the_service(with_graphviz: WithGraphviz) -> None:
    client = with_graphviz("sys.exit('secret of the house')")
    for _ in range(3):
        reply = refusal(draw(client, "?format=svg"))
        assert (reply.status, reply.content["code"]) == (500, "internal_error")
        assert b"secret" not in reply.body


def test_no_more_than_two_svgs_are_drawn_at_once(
    with_graphviz: WithGraphviz, tmp_path: Path
) -> None:
    leave = tmp_path / "leave"
    wait = f"import os\nopen({str(tmp_path)!r} + f'/begun{{os.getpid()}}', 'w')\n"
    wait += f"while not os.path.exists({str(leave)!r}): time.sleep(0.01)\nprint({DRAWN!r})"
    client = with_graphviz(wait)
    with ThreadPoolExecutor(2) as threads:
        drawing = [
            threads.submit(draw, client.application.test_client(), "?format=svg") for _ in "12"
        ]
        try:
            while len(list(tmp_path.glob("begun*"))) < 2:
                assert not any(each.done() for each in drawing)
            reply = refusal(draw(client, "?format=svg"))
            assert draw(client, "?format=dot").status_code == 200
        finally:
            leave.touch()
        assert [each.result().status_code for each in drawing] == [200, 200]
    assert (reply.status, reply.content["code"]) == (503, "overloaded")
    assert (reply.content["limit"], reply.content["actual"]) == (2, 3)
    assert int(reply.headers["Retry-After"]) >= 1
    assert draw(client, "?format=svg").status_code == 200
