"""A release, built once; its installed packages; and how commands run outside the checkout."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine_py import __version__
from parity_tests.kit.engines import ROOT
from parity_tests.packaging.release import FOLDER, main
from service.web.tests.conftest import browsers  # noqa: F401 - a fixture here, too

TOOLS = Path(sys.executable).parent
NODE, NPM = TOOLS / "node", TOOLS / "npm"
ESBUILD = ROOT / "service" / "web" / "node_modules" / ".bin" / "esbuild"


def run(*command: str | Path, cwd: Path = ROOT, code: int = 0, **variables: str) -> str:
    """Run a command without this checkout's modules, check its exit code, return its output."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    env["PATH"] = f"{TOOLS}{os.pathsep}{env['PATH']}"
    done = subprocess.run(
        command, cwd=cwd, env={**env, **variables}, capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def released() -> dict[str, bytes]:
    """The files of `make release`, by name."""
    assert main(["--trial", "--tag", f"v{__version__}"]) == 0
    return {file.name: file.read_bytes() for file in FOLDER.iterdir()}


@pytest.fixture(scope="session")
def project(released: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty npm project with the package and nothing else."""
    folder = tmp_path_factory.mktemp("npm")
    (folder / "package.json").write_text('{"name": "empty", "private": true}')
    [package] = [FOLDER / name for name in released if name.endswith(".tgz")]
    offline = ("--offline", "--no-audit", "--no-fund", "--loglevel=error")
    run(NODE, NPM, "install", *offline, package, cwd=folder)
    assert [each.name for each in (folder / "node_modules").glob("@*/*")] == ["engine"]
    return folder
