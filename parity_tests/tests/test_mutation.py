"""The kill checks of the mutation run pass on sound engines and fail on a wrong result."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from parity_tests.kit.engines import ROOT, find_program
from parity_tests.mutation.calls import write_calls

CHECKS = ROOT / "parity_tests" / "mutation"


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fifth of the calls: a mutation run begins with all of them."""
    file = tmp_path_factory.mktemp("calls") / "calls.json"
    write_calls(file)
    lines = file.read_text().splitlines(keepends=True)[::5]
    assert len(lines) > 100
    file.write_text("".join(lines))
    return file


def checked(engine: str, folder: Path) -> tuple[int, str]:
    """Run the kill check beside the engine, as the mutation run does; give its code and output."""
    if engine == "engine_py":
        shutil.copy(CHECKS / "check_py.py", folder / "test_kill.py")
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)]
        return run(command, ROOT)
    shutil.copy(CHECKS / "check_ts.mjs", folder)
    shutil.copytree(ROOT / "engine_ts" / "src", folder / "engine_ts" / "src")
    command = [find_program("node"), "check_ts.mjs"]
    return run(command, folder)


def run(command: list[str], folder: Path) -> tuple[int, str]:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.thorough
@pytest.mark.parametrize("engine", ["engine_py", "engine_ts"])
def test_a_sound_engine_survives(engine: str, calls: Path, tmp_path: Path) -> None:
    shutil.copy(calls, tmp_path)
    code, shown = checked(engine, tmp_path)
    assert code == 0, shown


@pytest.mark.parametrize("engine", ["engine_py", "engine_ts"])
def test_a_wrong_result_is_noticed(engine: str, calls: Path, tmp_path: Path) -> None:
    entries = [json.loads(line) for line in calls.read_text().splitlines()]
    documents = [entry for entry in entries if "gradients" in (entry["right"].get("result") or ())]
    wrong = next(entry for entry in documents if "partial" not in entry)
    wrong["right"]["result"]["result"] = "another"  # one more could be the same double
    text = "".join(json.dumps(entry) + "\n" for entry in entries)
    (tmp_path / "calls.json").write_text(text)
    code, shown = checked(engine, tmp_path)
    assert code == 1, shown
    assert wrong["name"] in shown
