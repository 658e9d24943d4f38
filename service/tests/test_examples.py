"""Examples: requests to begin with, and what the engine makes of them."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from engine_py import CONTRACT, introspect
from service.tests.validated import SCHEMAS, schema_of

FILE = json.loads((SCHEMAS / "examples.json").read_text(encoding="utf-8"))
EXAMPLES = FILE["examples"]

each_example = pytest.mark.parametrize(
    "example", [pytest.param(example, id=example["name"]) for example in EXAMPLES]
)


def test_the_examples_are_as_their_schema_says() -> None:
    validator().validate(FILE)


def test_the_schema_refuses_an_example_whose_request_is_none() -> None:
    example = {**EXAMPLES[0], "request": {"expression": "a"}}
    assert not validator().is_valid({**FILE, "examples": [example]})


def test_the_examples_are_of_the_contract_that_the_engine_implements() -> None:
    assert FILE["contract"] == CONTRACT


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


def validator() -> Draft202012Validator:
    request = schema_of("request")
    registry: Registry[Any] = Registry().with_resource(
        request["$id"], Resource.from_contents(request)
    )
    return Draft202012Validator(schema_of("examples"), registry=registry)
