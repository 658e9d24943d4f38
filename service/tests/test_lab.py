"""The lab's routes: fixtures hold the engine to what it does; here it is asked over HTTP."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from service.tests.validated import schema_of

NAMES = ("document", "experiment", "paths", "check")
SCHEMAS = [Resource.from_contents(schema_of(name)) for name in NAMES] @ Registry()
DIAMOND: Any = {"expression": "b = a + 1; c = a * 3; d = b * c", "values": {"a": 2}}


def answered(client: FlaskClient, name: str, **members: Any) -> Any:
    """Give the reply to a request on the diamond, which is as its schema says."""
    reply = client.post(f"/v1/{name}", json={**DIAMOND, **members})
    assert (reply.status_code, reply.mimetype) == (200, "application/json")
    Draft202012Validator(schema_of(name), registry=SCHEMAS).validate(reply.get_json())
    assert reply.get_json()["document"]["gradients"] == {"a": 15}
    return reply.get_json()


def refused(client: FlaskClient, name: str, body: Any) -> Any:
    reply = client.post(f"/v1/{name}", json=body)
    assert reply.status_code == 422
    return reply.get_json()


def test_a_wrong_order_loses_a_contribution(client: FlaskClient) -> None:
    result = answered(client, "experiment", order=["b", "d", "c", "a"])
    assert result["broken_edge"] == 4
    [walk] = result["walks"]
    assert (walk["gradients"], walk["differences"]) == ({"a": 9}, {"a": -6})
    assert walk["lost"][0]["sentence"] == "`b` was visited before `d` had sent it 6"


def test_a_gradient_comes_by_paths(client: FlaskClient) -> None:
    result = answered(client, "paths", variable="a")
    assert [path["product"] for path in result["paths"]] == [6, 9]


def test_a_gradient_is_checked_beside_a_claim(client: FlaskClient) -> None:
    result = answered(client, "check", claimed={"a": 14})
    [row] = result["variables"]
    assert [row[way]["verdict"] for way in ("forward", "central", "claimed")] == (
        ["agrees", "agrees", "differs"]
    )
    assert result["agrees"] is False


@pytest.mark.parametrize(
    ("name", "members", "pointer"),
    [
        ("experiment", {"order": ["z"]}, "/order/0"),
        ("experiment", {"passes": 11}, "/passes"),
        ("experiment", {"mutate": {"z": 1}}, "/mutate/z"),
        ("paths", {}, "/variable"),
        ("check", {"tolerance": 2}, "/tolerance"),
        ("check", {"values": {"a": "2"}}, "/values/a"),
    ],
)
def test_a_member_that_is_wrong_is_pointed_at(
    client: FlaskClient, name: str, members: Any, pointer: str
) -> None:
    assert refused(client, name, {**DIAMOND, **members})["pointer"] == pointer


def test_unknown_members_are_told_all_members(client: FlaskClient) -> None:
    problem = refused(client, "experiment", {**DIAMOND, "ordre": []})
    assert problem["pointer"] == "/ordre"
    assert problem["detail"].endswith(
        "the members are expression, values, parameters, view, order, accumulate, passes, mutate"
    )


@pytest.mark.parametrize("name", NAMES[1:])
def test_a_body_that_is_no_object_is_refused(client: FlaskClient, name: str) -> None:
    assert refused(client, name, [DIAMOND])["code"] == "invalid_request"


def test_work_is_bounded(client: FlaskClient) -> None:
    names = [f"x{place}" for place in range(250)]
    body = {"expression": "+".join(names), "values": dict.fromkeys(names, 1)}
    problem = refused(client, "check", body)
    assert (problem["code"], problem["name"]) == ("limit_exceeded", "evaluations")


def test_a_fault_of_the_program_shows_its_place(client: FlaskClient) -> None:
    problem = refused(client, "check", {"expression": "2x", "values": {"x": 1}})
    assert problem["detail"].endswith("\n\n    2x\n     ^")
