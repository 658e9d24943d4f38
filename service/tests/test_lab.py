"""The routes for outlines, sweeps, accuracy and the lab. Fixtures test the engine behind them."""

import json
from itertools import chain, count, repeat
from typing import Any

import pytest
from flask.testing import FlaskClient

import engine_py
from engine_py import Descending, Limits, introspect, sweep
from engine_py.lab.commands import LAB
from service import compute
from service.app import create_app
from service.compute import descent_as_lines
from service.config import Config
from service.tests.validated import validator_of

ROUTES = {
    "outline": "parse",
    "sweep": "sweep",
    "accuracy": "accuracy",
    **{name: name for name in LAB},
}
"""Functions of the engine, with the last parts of their paths."""
RESULTS = {"outline": "outline", "sweep": "sweep", "accuracy": "accuracy"}
RESULTS |= {name: made.result for name, made in LAB.items()}

X = {"from": -1, "to": 1, "count": 3}
PROGRAM: dict[str, Any] = {"expression": "s = b - a; s * s"}
LOG: dict[str, Any] = {"expression": "log(x) * w", "values": {"x": X, "w": 2}}
DIAMOND: dict[str, Any] = {"expression": "b = a + 1; c = a * 3; d = b * c", "values": {"a": 2}}
BODIES = dict.fromkeys(ROUTES, DIAMOND) | {"outline": PROGRAM, "sweep": LOG}


def client_with(**bounds: int) -> FlaskClient:
    return create_app(Config(limits=Limits(**bounds), log_requests=False)).test_client()


def answered(client: FlaskClient, name: str, body: Any) -> Any:
    reply = client.post(f"/v1/{ROUTES[name]}", json=body)
    assert (reply.status_code, reply.mimetype) == (200, "application/json")
    return reply.get_json()


def lines(client: FlaskClient, name: str, body: Any) -> list[Any]:
    reply = client.post(f"/v1/{name}", json=body, headers={"Accept": "application/x-ndjson"})
    assert (reply.status_code, reply.mimetype) == (200, "application/x-ndjson")
    return [json.loads(line) for line in reply.text.splitlines()]


def refused(client: FlaskClient, name: str, body: Any, **headers: str) -> Any:
    reply = client.post(f"/v1/{ROUTES[name]}", json=body, headers=headers)
    assert (reply.status_code, reply.mimetype) == (422, "application/problem+json")
    return reply.get_json()


@pytest.mark.parametrize(
    ("name", "members"),
    [
        ("outline", {"parameters": ["a"], "view": "primitive"}),
        ("sweep", {"view": "primitive"}),
        ("experiment", {"order": ["b", "d", "c", "a"]}),
        ("experiment", {"walk": "pull", "seed": 2, "passes": 2, "reset": "inner"}),
        ("paths", {"node": "a"}),
        ("paths", {"node": 4}),
        ("accuracy", {"claimed": {"a": 14}, "witnesses": True}),
        ("accuracy", {"expression": "log(exp(a))", "values": {"a": 800}}),  # has no document
        ("descend", {"parameters": ["a"], "steps": 1, "learning_rate": 0.1}),
        ("hessian", {"vector": {"a": 2}}),
    ],
)
def test_a_reply_equals_the_engines_result_and_conforms_to_its_schema(
    client: FlaskClient, name: str, members: Any
) -> None:
    body = {**BODIES[name], **members}
    result = answered(client, name, body)
    validator_of(RESULTS[name]).validate(result)
    expression = body.pop("expression")
    assert result == getattr(engine_py, name)(expression, **body)


@pytest.mark.parametrize("name", ROUTES)
def test_a_reply_has_only_the_requested_fields_in_its_own_order(
    client: FlaskClient, name: str
) -> None:
    more: Any = {"paths": {"node": "a"}, "descend": {"parameters": ["a"], "steps": 1}}
    body = {**BODIES[name], **more.get(name, {})}
    whole = answered(client, name, body)
    first, *others, last = whole
    for chosen in ([first], [last], [last, first], [first, *others, last]):
        reply = client.post(f"/v1/{ROUTES[name]}?fields={','.join(chosen)}", json=body)
        expected = [(member, whole[member]) for member in whole if member in chosen]
        assert list(reply.get_json().items()) == expected


# Refusals.


@pytest.mark.parametrize(("name", "known"), [("sweep", "results"), ("descend", "trajectory")])
def test_fields_are_refused_for_ndjson(client: FlaskClient, name: str, known: str) -> None:
    path, headers = f"/v1/{name}?fields={known}", {"Accept": "application/x-ndjson"}
    problem = client.post(path, json=BODIES[name], headers=headers).get_json()
    assert (problem["code"], problem["pointer"]) == ("invalid_request", "/fields")
    assert "leave it out for NDJSON" in problem["detail"]


@pytest.mark.parametrize(
    ("name", "members", "pointer"),
    [
        ("outline", {"values": {"a": 1}}, "/values"),
        ("outline", {"parameters": ["1"]}, "/parameters/0"),
        ("sweep", {"values": {"x": [1, "2"], "w": 2}}, "/values/x/1"),
        ("sweep", {"parameters": ["w"]}, "/parameters"),
        ("experiment", {"order": ["z"]}, "/order/0"),
        ("experiment", {"seed": None}, "/seed"),
        ("paths", {}, "/node"),
        ("accuracy", {"tolerance": 2}, "/tolerance"),
        ("accuracy", {"values": {"a": "2"}}, "/values/a"),
        ("descend", {}, "/parameters"),
        ("descend", {"parameters": ["a"], "steps": -1}, "/steps"),
        ("hessian", {"variables": ["z"]}, "/variables/0"),
    ],
)
def test_an_invalid_member_is_reported_before_the_first_line(
    client: FlaskClient, name: str, members: Any, pointer: str
) -> None:
    body = {**BODIES[name], **members}
    assert refused(client, name, body, Accept="application/x-ndjson, */*")["pointer"] == pointer


def test_every_invalid_value_of_a_sweep_is_listed(client: FlaskClient) -> None:
    body = {"expression": "a", "values": {"b": [], "c": None, "1": 1, "a": 1}}
    errors = refused(client, "sweep", body)["errors"]
    assert [error["pointer"] for error in errors] == ["/values/1", "/values/b", "/values/c"]


@pytest.mark.parametrize(
    ("name", "members"),
    [
        ("outline", "expression, parameters, view"),
        ("sweep", "expression, values, view"),
        ("hessian", "expression, values, parameters, view, variables, vector"),
    ],
)
def test_an_unknown_member_is_refused_with_the_known_ones(
    client: FlaskClient, name: str, members: str
) -> None:
    problem = refused(client, name, {**BODIES[name], "ordre": []})
    assert problem["pointer"] == "/ordre"
    assert problem["detail"].endswith(f"; the members are {members}")


@pytest.mark.parametrize("name", ROUTES)
def test_a_body_that_is_not_an_object_is_refused_with_the_members_it_needs(
    client: FlaskClient, name: str
) -> None:
    needed = "expression" if name == "outline" else "expression and values"
    problem = refused(client, name, [DIAMOND])
    assert (problem["code"], problem["pointer"]) == ("invalid_request", "")
    assert problem["detail"] == f"the body must be an object with {needed}, not an array"


@pytest.mark.parametrize("name", ROUTES)
def test_an_error_in_the_program_shows_its_place(client: FlaskClient, name: str) -> None:
    problem = refused(client, name, {**BODIES[name], "expression": "2x"})
    assert problem["detail"].endswith("\n\n    2x\n     ^")


# Bounds.


@pytest.mark.parametrize(
    ("name", "members", "limit", "work"),
    [
        ("outline", {}, "characters", 16),
        ("outline", {}, "nodes", 4),
        ("outline", {"parameters": ["a", "b"]}, "variables", 2),
        ("sweep", {}, "sweep_nodes", 12),  # four nodes, three points
        ("experiment", {}, "steps", 6),  # the edges of the diamond, each once
        ("accuracy", {"witnesses": True}, "evaluations", 156),  # six nodes, two sides, 13 steps
        ("hessian", {}, "tangents", 6),  # the edges again
        ("descend", {"parameters": ["a"], "steps": 4}, "descent_nodes", 30),  # six nodes, 5 points
    ],
)
def test_work_is_bounded_by_the_limits_of_the_service(
    name: str, members: Any, limit: str, work: int
) -> None:
    body = {**BODIES[name], **members}
    assert answered(client_with(**{limit: work}), name, body)
    problem = refused(client_with(**{limit: work - 1}), name, body)
    found = [problem[member] for member in ("code", "name", "limit", "actual")]
    assert found == ["limit_exceeded", limit, work - 1, work]


def test_points_are_counted_before_they_are_computed(capsys: pytest.CaptureFixture[str]) -> None:
    client = create_app(Config(limits=Limits(sweep_nodes=9))).test_client()
    grid = {"from": 0, "to": 1, "count": 2**32}
    problem = refused(client, "sweep", {"expression": "a * b", "values": {"a": grid, "b": grid}})
    found = [problem[member] for member in ("code", "name", "limit", "actual")]
    assert found == ["limit_exceeded", "sweep_nodes", 9, 2**53 - 1]  # the largest in JSON
    assert problem["detail"].endswith("accepted; send fewer points, or several requests")
    line = json.loads(capsys.readouterr().out)
    assert (line["status"], line["nodes"], line["points"]) == (422, 3, 2**53 - 1)


def test_the_names_repeated_in_lines_are_bounded() -> None:
    """At most 100 bytes times the limit of 300: 300 letters in each of 100 lines."""
    client = client_with(sweep_nodes=300)

    def body_with(letters: int) -> dict[str, Any]:
        name = "x" * (letters - 1)
        return {"expression": f"{name} * y", "values": {name: 2, "y": {**X, "count": 100}}}

    assert len(lines(client, "sweep", body_with(300))) == 101
    problem = refused(client, "sweep", body_with(301), Accept="application/x-ndjson")
    found = [problem[member] for member in ("code", "name", "limit", "actual")]
    assert found == ["limit_exceeded", "sweep_name_bytes", 30_000, 30_100]
    assert "accept application/json, which has each name once" in problem["detail"]
    assert answered(client, "sweep", body_with(301))


@pytest.mark.parametrize(
    ("name", "body", "index"),
    [
        ("sweep", {"expression": "x", "values": {"x": {**X, "count": 101}}}, "index"),
        ("descend", {**DIAMOND, "parameters": ["a"]}, "step"),  # 100 steps by default
    ],
)
def test_lines_computed_in_time_are_followed_by_a_problem(
    monkeypatch: pytest.MonkeyPatch, name: str, body: Any, index: str
) -> None:
    clock = count(0, 0.4)  # 0.4 s pass between two readings
    monkeypatch.setattr("service.turns.thread_time", lambda: next(clock))
    monkeypatch.setattr("engine_py.sweeps.blocks.POINTS", 1)
    client = create_app(Config(compute_seconds=2, log_requests=False)).test_client()
    reply = client.post(f"/v1/{name}", json=body)
    assert (reply.status_code, reply.get_json()["code"]) == (503, "compute_timeout")
    *sent, last = lines(client, name, body)
    numbers = [line[index] for line in sent if index in line]
    assert numbers == list(range(len(numbers)))
    assert 0 < len(numbers) < 101
    assert (last["problem"]["code"], last["problem"]["status"]) == ("compute_timeout", 503)
    assert last.get("index") == (len(numbers) if name == "sweep" else None)


# Sweeps and descents as lines.


def test_the_lines_of_a_sweep_hold_the_values_of_its_columns(client: FlaskClient) -> None:
    head, *points = lines(client, "sweep", LOG)
    made = answered(client, "sweep", LOG)
    assert head == {n: made[n] for n in made if n not in ("results", "gradients", "problems")}
    assert [point["index"] for point in points] == [0, 1, 2]
    assert [{"index": p["index"], "error": p["error"]} for p in points[:2]] == made["problems"]
    assert points[2] == {"index": 2, "result": 0, "gradients": {"x": 2, "w": 0}}


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("sweep", {"expression": "x", "values": {"x": {**X, "count": 101}}}),
        ("descend", {**DIAMOND, "parameters": ["a"], "steps": 10_000}),
    ],
)
def test_lines_beyond_the_memory_limit_end_with_a_problem(
    monkeypatch: pytest.MonkeyPatch, name: str, body: Any
) -> None:
    monkeypatch.setattr("service.turns._SLICE_SECONDS", -1)  # every check of the deadline counts
    monkeypatch.setattr("engine_py.sweeps.blocks.POINTS", 1)
    held = chain([0] * 5, repeat(10**12))
    monkeypatch.setattr("service.turns.held_memory", lambda: next(held))
    client = create_app(Config(log_requests=False)).test_client()
    *sent, last = lines(client, name, body)
    assert sent
    assert (last["problem"]["code"], last["problem"]["status"]) == ("overloaded", 503)


def test_a_large_sweep_is_sent_in_few_pieces_and_equals_the_engines(client: FlaskClient) -> None:
    """It has errors of log, of / at 0, of exp, and of k * x, whose gradient overflows."""
    values = {"x": {"from": -1, "to": 1, "count": 3_001}, "k": [1, 800]}
    body = {"expression": "log(x + 0.5) + exp(k * x) / x", "values": values}
    reply = client.post("/v1/sweep", json=body)
    pieces = [*reply.iter_encoded()]
    assert "Content-Length" not in reply.headers
    assert 10 < len(pieces) < 100
    made = json.loads(b"".join(pieces))
    assert made == sweep(**body)  # type: ignore[arg-type]
    found = [(each["error"]["code"], each["error"]["operation"]) for each in made["problems"]]
    domain = {("domain_error", "log"), ("domain_error", "/")}
    assert set(found) == domain | {("non_finite", "exp"), ("non_finite", "*")}
    reply = client.post("/v1/sweep", json=body, headers={"Accept": "application/x-ndjson"})
    pieces = [*reply.iter_encoded()]
    assert 30 < len(pieces) < 100
    indices = [json.loads(line)["index"] for line in b"".join(pieces).splitlines()[1:]]
    assert indices == [*range(6_002)]


def test_the_lines_of_a_descent_are_its_points_and_its_end(client: FlaskClient) -> None:
    body = {**DIAMOND, "parameters": ["a"], "steps": 3, "learning_rate": 0.01}
    *points, last = lines(client, "descend", body)
    assert (points, last) == (answered(client, "descend", body)["trajectory"], {"fault": None})
    *points, last = lines(client, "descend", {**body, "learning_rate": 1e200})
    assert [point["step"] for point in points] == [0]
    assert last["fault"]["error"]["code"] == "non_finite"


def test_a_descent_sends_lines_while_it_computes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compute, "_MOMENT", -1.0)  # no line waits for another
    made = Descending(introspect("w * w", {"w": 1}, parameters=["w"]), steps=1_000, every=100)
    first = next(descent_as_lines(made, lambda _: {}))
    assert json.loads(first)["step"] == 0
    assert next(made)["step"] == 100  # not computed before
