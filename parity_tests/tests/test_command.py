"""`python -m parity_tests`: green for right engines, red with an explanation for others."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from parity_tests.__main__ import main
from parity_tests.kit.cases import Case, load_cases
from parity_tests.kit.engines import ROOT, Engine, load_engines
from parity_tests.kit.hard import load_hard_cases
from parity_tests.kit.lines import load_lines
from parity_tests.kit.protocol import malformed
from parity_tests.kit.report import as_json, as_junit, as_markdown, as_text
from parity_tests.kit.runner import Result, run_cases
from parity_tests.mutation.mistakes import load_mistakes, put_into_copy

CASES = load_cases()
SHARING = [case for case in CASES if case.topic == "sharing"]
PORT = ROOT / "parity_tests" / "mutation" / "port" / "engines.toml"
HAD = ("introspect", "parse", "canonicalize")
"""What the port can do; it has no lab, does not draw and does not sweep."""
TINY = ROOT / "parity_tests" / "tests" / "tiny" / "engines.toml"
[MODEL, *_] = load_engines().values()


def results_of(
    worker: str, tmp_path: Path, cases: list[Case] = SHARING, seconds: float = 30.0
) -> list[Result]:
    """Run cases against a worker given as Python source."""
    (tmp_path / "worker.py").write_text(worker)
    engine = Engine("mine", (sys.executable, str(tmp_path / "worker.py")), tmp_path)
    return list(run_cases([engine], cases, MODEL, seconds=seconds))


WORKER = """
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    kind, sequence = message["kind"], message.get("sequence")
    if kind == "start":
        who = {"name": "mine", "language": "any", "version": "1", "runtime": "1"}
        reply = {"kind": "started", "protocol": "1", "contract": "1.6.0", "implementation": who}
    elif kind == "stop":
        reply = {"kind": "stopped"}
    else:
        %s
    print(json.dumps(reply), flush=True)
    if kind == "stop":
        break
"""


def test_both_engines_are_green_and_every_message_is_well_shaped(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--validate", "--format", "json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["green"] is True
    assert len(report["results"]) == 2 * len([*CASES, *load_hard_cases()]) >= 1500
    assert {row["status"] for row in report["results"]} == {"passed"}


@pytest.mark.thorough
def test_a_right_engine_of_another_kind_passes_every_case_and_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = ["--lines", "--validate", "--format", "json"]
    assert main(["--engines", str(PORT), *options]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert len(results) == len([*CASES, *load_hard_cases(), *load_lines()])
    skipped = {row["case"] for row in results if row["status"] == "skipped"}
    assert skipped == {case.name for case in CASES if case.command not in HAD}
    assert {row["status"] for row in results} == {"passed", "skipped"}


def test_a_wrong_result_of_a_hard_case_shows_operands_and_bits() -> None:
    [case] = [each for each in load_hard_cases() if each.behaviour == "log-around-1"]
    right = {"kind": "result", "result": case.expect["results"]}
    assert case.verdict(right) is None
    bits = f"{int(right['result'][0], 16) + 1:016x}"
    shown = case.verdict({"kind": "result", "result": [bits, *right["result"][1:]]})
    assert shown is not None
    assert f"operand   {case.request['operands'][0][0]}" in shown
    assert shown.endswith("1 ulp away")
    assert "32 results, got 1" in (case.verdict({"kind": "result", "result": [bits]}) or "")
    assert "got {" in (case.verdict({"kind": "error", "error": {}}) or "")


def test_a_worker_that_a_bad_line_ends_fails_that_line(tmp_path: Path) -> None:
    no_message = load_lines()[0]
    careless = WORKER % 'reply = {"kind": "refused", "sequence": None, "reason": "none"}'
    [result] = results_of(careless, tmp_path, [no_message])
    assert (result.status, "JSONDecodeError" in result.explanation) == ("crashed", True)


def test_a_third_engine_is_an_entry_and_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--engines", str(TINY), "--engine", "tiny", "--validate"]) == 0
    assert "known failure" in capsys.readouterr().out


def test_an_unexpected_success_turns_the_run_red(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    passing = '"sharing-equal-subexpressions-stay-apart"'
    file = tiny(tmp_path, '"zeros-relu', f'{passing},\n"zeros-relu')
    assert main(["--engines", file, "--engine", "tiny", "--filter", "sharing"]) == 1
    assert "take it off the list" in capsys.readouterr().out


def test_a_failure_that_is_not_listed_turns_the_run_red(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tiny(tmp_path, '  "zeros-relu-of-negative-zero-is-off",\n', "")
    assert main(["--engines", file, "--engine", "tiny", "--filter", "zeros"]) == 1
    printed = capsys.readouterr().out
    assert "FAILED tiny: zeros-relu-of-negative-zero-is-off" in printed
    assert f" -m parity_tests --engines {file} --engine tiny --filter zeros-relu" in printed
    assert "RED" in printed


def tiny(folder: Path, before: str, after: str) -> str:
    """Copy the tiny engine with a change to its entry; give the entry's file."""
    listed = TINY.read_text()
    assert listed.count(before) == 1
    (folder / "engine.py").write_text(TINY.with_name("engine.py").read_text())
    (folder / "engines.toml").write_text(listed.replace(before, after))
    return str(folder / "engines.toml")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--engine", "nobody"], "no engine is called nobody; there are engine_py, engine_ts"),
        (["--filter", "nothing-at-all"], "no fixture is of the topic"),
        (["--engines", "gone.toml"], "gone.toml is missing"),
    ],
)
def test_a_bad_call_ends_with_2_and_says_why(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


def test_a_known_failure_that_names_no_case_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tiny(tmp_path, "-is-off", "-is-on")
    assert main(["--engines", file, "--filter", "sharing"]) == 2
    assert "no such known failures" in capsys.readouterr().err


def test_a_failure_explains_itself(tmp_path: Path) -> None:
    mistake = next(
        each
        for each in load_mistakes()
        if each.engine == "engine_py" and each.name.startswith("a cube")
    )
    engine = load_engines()["engine_py"]
    put_into_copy(mistake, engine, tmp_path)
    start = f"import os, sys; os.chdir({str(tmp_path)!r}); sys.path[0] = {str(tmp_path)!r}"
    damaged = Engine(
        "damaged",
        (sys.executable, "-c", f"{start}; from engine_py import worker; worker.main()"),
        tmp_path,
    )
    [case] = [each for each in CASES if each.behaviour == "a-cube-is-rounded-once-and-not-twice"]
    results = list(run_cases([damaged], [case], MODEL))
    shown = as_text(results)
    assert f"why: {case.why}" in shown
    assert "at /result" in shown
    assert "1 ulp away" in shown
    assert f" -m parity_tests --engine damaged --filter {case.name}" in shown
    assert len(shown.splitlines()) < 15


@pytest.mark.parametrize(
    ("reply", "status", "shown"),
    [
        (
            "reply = {'kind': 'skipped', 'sequence': sequence, 'reason': 'no'}",
            "skipped",
            "no",
        ),
        (
            "reply = {'kind': 'crashed', 'sequence': sequence, 'message': 'oh', 'traceback': ''}",
            "crashed",
            "oh",
        ),
        ("os._exit(3)", "crashed", "died"),
        ("sys.stdin.read()", "crashed", "did not respond"),
        ("reply = {'kind': 'result', 'sequence': sequence, 'result': {}}", "failed", "nothing"),
        ("reply = {'kind': 'result', 'sequence': 0.5, 'result': {}}", "crashed", "responded"),
    ],
)
def test_each_outcome_is_kept_apart(reply: str, status: str, shown: str, tmp_path: Path) -> None:
    if shown == "did not respond":  # once, because each costs the time
        count, seconds = 1, 3.0
    else:
        count, seconds = 2, 30.0
    results = results_of(WORKER % reply, tmp_path, CASES[:count], seconds)
    assert len(results) == count
    assert {result.status for result in results} == {status}
    assert all(shown in result.explanation for result in results)


def test_a_worker_that_writes_something_else_to_stdout_is_found(tmp_path: Path) -> None:
    [first, *_] = results_of(WORKER % "print('debug'); reply = {}", tmp_path)
    assert first.status == "crashed"
    assert "no JSON object" in first.explanation


def test_a_malformed_response_is_found_by_validation() -> None:
    assert malformed({"kind": "stopped"}) is None
    assert malformed({"kind": "stopped", "why": 1}) is not None
    assert malformed({"kind": "gone"}) is not None
    assert "document" in (malformed({"kind": "result", "sequence": 1, "result": {}}) or "")
    canonical = {"kind": "result", "sequence": 1, "result": {"text": "", "digest": "0" * 64}}
    assert malformed(canonical) is None
    canonical["result"] = {"text": "", "digest": "A" * 64}
    assert malformed(canonical) is not None
    card: dict[str, float] = {"id": 0, "x": 72, "y": 54, "width": 96, "height": 60}
    layout = {"width": 144, "height": 108, "nodes": [card]}
    picture = {"kind": "result", "sequence": 1, "result": {"svg": "", "layout": layout}}
    assert malformed(picture) is None
    card["x"] = 72.5
    assert malformed(picture) is not None


def test_the_reports_count_alike() -> None:
    case = CASES[0]
    results = [
        Result("one", case, "passed"),
        Result("one", CASES[1], "failed", "at /result"),
        Result("two", case, "crashed", "died\x00"),
        Result("two", CASES[1], "known failure", "at /result"),
    ]
    suites = ET.fromstring(as_junit(results))
    assert [suite.attrib for suite in suites] == [
        {"name": "one", "tests": "2", "failures": "1", "errors": "0", "skipped": "0"},
        {"name": "two", "tests": "2", "failures": "0", "errors": "1", "skipped": "1"},
    ]
    table = as_markdown(results)
    assert "## Parity: red" in table
    assert "| **all** | ❌ 1, 1 failed | ❌ 1 crashed, 1 known failure |" in table
    assert json.loads(as_json(results))["green"] is False


def test_a_report_can_be_written_to_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "parity.md"
    text = tmp_path / "new" / "parity.txt"
    reports = ("--report", f"markdown={file}", "--report", f"text={text}")
    assert main(["--filter", "sharing", "--format", "json", *reports]) == 0
    assert json.loads(capsys.readouterr().out)["green"] is True
    assert "| sharing | 14 | 14 |" in file.read_text()
    assert "of 14" in text.read_text()


@pytest.mark.parametrize("report", ["sharing.md", "pdf=sharing.pdf", "text="])
def test_a_report_without_a_format_or_a_file_is_refused(
    report: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["--report", report])
    assert "is not FORMAT=FILE, of text, json" in capsys.readouterr().err


def test_the_engines_of_a_file_run_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--engines", str(TINY), "--filter", "sharing"]) == 0
    assert capsys.readouterr().out.startswith("tiny: 6 passed, 8 skipped, of 14\n")


def test_a_failure_is_repeated_by_the_command_that_it_shows(tmp_path: Path) -> None:
    file = tiny(tmp_path, '  "zeros-relu-of-negative-zero-is-off",\n', "")
    words = [sys.executable, "-m", "parity_tests", "--engines", file, "--filter", "zeros"]
    first = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    [command] = re.findall(r"^  reproduce: (.*)$", first.stdout, re.MULTILINE)
    second = subprocess.run(
        shlex.split(command), cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (first.returncode, second.returncode) == (1, 1)
    assert "FAILED tiny: zeros-relu-of-negative-zero-is-off" in second.stdout
    assert "tiny: 1 failed, of 1" in second.stdout


def test_a_filter_is_a_topic_or_a_name_before_it_is_a_part(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for part, count in [
        ("order", 11),
        ("sharing-constants-are-not-folded", 1),
        ("constants-are-not", 1),
    ]:
        assert main(["--engine", "engine_py", "--filter", part]) == 0
        assert f"engine_py: {count} passed, of {count}" in capsys.readouterr().out


def test_a_name_that_is_taken_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tiny(tmp_path, "[tiny]", "[engine_py]")
    assert main(["--engines", file, "--filter", "sharing"]) == 2
    assert "the name engine_py is taken" in capsys.readouterr().err


def test_a_worker_that_cannot_start_ends_the_run_with_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tiny(tmp_path, '"engine.py"', '"gone.py"')
    assert main(["--engines", file, "--engine", "tiny", "--filter", "sharing"]) == 2
    assert "tiny died with exit code 2, on: start" in capsys.readouterr().err


def test_a_fault_at_the_end_costs_no_result(tmp_path: Path) -> None:
    worker = WORKER % "reply = {'kind': 'skipped', 'sequence': sequence, 'reason': 'no'}"
    worker = worker.replace("        break", "        sys.exit(5)")
    *rest, last = results_of(worker, tmp_path)
    assert {result.status for result in rest} == {"skipped"}
    assert len(rest) == 14
    assert last.status == "crashed"
    assert "after the last case: mine ended with 5 instead of 0" in last.explanation


def test_an_extra_line_is_reported_with_the_request_after_it(tmp_path: Path) -> None:
    worker = WORKER % "reply = {'kind': 'skipped', 'sequence': sequence, 'reason': 'no'}"
    worker = worker.replace("flush=True)", "flush=True, end='\\nleft over\\n')")
    results = results_of(worker, tmp_path)
    shown = [result.explanation for result in results if result.status == "crashed"]
    assert any("after its response to the one before" in each for each in shown)
