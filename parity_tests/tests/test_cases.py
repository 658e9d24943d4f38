"""Both engines pass every case, the cases cover the contract, and no two are the same."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from parity_tests.kit.cases import (
    FIXTURES,
    Case,
    load_cases,
    load_hard_cases,
    load_lines,
    read_json,
    read_topics,
)
from parity_tests.kit.compare import prose_in, without_prose
from parity_tests.kit.contract import CORE, load_profiles, load_rules, profiles_of
from parity_tests.kit.engines import SCHEMAS, SetupError, load_engines
from parity_tests.kit.protocol import malformed
from parity_tests.kit.report import as_text
from parity_tests.kit.runner import Run, run_cases
from parity_tests.kit.worker import Budget, Json

CASES = load_cases()
PARTS = 3
"""The cases are run in this many parts, in parallel."""


@pytest.mark.parametrize("part", range(PARTS))
def test_both_engines_pass_every_case_and_agree_in_full(part: int) -> None:
    model, *others = load_engines().values()
    cases = [*CASES, *load_hard_cases(), *load_lines()][part::PARTS]
    results = list(run_cases([model, *others], cases, model, budget=Budget(60.0), check=malformed))
    assert len(results) == 2 * len(cases) >= 300
    assert {each.status for each in results} == {"passed"}, as_text(Run(results))


def test_fixtures_are_valid_by_their_schema(
    validators: dict[str, Draft202012Validator],
) -> None:
    for topic in read_topics():
        error = best_match(validators["fixture"].iter_errors(read_json(FIXTURES / f"{topic}.json")))
        assert error is None, f"{topic} at {error.json_path}: {error.message}"


def test_each_fixture_has_its_own_name_and_reason() -> None:
    for texts in ([case.name for case in CASES], [case.why for case in CASES]):
        [(text, count)] = Counter(texts).most_common(1)
        assert count == 1, text


def test_no_fixture_expects_prose() -> None:
    """Text for people may change, so it is not compared."""
    for case in CASES:
        [(kind, expected)] = case.expect.items()
        places = prose_in("error" if kind == "error" else "result", case.command)
        assert without_prose(expected, places) == expected, case.id


# The contract, and how the cases cover it


def test_every_rule_has_a_case_and_every_cited_rule_exists() -> None:
    rules = {name for name in load_rules() if re.fullmatch(r"R\d+", name)}
    assert len(rules) >= 41
    assert {rule for case in CASES for rule in case.holds} == {*rules, "Lab"}
    others = [*load_hard_cases(), *load_lines()]
    assert {rule for case in others for rule in case.holds} <= rules


def test_each_rule_and_each_command_belongs_to_one_profile() -> None:
    profiles = load_profiles().values()
    words = [word for profile in profiles for word in profile.words]
    assert sorted(words) == sorted({*words})
    assert {case.command for case in CASES} | {"evaluate"} < {*words}
    rules = [rule for profile in profiles for rule in rules_of(profile.rules)]
    assert sorted(rules) == sorted(name for name in load_rules() if name.startswith("R"))


def rules_of(text: str) -> list[str]:
    """Read `R34` or `R1, R3 to R33`; functions are parts of rules that other profiles have."""
    if text.startswith("what"):
        return []
    ranges = re.findall(r"R(\d+)(?: to R(\d+))?", text)
    return [f"R{n}" for first, last in ranges for n in range(int(first), int(last or first) + 1)]


def test_a_case_cites_only_rules_of_the_profiles_that_it_needs() -> None:
    home = {rule: name for name, each in load_profiles().items() for rule in rules_of(each.rules)}
    for case in CASES:
        about = {home[rule] for rule in case.holds if rule in home}
        assert about <= {*case.profiles, CORE}, case.id


@pytest.mark.parametrize(
    ("command", "program", "needed"),
    [
        ("introspect", "a + relu(b)", {"core"}),
        ("introspect", "sin * exp(a)", {"core"}),
        ("introspect", "(sin # (\n # (\n (a))", {"functions"}),
        ("hessian", "a * a", {"hessian"}),
        ("hessian", "max(a, 1)", {"hessian", "functions"}),
        ("descend", None, {"descent"}),
    ],
)
def test_a_call_needs_the_profile_of_its_function(
    command: str, program: object, needed: set[str]
) -> None:
    assert profiles_of([command], program) == needed


def test_hard_cases_and_lines_need_the_profiles_that_they_name() -> None:
    hard = {case.name.partition("-")[0]: case.profiles for case in load_hard_cases()}
    assert hard["sin"] == {"functions"}
    assert hard["exp"] == {"core"}
    assert {profile for case in load_lines() for profile in case.profiles} == {"core", "outline"}


def test_every_error_code_and_every_stage_is_shown_by_fixtures() -> None:
    schema = json.loads((SCHEMAS / "error.schema.json").read_text())
    errors = [case.expect["error"] for case in CASES if "error" in case.expect]
    shown = Counter(error["code"] for error in errors)
    assert set(shown) == {each["properties"]["code"]["const"] for each in schema["oneOf"]}
    assert min(shown.values()) >= 2
    stages = {error["stage"] for error in errors if error["code"] == "non_finite"}
    assert stages == set(schema["$defs"]["stage"]["enum"])


# Requests that the schemas call invalid

OF_PROGRAM_AND_MEMBERS = frozenset(
    {
        "an-operand-is-an-earlier-node",
        "a-custom-operation-has-a-local-gradient-for-each-operand",
        "an-assignment-names-a-node-that-exists",
        "invalid-claims-are-in-the-order-of-utf-16",
        "a-second-leaf-of-a-label-is-reported-before-its-data",
        "data-assigned-to-an-operation-is-not-read",
        "a-label-that-no-node-has-is-refused",
        "a-node-is-visited-once",
        "only-a-variable-can-be-mutated",
        "a-second-name-of-a-labelled-node-is-not-a-label",
        "an-id-beyond-the-root-is-refused",
        "an-id-in-quotation-marks-is-a-label",
        "an-error-of-the-program-comes-before-the-options",
        "columns-of-different-lengths-are-refused",
        "a-parameter-that-the-program-does-not-use-is-not-enough",
        "an-error-of-the-program-comes-before-the-settings",
        "only-a-variable-has-second-derivatives",
        "a-parameter-in-a-row-comes-after-an-unknown-name",
        "the-first-of-two-parameters-in-a-row-is-reported",
        "the-first-of-two-invalid-names-in-a-vector-is-reported",
        "a-row-is-checked-completely-before-the-next",
        "digits-in-an-order-are-a-label-that-no-node-has",
        "a-value-that-is-not-used-cannot-be-mutated",
        "an-error-of-the-document-comes-before-the-members-of-hessian",
        "a-value-that-is-not-used-has-no-second-derivatives",
        "a-vector-does-not-name-a-value-that-is-not-used",
        "a-vector-does-not-name-an-operation",
        "an-invalid-vector-comes-before-too-many-tangents",
        "the-parameters-of-a-sweep-are-ignored",
        "a-claim-must-name-a-node",
        "the-id-of-a-claim-must-exist",
        "the-id-of-a-claim-has-no-leading-zeros",
        "a-claim-for-an-exponent-is-refused",
        "an-error-of-the-text-is-the-reply-s-error",
        "why-may-not-ask-for-the-gradient-of-an-exponent",
        "why-must-name-a-node-that-exists",
        "values-are-made-before-assignments-are-checked",
    }
)
"""Fixtures that no schema can judge: they depend on the program, or on several members."""


def test_the_request_schemas_refuse_exactly_what_the_engines_call_invalid(
    validators: dict[str, Draft202012Validator],
) -> None:
    wrong = {case.name for case in CASES if not the_schema_agrees(case, validators)}
    assert wrong <= OF_PROGRAM_AND_MEMBERS
    assert {case.name for case in CASES} > OF_PROGRAM_AND_MEMBERS


def the_schema_agrees(case: Case, validators: dict[str, Draft202012Validator]) -> bool:
    code = case.expect.get("error", {}).get("code")
    schema, request = validators["request"], case.request
    if f"{case.command}_request" in validators:
        schema = validators[f"{case.command}_request"]
    if case.command == "parse":  # which ignores the values
        schema = validators["program"]
        request = {name: member for name, member in request.items() if name != "values"}
    refused = not schema.is_valid(request)
    # A case's limit differs from the schema's, and its error hides later ones.
    return refused == (code in ("invalid_request", "invalid_value")) or code == "limit_exceeded"


# How a case is read, and judged


def test_missing_fixtures_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="no fixtures"):
        load_cases(tmp_path)


def test_a_number_beyond_the_doubles_is_sent_on_exactly(tmp_path: Path) -> None:
    (tmp_path / "case.json").write_text('{"a": 1e400, "b": -2.5e308, "c": 1.5, "d": -0.0}')
    read = read_json(tmp_path / "case.json")
    assert (read["a"], read["b"]) == (10**400, -25 * 10**307)
    assert str((read["c"], read["d"])) == "(1.5, -0.0)"


def verdict(expect: Json, response: Json) -> str:
    case = Case("topic", "name", [], "", "", {}, None, expect)
    return case.verdict({"sequence": 0, **response}) or "right"


def test_a_verdict_shows_the_difference_or_the_other_kind_of_response() -> None:
    document = {"kind": "result", "result": {"result": 2.5, "root": 0}}
    error = {"code": "unused_name", "span": None, "name": "b"}
    response = {"kind": "error", "error": {**error, "message": "oh"}}
    assert verdict({"document": {"result": 2.5}}, document) == "right"
    assert "at /result" in verdict({"document": {"result": 2}}, document)
    assert 'got error {"code": "unused_name"' in verdict({"document": {"result": 2}}, response)
    assert verdict({"error": error}, response) == "right"
    assert "at /name" in verdict({"error": {**error, "name": "c"}}, response)
    assert "at /name" in verdict({"error": {"code": "unused_name", "span": None}}, response)
    crash = {"kind": "crashed", "message": "oh", "traceback": "line 7"}
    assert "got crashed" in verdict({"error": error}, crash)


def test_a_wrong_result_of_a_hard_case_shows_operands_and_bits() -> None:
    [case] = [each for each in load_hard_cases() if each.name == "log-around-1"]
    right = {"kind": "result", "result": case.expect["results"]}
    assert case.verdict(right) is None
    bits = f"{int(right['result'][0], 16) + 1:016x}"
    shown = case.verdict({"kind": "result", "result": [bits, *right["result"][1:]]})
    assert shown is not None
    assert f"operand   {case.request['operands'][0][0]}" in shown
    assert shown.endswith("1 ulp away")
    assert "32 results, got 1" in (case.verdict({"kind": "result", "result": [bits]}) or "")
    assert "got {" in (case.verdict({"kind": "error", "error": {}}) or "")
