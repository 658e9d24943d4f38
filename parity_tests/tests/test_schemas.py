"""The schemas, the contract's text and the fixtures say the same."""

import json
import re
from collections import Counter
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from parity_tests.kit.cases import FIXTURES, Case, load_cases, read_json
from parity_tests.kit.engines import ROOT
from parity_tests.kit.worker import Json

CASES = load_cases()
CONTRACT = (ROOT / "schemas" / "CONTRACT.md").read_text(encoding="utf-8")
SCHEMAS = sorted((ROOT / "schemas").glob("*.schema.json"))

NOT_OVER_THE_PROTOCOL = {
    "R29": "Value objects live inside a language; each engine's own tests hold it",
}

each_topic = pytest.mark.parametrize("topic", sorted({case.topic for case in CASES}))


@pytest.mark.parametrize("file", SCHEMAS, ids=lambda file: file.name)
def test_a_schema_is_a_valid_schema(file: Any) -> None:
    Draft202012Validator.check_schema(json.loads(file.read_text()))


def test_all_schemas_are_there() -> None:
    names = {file.name.removesuffix(".schema.json") for file in SCHEMAS}
    of_engines = {"document", "error", "fixture", "outline", "program", "protocol", "request"}
    of_sweeps = {"sweep", "sweep_request"}
    of_the_lab = {"check", "experiment", "paths"}
    of_the_lab |= {f"{name}_request" for name in of_the_lab | {"descend", "hessian"}}
    of_the_lab |= {"descent", "hessian"}
    of_http = {"batch", "limits", "part", "problem", "results"}
    assert names == of_engines | of_sweeps | of_the_lab | of_http | {
        "examples",
        "operations",
        "pitfalls",
    }


@each_topic
def test_the_fixtures_are_as_their_schema_says(
    topic: str, validators: dict[str, Draft202012Validator]
) -> None:
    files = list((FIXTURES / topic).glob("*.json"))
    wrong = {
        file.name: best_match(validators["fixture"].iter_errors(read_json(file))) for file in files
    }
    assert files
    assert {
        name: f"{error.json_path}: {error.message}" for name, error in wrong.items() if error
    } == {}


def test_a_behaviour_is_a_sentence_told_once() -> None:
    behaviours = Counter(case.behaviour for case in CASES)
    assert behaviours.most_common(1)[0][1] == 1
    words = re.compile(r"[a-z0-9]+(-[a-z0-9]+){2,}")
    assert [name for name in behaviours if not words.fullmatch(name)] == []


def test_each_fixture_has_a_reason_of_its_own() -> None:
    assert Counter(case.why for case in CASES).most_common(1)[0][1] == 1


def test_every_rule_is_held_by_a_fixture_and_every_cited_rule_exists() -> None:
    rules = set(re.findall(r"^- \*\*(R\d+) ", CONTRACT, re.MULTILINE))
    cited = {rule for case in CASES for rule in case.rules}
    assert len(rules) >= 33
    assert cited == rules - NOT_OVER_THE_PROTOCOL.keys()


def test_every_error_code_is_shown_by_fixtures(error_schema: Json) -> None:
    shown = Counter(case.expect["error"]["code"] for case in CASES if "error" in case.expect)
    assert set(shown) == set(data_by_code(error_schema))
    assert min(shown.values()) >= 2


def test_every_stage_of_non_finite_is_shown_by_fixtures(error_schema: Json) -> None:
    errors = [case.expect["error"] for case in CASES if "error" in case.expect]
    shown = {error["stage"] for error in errors if error["code"] == "non_finite"}
    assert shown == set(error_schema["$defs"]["stage"]["enum"])


def test_the_contracts_error_table_is_the_schemas(error_schema: Json) -> None:
    rows = re.findall(r"^  \| `(\w+)` \| (.*?) \|", CONTRACT, re.MULTILINE)
    table = {code: set(re.findall(r"`(\w+)`", data)) for code, data in rows}
    assert table == data_by_code(error_schema)


NEEDS_THE_PROGRAM = {
    "a-label-that-no-node-has-is-refused",
    "an-id-beyond-the-root-is-refused",
    "a-node-is-visited-once",
    "what-is-no-variable-cannot-be-mutated",
    "only-a-variable-has-paths",
    "a-claim-for-what-is-no-variable-is-refused",
    "an-error-of-the-program-comes-before-the-conditions",
    "columns-of-two-lengths-are-refused",
    "parameters-have-no-part-in-a-sweep",
    "a-parameter-outside-of-the-program-is-not-enough",
    "a-row-may-not-set-a-parameter",
    "a-row-sets-variables-of-the-program-only",
    "an-error-of-the-program-comes-before-the-settings",
    "a-vector-has-numbers-for-variables-only",
    "only-a-variable-has-second-derivatives",
    "a-parameter-in-a-row-comes-after-a-wrong-name",
    "the-least-of-two-parameters-in-a-row-is-reported",
    "the-least-of-two-wrong-names-in-a-vector-is-reported",
}
"""What a request is refused for, or not refused, because of what its program or its members say
together."""


@each_topic
def test_the_request_schemas_refuse_just_what_the_engines_call_invalid(
    topic: str, validators: dict[str, Draft202012Validator]
) -> None:
    told = [case for case in CASES if case.behaviour not in NEEDS_THE_PROGRAM]
    cases = [case for case in told if case.topic == topic]
    assert [case.name for case in cases if not the_schema_agrees(case, validators)] == []


def the_schema_agrees(case: Case, validators: dict[str, Draft202012Validator]) -> bool:
    code = case.expect.get("error", {}).get("code")
    schema, request = validators["request"], case.request
    if f"{case.command}_request" in validators:
        schema = validators[f"{case.command}_request"]
    if case.command == "parse":  # which ignores the values
        schema = validators["program"]
        request = {name: member for name, member in request.items() if name != "values"}
    refused = not schema.is_valid(request)
    # A limit of the case is another than the schema's, and its error hides those that come later.
    return refused == (code in ("invalid_request", "invalid_value")) or code == "limit_exceeded"


def test_what_only_the_program_can_tell_is_listed() -> None:
    assert {case.behaviour for case in CASES} > NEEDS_THE_PROGRAM


@pytest.fixture(scope="module")
def error_schema() -> Json:
    schema: Json = json.loads((ROOT / "schemas" / "error.schema.json").read_text())
    return schema


def data_by_code(error_schema: Json) -> dict[str, set[str]]:
    """What each code carries beside code, message and span."""
    return {
        branch["properties"]["code"]["const"]: set(branch["required"]) - {"code", "message", "span"}
        for branch in error_schema["oneOf"]
    }
