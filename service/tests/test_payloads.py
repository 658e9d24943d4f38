from typing import Any

import pytest
from marshmallow import Schema

from engine_py import DEFAULT_LIMITS, GradientError, Limits
from engine_py.request import Request, check_request
from service.request.payloads import InvalidBody, load_request, request_schema


@pytest.fixture
def schema() -> Schema:
    return request_schema(DEFAULT_LIMITS)


def faults(schema: Schema, body: Any) -> list[tuple[str, str]]:
    with pytest.raises(InvalidBody) as refused:
        load_request(schema, body)
    return [(error.code, pointer) for error, pointer in refused.value.faults]


def test_a_body_becomes_a_request_with_the_defaults_of_the_schema(schema: Schema) -> None:
    request = load_request(schema, {"expression": "a", "values": {"a": 2.0}})
    assert request == Request("a", {"a": 2.0}, [], "folded")


def test_all_members_are_handed_on(schema: Schema) -> None:
    body = {"expression": "a", "values": {"a": 2}, "parameters": ["a"], "view": "primitive"}
    assert load_request(schema, body) == Request("a", {"a": 2.0}, ["a"], "primitive")


def test_two_requests_do_not_share_their_default_parameters(schema: Schema) -> None:
    body = {"expression": "a", "values": {}}
    load_request(schema, body).parameters.append("a")
    assert load_request(schema, body).parameters == []


@pytest.mark.parametrize("body", [None, True, 2.0, "a", [], [{"expression": "a", "values": {}}]])
def test_a_body_that_is_not_an_object_is_refused_as_a_whole(schema: Schema, body: Any) -> None:
    assert faults(schema, body) == [("invalid_request", "")]


def test_members_that_are_missing_are_named(schema: Schema) -> None:
    assert faults(schema, {}) == [
        ("invalid_request", "/expression"),
        ("invalid_request", "/values"),
    ]


def test_every_faulty_member_is_reported_in_the_order_of_the_contract(schema: Schema) -> None:
    body = {"x": 1, "view": "both", "parameters": ["2a"], "values": {"a": "1"}, "expression": 3}
    assert faults(schema, body) == [
        ("invalid_request", "/expression"),
        ("invalid_value", "/values/a"),
        ("invalid_request", "/parameters/0"),
        ("invalid_request", "/view"),
        ("invalid_request", "/x"),
    ]


def test_every_faulty_value_is_reported_first_the_one_that_the_engine_names(schema: Schema) -> None:
    # In UTF-16 order "10" comes first, though it is written last.
    values = {"b": None, "fine": 1, "a": "2", "~/": 1, "10": 1}
    assert faults(schema, {"expression": "a", "values": values}) == [
        ("invalid_value", "/values/10"),
        ("invalid_value", "/values/b"),
        ("invalid_value", "/values/a"),
        ("invalid_value", "/values/~0~1"),
    ]


def test_a_limit_is_reported_with_the_member_that_exceeds_it() -> None:
    schema = request_schema(Limits(characters=3, variables=1))
    assert faults(schema, {"expression": "a + b", "values": {"a": 1, "b": "2"}}) == [
        ("limit_exceeded", "/expression"),
        ("limit_exceeded", "/values"),
    ]


def test_unknown_members_are_refused_by_pointer_in_the_order_of_the_body(schema: Schema) -> None:
    body = {"value": 1, "expression": "2", "values": {}, "a/b~": 1, "_schema": 1, "__proto__": 1}
    assert [pointer for _, pointer in faults(schema, body)] == [
        "/value",
        "/a~1b~0",
        "/_schema",
        "/__proto__",
    ]


def test_of_very_many_unknown_members_only_the_first_are_reported(schema: Schema) -> None:
    body = {f"m{index}": 1 for index in range(1000)}
    found = faults(schema, body)
    assert len(found) == 22
    assert found[-1] == ("invalid_request", "/m19")


@pytest.mark.parametrize(
    "body",
    [
        {"expression": 1, "values": [], "parameters": 1, "view": 1},
        {"expression": "a" * 65_537, "values": None},
        {"expression": "a", "values": {"b": 1, "a": float("inf")}, "view": None},
        {"expression": "a", "values": {"é": 1, "z": "z"}, "parameters": None},
        {"expression": "a", "values": {f"a{index}": 1 for index in range(1001)}},
        {"expression": "a", "values": {}, "parameters": ["a", "b", "a"], "view": "x"},
        {"expression": "a", "values": {}, "view": ["folded"]},
        {"expression": "a", "values": {}, "parameters": [f"a{index}" for index in range(1001)]},
    ],
)
def test_the_first_fault_is_the_error_of_the_engine(schema: Schema, body: dict[str, Any]) -> None:
    parameters, view = body.get("parameters", []), body.get("view", "folded")
    with pytest.raises(GradientError) as engine:
        check_request(body["expression"], body["values"], parameters, view, DEFAULT_LIMITS)
    with pytest.raises(InvalidBody) as refused:
        load_request(schema, body)
    assert refused.value.faults[0].error.as_dict() == engine.value.as_dict()
