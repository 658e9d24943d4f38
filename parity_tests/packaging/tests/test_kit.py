"""`gradient-parity`, installed where this checkout is not, and the action that installs it."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET
from zipfile import ZipFile

import pytest
import yaml

from engine_py import CONTRACT, __version__
from parity_tests.kit.cases import load_cases
from parity_tests.kit.engines import ROOT
from parity_tests.kit.hard import load_hard_cases
from parity_tests.packaging.tests.places import TOOLS, environment, run

pytestmark = pytest.mark.packages

PORT = ROOT / "parity_tests" / "port"
ACTION = ROOT / "parity_tests" / "action.yml"


@pytest.fixture(scope="module")
def programs(engine_wheel: Path, kit_wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with the two packages and nothing else."""
    return environment(tmp_path_factory.mktemp("environment"), engine_wheel, kit_wheel)


@pytest.fixture
def port(tmp_path: Path) -> Path:
    """A folder outside of the checkout with the engine of another repository."""
    return shutil.copytree(PORT, tmp_path / "mine")


def sabotage(port: Path) -> None:
    """Let a node take the last contribution for its gradient, instead of the sum of all."""
    module = port / "passes.py"
    right = "finite(operand.grad + contribution,"
    assert module.read_text().count(right) == 1
    module.write_text(module.read_text().replace(right, "finite(contribution,"))


def test_the_wheel_holds_the_kit_alone(kit_wheel: Path) -> None:
    run(TOOLS / "check-wheel-contents", kit_wheel)
    with ZipFile(kit_wheel) as wheel:
        names = {name for name in wheel.namelist() if name.startswith("parity_tests/")}
        assert len(names) == len(wheel.namelist()) - 4  # METADATA, WHEEL, entry points, RECORD
    parts = {name.split("/")[1] for name in names}
    assert parts == {
        *("__init__.py", "__main__.py", "sentences.py", "engines.toml", "LICENSE"),
        *("exactness", "fixtures", "fuzz", "kit", "schemas"),
    }
    kit = (ROOT / "parity_tests" / "kit").glob("*.py")
    assert {f"parity_tests/kit/{file.name}" for file in kit} <= names
    fixtures = {name for name in names if name.startswith("parity_tests/fixtures/")}
    topics = {f"parity_tests/fixtures/{case.topic}.json" for case in load_cases()}
    assert fixtures == {*topics, "parity_tests/fixtures/manifest.json"}


def test_the_port_passes_in_a_folder_of_its_own(programs: Path, port: Path) -> None:
    reports = ("markdown=parity.md", "junit=parity.xml", "badge=new/badge.json")
    options = [word for report in reports for word in ("--report", report)]
    printed = run(programs / "gradient-parity", "--engines", "engines.toml", *options, cwd=port)
    assert printed.endswith("green: no engine differs\n")
    counts = re.findall(r"port: (\d+) passed, (\d+) not claimed, of (\d+)", printed)
    passed, unclaimed, total = map(int, counts[0])
    assert (passed + unclaimed, passed >= 900, unclaimed > 0) == (total, True, True)
    assert total == len(load_cases()) + len(load_hard_cases())
    assert "## Parity: green" in (port / "parity.md").read_text()
    [suite] = ET.parse(port / "parity.xml").getroot()
    assert (suite.get("tests"), suite.get("failures")) == (str(total + 1), "0")
    assert json.loads((port / "new" / "badge.json").read_text()) == {
        "schemaVersion": 1,
        "label": "gradient contract",
        "message": (
            "conforms to core, functions, outline, sweep, experiment, paths, descent and hessian "
            f"of {CONTRACT.rpartition('.')[0]}"
        ),
        "color": "green",
    }


def test_pipx_runs_it_in_an_empty_folder(
    engine_wheel: Path, kit_wheel: Path, port: Path, tmp_path: Path
) -> None:
    """As its README writes it; the packages of this checkout stand for those of the registry."""
    links = tmp_path / "packages"
    links.mkdir()
    for wheel in (engine_wheel, kit_wheel):
        shutil.copy(wheel, links)
    command = shlex.split(
        f"pipx run gradient-parity=={__version__} --engines engines.toml --filter lessons"
    )
    home = str(tmp_path / "pipx")
    printed = run(
        TOOLS / command[0], *command[1:], cwd=port, PIPX_HOME=home, PIP_FIND_LINKS=str(links)
    )
    assert re.search(
        r"^port conforms to core of 2\.0 \(of the cases chosen\)$", printed, re.MULTILINE
    )


@pytest.mark.parametrize("started", ["by its name", "by its path"])
def test_a_failure_is_repeated_by_the_command_that_it_shows(
    started: str, programs: Path, port: Path
) -> None:
    sabotage(port)
    name, path = str(programs / "gradient-parity"), os.environ["PATH"]
    if started == "by its name":
        name, path = "gradient-parity", f"{programs}{os.pathsep}{path}"
    command = f"{name} --engines engines.toml --filter sharing"
    for _ in range(2):
        done = subprocess.run(
            shlex.split(command),
            cwd=port,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 1, done.stderr
        assert "FAILED port: sharing/" in done.stdout
        assert "  R16.2: A bound name used later is that very node, not a copy." in done.stdout
        [command, *_] = re.findall(r"^  reproduce: (.*)$", done.stdout, re.MULTILINE)
        assert command.startswith(f"{name} --engines engines.toml --engine port --filter sharing/")


def test_it_runs_beside_a_strangers_own_folders(programs: Path, port: Path) -> None:
    for name in ("parity_tests", "engine_py", "schemas"):
        (port / name).mkdir()
        (port / name / "__init__.py").write_text("raise AssertionError('not what was meant')")
    command = (programs / "gradient-parity", "--engines", "engines.toml", "--filter", "lessons")
    assert "green" in run(*command, cwd=port)


def test_without_jsonschema_it_says_how_to_validate(programs: Path, port: Path) -> None:
    command = (programs / "gradient-parity", "--engines", "engines.toml", "--validate")
    done = subprocess.run(command, cwd=port, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "--validate needs jsonschema_rs; install gradient-parity[validate]" in done.stderr


def test_random_programs_compare_the_port_with_the_reference(programs: Path, port: Path) -> None:
    fuzz = (programs / "gradient-parity-fuzz", "--engines", "engines.toml", "--count", "250")
    printed = run(*fuzz, cwd=port)
    assert "250 programs of seed 1, 0 differences" in printed
    assert re.search(r"not claimed by: port \d+", printed)
    sabotage(port)
    done = subprocess.run(fuzz, cwd=port, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    [again] = re.findall(r"^reproduce: (.*)$", done.stdout, re.MULTILINE)
    repeated = subprocess.run(
        shlex.split(again), cwd=port, capture_output=True, text=True, check=False
    )
    assert (repeated.returncode, "differ at" in repeated.stdout) == (1, True)
    assert not (port / "build").exists()


def test_the_action_judges_an_engine(tmp_path: Path) -> None:
    """Its steps run in a folder as the calling repository's; packages come from their registry."""
    steps = yaml.safe_load(ACTION.read_text())["runs"]["steps"]
    install, judge = [step["run"] for step in steps if "run" in step]
    mine = shutil.copytree(PORT, tmp_path / "mine")
    env = {
        **os.environ,
        "PYTHON": sys.executable,
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_ACTION_PATH": str(ACTION.parent),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "ENGINES": "engines.toml",
        "ARGUMENTS": "--filter sharing",
        "BADGE": "badge.json",
    }

    def step(script: str) -> int:
        words = ["bash", "-eo", "pipefail", "-c", script]
        return subprocess.run(words, cwd=mine, env=env, check=False).returncode

    assert (step(install), step(judge)) == (0, 0)
    assert "green" in (tmp_path / "summary.md").read_text()
    assert '"green"' in (mine / "badge.json").read_text()
    sabotage(mine)
    assert step(judge) == 1
    assert "FAILED port: sharing/" in (tmp_path / "summary.md").read_text()
    [suite] = ET.parse(tmp_path / "parity.xml").getroot()
    assert (suite.get("name"), suite.get("failures") == "0") == ("port", False)
    assert '"red"' in (mine / "badge.json").read_text()
