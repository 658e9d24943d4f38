"""An engine -> its copy with the kill check, all mutants tried, and what became of each."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from parity_tests.kit.engines import ROOT, SetupError, find_program

HERE = Path(__file__).parent
NOISE = ("__pycache__", "bench", "dist", "node_modules")

ENDLESS = (24, -24, 36, 152, 255)
"""What mutmut notes for a mutant that ran out of time."""
KILLED = (1, 3, -9, -11, *ENDLESS)


class Mutant(NamedTuple):
    """One small mistake, and whether the checks noticed it."""

    engine: str
    module: str
    killed: bool
    change: str
    """Where and what, on a few lines."""


def mutate_python(
    folder: Path, calls: Path, jobs: int, modules: Sequence[str] = ()
) -> list[Mutant]:
    """Let mutmut loose on a copy of engine_py, or on some modules of it."""
    copy = _emptied(folder / "python")
    _copy(ROOT / "engine_py", copy / "engine_py")
    hard_cases = Path("parity_tests", "exactness", "hard_cases")
    _copy(ROOT / hard_cases, copy / hard_cases)
    (copy / "kill").mkdir()
    shutil.copy(calls, copy / "kill" / "calls.json")
    shutil.copy(HERE / "check_py.py", copy / "kill" / "test_kill.py")
    shutil.copy(HERE / "limit_py.py", copy / "conftest.py")
    shutil.copy(HERE / "mutmut.toml", copy / "pyproject.toml")
    shutil.copy(HERE / "run_mutmut.py", copy)
    python = folder / "venv" / "bin" / "python"
    _run([str(python), "run_mutmut.py", str(jobs), *modules], copy)
    return python_mutants(copy / "mutants.json")


def python_mutants(results: Path) -> list[Mutant]:
    """Read what mutmut found. A mutant that no test reaches has survived."""
    return [
        Mutant(
            "engine_py",
            each["module"],
            each["exit"] in KILLED,
            "\n".join([each["name"], *each["diff"]]),
        )
        for each in json.loads(results.read_text())
    ]


def mutate_typescript(
    folder: Path, calls: Path, jobs: int, modules: Sequence[str] = ()
) -> list[Mutant]:
    """Let Stryker loose on a copy of engine_ts, or on some modules of it."""
    copy = _emptied(folder / "typescript")
    _copy(ROOT / "engine_ts", copy / "engine_ts")
    (copy / "node_modules").symlink_to(ROOT / "engine_ts" / "node_modules")
    shutil.copy(calls, copy / "calls.json")
    for name in ("check_ts.mjs", "run_tests.mjs", "stryker.config.json"):
        shutil.copy(HERE / name, copy)
    stryker = folder / "node_modules" / "@stryker-mutator" / "core" / "bin" / "stryker.js"
    options = ["stryker.config.json", "--concurrency", str(jobs)]
    if modules:
        options += ["--mutate", ",".join([f"engine_ts/src/{module}.ts" for module in modules])]
    _run([find_program("node"), str(stryker), "run", *options], copy)
    return typescript_mutants(copy / "mutants.json")


def typescript_mutants(results: Path) -> list[Mutant]:
    """Read what Stryker found. What was left out by its settings is no mutant."""
    return [
        Mutant(
            "engine_ts",
            file.removeprefix("engine_ts/src/").removesuffix(".ts"),
            mutant["status"] in ("Killed", "Timeout"),
            _change(file, report["source"].splitlines(), mutant),
        )
        for file, report in json.loads(results.read_text())["files"].items()
        for mutant in report["mutants"]
        if mutant["status"] != "Ignored"
    ]


def _change(
    file: str, lines: Sequence[str], mutant: Mapping[str, dict[str, dict[str, int]]]
) -> str:
    start, end = mutant["location"]["start"], mutant["location"]["end"]
    line = lines[start["line"] - 1]
    last = end["column"] - 1 if end["line"] == start["line"] else len(line)
    before = line[start["column"] - 1 : last]
    where = f"{file}:{start['line']} {mutant['mutatorName']}"
    return f"{where}\n-{line.strip()}\n+{before} => {mutant['replacement']}"


MUTATORS: dict[str, Callable[[Path, Path, int, Sequence[str]], list[Mutant]]] = {
    "engine_py": mutate_python,
    "engine_ts": mutate_typescript,
}


def _run(argv: Sequence[str], folder: Path) -> None:
    """Run in the copy; a terminal sees the tool's own progress, other places get a log."""
    log = folder / "log.txt"
    with log.open("w") as file:
        output = None if sys.stderr.isatty() else file
        code = subprocess.run(
            argv, cwd=folder, stdout=output, stderr=output, check=False
        ).returncode
    if code != 0:
        raise SetupError(f"{argv[0]} ended with {code}, see {log}")


def _emptied(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def _copy(source: Path, target: Path) -> None:
    shutil.copytree(source, target, ignore=shutil.ignore_patterns(*NOISE))
