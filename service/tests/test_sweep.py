"""POST /v1/sweep: one program at many points; fixtures hold the engine to it."""

import json
from functools import partial
from itertools import count
from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from engine_py import Limits, sweep
from engine_py.deadline import Deadline
from service import Config, create_app
from service.tests.validated import schema_of

NAMES = ("document", "request", "sweep", "sweep_request")
SCHEMAS = [Resource.from_contents(schema_of(name)) for name in NAMES] @ Registry()
X = {"from": -1, "to": 1, "count": 3}
LOG: dict[str, Any] = {"expression": "log(x) * w", "values": {"x": X, "w": 2}}


def lines(client: FlaskClient, body: Any) -> list[Any]:
    reply = client.post("/v1/sweep", json=body, headers={"Accept": "application/x-ndjson"})
    assert (reply.status_code, reply.mimetype) == (200, "application/x-ndjson")
    return [json.loads(line) for line in reply.text.splitlines()]


def refused(client: FlaskClient, body: Any) -> Any:
    reply = client.post("/v1/sweep", json=body)
    assert (reply.status_code, reply.mimetype) == (422, "application/problem+json")
    return reply.get_json()


def test_a_sweep_is_that_of_the_engine_and_of_its_schema(client: FlaskClient) -> None:
    reply = client.post("/v1/sweep", json=LOG)
    assert (reply.status_code, reply.mimetype) == (200, "application/json")
    Draft202012Validator(schema_of("sweep"), registry=SCHEMAS).validate(reply.get_json())
    Draft202012Validator(schema_of("sweep_request"), registry=SCHEMAS).validate(LOG)
    assert reply.get_json() == sweep(**LOG)


def test_a_line_a_point_says_the_same(client: FlaskClient) -> None:
    head, *points = lines(client, LOG)
    made = client.post("/v1/sweep", json=LOG).get_json()
    assert head == {n: made[n] for n in made if n not in ("results", "gradients", "problems")}
    assert [point["index"] for point in points] == [0, 1, 2]
    assert [{"index": p["index"], "error": p["error"]} for p in points[:2]] == made["problems"]
    assert points[2] == {"index": 2, "result": 0, "gradients": {"x": 2, "w": 0}}


def test_a_large_sweep_comes_in_pieces_and_is_that_of_the_engine(client: FlaskClient) -> None:
    """Errors of log, of the quotient at 0, of exp, and of k * x, to which exp sends too much."""
    values = {"x": {"from": -1, "to": 1, "count": 3_001}, "k": [1, 800]}
    body = {"expression": "log(x + 0.5) + exp(k * x) / x", "values": values}
    reply = client.post("/v1/sweep", json=body)
    pieces = [*reply.iter_encoded()]
    assert "Content-Length" not in reply.headers
    assert 10 < len(pieces) < 100
    made = json.loads(b"".join(pieces))
    assert made == sweep(**body)  # type: ignore[arg-type]
    told = [(each["error"]["code"], each["error"]["operation"]) for each in made["problems"]]
    domain = {("domain_error", "log"), ("domain_error", "/")}
    assert set(told) == domain | {("non_finite", "exp"), ("non_finite", "*")}


def test_many_lines_come_in_few_pieces(client: FlaskClient) -> None:
    body = {"expression": "x * x", "values": {"x": {**X, "count": 5_001}}}
    reply = client.post("/v1/sweep", json=body, headers={"Accept": "application/x-ndjson"})
    pieces = [*reply.iter_encoded()]
    assert 10 < len(pieces) < 30
    assert [json.loads(line)["index"] for line in b"".join(pieces).splitlines()[1:]] == (
        list(range(5_001))
    )


@pytest.mark.parametrize(
    ("members", "pointer"),
    [
        ({"values": {"x": [1, "2"], "w": 2}}, "/values/x/1"),
        ({"values": {"x": [1, 2], "w": [1]}}, "/values/x"),
        ({"values": {"x": {"from": 1}, "w": 2}}, "/values/x/to"),
        ({"values": []}, "/values"),
        ({"view": "flat"}, "/view"),
        ({"parameters": ["w"]}, "/parameters"),
    ],
)
def test_a_member_that_is_wrong_is_pointed_at(
    client: FlaskClient, members: Any, pointer: str
) -> None:
    assert refused(client, {**LOG, **members})["pointer"] == pointer


def test_every_wrong_value_is_listed(client: FlaskClient) -> None:
    problem = refused(client, {"expression": "a", "values": {"b": [], "c": None, "1": 1, "a": 1}})
    assert [fault["pointer"] for fault in problem["errors"]] == (
        ["/values/1", "/values/b", "/values/c"]
    )


def test_members_are_named(client: FlaskClient) -> None:
    problem = refused(client, {**LOG, "grid": 1})
    assert problem["detail"].endswith("the members are expression, values, view")
    problem = refused(client, [])
    assert (
        problem["detail"] == "the body must be an object with expression and values, not an array"
    )


def test_a_fault_of_the_program_shows_its_place(client: FlaskClient) -> None:
    problem = refused(client, {"expression": "2x", "values": {"x": X}})
    assert problem["detail"].endswith("\n\n    2x\n     ^")
    problem = refused(client, {"expression": "a * b", "values": {"a": [1]}})
    assert (problem["code"], problem["names"]) == ("missing_value", ["b"])


def test_work_is_bounded_before_it_is_begun() -> None:
    config = Config(limits=Limits(sweep_nodes=9), log_requests=False)
    client = create_app(config).test_client()
    grid = {"from": 0, "to": 1, "count": 2**53 - 1}
    problem = refused(client, {"expression": "a * b", "values": {"a": grid, "b": grid}})
    data = problem["code"], problem["name"], problem["limit"], problem["actual"]
    assert data == ("limit_exceeded", "sweep_nodes", 9, 2**53 - 1)
    assert problem["detail"].endswith("accepted; send fewer points, or several requests")
    assert client.post("/v1/sweep", json={**LOG, "values": {"x": X, "w": 1}}).status_code == 422
    assert len(lines(client, {"expression": "x * x", "values": {"x": [1, 2, 3, 4]}})) == 5


def test_names_that_lines_repeat_are_bounded() -> None:
    """100 bytes for each of the 300 nodes times points: 300 letters in each of 100 lines."""
    client = create_app(Config(limits=Limits(sweep_nodes=300), log_requests=False)).test_client()

    def body_with(letters: int) -> dict[str, Any]:
        name = "x" * (letters - 1)
        return {"expression": f"{name} * y", "values": {name: 2, "y": {**X, "count": 100}}}

    assert len(lines(client, body_with(300))) == 101
    reply = client.post(
        "/v1/sweep", json=body_with(301), headers={"Accept": "application/x-ndjson"}
    )
    problem = reply.get_json()
    assert (reply.status_code, problem["code"]) == (422, "limit_exceeded")
    told = problem["name"], problem["limit"], problem["actual"]
    assert told == ("sweep_name_bytes", 30_000, 30_100)
    assert "accept application/json, which has each name once" in problem["detail"]
    assert len(client.post("/v1/sweep", json=body_with(301)).data) < 10_000


def test_the_line_in_the_log_has_no_more_points_than_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    client = create_app(Config()).test_client()
    grid = {"from": 0, "to": 1, "count": 2**32}
    problem = refused(client, {"expression": "a * b", "values": {"a": grid, "b": grid}})
    assert (problem["code"], problem["actual"]) == ("limit_exceeded", 2**53 - 1)
    line = json.loads(capsys.readouterr().out)
    assert (line["status"], line["nodes"], line["points"]) == (422, 3, 2**53 - 1)


def test_time_is_bounded(monkeypatch: pytest.MonkeyPatch, client: FlaskClient) -> None:
    """Each look at the clock is a second after the last one; five are given."""
    clock = count()
    deadline = partial(Deadline, clock=lambda: next(clock))
    monkeypatch.setattr("service.routes.Deadline", deadline)
    monkeypatch.setattr("engine_py.sweeps.blocks.POINTS", 1)
    body = {"expression": "x", "values": {"x": {**X, "count": 9}}}
    reply = client.post("/v1/sweep", json=body)
    assert (reply.status_code, reply.get_json()["code"]) == (503, "compute_timeout")
    head, *points, last = lines(client, body)
    computed = [point["index"] for point in points]
    assert (head["count"], computed) == (9, list(range(last["index"])))
    assert 0 < len(computed) < 9
    assert last["problem"]["code"] == "compute_timeout"


def test_what_is_accepted_is_one_of_two(client: FlaskClient) -> None:
    reply = client.post("/v1/sweep", json=LOG, headers={"Accept": "text/csv"})
    assert (reply.status_code, reply.get_json()["code"]) == (406, "not_acceptable")
