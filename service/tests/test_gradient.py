"""What is answered; the expected numbers are derived by hand, or are the contract's own."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from engine_py import CONTRACT, Limits, introspect, outline
from service import Config, create_app
from service.tests.validated import EXAMPLE, SCHEMAS, Post, reply_of, schema_of


def test_the_example_has_the_result_and_the_gradients_of_the_product_rule(post: Post) -> None:
    # result = (2 - 3) * 10; d/da = d/db = c = 10; d/dc = a + b = -1
    document = post(EXAMPLE).content
    assert document["result"] == -10
    assert document["gradients"] == {"a": 10, "b": 10, "c": -1}
    assert document["values"] == {"a": 2, "b": -3, "c": 10}
    assert document["expression"] == "(a + b) * c"
    stated = {name: document[name] for name in ("contract", "view", "unused_values")}
    assert stated == {"contract": "2.0.0", "view": "folded", "unused_values": []}


@pytest.mark.parametrize(
    ("expression", "count", "error"),
    [
        ("a" * 80_000, 0, ("characters", 65_536, 80_000, {"start": 65_536, "end": 80_000})),
        ("(" * 65_537, 0, ("characters", 65_536, 65_537, {"start": 65_536, "end": 65_537})),
        ("a", 1001, ("variables", 1000, 1001, None)),
        # 5000 numbers and 4999 sums are 9999 nodes, the 5001st number is one more, its sum too many
        ("+".join("1" * 6000), 0, ("nodes", 10_000, 10_001, {"start": 0, "end": 10_001})),
    ],
)
def test_a_request_beyond_a_limit_is_refused(
    post: Post, expression: str, count: int, error: tuple[str, int, int, dict[str, int] | None]
) -> None:
    reply = post({"expression": expression, "values": {f"a{i}": 1 for i in range(count)}})
    assert (reply.status, reply.content["code"]) == (422, "limit_exceeded")
    assert tuple(reply.content[key] for key in ("name", "limit", "actual", "span")) == error


def test_what_is_just_within_the_limits_is_answered(post: Post) -> None:
    values = {f"a{index}": 1 for index in range(1000)}
    assert post({"expression": "+".join(values), "values": values}).content["result"] == 1000
    assert post({"expression": " " * 65_535 + "2", "values": {}}).content["result"] == 2
    nested = "(" * 32_767 + "2" + ")" * 32_767
    assert post({"expression": nested, "values": {}}).content["root"] == 0


@pytest.mark.parametrize(
    ("body", "name"),
    [
        ({"expression": "a     ", "values": {}}, "characters"),
        ({"expression": "a", "values": {"a": 1, "b": 1}}, "variables"),
        ({"expression": "a+a*a", "values": {"a": 1}}, "nodes"),
    ],
)
def test_the_limits_are_those_of_the_configuration(body: dict[str, Any], name: str) -> None:
    config = Config(limits=Limits(characters=5, variables=1, nodes=2))
    reply = reply_of(create_app(config).test_client().post("/v1/gradient", json=body))
    assert (reply.content["code"], reply.content["name"]) == ("limit_exceeded", name)


def test_the_limits_are_published_by_the_names_that_problems_use(client: FlaskClient) -> None:
    assert client.get("/v1/limits").json == {
        "contract": "2.0.0",
        "characters": 65_536,
        "variables": 1_000,
        "nodes": 10_000,
        "sweep_nodes": 100_000,
        "steps": 20_000,
        "path_edges": 20_000,
        "truth_work": 1_000_000,
        "evaluations": 1_000_000,
        "descent_nodes": 5_000_000,
        "descent_numbers": 100_000,
        "tangents": 200_000,
        "body_bytes": 262_144,
        "batch_requests": 1_000,
        "batch_nodes": 100_000,
        "picture_nodes": 300,
        "large": 1,
        "waiting": 64,
        "wait_seconds": 20,
        "compute_seconds": 5,
    }


@pytest.mark.parametrize("name", ["operations", "examples", "pitfalls"])
def test_a_file_of_the_contract_is_served_as_it_is(client: FlaskClient, name: str) -> None:
    response = client.get(f"/v1/{name}")
    assert response.data == (SCHEMAS / f"{name}.json").read_bytes()
    assert response.content_type == "application/json"
    again = client.get(f"/v1/{name}", headers={"If-None-Match": response.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


# POST /v1/parse; fixtures hold the engine to it.


OUTLINE_SCHEMAS = [Resource.from_contents(schema_of(name)) for name in ("document", "outline")]
OUTLINE = Draft202012Validator(schema_of("outline"), registry=OUTLINE_SCHEMAS @ Registry())


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


# The examples of the contract: requests to begin with, and what the engine makes of them.


EXAMPLES_FILE = json.loads((SCHEMAS / "examples.json").read_text(encoding="utf-8"))
EXAMPLES = EXAMPLES_FILE["examples"]

each_example = pytest.mark.parametrize(
    "example", [pytest.param(example, id=example["name"]) for example in EXAMPLES]
)


def test_the_examples_are_as_their_schema_says() -> None:
    examples_validator().validate(EXAMPLES_FILE)


def test_the_schema_refuses_an_example_whose_request_is_none() -> None:
    example = {**EXAMPLES[0], "request": {"expression": "a"}}
    assert not examples_validator().is_valid({**EXAMPLES_FILE, "examples": [example]})


def test_the_examples_are_of_the_contract_that_the_engine_implements() -> None:
    assert EXAMPLES_FILE["contract"] == CONTRACT


def test_no_two_examples_have_the_same_name_or_title() -> None:
    assert len(EXAMPLES) >= 8
    for member in ("name", "title"):
        assert len({example[member] for example in EXAMPLES}) == len(EXAMPLES)


def test_the_examples_show_both_views_parameters_and_sharing() -> None:
    requests = [example["request"] for example in EXAMPLES]
    assert any(request.get("view") == "primitive" for request in requests)
    assert any(request.get("parameters") for request in requests)
    assert any(request["expression"] == "a * a" for request in requests)


@each_example
def test_a_request_is_valid_and_uses_every_value(example: dict[str, Any]) -> None:
    Draft202012Validator(schema_of("request")).validate(example["request"])
    assert introspect(**example["request"])["unused_values"] == []


@each_example
def test_the_engine_gives_exactly_what_the_example_expects(example: dict[str, Any]) -> None:
    document = introspect(**example["request"])
    assert {member: document[member] for member in ("result", "gradients")} == example["expect"]


def examples_validator() -> Draft202012Validator:
    request = schema_of("request")
    registry: Registry[Any] = Registry().with_resource(
        request["$id"], Resource.from_contents(request)
    )
    return Draft202012Validator(schema_of("examples"), registry=registry)


# The pitfalls: each is refused or wrong in just the way that it says.


PITFALLS_FILE = json.loads((SCHEMAS / "pitfalls.json").read_text(encoding="utf-8"))
PITFALLS: dict[str, Any] = {pitfall["name"]: pitfall for pitfall in PITFALLS_FILE["pitfalls"]}
EXPERIMENTS = [name for name in PITFALLS if PITFALLS[name]["path"] == "/v1/experiment"]


def answer_to(client: FlaskClient, name: str) -> Any:
    pitfall = PITFALLS[name]
    return client.post(pitfall["path"], json=pitfall["request"]).get_json()


def test_the_pitfalls_are_as_their_schema_says() -> None:
    names = ("pitfalls", "request", "experiment_request")
    registry = [Resource.from_contents(schema_of(name)) for name in names] @ Registry()
    Draft202012Validator(schema_of("pitfalls"), registry=registry).validate(PITFALLS_FILE)
    assert len(PITFALLS) == len(PITFALLS_FILE["pitfalls"]) >= 6


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_gives_the_wrong_numbers_beside_the_right_ones(
    client: FlaskClient, name: str
) -> None:
    result, pitfall = answer_to(client, name), PITFALLS[name]
    here = result["walks"][-1]["gradients"]
    assert {variable: here[variable] for variable in pitfall["wrong"]} == pitfall["wrong"]
    right = result["document"]["gradients"]
    assert {variable: right[variable] for variable in pitfall["right"]} == pitfall["right"]
    assert pitfall["wrong"] != pitfall["right"]


def test_a_dead_relu_has_no_gradients_and_a_live_one_has(client: FlaskClient) -> None:
    pitfall = PITFALLS["dead-relu"]
    gradients = answer_to(client, "dead-relu")["gradients"]
    assert {name: gradients[name] for name in pitfall["wrong"]} == pitfall["wrong"]
    alive = {**pitfall["request"]["values"], "b": 1}
    gradients = introspect(pitfall["request"]["expression"], alive)["gradients"]
    assert {name: gradients[name] for name in pitfall["right"]} == pitfall["right"]


def test_a_variable_exponent_is_refused_and_has_a_gradient_otherwise(client: FlaskClient) -> None:
    assert answer_to(client, "variable-exponent")["code"] == "exponent_not_literal"
    values = PITFALLS["variable-exponent"]["request"]["values"]
    right = PITFALLS["variable-exponent"]["right"]["n"]  # 8 log 2
    assert introspect("exp(n * log(x))", values)["gradients"]["n"] == pytest.approx(
        right, rel=1e-15
    )
