import json
from typing import Any

import pytest

from engine_py import GradientError, errors
from service import errors as http_errors
from service.reply.problems import KINDS
from service.tests.validated import OF_VALUES, Post, schema_of


def codes_of(module: Any) -> set[str]:
    classes = (found for found in vars(module).values() if isinstance(found, type))
    return {
        found.code
        for found in classes
        if issubclass(found, GradientError) and found is not GradientError
    }


def test_every_code_has_a_status_and_a_title_and_stands_in_the_schema() -> None:
    schema = schema_of("problem")
    assert codes_of(errors).isdisjoint(codes_of(http_errors))
    assert set(KINDS) == (codes_of(errors) - OF_VALUES) | codes_of(http_errors)
    assert set(KINDS) == set(schema["properties"]["code"]["enum"])
    assert len({kind.title for kind in KINDS.values()}) == len(KINDS)


def test_a_problem_is_the_error_of_the_engine_with_what_http_adds(post: Post) -> None:
    reply = post({"expression": "log(0)", "values": {}})
    assert reply.content == {
        "type": "/problems/domain_error",
        "title": "An operation is outside its domain",
        "status": 422,
        "detail": reply.content["detail"],
        "code": "domain_error",
        "span": {"start": 0, "end": 6},
        "node": 1,
        "operation": "log",
        "operands": [0],
    }
    message, picture = reply.content["detail"].split("\n\n")
    assert "logarithm" in message
    assert picture == "    log(0)\n    ^^^^^^"


def test_the_faults_of_a_body_are_listed_and_the_first_is_the_problem(post: Post) -> None:
    problem = post({"expression": "a", "values": {"a": "2"}, "vew": 1}).content
    first, second = problem["errors"]
    assert first == {
        "code": "invalid_value",
        "message": problem["detail"],
        "span": None,
        "name": "a",
        "pointer": "/values/a",
    }
    assert (problem["code"], problem["pointer"]) == ("invalid_value", "/values/a")
    assert (second["code"], second["pointer"]) == ("invalid_request", "/vew")
    assert "expression, values, parameters, view" in second["message"]


HALF = "\ud800"
NASTY = "\x00 \x1b[31m <b>\u202e \U0010ffff 'a' \"b\" {0} %s \\ \n"


@pytest.mark.parametrize(
    "body",
    [
        {NASTY: 1},
        {"expression": NASTY, "values": {}},
        {"expression": "a", "values": {NASTY: 1}},
        {"expression": "a", "values": {"a": NASTY}},
        {"expression": "a", "values": {}, "parameters": [NASTY]},
        {"expression": "a", "values": {}, "view": NASTY},
        NASTY,
    ],
)
@pytest.mark.parametrize(("more", "status"), [("", 422), (HALF, 400)])
def test_no_text_of_a_client_keeps_a_problem_from_being_written(
    post: Post, body: Any, more: str, status: int
) -> None:
    text = json.dumps(body).replace("<b>", "<b>" + json.dumps(more)[1:-1])
    assert post(text.encode()).status == status


def test_a_long_text_of_a_client_is_not_repeated_many_times(post: Post) -> None:
    reply = post({"x" * 200_000: 1, "expression": "2", "values": {}})
    assert len(reply.body) < 500_000
    assert len(reply.content["detail"]) < 200
