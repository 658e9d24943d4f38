"""The lab's routes: fixtures hold the engine to what it does; here it is asked over HTTP."""

import json
from functools import partial
from itertools import count
from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from engine_py import Descending, Limits, introspect
from engine_py.deadline import Deadline
from engine_py.lab.commands import LAB
from service import Config, create_app
from service.compute import batch
from service.compute.points import descent_as_lines
from service.tests.validated import schema_of

NAMES = ("accuracy", *LAB)
RESULTS = {"accuracy": "accuracy", **{name: made.result for name, made in LAB.items()}}
REFERRED = ("document", "request", *RESULTS.values())
SCHEMAS = [Resource.from_contents(schema_of(name)) for name in REFERRED] @ Registry()
DIAMOND: Any = {"expression": "b = a + 1; c = a * 3; d = b * c", "values": {"a": 2}}


def answered(client: FlaskClient, name: str, **members: Any) -> Any:
    """Send a request on the diamond; the reply is as its schema says."""
    reply = client.post(f"/v1/{name}", json={**DIAMOND, **members})
    assert (reply.status_code, reply.mimetype) == (200, "application/json")
    schema = schema_of(RESULTS[name])
    Draft202012Validator(schema, registry=SCHEMAS).validate(reply.get_json())
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
    assert walk["lost"][0]["sentence"] == "`b` was visited before it had 6 from `d`"


def test_a_pull_is_seeded_and_reset(client: FlaskClient) -> None:
    result = answered(client, "experiment", walk="pull", seed=2, passes=2, reset="inner")
    assert result["walks"][0]["gradients"] == {"a": 60}


def test_a_gradient_comes_by_paths(client: FlaskClient) -> None:
    result = answered(client, "paths", node="a")
    assert [path["product"] for path in result["paths"]] == [6, 9]
    assert answered(client, "paths", node=4)["gradient"] == 3  # that of c


def test_a_claim_stands_beside_the_true_gradient(client: FlaskClient) -> None:
    result = answered(client, "accuracy", claimed={"a": 14}, witnesses=True)
    assert (result["gradients"]["a"]["true"], result["gradients"]["a"]["bits"]) == (15, 53)
    assert (result["claims"]["a"]["error"], result["claims"]["a"]["verdict"]) == (-1, "differs")
    assert result["witnesses"]["variables"]["a"]["forward"] == {"value": 15, "error": 0}


def test_the_truth_is_told_where_the_document_is_an_error(client: FlaskClient) -> None:
    body = {"expression": "log(exp(x))", "values": {"x": 800}}
    result = client.post("/v1/accuracy", json=body).get_json()
    assert (result["document"], result["error"]["code"]) == (None, "non_finite")
    assert result["result"]["true"] == 800


def test_parameters_descend(client: FlaskClient) -> None:
    result = answered(client, "descend", parameters=["a"], steps=1, learning_rate=0.1)
    first, second = result["trajectory"]
    assert first == {"step": 0, "loss": 18, "gradient_norm": 15, "parameters": {"a": 2}}
    assert second["parameters"] == {"a": 0.5}  # 2 - 0.1 * 15
    assert result["fault"] is None


def lines(client: FlaskClient, **members: Any) -> list[Any]:
    body = {**DIAMOND, "parameters": ["a"], **members}
    reply = client.post("/v1/descend", json=body, headers={"Accept": "application/x-ndjson"})
    assert (reply.status_code, reply.mimetype) == (200, "application/x-ndjson")
    return [json.loads(line) for line in reply.text.splitlines()]


def test_points_are_sent_as_lines_and_then_what_ended_the_descent(client: FlaskClient) -> None:
    *points, last = lines(client, steps=3, learning_rate=0.01)
    whole = answered(client, "descend", parameters=["a"], steps=3, learning_rate=0.01)
    assert (points, last) == (whole["trajectory"], {"fault": None})
    *points, last = lines(client, learning_rate=1e200)
    assert [point["step"] for point in points] == [0]
    assert last["fault"]["error"]["code"] == "non_finite"


def test_settings_are_refused_before_the_first_line(client: FlaskClient) -> None:
    body = {**DIAMOND, "parameters": ["a"], "steps": -1}
    reply = client.post("/v1/descend", json=body, headers={"Accept": "application/x-ndjson"})
    assert (reply.status_code, reply.get_json()["pointer"]) == (422, "/steps")


def test_a_descent_is_bounded_by_the_services_setting() -> None:
    client = create_app(Config(limits=Limits(descent_nodes=30), log_requests=False)).test_client()
    body = {**DIAMOND, "parameters": ["a"], "learning_rate": 0.01}  # of six nodes
    assert client.post("/v1/descend", json={**body, "steps": 4}).status_code == 200
    problem = refused(client, "descend", {**body, "steps": 5})
    assert [problem[name] for name in ("name", "limit", "actual")] == ["descent_nodes", 30, 36]


def test_a_descent_has_so_many_seconds_of_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = count()
    deadline = partial(Deadline, clock=lambda: next(clock))
    monkeypatch.setattr("service.routes.Deadline", deadline)
    client = create_app(Config(compute_seconds=2, log_requests=False)).test_client()
    reply = client.post("/v1/descend", json={**DIAMOND, "parameters": ["a"]})
    assert (reply.status_code, reply.get_json()["code"]) == (503, "compute_timeout")
    *points, last = lines(client)
    steps = [point["step"] for point in points]
    assert steps == list(range(len(steps)))
    assert 0 < len(steps) < 101  # so many there are by default
    assert (last["problem"]["code"], last["problem"]["status"]) == ("compute_timeout", 503)


def test_lines_are_sent_while_steps_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "_MOMENT", -1.0)  # no line waits for others
    made = Descending(introspect("w * w", {"w": 1}, parameters=["w"]), steps=1_000, every=100)
    first = next(descent_as_lines(made, lambda _: {}))
    assert json.loads(first)["step"] == 0
    assert next(made)["step"] == 100  # which was still to be made


def test_a_program_is_differentiated_twice(client: FlaskClient) -> None:
    result = answered(client, "hessian", vector={"a": 2})
    assert result["hessian"] == {"a": {"a": 6}}  # of 3a**2 + 3a
    assert (result["product"], result["directional_derivative"]) == ({"a": 12}, 30)


@pytest.mark.parametrize(
    ("name", "members", "pointer"),
    [
        ("experiment", {"order": ["z"]}, "/order/0"),
        ("experiment", {"passes": 11}, "/passes"),
        ("experiment", {"mutate": {"z": 1}}, "/mutate/z"),
        ("experiment", {"seed": None}, "/seed"),
        ("paths", {}, "/node"),
        ("accuracy", {"tolerance": 2}, "/tolerance"),
        ("accuracy", {"values": {"a": "2"}}, "/values/a"),
        ("descend", {}, "/parameters"),
        ("descend", {"parameters": ["a"], "rows": [{"a": 1}]}, "/rows/0/a"),
        ("hessian", {"variables": ["z"]}, "/variables/0"),
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
        "the members are expression, values, parameters, view, walk, order, accumulate, seed, "
        "passes, reset, mutate"
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_body_that_is_no_object_is_refused(client: FlaskClient, name: str) -> None:
    assert refused(client, name, [DIAMOND])["code"] == "invalid_request"


@pytest.mark.parametrize(
    ("name", "members", "limit", "work"),
    [
        ("experiment", {}, "steps", 6),  # the edges of the diamond, each once
        ("accuracy", {"witnesses": True}, "evaluations", 156),  # six nodes, two sides, 13 steps
        ("hessian", {}, "tangents", 6),  # the edges again
    ],
)
def test_work_is_bounded_by_the_limits_of_the_service(
    name: str, members: Any, limit: str, work: int
) -> None:
    enough, less = (
        create_app(Config(limits=Limits()._replace(**{limit: most}), log_requests=False))
        for most in (work, work - 1)
    )
    assert answered(enough.test_client(), name, **members)
    problem = refused(less.test_client(), name, {**DIAMOND, **members})
    told = [problem[member] for member in ("code", "name", "limit", "actual")]
    assert told == ["limit_exceeded", limit, work - 1, work]


def test_a_fault_of_the_program_shows_its_place(client: FlaskClient) -> None:
    problem = refused(client, "accuracy", {"expression": "2x", "values": {"x": 1}})
    assert problem["detail"].endswith("\n\n    2x\n     ^")
