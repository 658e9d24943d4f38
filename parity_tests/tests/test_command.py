"""`python -m parity_tests`: which cases run, their results, and the exit code."""

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from engine_py import CONTRACT
from engine_py.protocol.worker import answer
from parity_tests import __main__ as command
from parity_tests.__main__ import main
from parity_tests.kit.cases import Case, load_cases, load_hard_cases, load_lines
from parity_tests.kit.contract import load_profiles
from parity_tests.kit.engines import ROOT, Engine, load_engines
from parity_tests.kit.runner import Result, run_cases
from parity_tests.kit.worker import Budget
from parity_tests.tests.conftest import ENTRY, write_proxy

CASES = load_cases()
SHARING = [case for case in CASES if case.topic == "sharing"]
ORDER = sum(case.topic == "order" for case in CASES)
TINY = ROOT / "parity_tests" / "tests" / "tiny" / "engines.toml"
[MODEL, *_] = load_engines().values()

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True, scope="module")
def cases_read_once() -> Iterator[None]:
    """Cache the cases, which a hundred runs would otherwise read again."""
    with pytest.MonkeyPatch.context() as patch:
        for load in (load_cases, load_hard_cases, load_lines):
            patch.setattr(command, load.__name__, cache(load))
        yield


def shown(capsys: Capture) -> list[str]:
    written = capsys.readouterr()
    return (written.out + written.err).splitlines()


# Options


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--engine", "nobody"], "no engine is called nobody; known: engine_py, engine_ts"),
        (["--filter", "nothing-at-all"], "no topic is called 'nothing-at-all'"),
        (["--engines", "gone.toml"], "gone.toml is missing"),
        (["--filter", "sharing", "--skip", "sharing"], "--skip leaves out every case"),
        (["--filter", "order", "--report", f"junit={ROOT}"], str(ROOT)),
        (["--max-failures", "0"], "'0' is not a whole number from 1 up"),
        (["--contract", "1.5"], "check out 46d1f23, the last commit of 1.6"),
        (["--contract", "99.0"], "install a newer kit"),
        (["--contract", "two"], "'two' is not a contract version, such as 2.0"),
        (["--report", "sharing.md"], "is not FORMAT=FILE; formats: text, json"),
        (["--report", "pdf=sharing.pdf"], "is not FORMAT=FILE; formats: text, json"),
        (["--report", "text="], "is not FORMAT=FILE; formats: text, json"),
    ],
)
def test_wrong_options_exit_with_2_and_a_reason_before_anything_runs(
    arguments: list[str], message: str, capsys: Capture
) -> None:
    try:
        code: object = main(arguments)
    except SystemExit as ended:
        code = ended.code
    written = capsys.readouterr()
    assert (code, written.out, message in written.err) == (2, "", True)


def test_the_version_is_that_of_kit_and_contract(capsys: Capture) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert shown(capsys) == [f"gradient-parity of a checkout, contract {CONTRACT}"]


def test_the_cases_are_counted_by_profile_and_topic(capsys: Capture) -> None:
    assert main(["--list", "--filter", "sharing"]) == 0
    assert [line.split() for line in shown(capsys)] == [
        ["profile", "core", "14"],
        ["topic", "sharing", "14"],
    ]
    assert main(["--list"]) == 0
    counted = {(kind, name): int(n) for kind, name, n in map(str.split, shown(capsys))}
    everything = [*CASES, *load_hard_cases()]
    assert counted["topic", "hard"] == len(load_hard_cases())
    assert counted["profile", "core"] == sum("core" in case.profiles for case in everything)
    assert sum(n for (kind, _), n in counted.items() if kind == "topic") == len(everything)


@pytest.mark.parametrize(
    ("parts", "count"),
    [
        (["order"], ORDER),
        (["sharing/constants-are-not-folded"], 1),
        (["constants-are-not"], 1),
        (["constants-are-not", "order"], 1 + ORDER),
    ],
)
def test_a_filter_is_a_topic_or_a_name_before_it_is_a_part(
    parts: list[str], count: int, capsys: Capture
) -> None:
    filters = [word for part in parts for word in ("--filter", part)]
    assert main(["--engine", "engine_py", *filters]) == 0
    assert shown(capsys)[0] == f"engine_py: {count} passed, of {count}"


def test_skipped_cases_are_not_run_and_are_reported(capsys: Capture) -> None:
    chosen = ["--filter", "sharing", "--filter", "order"]
    skipped = ["--skip", "sharing/constants", "--skip", "order"]
    assert main(["--engine", "engine_py", *chosen, *skipped]) == 0
    *_, verdict, choice, green = shown(capsys)
    assert verdict == "engine_py passes core of 2.1 (of the cases chosen)"
    assert re.fullmatch(rf"13 of \d+ cases are chosen by {' '.join([*chosen, *skipped])}", choice)
    assert green == "green: no engine differs"


def test_reports_are_written_to_files(tmp_path: Path, capsys: Capture) -> None:
    file, text = tmp_path / "parity.md", tmp_path / "new" / "parity.txt"
    reports = ("--report", f"markdown={file}", "--report", f"text={text}")
    assert main(["--filter", "sharing", "--format", "json", *reports]) == 0
    assert json.loads(capsys.readouterr().out)["green"] is True
    assert "| sharing | 14 | 14 |" in file.read_text()
    assert "of 14" in text.read_text()


# An engine of another repository, which has a part of core only


def tiny(folder: Path, before: str, after: str) -> str:
    """Copy the tiny engine with a change to its entry; return the entry's file."""
    listed = TINY.read_text()
    assert listed.count(before) == 1
    (folder / "engine.py").write_text(TINY.with_name("engine.py").read_text())
    (folder / "engines.toml").write_text(listed.replace(before, after))
    return str(folder / "engines.toml")


def test_a_third_engine_is_an_entry_and_a_file(capsys: Capture) -> None:
    part = ("--filter", "lessons", "--filter", "sharing")
    assert main(["--engines", str(TINY), "--validate", *part]) == 1
    *_, verdict, _, red = shown(capsys)
    assert re.match(r"tiny does not conform to core \(\d+ of \d+\) of 2\.1 ", verdict)
    assert red == "RED: see above"
    some = ("--filter", "zeros/relu", "--filter", "sharing/constants")
    assert main(["--engines", str(TINY), "--validate", *some]) == 0
    *_, verdict, _, _ = shown(capsys)
    assert verdict == ("tiny passes core of 2.1 (of the cases chosen) but for 1 known failure")


def test_an_unexpected_success_turns_the_run_red(tmp_path: Path, capsys: Capture) -> None:
    passing = '"sharing/equal-subexpressions-are-separate-nodes"'
    file = tiny(tmp_path, '"zeros/relu', f'{passing},\n"zeros/relu')
    assert main(["--engines", file, "--filter", "sharing", "--all"]) == 1
    assert "remove it from the list" in capsys.readouterr().out


def test_a_failure_is_repeated_by_the_command_that_it_shows(tmp_path: Path) -> None:
    file = tiny(tmp_path, '  "zeros/relu-of-negative-zero-is-zero",\n', "")
    command = [sys.executable, "-m", "parity_tests", "--engines", file, "--filter", "zeros/relu"]
    for _ in range(2):
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout.count("FAILED tiny: zeros/relu-of-neg")) == (1, 1)
        [again] = re.findall(r"^  reproduce: (.*)$", done.stdout, re.MULTILINE)
        command = shlex.split(again)


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("-is-zero", "-is-one", "known_failures lists unknown cases"),
        ("[tiny]", "[engine_py]", "already has an engine called engine_py"),
        ('"engine.py"', '"gone.py"', "tiny died with exit code 2, on: start"),
    ],
)
def test_an_engine_that_cannot_start_makes_the_run_exit_with_2(
    before: str, after: str, message: str, tmp_path: Path, capsys: Capture
) -> None:
    assert main(["--engines", tiny(tmp_path, before, after), "--filter", "sharing"]) == 2
    assert message in capsys.readouterr().err


# The result of a case

WORKER = """
import json, os, sys
for line in sys.stdin:
    message = json.loads(line)
    kind, sequence = message["kind"], message.get("sequence")
    if kind == "start":
        mine = {"name": "mine", "language": "any", "version": "1", "runtime": "1"}
        claims = {"protocol": "1", "contract": "2.1.0", "profiles": ["core", "functions"]}
        reply = {"kind": "started", **claims, "implementation": mine}
    elif kind == "stop":
        reply = {"kind": "stopped"}
    else:
        %s
    print(json.dumps(reply), flush=True)
    if kind == "stop":
        break
"""
SKIPPED = "reply = {'kind': 'skipped', 'sequence': sequence, 'reason': 'no'}"
CRASHED = "reply = {'kind': 'crashed', 'sequence': sequence, 'message': 'oh', 'traceback': ''}"


def results_of(worker: str, tmp_path: Path, cases: list[Case] = SHARING) -> list[Result]:
    """Run cases against a worker given as Python source."""
    (tmp_path / "worker.py").write_text(worker)
    engine = Engine("mine", (sys.executable, str(tmp_path / "worker.py")), tmp_path)
    return list(run_cases([engine], cases, MODEL, budget=Budget(60.0)))


@pytest.mark.parametrize(
    ("reply", "status", "reported"),
    [
        (SKIPPED, "skipped", "no"),
        (CRASHED, "crashed", "oh"),
        ("os._exit(3)", "crashed", "died"),
        ("print('debug'); reply = {}", "crashed", "invalid JSON"),
        ("reply = {'kind': 'result', 'sequence': sequence, 'result': {}}", "failed", "nothing"),
        ("reply = {'kind': 'result', 'sequence': 0.5, 'result': {}}", "crashed", "responded"),
    ],
)
def test_each_outcome_has_its_own_status(
    reply: str, status: str, reported: str, tmp_path: Path
) -> None:
    for result in results_of(WORKER % reply, tmp_path, SHARING[:2]):
        assert (result.status, reported in result.explanation) == (status, True)


def test_a_worker_that_dies_of_an_invalid_line_fails_that_line(tmp_path: Path) -> None:
    careless = WORKER % 'reply = {"kind": "refused", "sequence": None, "reason": "none"}'
    [result] = results_of(careless, tmp_path, load_lines()[:1])
    assert (result.status, "JSONDecodeError" in result.explanation) == ("crashed", True)


def test_a_fault_at_the_end_loses_no_result(tmp_path: Path) -> None:
    *rest, last = results_of(
        (WORKER % SKIPPED).replace("        break", "        sys.exit(5)"), tmp_path
    )
    assert [result.status for result in rest] == ["skipped"] * 14
    assert last.status == "crashed"
    assert "after the last case: mine ended with 5 instead of 0" in last.explanation


def test_an_extra_line_is_reported_with_the_request_after_it(tmp_path: Path) -> None:
    worker = (WORKER % SKIPPED).replace("flush=True)", "flush=True, end='\\nleft over\\n')")
    reported = [
        each.explanation for each in results_of(worker, tmp_path) if each.status == "crashed"
    ]
    assert any("after its response to the one before" in each for each in reported)


@pytest.mark.parametrize(
    ("arguments", "failures"),
    [(["--fail-fast"], 1), (["--max-failures", "2"], 2), (["--max-failures", "20"], 3)],
)
def test_a_run_stops_at_the_given_number_of_failures(
    arguments: list[str], failures: int, tmp_path: Path, capsys: Capture
) -> None:
    (tmp_path / "mine.toml").write_text('[mine]\nfolder = "."\nargv = ["python", "worker.py"]')
    (tmp_path / "worker.py").write_text(WORKER % CRASHED)
    chosen = ["--engines", str(tmp_path / "mine.toml"), "--filter", "sharing/a-variable"]
    assert main([*chosen, "--all", *arguments]) == 1
    printed = capsys.readouterr().out
    assert printed.count("CRASHED mine: ") == failures
    assert ("stopped by --max-failures" in printed) == (failures < 3)


def test_a_refused_valid_request_fails_with_the_reason(tmp_path: Path) -> None:
    refused = "reply = {'kind': 'refused', 'sequence': sequence, 'reason': 'limits are unknown'}"
    [result] = results_of(WORKER % refused, tmp_path, SHARING[:1])
    assert 'got refused {"reason": "limits are unknown"}' in result.explanation


def test_a_run_that_cannot_begin_is_reported_on_the_pull_request(
    tmp_path: Path, capsys: Capture
) -> None:
    summary, report = tmp_path / "summary.md", tmp_path / "parity.json"
    reports = ("--report", f"markdown={summary}", "--report", f"json={report}")
    assert main(["--engines", "gone.toml", "--format", "github", *reports]) == 2
    why = "no engines: the file gone.toml is missing"
    printed = capsys.readouterr().out
    assert printed == f"::error title=gradient-parity could not run::{why}\n"
    assert summary.read_text() == f"## Parity: could not run\n\n{why}\n"
    assert json.loads(report.read_text()) == {"green": False, "could_not_run": why}


# The claims of an engine, which is engine_py with changed responses

CLAIMS = 'if message["kind"] == "start":\n    response["profiles"] = {}\n'
SKIP = 'response = {"kind": "skipped", "sequence": message["sequence"], "reason": "no"}'
SOME = ("--filter", "sharing", "--filter", "outline")


@pytest.mark.parametrize(
    ("change", "reported"),
    [
        (None, ", 0 differences"),
        (CLAIMS.format([]), "mine claims no profile, so nothing can be compared"),
        ("", "mine died with exit code 1, on: the line"),  # it reads each line as JSON
    ],
    ids=["engine_ts", "claims nothing", "ended by a bad line"],
)
def test_random_programs_follow_the_cases(
    change: str | None, reported: str, tmp_path: Path, capsys: Capture
) -> None:
    report = tmp_path / "parity.json"
    engine = ["--engine", "engine_ts"]
    if change is not None:
        engine = ["--engines", write_proxy(tmp_path, change)]
    asked = ("--filter", "sharing/a-variable-added", "--report", f"json={report}")
    code = main([*engine, *asked, "--fuzz", "100", "--seed", "1"])
    assert reported in capsys.readouterr().out
    assert json.loads(report.read_text())["fuzz"]["green"] == (change is None)
    assert code == (change is not None)


def test_an_engine_gets_the_cases_that_it_claims_and_may_lack_the_rest(
    tmp_path: Path, capsys: Capture
) -> None:
    commands = (None, "introspect", "canonicalize", "evaluate", "parse")
    change = CLAIMS.format(["core", "outline"])
    change += f"elif message.get('command') not in {commands}:\n    sys.exit(1)"
    some = (*SOME, "--filter", "hessian")
    assert main(["--engines", write_proxy(tmp_path, change), *some]) == 0
    *lines, verdict, _, last = shown(capsys)
    assert last == "green: no engine differs"
    assert verdict == (
        "mine passes core and outline of 2.1 (of the cases chosen); "
        "does not claim functions and hessian"
    )
    assert any(re.fullmatch(r"  hessian +not claimed \(\d+ cases\)", line) for line in lines)


ONE_ANSWER = """
if message.get("command") == "introspect":
    request = {"expression": "a + a", "values": {"a": 3}}
    return answer(json.dumps({**message, "request": request}).encode())
"""
ONE = next(case for case in SHARING if case.name == "constants-are-not-folded")


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        (
            f'if message["kind"] == "run":\n    {SKIP}',
            (
                r"mine does not conform to core \(0 of 14\) and outline \(0 of \d+\) of 2\.1 .*"
                r"; passed no case"
            ),
        ),
        (
            f'if message.get("request") == {ONE.request}:\n    {SKIP}',
            (
                r"mine does not conform to core \(13 of 14\) of 2\.1 \(of the cases chosen\); "
                r"passes outline of 2\.1 .*"
            ),
        ),
        (CLAIMS.format([]), "mine does not conform to 2.1 .* without core; .*; passed no case"),
        (
            CLAIMS.format(["outline"]),
            "mine does not conform to 2.1 .* without core; passes outline of 2.1 .*",
        ),
        (ONE_ANSWER, r"mine does not conform to core \(\d of 14\) of 2\.1 .*"),
    ],
    ids=["skips all", "skips one", "claims nothing", "claims no core", "has one answer"],
)
def test_an_engine_that_fails_what_it_claims_is_red(
    change: str, verdict: str, tmp_path: Path, capsys: Capture
) -> None:
    assert main(["--engines", write_proxy(tmp_path, change), *SOME]) == 1
    *_, reported, _, last = shown(capsys)
    assert re.match(verdict, reported), reported
    assert last == "RED: see above"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            CLAIMS.format(["core", "lab"]),
            (
                "parity: engine mine claims the unknown profile 'lab'; known: "
                + ", ".join(load_profiles())
            ),
        ),
        (
            'if message["kind"] == "start":\n    response["contract"] = "1.6"',
            (
                "parity: mine cannot be judged: this kit judges contract 2.0 to 2.1, not 1.6: "
                "check out 46d1f23, the last commit of 1.6, whose kit judges engines of 1.6, "
                "on: start"
            ),
        ),
    ],
)
def test_an_unknown_claim_makes_the_run_exit_with_2(
    change: str, message: str, tmp_path: Path, capsys: Capture
) -> None:
    assert main(["--engines", write_proxy(tmp_path, change)]) == 2
    assert shown(capsys) == [message]


OTHER_WORDS = """
from parity_tests.kit.compare import prose_in

def reworded(value, places):
    if places is True:
        return "other words"
    if isinstance(value, dict):
        within = {name: places.get(name, places.get("*", {})) for name in value}
        return {name: reworded(each, within[name]) for name, each in value.items()}
    if isinstance(value, list):
        return [reworded(item, places.get("*", {})) for item in value]
    return value

if response["kind"] in ("result", "error"):
    kind = response["kind"]
    response[kind] = reworded(response[kind], prose_in(kind, message["command"]))
"""


@pytest.mark.parametrize("topic", ["domain", "experiment"])
def test_an_engine_with_other_messages_is_green(
    topic: str, tmp_path: Path, capsys: Capture
) -> None:
    assert main(["--engines", write_proxy(tmp_path, OTHER_WORDS), "--filter", topic]) == 0
    assert shown(capsys)[-1] == "green: no engine differs"


def test_a_crash_that_needs_earlier_requests_names_them(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both engines have stored answers, since the search starts each two dozen times."""
    run = {"kind": "run", "sequence": 0, "command": "introspect"}
    known = {
        case.request["expression"]: answer(json.dumps({**run, "request": case.request}).encode())
        for case in SHARING
    }
    (tmp_path / "known.json").write_text(json.dumps(known))
    respond = """text = message["request"]["expression"]
        sent = {*globals().get("sent", ()), text}
        if sent >= {"a - a", "2 * 3"} and text == %r:
            sys.exit(3)
        reply = json.load(open("known.json"))[text] | {"sequence": sequence}"""
    (tmp_path / "worker.py").write_text(WORKER % respond % "a * a * a")
    (tmp_path / "model.py").write_text(WORKER % respond % "none")
    (tmp_path / "mine.toml").write_text(ENTRY)
    of_model = ENTRY.replace("mine", "model").replace("worker.py", "model.py")
    (tmp_path / "model.toml").write_text(of_model)
    model = load_engines(tmp_path / "model.toml")
    monkeypatch.setattr(command, "load_engines", lambda *of: load_engines(*of) if of else model)
    file = str(tmp_path / "mine.toml")
    assert main(["--engines", file, "--filter", "sharing"]) == 1
    printed = capsys.readouterr().out
    [earlier] = re.findall(r"alone it passes; after (.*) it does not", printed)
    found = [next(case for case in SHARING if case.id == name) for name in earlier.split(", ")]
    assert [case.request["expression"] for case in found] == ["a - a", "2 * 3"]
    [again] = re.findall(r"^  reproduce: .* -m parity_tests (.*)$", printed, re.MULTILINE)
    assert main(shlex.split(again)) == 1


def test_no_engine_is_compared_with_a_model_that_fails_a_case(
    tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model forgets all but the last contribution to a gradient."""
    change = """
if message.get("command") == "introspect" and response["kind"] == "result":
    for edge in response["result"]["edges"]:
        response["result"]["nodes"][edge["from"]]["grad"] = edge["contribution"]
"""
    [model] = load_engines(Path(write_proxy(tmp_path, change))).values()
    engines = {"mine": model, "engine_ts": load_engines()["engine_ts"]}
    monkeypatch.setattr("parity_tests.__main__.load_engines", lambda *_: engines)
    assert main(["--filter", "sharing"]) == 1
    first, second, third, *lines = shown(capsys)
    assert first.startswith("mine fails ")
    assert second == "mine is the model, so no other engine is judged by it"
    assert third.startswith("FAILED mine: sharing/")
    assert "engine_ts passes core of 2.1 (of the cases chosen)" in lines


# Engines that must not pass: each is red, and the report says why


CHEATS = {
    "a stored table": (
        # It has the answers to the cases, and to no other request.
        """
if "stored" not in globals():
    from parity_tests.kit.cases import load_cases
    globals()["stored"] = [case.request for case in load_cases()]
if message["kind"] == "run" and message["command"] == "introspect":
    if message["request"] not in stored:
        return {"kind": "skipped", "sequence": message["sequence"], "reason": "is not stored"}
""",
        ["--filter", "sharing", "--fuzz", "20", "--seed", "5"],
        ["among the programs of seed 5", "an engine may have only stored answers"],
    ),
    "a slow engine": (
        "import time; time.sleep(0.05)",
        ["--filter", "sharing", "--pace", "0"],
        ["mine is too slow: it took", "more than 0 s and 0 s each (--pace)", "13 not asked"],
    ),
    "a leak": (
        "memory = globals().setdefault('memory', []); memory.append(b'x' * (64 << 20))",
        ["--filter", "sharing", "--memory", "512"],
        ["mine leaks or wastes memory: it has", "more than 512 (--memory)", "not asked"],
    ),
    "a silent engine": (
        "import time; message['kind'] == 'run' and time.sleep(3600)",
        ["--filter", "sharing", "--seconds", "0.1", "--pace", "0"],
        ["mine is too slow: it took", "and now did not respond within 0.1 s", "13 not asked"],
    ),
    "answers out of order": (
        "if message['kind'] == 'run': response['sequence'] += 1",
        ["--filter", "sharing/a-variable-added"],
        ["mine responded with sequence 1 to 0, which is out of order"],
    ),
    "another engine": (
        "",
        ["--filter", "error"],
        ["mine has the model's own messages in all ", "it runs that engine or copies it"],
    ),
}
"""By name: a change of engine_py's responses, options of a run, and parts of the report."""


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheating_engine_is_red_and_the_report_says_why(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    change, arguments, sentences = CHEATS[name]
    if "--pace" in arguments:
        monkeypatch.setattr("parity_tests.__main__.GRACE", 0)
    file = write_proxy(tmp_path, change)
    (tmp_path / "mine.toml").write_text(ENTRY.replace("twin = true", ""))
    assert main(["--engines", file, *arguments]) == 1
    report = capsys.readouterr().out
    assert [each for each in sentences if each not in report] == []
    is_over = report.startswith(("CRASHED mine: mine is too slow", "CRASHED mine: mine leaks"))
    assert is_over == ("--pace" in arguments or "--memory" in arguments)


def test_a_seed_repeats_the_random_programs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change = "if 'result' in response.get('result', {}): response['result']['result'] = 0.1"
    file = write_proxy(tmp_path, change)
    reports = []
    for _ in range(2):
        main(["--engines", file, "--filter", ONE.id, "--fuzz", "20", "--seed", "7"])
        reports.append(capsys.readouterr().out.partition("among the programs of seed 7")[2])
    assert reports[0] == reports[1] != ""
