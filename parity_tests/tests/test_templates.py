"""The workers to begin with answer every line, and compute a sum; those whose toolchain is here."""

import shutil
import subprocess
from pathlib import Path

import pytest

from parity_tests.kit.cases import load_cases, load_hard_cases, load_lines
from parity_tests.kit.contract import CORE
from parity_tests.kit.engines import ROOT, Engine, find_program, load_engines
from parity_tests.kit.runner import run_cases

TEMPLATES = ROOT / "parity_tests" / "templates"
SUMS = [case for case in load_hard_cases() if case.request["operation"] == "+"]
OF_ANOTHER_COMMAND = [
    case for case in load_cases() if case.name.startswith("a-limit-of-another-command")
]
"""What they refuse unless they know each limit, and skip until somebody fills them in."""
OF_OTHERS = ("an-operand-too-few", "an-operand-too-many", "without-operands-in-a-row")
"""Lines that are refused by engines with an operation of this name; others skip them."""
LINES = [
    case
    for case in load_lines()
    if case.profiles == {CORE}
    and case.expect["response"]["kind"] in ("refused", "skipped", "started")
    and not case.name.endswith(OF_OTHERS)
]


def program(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"found no {name}, so its template was not tried")
    return found


def argv(language: str, folder: Path) -> tuple[str, ...]:
    """Return the command that starts a template, which may have to be compiled into a folder."""
    if language == "JavaScript":
        return find_program("node"), str(TEMPLATES / "worker.mjs")
    if language == "Java":
        return program("java"), str(TEMPLATES / "Worker.java")
    binary = str(folder / "worker")
    source = str(TEMPLATES / "worker.rs")
    subprocess.run([program("rustc"), "--deny", "warnings", "-o", binary, source], check=True)
    return (binary,)


@pytest.mark.parametrize("language", ["JavaScript", "Rust", "Java"])
def test_a_template_answers_every_line_and_adds(language: str, tmp_path: Path) -> None:
    engine = Engine(language, argv(language, tmp_path), TEMPLATES, root=TEMPLATES)
    [model, *_] = load_engines().values()
    results = list(run_cases([engine], [*SUMS, *LINES, *OF_ANOTHER_COMMAND], model, seconds=300.0))
    others = [(each.case.id, each.explanation) for each in results if each.status != "passed"]
    assert others == [(case.id, "does not have introspect") for case in OF_ANOTHER_COMMAND]
    assert len(results) == len(SUMS) + len(LINES) + 1 >= 131
