"""Engines that pass where they should not: each is red, with a sentence that says why."""

from pathlib import Path

import pytest

from parity_tests.__main__ import main
from parity_tests.tests.conftest import ENTRY, write_proxy

CHEATS = {
    "a stored table": (
        # It has the answers of the cases, and none to another request.
        """
from parity_tests.kit.cases import load_cases
if message["kind"] == "run" and message["command"] == "introspect":
    if message["request"] not in [case.request for case in load_cases()]:
        return {"kind": "skipped", "sequence": message["sequence"], "reason": "is not stored"}
""",
        ["--filter", "sharing", "--fuzz", "20", "--seed", "5"],
        ["among the programs of seed 5", "an engine may know stored answers alone"],
    ),
    "a slow engine": (
        "import time; time.sleep(0.001)",
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
"""By name: a change of engine_py's responses, options of a run, and what the report says."""


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_is_red_with_a_sentence(
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


def test_a_seed_repeats_the_random_programs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    change = "if 'result' in response.get('result', {}): response['result']['result'] = 0.1"
    file = write_proxy(tmp_path, change)
    reports = []
    for _ in range(2):
        main(["--engines", file, "--filter", "order", "--fuzz", "20", "--seed", "7"])
        reports.append(capsys.readouterr().out.partition("among the programs of seed 7")[2])
    assert reports[0] == reports[1] != ""
