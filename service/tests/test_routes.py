"""The expected numbers are derived by hand, beside the case."""

import time
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
    assert stated == {"contract": "1.6.0", "view": "folded", "unused_values": []}


def test_the_example_lists_operands_before_operations(post: Post) -> None:
    document = post(EXAMPLE).content
    shown = [node["label"] or node["operation"] for node in document["nodes"]]
    assert shown == ["a", "b", "+", "c", "*"]
    assert document["topological_order"] == [0, 1, 2, 3, 4]
    assert document["backward_order"] == [4, 3, 2, 1, 0]
    assert document["root"] == 4


def test_the_example_keeps_a_row_for_each_of_its_four_edges(post: Post) -> None:
    document = post(EXAMPLE).content
    rows = {
        (edge["from"], edge["to"]): (
            edge["incoming_grad"],
            edge["local_grad"],
            edge["contribution"],
        )
        for edge in document["edges"]
    }
    assert rows == {
        (2, 4): (1, 10, 10),  # the root's 1, times c
        (3, 4): (1, -1, -1),  # the root's 1, times a + b
        (0, 2): (10, 1, 10),  # a sum passes its gradient on
        (1, 2): (10, 1, 10),
    }


def test_parameters_and_view_reach_the_engine(post: Post) -> None:
    body = {"expression": "w - x", "values": {"w": 5, "x": 3, "z": 1}}
    document = post({**body, "parameters": ["w"], "view": "primitive"}).content
    # w - x is w + (x * -1) in this view: w, x, -1, *, +
    assert [node["kind"] for node in document["nodes"]] == [
        "parameter",
        "input",
        "constant",
        "operation",
        "operation",
    ]
    assert (document["view"], document["result"]) == ("primitive", 2)
    assert document["gradients"] == {"w": 1, "x": -1}
    assert document["unused_values"] == ["z"]


def test_doubles_survive_the_journey_to_the_bit(post: Post) -> None:
    numbers = {
        "least": 5e-324,
        "largest": 1.7976931348623157e308,
        "tenth": 0.1,
        "third": 1 / 3,
        "odd": 9007199254740993,  # 2^53 + 1 is read as 2^53 (R7)
        "zero": -0.0,
    }
    reply = post({"expression": "+".join(f"0*{name}" for name in numbers), "values": numbers})
    assert reply.content["values"] == {**numbers, "odd": 9007199254740992, "zero": 0}
    assert b'"zero":0.0' in reply.body


@pytest.mark.parametrize(
    ("expression", "code", "span", "data"),
    [
        ("a ** b", "exponent_not_literal", (5, 6), {}),
        ("a ** (1+1)", "exponent_not_literal", (5, 6), {}),
        ("a**2**3", "exponent_not_literal", (4, 6), {}),
        ("log(a - a)", "domain_error", (0, 10), {"operation": "log", "operands": [0], "node": 2}),
        ("1/(a-a)", "domain_error", (0, 7), {"operation": "/", "operands": [1, 0], "node": 3}),
        ("(-a)**0.5", "domain_error", (0, 9), {"operation": "**", "operands": [-2, 0.5]}),
        ("exp(1000*a)", "non_finite", (0, 11), {"stage": "data", "operands": [2000], "node": 3}),
        ("9e999", "non_finite", (0, 5), {"stage": "literal", "node": None}),
        ("2x", "unexpected_token", (1, 2), {}),
        ("a b", "unexpected_token", (2, 3), {}),
        ("a)", "unexpected_token", (1, 2), {}),
        ("a ^ 2", "unexpected_character", (2, 3), {}),
        ("a + é", "unexpected_character", (4, 5), {}),
        ("\U0001f600", "unexpected_character", (0, 1), {}),
        ("foo(a)", "unknown_function", (0, 3), {"name": "foo"}),
        ("relu(a, b)", "wrong_arity", (0, 10), {"name": "relu", "expected": 1, "actual": 2}),
        ("(a", "unexpected_end", (2, 2), {}),
        ("", "unexpected_end", (0, 0), {}),
        ("a + q", "missing_value", (4, 5), {"name": "q", "names": ["q"]}),
        ("a = 1; a = 2; a", "duplicate_name", (7, 8), {"name": "a"}),
        ("c = 2*a; a", "unused_name", (0, 1), {"name": "c"}),
        ("a;b", "unexpected_token", (2, 3), {}),
    ],
)
def test_an_expression_without_an_answer_names_its_place(
    post: Post, expression: str, code: str, span: tuple[int, int], data: dict[str, Any]
) -> None:
    reply = post({"expression": expression, "values": {"a": 2, "b": 3}})
    problem = reply.content
    assert (reply.status, problem["code"]) == (422, code)
    assert problem["span"] == {"start": span[0], "end": span[1]}
    assert data.items() <= problem.items()
    assert "errors" not in problem


@pytest.mark.parametrize(
    ("values", "name"),
    [
        ('{"a": "2"}', "a"),
        ('{"a": true}', "a"),
        ('{"a": null}', "a"),
        ('{"a": [2]}', "a"),
        ('{"a": {}}', "a"),
        ('{"a": 1e400}', "a"),
        ('{"a": -1e400}', "a"),
        ('{"a": 1' + "0" * 400 + "}", "a"),
        ('{"a": 1' + "0" * 5000 + "}", "a"),
        ('{"a": 1, "2b": 1}', "2b"),
        ('{"a": 1, "b\\n": 1}', "b\n"),
        ('{"a": 1, "": 1}', ""),
        ('{"a": 1, "\\u00e9": 1}', "é"),
    ],
)
def test_a_value_that_is_no_finite_number_under_a_name_is_named(
    post: Post, values: str, name: str
) -> None:
    reply = post(f'{{"expression": "a", "values": {values}}}'.encode())
    problem = reply.content
    assert (reply.status, problem["code"], problem["span"]) == (422, "invalid_value", None)
    assert (problem["name"], problem["pointer"]) == (name, f"/values/{name}")


def test_names_that_mean_something_elsewhere_are_names_here(post: Post) -> None:
    values = {"__proto__": 2, "constructor": 3, "None": 5, "exp": 7}
    document = post({"expression": "__proto__*constructor*None*exp", "values": values}).content
    assert document["result"] == 210
    assert document["gradients"] == {"__proto__": 105, "constructor": 70, "None": 42, "exp": 30}


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
def test_a_request_beyond_a_limit_is_refused_quickly(
    post: Post, expression: str, count: int, error: tuple[str, int, int, dict[str, int] | None]
) -> None:
    started = time.process_time()
    reply = post({"expression": expression, "values": {f"a{i}": 1 for i in range(count)}})
    assert time.process_time() - started < 2
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
        "contract": "1.6.0",
        "characters": 65_536,
        "variables": 1_000,
        "nodes": 10_000,
        "sweep_nodes": 100_000,
        "body_bytes": 262_144,
        "batch_requests": 1_000,
        "batch_nodes": 100_000,
        "descent_nodes": 1_000_000,
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
