"""Pitfalls: each is refused or wrong in just the way that it says, when its request is sent."""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from engine_py import introspect
from service.tests.validated import SCHEMAS, schema_of

FILE = json.loads((SCHEMAS / "pitfalls.json").read_text(encoding="utf-8"))
PITFALLS: dict[str, Any] = {pitfall["name"]: pitfall for pitfall in FILE["pitfalls"]}
EXPERIMENTS = [name for name in PITFALLS if PITFALLS[name]["path"] == "/v1/experiment"]


def answer_to(client: FlaskClient, name: str) -> Any:
    pitfall = PITFALLS[name]
    return client.post(pitfall["path"], json=pitfall["request"]).get_json()


# Holds Contract.4.
def test_the_pitfalls_are_as_their_schema_says() -> None:
    names = ("pitfalls", "request", "experiment_request")
    registry = [Resource.from_contents(schema_of(name)) for name in names] @ Registry()
    Draft202012Validator(schema_of("pitfalls"), registry=registry).validate(FILE)
    assert len(PITFALLS) == len(FILE["pitfalls"]) >= 6


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
