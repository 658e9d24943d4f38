"""The expected numbers are derived by hand, beside the case."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from engine_py import Limits
from service import Config, create_app
from service.tests.validated import EXAMPLE, SCHEMAS, Post, reply_of


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
        "concurrency": 64,
        "read_seconds": 10,
        "compute_seconds": 5,
    }


@pytest.mark.parametrize("name", ["operations", "examples", "pitfalls"])
def test_a_file_of_the_contract_is_served_as_it_is(client: FlaskClient, name: str) -> None:
    response = client.get(f"/v1/{name}")
    assert response.data == (SCHEMAS / f"{name}.json").read_bytes()
    assert response.content_type == "application/json"
    again = client.get(f"/v1/{name}", headers={"If-None-Match": response.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
