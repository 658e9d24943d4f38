"""An engine -> its copy with the kill check, all mutants tried, and what became of each."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from parity_tests.kit.engines import ROOT, SetupError, find_program
from parity_tests.mutation.sample import drawn_ranges

HERE = Path(__file__).parent
NOISE = ("__pycache__", "bench", "dist", "node_modules")

CPU_LIMIT = "ulimit -t 10"
"""Seconds of computing for a TypeScript mutant; time on the clock depends on what else runs."""

ENDLESS = (24, -24, 36, 152, 255)
"""What mutmut notes for a mutant that ran out of time."""
KILLED = (1, 3, -9, -11, *ENDLESS)


class Task(NamedTuple):
    """What is to be tried, and where."""

    folder: Path
    """Where the tools are installed, and the copies are put."""
    calls: Path
    jobs: int
    modules: Sequence[str]
    """Such as `lab/tape`; none for all."""
    by_kit_alone: bool
    """The engine's unit tests are no judges then."""
    share: int
    """Try one mutant in so many; in TypeScript, the mutants of one function in so many."""


class Mutant(NamedTuple):
    """One small mistake, and whether the checks noticed it."""

    engine: str
    module: str
    killed: bool
    change: str
    """Where and what, on a few lines."""


def mutate_python(task: Task) -> list[Mutant]:
    """Let mutmut loose on a copy of engine_py, or on some modules of it."""
    copy = _emptied(task.folder / "python")
    _copy(ROOT / "engine_py", copy / "engine_py")
    for folder in ("parity_tests/exactness/hard_cases", "parity_tests/units"):
        _copy(ROOT / folder, copy / folder)
    (copy / "kill").mkdir()
    shutil.copy(task.calls, copy / "kill" / "calls.json")
    shutil.copy(HERE / "check_py.py", copy / "kill" / "test_kill.py")
    shutil.copy(HERE / "limit_py.py", copy / "conftest.py")
    shutil.copy(HERE / "mutmut.toml", copy / "pyproject.toml")
    shutil.copy(HERE / "run_mutmut.py", copy)
    python = task.folder / "venv" / "bin" / "python"
    tests = ["kill"] if task.by_kit_alone else ["kill", "engine_py/tests"]
    options = ["--jobs", str(task.jobs), "--share", str(task.share), "--tests", *tests]
    _run([str(python), "run_mutmut.py", *options, "--modules", *task.modules], copy)
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


def mutate_typescript(task: Task) -> list[Mutant]:
    """Let Stryker loose on a copy of engine_ts, or on some modules of it."""
    copy = _emptied(task.folder / "typescript")
    _copy(ROOT / "engine_ts", copy / "engine_ts")
    _copy(ROOT / "parity_tests" / "units", copy / "parity_tests" / "units")
    (copy / "node_modules").symlink_to(ROOT / "engine_ts" / "node_modules")
    shutil.copy(task.calls, copy / "calls.json")
    for name in ("check_ts.mjs", "run_tests.mjs"):
        shutil.copy(HERE / name, copy)
    settings = json.loads((HERE / "stryker.config.json").read_text())
    if task.modules:
        settings["mutate"] = [f"engine_ts/src/{module}.ts" for module in task.modules]
    if task.share > 1:
        settings["mutate"] = _sampled(settings["mutate"], task.share)
    if task.by_kit_alone:
        settings["commandRunner"] = {"command": f"{CPU_LIMIT} && node check_ts.mjs"}
    (copy / "stryker.config.json").write_text(json.dumps({**settings, "concurrency": task.jobs}))
    stryker = task.folder / "node_modules" / "@stryker-mutator" / "core" / "bin" / "stryker.js"
    _run([find_program("node"), str(stryker), "run", "stryker.config.json"], copy)
    return typescript_mutants(copy / "mutants.json")


def _sampled(patterns: Sequence[str], share: int) -> list[str]:
    """Draw functions of the files that are to be mutated."""
    files = [file for each in patterns if each[0] != "!" for file in sorted(ROOT.glob(each))]
    names = {file: str(file.relative_to(ROOT)) for file in files}
    return [
        piece
        for file, name in names.items()
        if f"!{name}" not in patterns
        for piece in drawn_ranges(file, name, share)
    ]


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


MUTATORS: dict[str, Callable[[Task], list[Mutant]]] = {
    "engine_py": mutate_python,
    "engine_ts": mutate_typescript,
}


def _run(argv: Sequence[str], folder: Path) -> None:
    """Run in the copy; a terminal sees the tool's own progress, other places get a log."""
    log = folder / "log.txt"
    # Stryker starts `node` by name, which is to be the one that runs Stryker.
    path = os.pathsep.join([str(Path(find_program("node")).parent), os.environ["PATH"]])
    with log.open("w") as file:
        output = None if sys.stderr.isatty() else file
        code = subprocess.run(
            argv,
            cwd=folder,
            stdout=output,
            stderr=output,
            check=False,
            env={**os.environ, "PATH": path},
        ).returncode
    if code != 0:
        raise SetupError(f"{argv[0]} ended with {code}, see {log}")


def _emptied(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def _copy(source: Path, target: Path) -> None:
    shutil.copytree(source, target, ignore=shutil.ignore_patterns(*NOISE))
