"""Long builds: the image twice, the kit, and the tests on the Python of the image."""

import re
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from parity_tests.kit.cases import load_cases, load_hard_cases
from service.deploy.tests.containers import IMAGE, RUN, docker, project
from service.tests.processes import ROOT

pytestmark = [pytest.mark.container, pytest.mark.usefixtures("images")]

PYTHON = ("--entrypoint", "python")
VERSION = ("-c", "import sys; print(sys.version)")


@pytest.mark.thorough
def test_two_builds_without_a_cache_give_the_same_layers() -> None:
    again = f"{IMAGE}-again"
    docker("compose", "build", "--no-cache", "service", TAG=again.partition(":")[2])
    try:
        layers = [docker("image", "inspect", "--format", "{{.RootFS.Layers}}", name).stdout
                  for name in (IMAGE, again)]  # fmt: skip
    finally:
        docker("image", "rm", again)
    assert layers[0] == layers[1]


@pytest.fixture(scope="module")
def kit(images: None) -> None:
    docker("compose", "--profile", "parity", "build", "parity")


@pytest.mark.usefixtures("kit")
def test_both_engines_pass_and_the_report_comes_out() -> None:
    with project("parity") as parity:
        report = ET.fromstring(parity.compose(*RUN, "parity", "--format", "junit").stdout)
    suites = {suite.get("name"): suite for suite in report}
    assert suites.keys() == {"engine_py", "engine_ts"}
    for suite in suites.values():
        cases = [*load_cases(), *load_hard_cases()]
        assert suite.get("tests") == str(len(cases) + 1)  # and the verdict
        assert (suite.get("failures"), suite.get("errors")) == ("0", "0")


@pytest.mark.usefixtures("kit")
def test_a_bug_in_an_engine_is_reported_and_changes_the_exit_code(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    for folder in ("engine_py", "schemas"):
        shutil.copytree(ROOT / folder, tmp_path / "mine" / folder)
    backward = tmp_path / "mine/engine_py/backward.py"
    right, wrong = "= grads[left] + grad", "= grad"
    assert right in backward.read_text()
    backward.write_text(backward.read_text().replace(right, wrong))
    entry = '[wrong]\nfolder = "engine_py"\nargv = ["python", "-m", "engine_py", "worker"]\n'
    (tmp_path / "mine/engines.toml").write_text(entry)
    mine = ("--volume", f"{tmp_path}/mine:/mine:ro", "parity", "--engines", "/mine/engines.toml")
    with project("parity") as parity:
        done = parity.compose(*RUN, *mine, "--engine", "wrong", check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "FAILED wrong: " in done.stdout


@pytest.mark.thorough
def test_the_engine_and_the_service_pass_their_tests_on_the_python_that_ships() -> None:
    docker("compose", "--profile", "tests", "build", "tests")
    shipped = docker("run", "--rm", "--network", "none", *PYTHON, IMAGE, *VERSION).stdout
    with project("tests") as tests:
        assert tests.compose(*RUN, *PYTHON, "tests", *VERSION).stdout == shipped
        done = tests.compose(*RUN, "tests", "-v", check=False)
    assert done.returncode == 0, done.stdout[-5_000:] + done.stderr[-2_000:]
    [passed] = re.findall(r"(\d+) passed", done.stdout)
    assert int(passed) > 1_000
