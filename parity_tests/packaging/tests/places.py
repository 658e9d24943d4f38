"""Empty folders and environments, in which a package is tried as its user would have it."""

import os
import subprocess
import sys
from pathlib import Path

from parity_tests.kit.engines import ROOT

TOOLS = Path(sys.executable).parent
OFFLINE = ("--no-index", "--no-deps", "--disable-pip-version-check", "--quiet")


def run(*command: str | Path, cwd: Path = ROOT, **variables: str) -> str:
    """Run a command that must succeed; give what it printed.

    PATH begins with the folder of this Python, and no variable leads to modules of this checkout.
    """
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    env["PATH"] = f"{TOOLS}{os.pathsep}{env['PATH']}"
    done = subprocess.run(
        command, cwd=cwd, env={**env, **variables}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(source: Path, folder: Path, *kinds: str) -> None:
    """Build a Python project by its own settings, with the build tools of the lock."""
    run(TOOLS / "pyproject-build", "--no-isolation", *kinds, "--outdir", folder, source)


def environment(folder: Path, *wheels: Path) -> Path:
    """Make an environment that holds the wheels and nothing else; give its folder of programs."""
    run(sys.executable, "-m", "venv", "--without-pip", folder)
    programs = folder / "bin"
    pip = (sys.executable, "-m", "pip", "--python", programs / "python")
    run(*pip, "install", *OFFLINE, *wheels)
    return programs
