"""A report names the rules of a failure, the program that was sent and the fixture's file."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from engine_py import CONTRACT
from parity_tests.kit.cases import Case, load_cases
from parity_tests.kit.engines import ROOT
from parity_tests.kit.report import as_badge, as_json, as_junit, as_markdown, as_text
from parity_tests.kit.rules import load_rules
from parity_tests.kit.runner import Result, Status

CASES = {case.name: case for case in load_cases()}
CASE = CASES["power-a-cube-is-rounded-once-and-not-twice"]
FIXTURE = "parity_tests/fixtures/power/a-cube-is-rounded-once-and-not-twice.json"
POWER = (
    "`x ** c` is one operation with one rounding, not repeated multiplication; so `x**2` is "
    "`x*x`, `x**-1` is `1/x` and `x**0.5` is the square root, to the bit."
)
LINES = [
    f"why: {CASE.why}",
    f"rule R2: {POWER}",
    'program: "a ** 3"',
    'with {"values": {"a": 0.3}}',
    f"fixture: {FIXTURE}",
    "at /result",
    "reproduce: python -m parity_tests --engine mine",
]
FAILED = Result("mine", CASE, "failed", "at /result", "python -m parity_tests --engine mine")
PASSED = Result("mine", CASES["zeros-relu-of-negative-zero-is-off"], "passed")


def failed(case: Case) -> list[str]:
    return as_text([Result("mine", case, "failed", "at /result")]).splitlines()


def test_the_rules_begin_as_the_contract_does() -> None:
    rules = load_rules()
    assert set(rules) == {f"R{number}" for number in range(1, len(rules) + 1)}
    assert len(rules) >= 33
    assert rules["R1"] == "Correct rounding. Every number is an IEEE-754 binary64."
    assert rules["R22"].startswith("Topological order is the depth-first post-order")
    assert rules["R23"].endswith("carry the operand's `slot` (0, 1).")
    assert min(map(len, rules.values())) > 20


@pytest.mark.parametrize("number", load_rules())
def test_a_rule_is_quoted_word_by_word(number: str) -> None:
    contract = " ".join((ROOT / "schemas" / "CONTRACT.md").read_text().split())
    _, start, text = contract.partition(f"- **{number} ")
    assert start
    assert text.replace("**", "", 1).startswith(load_rules()[number])


def test_the_text_names_rules_program_and_fixture() -> None:
    [head, *lines] = as_text([FAILED]).split("\n\n")[0].splitlines()
    assert head == f"FAILED mine: {CASE.name}"
    assert [line.removeprefix("  ") for line in lines] == LINES
    assert (ROOT / FIXTURE).is_file()


def test_a_case_that_no_sentence_names_shows_how_its_rule_begins() -> None:
    assert f"  rule R2: Power. {POWER}" in failed(CASE._replace(behaviour="of-another-kit"))


def test_the_markdown_names_rules_program_and_fixture() -> None:
    report = as_markdown([FAILED, PASSED])
    assert all(f"  {line}\n" in report for line in LINES)


@pytest.mark.parametrize(
    ("statuses", "message", "color"),
    [
        (["passed", "passed"], "2 passed", "brightgreen"),
        (["passed", "skipped"], "1 passed, 1 skipped", "green"),
        (["passed", "failed"], "1 passed, 1 failed", "red"),
    ],
)
def test_the_badge_is_what_shields_io_reads(
    statuses: list[Status], message: str, color: str
) -> None:
    badge = json.loads(as_badge([Result("mine", CASE, status) for status in statuses]))
    label = f"gradient contract {CONTRACT}"
    assert badge == {"schemaVersion": 1, "label": label, "message": message, "color": color}


def test_the_markdown_explains_twenty_failures_and_counts_the_others() -> None:
    report = as_markdown([FAILED] * 25)
    assert report.count("reproduce: ") == 20
    assert "… and 5 more." in report


def test_the_junit_names_rules_program_and_fixture() -> None:
    [suite] = ET.fromstring(as_junit([FAILED, PASSED]))
    wrong, right = suite
    assert wrong.get("file") == FIXTURE
    assert right.get("file") == PASSED.case.path
    [failure] = wrong
    assert all(line in str(failure.text) for line in LINES)
    assert len(right) == 0


def test_the_json_names_rules_program_and_fixture() -> None:
    wrong, right = json.loads(as_json([FAILED, PASSED]))["results"]
    assert wrong["rules"] == {"R2": POWER}
    assert (wrong["program"], wrong["fixture"]) == ("a ** 3", FIXTURE)
    assert list(right["rules"]) == PASSED.case.rules


def test_every_fixture_is_where_its_report_says() -> None:
    assert [case.path for case in CASES.values() if not Path(ROOT, case.path).is_file()] == []


def test_a_program_of_many_lines_stays_on_one() -> None:
    case = CASE._replace(request={"expression": "b = a\nb", "values": {}}, limits={"nodes": 5})
    assert '  program: "b = a\\nb"' in failed(case)
    assert '  with {"values": {}, "limits": {"nodes": 5}}' in failed(case)


def test_a_request_without_a_text_is_shown_as_it_is() -> None:
    assert "  program: null" in failed(CASE._replace(request={}))
    assert "  program: [2]" in failed(CASE._replace(request={"expression": [2]}))


def test_a_long_program_is_cut() -> None:
    request = {"expression": "(" * 5000, "values": {}}
    [line] = [each for each in failed(CASE._replace(request=request)) if "program" in each]
    assert line.endswith("( … 5,002 characters")
    assert len(line) < 350
