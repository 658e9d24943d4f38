"""`python -m parity_tests`: green for right engines, red with an explanation for others."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from engine_py import CONTRACT
from parity_tests.__main__ import main
from parity_tests.kit.cases import Case, load_cases, load_hard_cases, load_lines
from parity_tests.kit.engines import ROOT, Engine, load_engines
from parity_tests.kit.protocol import malformed
from parity_tests.kit.report import as_json, as_junit, as_markdown, as_text
from parity_tests.kit.runner import Result, Run, run_cases
from parity_tests.kit.worker import Started

CASES = load_cases()
SHARING = [case for case in CASES if case.topic == "sharing"]
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
        said = {"protocol": "1", "contract": "2.0.0", "profiles": ["core", "functions"]}
        reply = {"kind": "started", **said, "implementation": who}
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


def test_a_worker_that_a_bad_line_ends_fails_that_line(tmp_path: Path) -> None:
    no_message = load_lines()[0]
    careless = WORKER % 'reply = {"kind": "refused", "sequence": None, "reason": "none"}'
    [result] = results_of(careless, tmp_path, [no_message])
    assert (result.status, "JSONDecodeError" in result.explanation) == ("crashed", True)


def test_a_third_engine_is_an_entry_and_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    """It has a part of core, so only some cases can be green."""
    command = ["--engines", str(TINY), "--engine", "tiny", "--validate"]
    assert main(command) == 1
    *_, verdict, red = capsys.readouterr().out.splitlines()
    assert re.match(r"tiny does not conform to core \(\d\d of \d+\) of 2\.0; does not", verdict)
    assert red == "RED: see above"
    assert main([*command, "--filter", "zeros/relu", "--filter", "sharing/constants"]) == 0
    assert "tiny conforms to core of 2.0 (of the cases chosen) but for 1 known failure\n" in (
        capsys.readouterr().out
    )


def test_an_unexpected_success_turns_the_run_red(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    passing = '"sharing/equal-subexpressions-stay-apart"'
    file = tiny(tmp_path, '"zeros/relu', f'{passing},\n"zeros/relu')
    assert main(["--engines", file, "--engine", "tiny", "--filter", "sharing"]) == 1
    assert "take it off the list" in capsys.readouterr().out


def test_a_failure_that_is_not_listed_turns_the_run_red(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tiny(tmp_path, '  "zeros/relu-of-negative-zero-is-off",\n', "")
    assert main(["--engines", file, "--engine", "tiny", "--filter", "zeros"]) == 1
    printed = capsys.readouterr().out
    assert "FAILED tiny: zeros/relu-of-negative-zero-is-off" in printed
    assert f" -m parity_tests --engines {file} --engine tiny --filter zeros/relu" in printed
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
        (["--filter", "sharing", "--skip", "sharing"], "no case is left"),
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
    """The engine adds one in the last place to each result."""
    computed = """
        document = introspect(**message["request"])
        document["result"] = nextafter(document["result"], inf)
        reply = {"kind": "result", "sequence": sequence, "result": document}
"""
    imports = f"import sys; sys.path.insert(0, {str(ROOT)!r})\nfrom math import inf, nextafter\n"
    worker = f"{imports}from engine_py import introspect\n{WORKER % computed.strip()}"
    [case] = [each for each in CASES if each.name == "a-cube-is-rounded-once-and-not-twice"]
    shown = as_text(Run(results_of(worker, tmp_path, [case])))
    assert f"why: {case.why}" in shown
    assert "at /result" in shown
    assert "1 ulp away" in shown
    assert f" -m parity_tests --engine mine --filter {case.id}" in shown
    assert len(shown.splitlines()) < 17


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
    asked = [case for case in CASES if case.profiles == {"core"}][:count]
    results = results_of(WORKER % reply, tmp_path, asked, seconds)
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
    started = Started(CONTRACT, ("core",), "", "")
    results = [
        Result("one", case, "passed", started=started),
        Result("one", CASES[1], "failed", "at /result", started=started),
        Result("two", case, "crashed", "died\x00", started=started),
        Result("two", CASES[1], "known failure", "at /result", started=started),
    ]
    suites = ET.fromstring(as_junit(Run(results)))
    assert [suite.attrib for suite in suites] == [
        {"name": "one", "tests": "3", "failures": "2", "errors": "0", "skipped": "0"},
        {"name": "two", "tests": "3", "failures": "1", "errors": "1", "skipped": "1"},
    ]
    table = as_markdown(Run(results))
    assert "## Parity: red" in table
    assert "| **all** | ❌ 1, 1 failed | ❌ 1 crashed, 1 known failure |" in table
    assert json.loads(as_json(Run(results)))["green"] is False


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
    assert main(["--engines", str(TINY), "--filter", "sharing/constants"]) == 0
    assert capsys.readouterr().out.startswith("tiny: 1 passed, of 1\n")


def test_a_failure_is_repeated_by_the_command_that_it_shows(tmp_path: Path) -> None:
    file = tiny(tmp_path, '  "zeros/relu-of-negative-zero-is-off",\n', "")
    words = [sys.executable, "-m", "parity_tests", "--engines", file, "--filter", "zeros/relu"]
    first = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    [command] = re.findall(r"^  reproduce: (.*)$", first.stdout, re.MULTILINE)
    second = subprocess.run(
        shlex.split(command), cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (first.returncode, second.returncode) == (1, 1)
    assert "FAILED tiny: zeros/relu-of-negative-zero-is-off" in second.stdout
    assert "tiny: 1 failed, of 1" in second.stdout


def test_a_filter_is_a_topic_or_a_name_before_it_is_a_part(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for parts, count in [
        (["order"], 11),
        (["sharing/constants-are-not-folded"], 1),
        (["constants-are-not"], 1),
        (["constants-are-not", "order"], 12),
    ]:
        filters = [word for part in parts for word in ("--filter", part)]
        assert main(["--engine", "engine_py", *filters]) == 0
        assert f"engine_py: {count} passed, of {count}" in capsys.readouterr().out


def test_what_is_skipped_is_not_run_and_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    chosen = ["--filter", "sharing", "--filter", "order"]
    skipped = ["--skip", "sharing/constants", "--skip", "order"]
    assert main(["--engine", "engine_py", *chosen, *skipped]) == 0
    *_, verdict, choice, green = capsys.readouterr().out.splitlines()
    assert verdict == "engine_py conforms to core of 2.0 (of the cases chosen)"
    assert re.fullmatch(rf"13 of \d+ cases are chosen by {' '.join([*chosen, *skipped])}", choice)
    assert green == "green: no engine differs"


def test_the_cases_are_counted_by_profile_and_topic(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list"]) == 0
    counted = {}
    for line in capsys.readouterr().out.splitlines():
        kind, name, count = line.split()
        counted[kind, name] = int(count)
    assert counted["topic", "sharing"] == len(SHARING)
    assert counted["topic", "hard"] == len(load_hard_cases())
    everything = [*CASES, *load_hard_cases()]
    assert counted["profile", "core"] == sum("core" in case.profiles for case in everything)
    topics = sum(count for (kind, _), count in counted.items() if kind == "topic")
    assert topics == len(everything)


def test_the_list_is_of_the_cases_that_are_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--list", "--filter", "sharing"]) == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["profile", "core", "14"],
        ["topic", "sharing", "14"],
    ]


def test_the_version_is_that_of_kit_and_contract(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out == f"gradient-parity of a checkout, contract {CONTRACT}\n"


@pytest.mark.parametrize(
    ("arguments", "failures"),
    [(["--fail-fast"], 1), (["--max-failures", "2"], 2), (["--max-failures", "20"], 3)],
)
def test_a_run_stops_at_so_many_failures(
    arguments: list[str], failures: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.toml").write_text('[mine]\nfolder = "."\nargv = ["python", "worker.py"]')
    crash = "{'kind': 'crashed', 'sequence': sequence, 'message': 'oh', 'traceback': ''}"
    (tmp_path / "worker.py").write_text(WORKER % f"reply = {crash}")
    chosen = ["--engines", str(tmp_path / "mine.toml"), "--filter", "sharing/a-variable"]
    assert main([*chosen, *arguments]) == 1
    shown = capsys.readouterr().out
    assert shown.count("CRASHED mine: ") == failures
    assert ("stopped by --max-failures" in shown) == (failures < 3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--max-failures", "0"], "'0' is no count from 1 up"),
        (["--contract", "1.5"], "check out 46d1f23, the last commit of 1.6"),
        (["--contract", "99.0"], "install a newer kit"),
    ],
)
def test_an_argument_that_cannot_be_is_refused(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(arguments)
    assert message in capsys.readouterr().err


def test_a_contract_can_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--contract", "2.0", "--filter", "canonical", "--engine", "engine_ts"]
    assert main(asked) == 0
    assert (
        "engine_ts conforms to core and functions of 2.0 (of the cases chosen)\n"
        in capsys.readouterr().out
    )


def test_a_report_that_cannot_be_written_is_said_before_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--filter", "order", "--report", f"junit={tmp_path}"]) == 2
    shown = capsys.readouterr()
    assert (shown.out, str(tmp_path) in shown.err) == ("", True)


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
