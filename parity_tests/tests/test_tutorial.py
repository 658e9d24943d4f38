"""The tutorial's commands, run in one folder from first to last, print what it shows.

test_guides.py sends its request.
"""

import doctest
import os
import re
import subprocess
import sys
from math import atanh
from pathlib import Path

import pytest
import yaml

from parity_tests.kit.engines import ROOT

FILE = ROOT / "parity_tests" / "TUTORIAL.md"
TEXT = FILE.read_text(encoding="utf-8")
PART = re.compile(
    r"`(?P<name>[\w.]+)`:\n\n```(?:python|toml)\n(?P<content>.*?)^```$"
    r"|^```sh\n(?P<command>[^`]*)^```\n\n```\n(?P<printed>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
"""A file to write, or a command and its output."""
COMMANDS = {"gradient": "engine_py", "gradient-parity": "parity_tests", "python3": ""}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder next to the commands that `pip install` makes."""
    programs = tmp_path / "programs"
    programs.mkdir()
    for name, module in COMMANDS.items():
        started = f"PYTHONPATH='{ROOT}' exec '{sys.executable}' {module and f'-m {module}'}"
        (programs / name).write_text(f'#!/bin/sh\n{started} "$@"\n')
        (programs / name).chmod(0o755)
    (tmp_path / "mine").mkdir()
    return tmp_path / "mine"


def printed(command: str, folder: Path) -> str:
    path = f"{folder.parent / 'programs'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", "-e", "-c", command],
        cwd=folder,
        env={**os.environ, "PATH": path, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def block(kind: str) -> str:
    """Return the one block of this kind."""
    [found] = re.findall(rf"^```{kind}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    return str(found)


def test_each_command_prints_what_the_tutorial_shows(folder: Path) -> None:
    compare = doctest.OutputChecker().check_output
    names, commands = [], 0
    for part in PART.finditer(TEXT):
        if part["name"]:
            (folder / part["name"]).write_text(part["content"])
            names.append(part["name"])
            continue
        commands += 1
        found = printed(part["command"], folder)
        assert compare(part["printed"], found, doctest.ELLIPSIS), part["command"] + found
    assert (names, commands) == (["student.py", "worker.py", "mine.toml"], 11)


def test_the_recipe_for_github_classroom_grades_what_is_pushed(folder: Path) -> None:
    steps = yaml.safe_load(block("yaml"))["jobs"]["grade"]["steps"]
    commands = [step["run"] for step in steps if "gradient grade" in step.get("run", "")]
    found = PART.search(TEXT, TEXT.index("`student.py`:"))
    assert found
    (folder / "student.py").write_text(found["content"].replace("grad = out", "grad += out"))
    assert "right (required: +, *)" in printed("\n".join(commands), folder)
    assert (folder / "results.xml").exists()


def test_the_python_of_the_tutorial_prints_what_it_shows() -> None:
    failed, attempted = doctest.testfile(str(FILE), module_relative=False)
    assert (failed, attempted >= 8) == (0, True)


def test_the_training_nears_the_weight_that_solves_it() -> None:
    steps = re.findall(r"^ +\d +\S+ +\S+ +(-?[\d.]+)$", TEXT, re.MULTILINE)
    far = [abs(float(weight) + atanh(0.5)) for weight in steps]
    assert len(far) == 5
    assert far == sorted(far, reverse=True)
    assert far[-1] < 0.004
