"""A text as people write formulas is answered with the program that it means."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from engine_py import rewrite
from service.tests.validated import PROBLEM


def test_a_text_is_rewritten(client: FlaskClient) -> None:
    body = {"expression": "mx + b", "names": ["m", "x", "b"]}
    reply = client.post("/v1/rewrite?fields=expression", json=body)
    assert (reply.status_code, reply.get_json()) == (200, {"expression": "m*x + b"})
    assert client.post("/v1/rewrite", json=body).get_json() == rewrite("mx + b", body["names"])


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({}, "/expression"),
        ({"expression": "2x", "names": {"x": 1}}, "/names"),
        ({"expression": "2x", "values": {"x": 1}}, "/values"),
    ],
)
def test_an_invalid_member_is_reported(client: FlaskClient, body: Any, pointer: str) -> None:
    problem = client.post("/v1/rewrite", json=body).get_json()
    assert (problem["status"], problem["pointer"]) == (422, pointer)


@pytest.mark.parametrize(
    ("text", "code", "found"),
    [
        ("2x^2", "unexpected_character", ["2*x**2"]),
        ("1/2x", "unexpected_token", ["1/2*x", "1/(2*x)"]),
        ("tan(x)", "unknown_function", ["sin(x) / cos(x)"]),
        ("2*pi*x", "missing_value", ["2*3.141592653589793*x"]),
        ("acos(x)", "unknown_function", [None]),
        ("foo(x)", "unknown_function", None),
        ("log(x - 9)", "domain_error", None),
    ],
)
def test_a_problem_suggests_the_program_meant(
    client: FlaskClient, text: str, code: str, found: list[str | None] | None
) -> None:
    problem = client.post("/v1/gradient", json={"expression": text, "values": {"x": 2}}).get_json()
    PROBLEM.validate(problem)
    read = problem.get("rewrite")
    assert (problem["status"], problem["code"]) == (422, code)
    assert found == (read and (read["readings"] or [read["expression"]]))


def test_a_problem_says_why_a_text_has_no_program(client: FlaskClient) -> None:
    body = {"expression": "0x10 * x", "values": {"x": 2}}
    problem = client.post("/v1/gradient", json=body).get_json()
    PROBLEM.validate(problem)
    assert problem["rewrite"]["refused"]["program"] == "16 * x"
    assert problem["detail"].endswith(
        "\n\nThis is no decimal number. Write it with decimal digits and at most one point."
    )
