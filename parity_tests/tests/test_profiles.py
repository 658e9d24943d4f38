"""What an engine claims is what it is asked, all of it; and only then is it green."""

import re
from pathlib import Path

import pytest

from parity_tests.__main__ import main
from parity_tests.kit.cases import Case, load_cases, load_hard_cases, load_lines
from parity_tests.kit.contract import CORE, load_profiles, load_rules, profiles_of
from parity_tests.kit.engines import load_engines
from parity_tests.kit.worker import Worker
from parity_tests.tests.proxy import write_proxy

CASES = load_cases()
PROFILES = load_profiles()
CLAIMS = 'if message["kind"] == "start":\n    response["profiles"] = {}\n'
"""A change to a proxy: it claims something else."""
SOME = ("--filter", "sharing", "--filter", "outline")
SKIP = 'response = {"kind": "skipped", "sequence": message["sequence"], "reason": "no"}'


def judged(
    change: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], *more: str
) -> tuple[int, list[str]]:
    """Run the suite against a proxy; give the exit code, and the lines that were written."""
    code = main(["--engines", write_proxy(tmp_path, change), *more])
    shown = capsys.readouterr()
    return code, (shown.out + shown.err).splitlines()


def test_each_rule_and_each_command_belongs_to_one_profile() -> None:
    words = [word for profile in PROFILES.values() for word in profile.words]
    commands = {case.command for case in CASES} | {"evaluate"}
    assert sorted(words) == sorted({*words})
    assert commands < {*words}
    rules = [number for profile in PROFILES.values() for number in rules_of(profile.rules)]
    there = {name for name in load_rules() if name.startswith("R")}
    assert sorted(rules) == sorted(there)


def rules_of(text: str) -> list[str]:
    """Read `R34` or `R1, R3 to R33`; what stands about functions is a part of other rules."""
    if text.startswith("what"):
        return []
    ranges = re.findall(r"R(\d+)(?: to R(\d+))?", text)
    return [f"R{n}" for first, last in ranges for n in range(int(first), int(last or first) + 1)]


@pytest.mark.parametrize("case", [pytest.param(case, id=case.id) for case in CASES])
def test_a_case_is_about_no_other_profile_than_those_that_it_needs(case: Case) -> None:
    home = {rule: name for name, each in PROFILES.items() for rule in rules_of(each.rules)}
    about = {home[rule] for rule in case.holds if rule in home}
    assert about <= {*case.profiles, CORE}


@pytest.mark.parametrize(
    ("command", "program", "needed"),
    [
        ("introspect", "a + relu(b)", {"core"}),
        ("introspect", "sin * exp(a)", {"core"}),
        ("introspect", "sin (a)", {"functions"}),
        ("hessian", "a * a", {"hessian"}),
        ("hessian", "max(a, 1)", {"hessian", "functions"}),
        ("descend", None, {"descent"}),
    ],
)
def test_a_call_of_a_function_needs_a_profile_of_its_own(
    command: str, program: object, needed: set[str]
) -> None:
    assert profiles_of([command], program) == needed


def test_hard_cases_and_lines_need_what_they_name() -> None:
    hard = {case.name.partition("-")[0]: case.profiles for case in load_hard_cases()}
    assert hard["sin"] == {"functions"}
    assert hard["exp"] == {"core"}
    needed = {profile for case in load_lines() for profile in case.profiles}
    assert needed == {"core", "outline"}


def test_both_engines_claim_everything() -> None:
    for engine in load_engines().values():
        with Worker(engine) as worker:
            assert worker.started.profiles == tuple(PROFILES)


def test_an_engine_is_asked_what_it_claims_and_may_lack_the_rest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commands = (None, "introspect", "canonicalize", "evaluate", "parse")
    change = CLAIMS.format(["core", "outline"])
    change += f"elif message.get('command') not in {commands}:\n    sys.exit(1)"
    some = (*SOME, "--filter", "hessian")
    code, [*lines, verdict, _, last] = judged(change, tmp_path, capsys, *some)
    assert (code, last) == (0, "green: no engine differs")
    assert verdict == (
        "mine conforms to core and outline of 2.0 (of the cases chosen); "
        "does not claim functions and hessian"
    )
    assert any(re.fullmatch(r"  hessian +not claimed \(\d+ cases\)", line) for line in lines)


def test_a_worker_that_skips_all_is_red(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change = f'if message["kind"] == "run":\n    {SKIP}'
    code, [*_, verdict, _, last] = judged(change, tmp_path, capsys, "--filter", "sharing")
    assert (code, last) == (1, "RED: see above")
    assert verdict == (
        "mine does not conform to core (0 of 14) of 2.0 (of the cases chosen); passed no case"
    )


def test_a_worker_that_skips_one_case_of_what_it_claims_is_red(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    [case] = [each for each in CASES if each.id == "sharing/constants-are-not-folded"]
    own = ("introspect", case.request)
    change = f'if (message.get("command"), message.get("request")) == {own}:\n    {SKIP}'
    code, [first, *_, verdict, _, last] = judged(change, tmp_path, capsys, *SOME)
    assert (code, first, last) == (1, f"SKIPPED mine: {case.id}", "RED: see above")
    assert verdict == (
        "mine does not conform to core (13 of 14) of 2.0 (of the cases chosen); "
        "conforms to outline of 2.0 (of the cases chosen)"
    )


def test_a_worker_that_claims_nothing_is_red(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, [*_, verdict, last] = judged(CLAIMS.format([]), tmp_path, capsys)
    assert (code, last) == (1, "RED: see above")
    assert verdict.startswith("mine does not conform to 2.0 without core; does not claim core,")
    assert verdict.endswith("; passed no case")


def test_a_worker_that_claims_a_part_without_core_is_red(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, [*_, verdict, last] = judged(CLAIMS.format(["outline"]), tmp_path, capsys)
    assert (code, last) == (1, "RED: see above")
    assert verdict.startswith("mine does not conform to 2.0 without core; conforms to outline of")


def test_a_worker_that_claims_what_there_is_not_is_told_what_there_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, [last] = judged(CLAIMS.format(["core", "lab"]), tmp_path, capsys)
    assert code == 2
    assert last == (
        "parity: engine mine claims the profile 'lab'; there are core, values, functions, "
        "picture, outline, sweep, experiment, paths, accuracy, descent, hessian"
    )


def test_a_worker_that_answers_every_program_alike_is_red(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = {"expression": "a + a", "values": {"a": 3}}
    change = CLAIMS.format(["core"]) + (
        'elif message.get("command") == "introspect":\n'
        f'    response = answer(json.dumps({{**message, "request": {one}}}).encode())'
    )
    code, [*lines, verdict, last] = judged(change, tmp_path, capsys, "--max-failures", "5")
    assert (code, last) == (1, "RED: see above")
    failed = [line for line in lines if line.startswith("FAILED mine: ")]
    assert len(failed) == 5
    assert re.match(r"mine does not conform to core \(\d of \d\d?\) of 2.0", lines[-1])
    assert verdict == "stopped by --max-failures 5"


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


@pytest.mark.thorough
def test_an_engine_with_words_of_its_own_is_green(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, [*_, verdict, last] = judged(OTHER_WORDS, tmp_path, capsys)
    assert (code, last) == (0, "green: no engine differs")
    assert verdict == "mine conforms to all profiles of 2.0"


def test_an_engine_of_an_older_contract_is_sent_to_its_own_kit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change = 'if message["kind"] == "start":\n    response["contract"] = "1.6"'
    code, [said] = judged(change, tmp_path, capsys)
    assert code == 2
    assert said == (
        "parity: mine cannot be judged: this kit judges contract 2.0 to 2.0, not 1.6: check out "
        "46d1f23, the last commit of 1.6, whose kit judges engines of 1.6, on: start"
    )
