"""The parity kit in a container, as a CI job calls it."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from parity_tests.kit.cases import load_cases
from parity_tests.kit.hard import load_hard_cases
from service.deploy.tests.containers import ROOT, Project, project

pytestmark = [pytest.mark.container, pytest.mark.usefixtures("images")]

RUN = ("--progress", "quiet", "run", "--rm", "--no-TTY")


@pytest.fixture
def parity() -> Iterator[Project]:
    with project("parity") as unstarted:
        yield unstarted


def test_both_engines_are_green_and_the_report_comes_out(parity: Project) -> None:
    report = ET.fromstring(parity.compose(*RUN, "parity", "--format", "junit").stdout)
    suites = {suite.get("name"): suite for suite in report}
    assert suites.keys() == {"engine_py", "engine_ts"}
    for suite in suites.values():
        cases = [*load_cases(), *load_hard_cases()]
        assert suite.get("tests") == str(len(cases) + 1)  # and the verdict
        assert (suite.get("failures"), suite.get("errors")) == ("0", "0")


def test_a_wrong_engine_is_told_and_changes_the_exit_code(parity: Project, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    shutil.copytree(ROOT / "engine_py", tmp_path / "mine/engine_py")
    backward = tmp_path / "mine/engine_py/backward.py"
    right, wrong = "= grads[left] + grad", "= grad"
    assert right in backward.read_text()
    backward.write_text(backward.read_text().replace(right, wrong))
    entry = '[wrong]\nfolder = "engine_py"\nargv = ["python", "-m", "engine_py", "worker"]\n'
    (tmp_path / "mine/engines.toml").write_text(entry)
    mine = ("--volume", f"{tmp_path}/mine:/mine:ro", "parity", "--engines", "/mine/engines.toml")
    done = parity.compose(*RUN, *mine, "--engine", "wrong", check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "FAILED wrong: " in done.stdout
