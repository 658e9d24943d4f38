"""The schemas, the contract's text and the fixtures say the same."""

import json
import re
from collections import Counter
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from parity_tests.kit.cases import FIXTURES, Case, load_cases, read_json
from parity_tests.kit.compare import prose_in, without_prose
from parity_tests.kit.engines import ROOT
from parity_tests.kit.worker import Json

CASES = load_cases()
CONTRACT = (ROOT / "schemas" / "CONTRACT.md").read_text(encoding="utf-8")
SCHEMAS = sorted((ROOT / "schemas").glob("*.schema.json"))

each_topic = pytest.mark.parametrize("topic", sorted({case.topic for case in CASES}))


@pytest.mark.parametrize("file", SCHEMAS, ids=lambda file: file.name)
def test_a_schema_is_a_valid_schema(file: Any) -> None:
    Draft202012Validator.check_schema(json.loads(file.read_text()))


def test_all_schemas_are_there() -> None:
    names = {file.name.removesuffix(".schema.json") for file in SCHEMAS}
    of_engines = {"document", "error", "fixture", "outline", "program", "protocol", "request"}
    of_engines |= {"introspect_value_request"}
    of_sweeps = {"sweep", "sweep_request"}
    of_the_lab = {"accuracy", "experiment", "paths"}
    of_the_lab |= {f"{name}_request" for name in of_the_lab | {"descend", "hessian"}}
    of_the_lab |= {"descent", "hessian"}
    of_http = {"batch", "limits", "part", "problem", "results"}
    assert names == of_engines | of_sweeps | of_the_lab | of_http | {
        "examples",
        "operations",
        "pitfalls",
        "record",
    }


@each_topic
def test_the_fixtures_are_as_their_schema_says(
    topic: str, validators: dict[str, Draft202012Validator]
) -> None:
    error = best_match(validators["fixture"].iter_errors(read_json(FIXTURES / f"{topic}.json")))
    assert error is None, f"{error.json_path}: {error.message}"


def test_a_behaviour_is_a_sentence_told_once() -> None:
    behaviours = Counter(case.name for case in CASES)
    assert behaviours.most_common(1)[0][1] == 1
    words = re.compile(r"[a-z0-9]+(-[a-z0-9]+){2,}")
    assert [name for name in behaviours if not words.fullmatch(name)] == []


def test_no_fixture_expects_prose() -> None:
    """What is for people may change, and no comparison looks at it."""
    for case in CASES:
        [(kind, expected)] = case.expect.items()
        places = prose_in("error" if kind == "error" else "result", case.command)
        assert without_prose(expected, places) == expected, case.id


def test_each_fixture_has_a_reason_of_its_own() -> None:
    assert Counter(case.why for case in CASES).most_common(1)[0][1] == 1


def test_every_rule_is_held_by_a_fixture_and_every_cited_rule_exists() -> None:
    rules = set(re.findall(r"^- \*\*(R\d+) ", CONTRACT, re.MULTILINE))
    cited = {rule for case in CASES for rule in case.holds}
    assert len(rules) >= 33
    assert cited == rules | {"Lab"}


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
    "an-operand-is-a-node-before",
    "a-custom-operation-has-a-local-gradient-for-each-operand",
    "an-assignment-names-a-node-that-there-is",
    "a-label-that-no-node-has-is-refused",
    "an-id-beyond-the-root-is-refused",
    "a-node-is-visited-once",
    "what-is-no-variable-cannot-be-mutated",
    "a-name-bound-to-a-node-with-a-label-is-none-itself",
    "a-label-that-no-node-has-leads-nowhere",
    "an-id-beyond-the-root-leads-nowhere",
    "an-id-in-quotation-marks-is-a-label",
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
    "a-row-is-looked-at-whole-before-the-next",
    "a-numeral-in-an-order-is-a-label-that-nothing-has",
    "a-value-that-is-not-used-has-nothing-to-mutate",
    "a-document-fails-before-its-second-derivatives-are-asked-for-rightly",
    "a-value-that-is-not-used-is-no-variable",
    "a-vector-does-not-name-a-value-that-is-not-used",
    "a-vector-does-not-name-an-operation",
    "a-wrong-vector-comes-before-too-many-tangents",
    "parameters-of-a-sweep-need-no-values-and-no-shape",
    "a-claim-is-of-a-node",
    "a-claim-is-of-a-node-that-there-is",
    "a-claim-is-of-an-id-without-leading-zeros",
    "a-claim-is-of-what-has-a-gradient",
    "an-error-of-the-text-is-the-reply-s-error",
    "why-asks-for-no-gradient-of-an-exponent",
    "why-has-a-label-of-a-node",
    "why-has-a-node-of-the-graph",
}
"""What a request is refused for, or not refused, because of what its program or its members say
together."""


@each_topic
def test_the_request_schemas_refuse_just_what_the_engines_call_invalid(
    topic: str, validators: dict[str, Draft202012Validator]
) -> None:
    told = [case for case in CASES if case.name not in NEEDS_THE_PROGRAM]
    cases = [case for case in told if case.topic == topic]
    assert [case.id for case in cases if not the_schema_agrees(case, validators)] == []


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
    assert {case.name for case in CASES} > NEEDS_THE_PROGRAM


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
