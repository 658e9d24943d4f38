"""The lines that README and guide install by, typed as written beside a copy of this checkout."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from parity_tests.kit.engines import ROOT
from parity_tests.packaging.tests.places import TOOLS, run

pytestmark = pytest.mark.packages

README = (ROOT / "README.md").read_text(encoding="utf-8")
PIP = re.findall(r"`(pip install [^`]+)`", README)
NPM = re.findall(r"`(npm install [^`]+)`", README)
TESTED = re.findall(r"`(gradient-parity [^`]+)`", README)
EXPLAINED = re.findall(r"`python3 -m engine_py (explain [^`]+)`", README)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty folder with a Python environment, beside a copy of the files that git would keep."""
    folder = tmp_path_factory.mktemp("beside")
    names = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            copy = folder / "gradient-service" / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy)
    project = folder / "project"
    run(sys.executable, "-m", "venv", project / ".venv")
    return project


def test_the_guide_has_the_readmes_lines() -> None:
    guide = (ROOT / "parity_tests" / "IMPLEMENTING.md").read_text(encoding="utf-8")
    assert f"```sh\n{PIP[1]}\n{TESTED[0]}\n```" in guide


def typed(command: str, project: Path) -> str:
    """Run a line in the shell of a user who has activated the environment of the project."""
    return run("bash", "-c", f". .venv/bin/activate && {command}", cwd=project)


def test_the_readme_has_a_line_for_each_package() -> None:
    assert (len(PIP), len(NPM), len(TESTED), len(EXPLAINED)) == (2, 1, 1, 1)


def test_pip_installs_the_engine_and_its_command(project: Path) -> None:
    typed(PIP[0], project)
    gradients = "introspect('(a + b) * c', {'a': 2, 'b': -3, 'c': 10})['gradients']"
    source = f"from engine_py import introspect; print({gradients})"
    assert typed(f'python -c "{source}"', project) == "{'a': 10.0, 'b': 10.0, 'c': -1.0}\n"
    shown = typed(f"gradient {EXPLAINED[0]}", project)
    assert "result = -10\nd/da = 10\nd/db = 10\nd/dc = -1\n" in shown


def test_pip_installs_the_kit(project: Path) -> None:
    typed(PIP[1], project)
    shutil.copytree(ROOT / "parity_tests" / "port", project / "mine")
    (project / "mine" / "engines.toml").rename(project / "mine" / "mine.toml")
    printed = typed(f"cd mine && {TESTED[0]} --filter lessons", project)
    assert printed.endswith("green: no engine differs\n")


def test_npm_installs_the_engine_once_it_is_built(project: Path) -> None:
    built = project.parent / "gradient-service" / "engine_ts" / "dist"  # as `make setup` does
    shutil.copytree(ROOT / "engine_ts" / "dist", built)
    (project / "package.json").write_text('{"type": "module", "private": true}')
    run("bash", "-c", NPM[0], cwd=project)
    (project / "use.js").write_text(
        'import { introspect } from "@gradient-service/engine";\n'
        'const { gradients } = introspect("(a + b) * c", { a: 2, b: -3, c: 10 });\n'
        "console.log(JSON.stringify(gradients));\n"
    )
    assert json.loads(run(TOOLS / "node", "use.js", cwd=project)) == {"a": 10, "b": 10, "c": -1}


def test_a_line_that_names_no_folder_would_be_found(project: Path) -> None:
    wrong = PIP[0].replace("gradient-service", "gradient-servant")
    done = subprocess.run(
        ["bash", "-c", f". .venv/bin/activate && {wrong}"],
        cwd=project,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
