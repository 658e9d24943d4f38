"""A report names the rules that a failure breaks, its program and the fixture's file."""

import json
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import pytest

from engine_py import CONTRACT
from parity_tests.kit.cases import Case, load_cases, load_hard_cases, load_lines
from parity_tests.kit.contract import load_profiles
from parity_tests.kit.engines import ROOT
from parity_tests.kit.report import (
    as_badge,
    as_github,
    as_json,
    as_junit,
    as_markdown,
    as_text,
    cited_rules,
    explain,
)
from parity_tests.kit.runner import Fuzz, Result, Run, Status
from parity_tests.kit.worker import Started

CASES = {case.id: case for case in load_cases()}
CASE = CASES["power/a-cube-is-rounded-once-and-not-twice"]
FIXTURE = "parity_tests/fixtures/power.json"
POWER = (
    "Power. `x ** c` is one operation with one rounding, not repeated multiplication. So `x**2` is "
    "`x*x`, `x**-1` is `1/x` and `x**0.5` is the square root, to the bit. The domain is x > 0 with "
    "any c, x < 0 with integer c, and x = 0 with c ≥ 0. `0**0` is 1."
)
LINES = [
    f"why: {CASE.why}",
    f"R2: {POWER}",
    'program: "a ** 3"',
    'with {"values": {"a": 0.3}}',
    f"fixture: {FIXTURE}",
    "at /result",
    "place: engine_py/operations.py, and its twin engine_ts/src/operations.ts",
    "reproduce: python -m parity_tests --engine mine",
]
NUMBER = CONTRACT.rpartition(".")[0]
CLAIMS = Started(CONTRACT, ("core", "outline"), "Mine", "0.7")
REPEAT = "python -m parity_tests --engine mine"
FAILED = Result("mine", CASE, "failed", "at /result", REPEAT, CLAIMS)
PASSED = Result("mine", CASES["zeros/relu-of-negative-zero-is-zero"], "passed", started=CLAIMS)
LINE = PASSED._replace(case=load_lines()[0])
OUTLINE = next(case for case in CASES.values() if case.command == "parse")
HESSIAN = next(case for case in CASES.values() if case.profiles == {"hessian"})


def failed(case: Case) -> list[str]:
    return as_text(Run([FAILED._replace(case=case)])).splitlines()


def test_the_text_names_rules_program_and_fixture() -> None:
    [rules, head, *lines] = as_text(Run([FAILED])).split("\n\n")[0].splitlines()
    assert rules == "mine fails R2 in 1 of 1 cases"
    assert head == f"FAILED mine: {CASE.id}"
    assert [line.removeprefix("  ") for line in lines] == LINES
    assert (ROOT / FIXTURE).is_file()


def test_the_markdown_names_rules_program_and_fixture() -> None:
    report = as_markdown(Run([FAILED, PASSED]))
    assert all(f"  {line}\n" in report for line in LINES)


STATUSES: list[tuple[list[Status], str, str]] = [
    # of a failing and a passing case of core, one of outline and one of hessian
    (
        ["passed", "passed", "not claimed"],
        f"conforms to core and outline of {NUMBER}; does not claim hessian",
        "green",
    ),
    (
        ["known failure", "passed", "not claimed"],
        f"conforms to core and outline of {NUMBER} but for 1 known failure; does not claim hessian",
        "green",
    ),
    (
        ["passed", "skipped", "not claimed"],
        (
            f"does not conform to outline (0 of 1) of {NUMBER}; conforms to core of {NUMBER}; "
            "does not claim hessian"
        ),
        "red",
    ),
    (
        ["known failure", "known failure", "not claimed"],
        (
            f"does not conform to outline (0 of 1) of {NUMBER}; conforms to core of {NUMBER} "
            "but for 1 known failure; does not claim hessian"
        ),
        "red",
    ),
]


@pytest.mark.parametrize(("statuses", "words", "color"), STATUSES)
def test_every_report_has_the_verdict(statuses: list[Status], words: str, color: str) -> None:
    green = color == "green"
    given = zip((CASE, OUTLINE, HESSIAN), statuses, strict=True)
    others = [Result("mine", case, status, started=CLAIMS) for case, status in given]
    run = Run([PASSED, LINE, *others], fuzz=Fuzz(green=True, text=""))
    last = "green: no engine differs" if green else "RED: see above"
    assert as_text(run).splitlines()[-2:] == [f"mine {words}", last]
    assert f"- **mine** {words}\n" in as_markdown(run)
    [engine] = json.loads(as_json(run))["engines"]
    assert (engine["green"], engine["verdict"]) == (green, words)
    assert json.loads(as_badge(run)) == {
        "schemaVersion": 1,
        "label": "gradient contract",
        "message": words.partition(";")[0],
        "color": color,
    }
    [*_, verdict] = ET.fromstring(as_junit(run))[0]
    assert (verdict.get("name"), verdict.findtext("system-out")) == ("verdict", words)
    assert (verdict.find("failure") is None) == green


def test_known_failures_are_few() -> None:
    """One in 20 of 40 cases is 2."""
    core = [case for case in CASES.values() if case.profiles == {"core"}][:40]

    def judged(known: int) -> Run:
        wrong = [Result("mine", case, "known failure", started=CLAIMS) for case in core[:known]]
        right = [Result("mine", case, "passed", started=CLAIMS) for case in core[known:]]
        return Run([*wrong, *right])

    assert judged(2).is_green
    assert not judged(3).is_green
    [verdict] = judged(3).verdicts
    assert verdict.words.startswith(
        f"does not conform to core (37 of 40; 3 known failures are more than one in 20) of {NUMBER}"
    )


def test_only_an_engine_that_passes_everything_is_bright_green() -> None:
    whole = PASSED._replace(started=CLAIMS._replace(profiles=tuple(load_profiles())))
    results = [whole._replace(case=case) for case in [*CASES.values(), LINE.case]]
    run = Run(results, fuzz=Fuzz(green=True, text=""))
    badge = json.loads(as_badge(run))
    assert badge["message"] == f"conforms to all profiles of {NUMBER}"
    assert badge["color"] == "brightgreen"


def test_the_json_counts_by_profile_and_names_the_implementation() -> None:
    claimed = PASSED._replace(case=OUTLINE)
    unclaimed = Result("mine", HESSIAN, "not claimed", started=CLAIMS)
    report = json.loads(as_json(Run([FAILED, PASSED, claimed, unclaimed], "4 of 1290 cases")))
    assert (report["green"], report["contract"], report["chosen"]) == (
        *(False, CONTRACT, "4 of 1290 cases"),
    )
    [engine] = report["engines"]
    assert (engine["name"], engine["implementation"], engine["version"], engine["contract"]) == (
        *("mine", "Mine", "0.7", CONTRACT),
    )
    assert engine["verdict"].startswith(
        f"does not conform to core (1 of 2) of {NUMBER} (of the cases chosen); passes outline of"
    )
    profiles = engine["profiles"]
    assert list(profiles) == list(load_profiles())
    assert profiles["core"] == {"claimed": True, "cases": 2, "passed": 1, "known": 0}
    assert profiles["hessian"] == {"claimed": False, "cases": 1, "passed": 0, "known": 0}


def test_the_markdown_explains_twenty_failures_and_counts_the_others() -> None:
    report = as_markdown(Run([FAILED] * 25))
    assert report.count("reproduce: ") == 20
    assert "… and 5 more." in report


def test_a_report_counts_failures_by_rule() -> None:
    rule = CASE.holds[0]
    other = PASSED._replace(case=CASE)
    assert f"mine fails {rule} in 1 of 2 cases" in as_text(Run([FAILED, other, PASSED]))
    assert "mine fails" not in as_text(Run([other, PASSED]))


@pytest.mark.parametrize(
    ("fuzz", "does"),
    [
        (None, "passes"),
        (Fuzz(green=False, text="they differ"), "passes"),
        (Fuzz(green=True, text="0 differences"), "conforms to"),
    ],
)
def test_an_engine_conforms_only_by_cases_lines_and_random_programs(
    fuzz: Fuzz | None, does: str
) -> None:
    [verdict] = Run([PASSED, LINE], fuzz=fuzz).verdicts
    assert verdict.words == f"{does} core of {NUMBER}"
    [verdict] = Run([PASSED], fuzz=fuzz).verdicts
    assert verdict.words == f"passes core of {NUMBER}"


def test_a_green_run_of_the_cases_alone_says_what_it_lacks() -> None:
    assert "it lacks --lines --fuzz." in as_text(Run([PASSED]))


def test_a_report_begins_with_the_rule_of_which_most_cases_fail() -> None:
    """R4 fails in two of its cases, and R2 in one of two."""
    slope = CASES["sharing/a-variable-added-to-itself-has-slope-two"]
    longer = CASES["sharing/three-equal-factors-make-two-products"]
    wrong = [FAILED._replace(case=case) for case in (CASE, longer, slope)]
    run = Run([*wrong, PASSED._replace(case=CASE)])
    first, head, *lines = as_text(run).splitlines()
    assert first.startswith("mine fails R4 in 2 of 2 cases")
    assert head == f"FAILED mine: {slope.id}"
    [rule] = [line for line in lines if line.startswith("  R")]
    assert "  R4: " in rule
    assert rule.endswith(".")
    assert "2 more failures of mine: --all shows them" in lines
    assert as_text(replace(run, tells_all=True)).count("FAILED mine: ") == 3


def test_a_rule_is_quoted_by_the_rows_that_are_about_the_case() -> None:
    [rule] = cited_rules(CASES["functions/the-slope-of-tanh-uses-the-rounded-result"]).values()
    assert "| `tanh(x)` | `1 - out * out` |" in rule
    assert "| local gradients |" not in rule
    assert "| `x + y` |" not in rule


def test_every_place_where_a_mistake_breaks_the_rule_is_named() -> None:
    lines = failed(CASE._replace(holds=["R23"]))
    places = [line.partition(",")[0] for line in lines if line.startswith("  place: ")]
    assert places == ["  place: engine_py/backward.py", "  place: engine_py/template.py"]


def test_an_operation_that_is_wrong_alone_comes_before_the_documents_with_it() -> None:
    """R4 fails in its only case, and R1 in one of hundreds."""
    alone, *others = [case for case in load_hard_cases() if case.holds == ["R1"]]
    slope = CASES["sharing/a-variable-added-to-itself-has-slope-two"]
    good = [PASSED._replace(case=case) for case in others]
    wrong = [FAILED._replace(case=case) for case in (slope, alone)]
    first, *_ = as_text(Run([*wrong, *good])).splitlines()
    assert first.startswith("mine fails R1 in 1 of ")


MARK = re.compile(r"::error (?:file=([^,:]+),line=(\d+),)?title=([^,:]+)::(.*)")


def test_github_marks_each_failure_at_the_engines_entry_and_each_red_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "mine.toml").write_text("# where others see it\n[mine]\n")
    monkeypatch.chdir(tmp_path / "engine")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path))
    wrong = FAILED._replace(explanation="at /a: 50%, not\r\n::error::5%0A")._replace(
        file=tmp_path / "engine" / "mine.toml"
    )
    shown = [MARK.fullmatch(line) for line in as_github(Run([wrong, PASSED])).splitlines()[:2]]
    (file, line, title, text), (*_, engine, verdict) = [each.groups() for each in shown if each]
    assert (file, line) == ("engine/mine.toml", "2")
    assert (unquote(title), unquote(text)) == (f"failed mine: {CASE.id}", explain(wrong))
    assert (engine, unquote(verdict).split(" (")[0]) == ("mine", "does not conform to core")
    assert as_github(Run([PASSED])) == as_text(Run([PASSED]))


def test_the_junit_names_rules_program_and_fixture() -> None:
    [suite] = ET.fromstring(as_junit(Run([FAILED, PASSED])))
    wrong, right, _ = suite
    assert wrong.get("file") == FIXTURE
    assert right.get("file") == PASSED.case.path
    [failure] = wrong
    assert all(line in str(failure.text) for line in LINES)
    assert len(right) == 0


def test_the_json_names_rules_program_and_fixture() -> None:
    wrong, right = json.loads(as_json(Run([FAILED, PASSED])))["results"]
    assert wrong["holds"] == {"R2": POWER}
    assert (wrong["program"], wrong["fixture"]) == ("a ** 3", FIXTURE)
    assert list(right["holds"]) == PASSED.case.holds


def test_a_program_of_many_lines_stays_on_one() -> None:
    case = CASE._replace(request={"expression": "b = a\nb", "values": {}}, limits={"nodes": 5})
    assert '  program: "b = a\\nb"' in failed(case)
    assert '  with {"values": {}, "limits": {"nodes": 5}}' in failed(case)


def test_a_request_without_a_text_is_shown_as_it_is() -> None:
    assert "  program: null" in failed(CASE._replace(request={}))
    assert "  program: [2]" in failed(CASE._replace(request={"expression": [2]}))


def test_a_long_program_is_truncated() -> None:
    request = {"expression": "(" * 5000, "values": {}}
    [line] = [each for each in failed(CASE._replace(request=request)) if "program" in each]
    assert line.endswith("( … 5,002 characters")
    assert len(line) < 350
