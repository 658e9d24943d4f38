"""The suite fails where an engine, a program or a fixture is missing; it never skips."""

import sys
from pathlib import Path

import pytest

from parity_tests.kit.cases import Case, load_cases, read_json
from parity_tests.kit.engines import ROOT, Engine, SetupError, find_program, load_engines
from parity_tests.kit.worker import EngineFault, Worker


def test_both_engines_are_listed() -> None:
    assert set(load_engines()) >= {"engine_py", "engine_ts"}


def test_a_missing_list_of_engines_fails(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="is missing"):
        load_engines(tmp_path / "engines.toml")


def test_an_empty_list_of_engines_fails(tmp_path: Path) -> None:
    (tmp_path / "engines.toml").write_text("")
    with pytest.raises(SetupError, match="lists none"):
        load_engines(tmp_path / "engines.toml")


@pytest.mark.parametrize("folder", ["gone", "empty"])
def test_an_engine_without_its_folder_fails(tmp_path: Path, folder: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "engines.toml").write_text(f'[mine]\nfolder = "{folder}"\nargv = ["python"]\n')
    with pytest.raises(SetupError, match=f"engine mine: its folder {folder} is missing or empty"):
        load_engines(tmp_path / "engines.toml", tmp_path)


def test_a_missing_program_fails_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    monkeypatch.setenv("PATH", "/nowhere/else")
    with pytest.raises(SetupError, match="neither in /nowhere nor on PATH; install"):
        find_program("node")


def test_the_program_beside_python_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("venv", "path"):
        program = tmp_path / folder / "node"
        program.parent.mkdir()
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "path"))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "venv" / "python"))
    assert find_program("node") == str(tmp_path / "venv" / "node")
    assert find_program("python") == str(tmp_path / "venv" / "python")


def test_missing_fixtures_fail(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="no fixtures"):
        load_cases(tmp_path)


def test_an_engine_that_cannot_start_fails_with_the_end_of_its_stderr() -> None:
    engine = Engine("broken", (sys.executable, "-c", "raise SystemExit('no such file')"), ROOT)
    with pytest.raises(EngineFault, match=r"exit code 1, on: start\nno such file"), Worker(engine):
        pass


def test_a_number_beyond_the_doubles_is_handed_on_as_written(tmp_path: Path) -> None:
    (tmp_path / "case.json").write_text('{"a": 1e400, "b": -2.5e308, "c": 1.5, "d": -0.0}')
    read = read_json(tmp_path / "case.json")
    assert read["a"] == 10**400
    assert read["b"] == -25 * 10**307
    assert str((read["c"], read["d"])) == "(1.5, -0.0)"


def case(expect: dict[str, object]) -> Case:
    return Case("topic", "name", [], "", "", {}, None, expect)


def test_a_verdict_tells_the_difference_or_what_came_instead() -> None:
    document = {"kind": "result", "sequence": 0, "result": {"result": 2.5, "root": 0}}
    error = {"code": "unused_name", "message": "oh", "span": None, "name": "b"}
    response = {"kind": "error", "sequence": 0, "error": error}
    crash = {"kind": "crashed", "sequence": 0, "message": "oh", "traceback": "line 7"}
    expected = case({"document": {"result": 2}})
    assert case({"document": {"result": 2.5}}).verdict(document) is None
    assert "at /result" in (expected.verdict(document) or "")
    assert 'got error {"code": "unused_name"' in (expected.verdict(response) or "")
    assert "got crashed" in (expected.verdict(crash) or "")
    expected_error = {member: error[member] for member in ("code", "span", "name")}
    assert case({"error": expected_error}).verdict(response) is None
    assert "at /name" in (case({"error": {**expected_error, "name": "c"}}).verdict(response) or "")
    assert "at /name" in (
        case({"error": {"code": "unused_name", "span": None}}).verdict(response) or ""
    )


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("[mine", "is not TOML"),
        ("mine = 3", "engine mine: `folder` is wrong"),
        ('[mine]\nargv = ["python"]', "engine mine: `folder` is wrong"),
        ('[mine]\nfolder = "."\nargv = "python"', "engine mine: `argv` is wrong"),
        (
            '[mine]\nfolder = "."\nargv = ["python"]\nknown_failure = []',
            "engine mine: `known_failure` is wrong",
        ),
        ('[mine]\nfolder = "."\nargv = []', "engine mine: `argv` is empty"),
        ('[mine]\nfolder = "."\nargv = ["./gone"]', "`./gone` is not a program in"),
    ],
)
def test_an_entry_that_cannot_be_used_is_refused(tmp_path: Path, entry: str, message: str) -> None:
    (tmp_path / "mine.toml").write_text(entry)
    with pytest.raises(SetupError, match=message):
        load_engines(tmp_path / "mine.toml")


def test_an_engine_is_found_and_started_beside_its_file(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('[mine]\nfolder = "."\nargv = ["python", "worker.py"]')
    engine = load_engines(tmp_path / "mine.toml")["mine"]
    assert engine.root == engine.folder == tmp_path.resolve()
