import json
import re
from typing import Any

import pytest

from service import create_app
from service.config import Config
from service.pages.explanations import Explanation, entries, explanations
from service.reply.problems import KINDS
from service.tests.validated import OF_VALUES, PROBLEM, SCHEMAS, schema_of

CODES = [branch["properties"]["code"]["const"] for branch in schema_of("error")["oneOf"]]
ENGINE = [code for code in CODES if code not in OF_VALUES]
REPRODUCIBLE = [one for one in explanations().values() if one.reproducible and not one.limits]


def test_every_code_is_explained_and_nothing_else() -> None:
    assert set(explanations()) == set(KINDS)
    assert set(entries()) - {"members"} == set(KINDS)
    assert set(ENGINE) < set(KINDS)


@pytest.mark.parametrize("example", REPRODUCIBLE, ids=lambda one: one.code)
def test_the_example_of_a_problem_is_what_the_service_answers(example: Explanation) -> None:
    method, path, headers, body = example.request
    length = headers.get("Content-Length", str(len(body.encode())))
    client = create_app(Config()).test_client()
    response = client.open(
        path,
        method=method,
        headers=headers,
        data=body.encode(),
        environ_overrides={"CONTENT_LENGTH": length},
    )
    reply = response.get_json()
    assert response.status_code == example.status
    assert reply == example.problem


@pytest.mark.parametrize("example", explanations().values(), ids=lambda one: one.code)
def test_the_problem_of_an_example_is_a_problem_with_the_members_that_are_explained(
    example: Explanation,
) -> None:
    PROBLEM.validate(example.problem)
    common = {"type", "title", "status", "detail", "code", "span", "errors"}
    assert set(example.problem) - common == set(example.data)
    assert (example.problem["code"], example.problem["title"]) == (example.code, example.title)
    assert example.problem["type"] == f"/problems/{example.code}"


def test_the_members_are_those_of_the_contract() -> None:
    contract = (SCHEMAS / "CONTRACT.md").read_text()
    rows = re.findall(r"^  \| `(\w+)` \| ((?:`\w+`(?:, )?)*) ?\|", contract, re.MULTILINE)
    table = {code: re.findall(r"`(\w+)`", members) for code, members in rows}
    assert set(table) == set(CODES)
    assert {code: table[code] for code in ENGINE} == {
        code: list(explanations()[code].data) for code in ENGINE
    }


def test_every_member_that_is_explained_is_in_the_schema_and_used() -> None:
    members: Any = entries()["members"]
    properties = schema_of("problem")["properties"]
    assert set(members) <= set(properties)
    assert set(members) == {name for one in explanations().values() for name in one.data}


def test_an_explanation_says_something_of_its_own() -> None:
    every = explanations().values()
    assert len({one.meaning for one in every} | {one.cure for one in every}) == 2 * len(every)
    for one in every:
        assert one.meaning.endswith(".")
        assert one.cure.endswith((".", "`."))
        assert one.meaning.count("`") % 2 == one.cure.count("`") % 2 == 0


def test_a_request_is_shown_as_it_goes_over_the_wire() -> None:
    text = explanations()["unsupported_media_type"].request.text
    head, body = text.split("\n\n")
    assert head == "POST /v1/gradient HTTP/1.1\nContent-Type: text/plain"
    assert json.loads(body) == {"expression": "a", "values": {"a": 1}}
