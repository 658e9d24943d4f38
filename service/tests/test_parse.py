"""POST /v1/parse: what a program says before any value; fixtures hold the engine to it."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from engine_py import Limits, outline
from service import Config, create_app
from service.tests.validated import schema_of

SCHEMAS = [Resource.from_contents(schema_of(name)) for name in ("document", "outline")]
OUTLINE = Draft202012Validator(schema_of("outline"), registry=SCHEMAS @ Registry())


def test_a_program_is_parsed_without_values(client: FlaskClient) -> None:
    program: Any = {"expression": "s = b - a; s * s", "parameters": ["a"], "view": "primitive"}
    reply = client.post("/v1/parse", json=program)
    assert (reply.status_code, reply.mimetype) == (200, "application/json")
    OUTLINE.validate(reply.get_json())
    assert reply.get_json() == outline(program["expression"], parameters=["a"], view="primitive")
    assert reply.get_json()["variables"] == ["b", "a"]


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        ({}, "invalid_request", "/expression"),
        ({"expression": "a", "values": {"a": 1}}, "invalid_request", "/values"),
        ({"expression": "a", "view": "flat"}, "invalid_request", "/view"),
        ({"expression": "a", "parameters": ["1"]}, "invalid_request", "/parameters/0"),
        ([], "invalid_request", ""),
    ],
)
def test_a_member_that_is_wrong_is_pointed_at(
    client: FlaskClient, body: Any, code: str, pointer: str
) -> None:
    reply = client.post("/v1/parse", json=body)
    problem = reply.get_json()
    assert (reply.status_code, problem["code"], problem["pointer"]) == (422, code, pointer)


def test_the_members_are_named_and_are_not_those_of_a_request(client: FlaskClient) -> None:
    problem = client.post("/v1/parse", json={"expression": "a", "values": {}}).get_json()
    assert problem["detail"].endswith("the members are expression, parameters, view")
    problem = client.post("/v1/parse", json=3).get_json()
    assert problem["detail"] == "the body must be an object with expression, not a number"


def test_a_fault_of_the_program_shows_its_place(client: FlaskClient) -> None:
    problem = client.post("/v1/parse", json={"expression": "2x + 1"}).get_json()
    assert (problem["code"], problem["span"]) == ("unexpected_token", {"start": 1, "end": 2})
    assert problem["detail"].endswith("\n\n    2x + 1\n     ^")


def test_the_limits_hold() -> None:
    client = create_app(Config(limits=Limits(nodes=2), log_requests=False)).test_client()
    problem = client.post("/v1/parse", json={"expression": "a + b"}).get_json()
    assert (problem["code"], problem["limit"], problem["actual"]) == ("limit_exceeded", 2, 3)


def test_the_body_is_read_as_elsewhere(client: FlaskClient) -> None:
    assert client.post("/v1/parse", data=b"{").get_json()["code"] == "unsupported_media_type"
    broken = client.post("/v1/parse", data=b"{", content_type="application/json")
    assert broken.get_json()["code"] == "invalid_json"
    assert client.get("/v1/parse").get_json()["allowed"] == ["OPTIONS", "POST"]
