"""What `make` would do, by its dry run in a folder that holds the files it depends on."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from parity_tests.kit.engines import ROOT

SERVING = "-r service/requirements.lock"
TESTING = "-r parity_tests/requirements.lock"
LOCKS = ("service/requirements.lock", "parity_tests/requirements.lock")
NEEDED = (
    *LOCKS,
    "service/web/requirements.lock",
    *(
        f"{folder}/{file}"
        for folder in ("engine_ts", "service/web")
        for file in ("package.json", "package-lock.json")
    ),
)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A clone in which nothing has been installed."""
    shutil.copy(ROOT / "Makefile", tmp_path)
    for file in (*NEEDED, "engine_ts/tsconfig.json", "engine_ts/tsconfig.build.json"):
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, tmp_path / file)
        os.utime(tmp_path / file, (1, 1))
    return tmp_path


def make(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # The variables of a `make` that runs these tests are not for this one.
    outer = ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")
    env = {name: value for name, value in os.environ.items() if name not in outer}
    command = ["make", "--no-print-directory", *arguments]
    return subprocess.run(
        command, cwd=checkout, env=env, capture_output=True, text=True, check=False
    )


def planned(checkout: Path, target: str) -> str:
    done = make(checkout, "--dry-run", target)
    assert done.returncode == 0, done.stderr
    return done.stdout


def install(checkout: Path, *stamps: str) -> None:
    """Leave what an installation leaves: a Python that starts, and the stamps."""
    (checkout / ".venv" / "bin").mkdir(parents=True)
    (checkout / ".venv" / "bin" / "python").symlink_to(sys.executable)
    for time, stamp in enumerate(stamps, start=10):
        (checkout / stamp).parent.mkdir(parents=True, exist_ok=True)
        (checkout / stamp).touch()
        os.utime(checkout / stamp, (time, time), follow_symlinks=False)


EVERYTHING = (
    ".venv/serving",
    ".venv/packages",
    ".venv/bin/node",
    ".venv/bin/npm",
    "engine_ts/node_modules/.package-lock.json",
    "engine_ts/dist/index.js",
    "service/web/node_modules/.package-lock.json",
    "service/web/dist/index.html",
)


def test_run_installs_what_serves_and_what_builds_the_page_and_no_more(checkout: Path) -> None:
    plan = planned(checkout, "run")
    assert SERVING in plan
    assert plan.index("-r service/web/requirements.lock") < plan.index("service/web ci")
    assert plan.index("service/web run --silent build") < plan.index("-m service\n")
    assert "parity_tests" not in plan
    assert "engine_ts ci" not in plan


def test_after_setup_the_page_has_its_node(checkout: Path) -> None:
    install(checkout, *EVERYTHING)
    (checkout / "service/web/dist/index.html").unlink()
    plan = planned(checkout, "run")
    assert ".venv/bin/npm --prefix service/web run --silent build" in plan
    assert "service/web/requirements.lock" not in plan


def test_run_serves_where_the_page_cannot_be_built(checkout: Path) -> None:
    install(checkout, *EVERYTHING)
    (checkout / "service/web/dist/index.html").unlink()
    (checkout / ".venv/bin/python").unlink()
    (checkout / ".venv/bin/python").write_text(
        '#!/bin/sh\n[ "$1" = -c ] && echo usable || echo "started $*"\n'
    )
    (checkout / ".venv/bin/python").chmod(0o755)
    (checkout / ".venv/bin/npm").unlink()
    (checkout / ".venv/bin/npm").write_text("#!/bin/sh\nexit 1\n")
    (checkout / ".venv/bin/npm").chmod(0o755)
    done = make(checkout, "run")
    assert "run: / is not built, and says so; the API is served" in done.stderr
    assert "started -m service" in done.stdout


def test_setup_installs_python_and_node(checkout: Path) -> None:
    plan = planned(checkout, "setup")
    assert plan.index(SERVING) < plan.index(TESTING) < plan.index("engine_ts ci")
    assert "run --silent build" in plan


def test_after_run_the_rest_is_added(checkout: Path) -> None:
    install(checkout, ".venv/serving")
    plan = planned(checkout, "setup")
    assert SERVING not in plan
    assert TESTING in plan


@pytest.mark.parametrize("target", ["run", "setup"])
def test_nothing_is_installed_twice(checkout: Path, target: str) -> None:
    install(checkout, *EVERYTHING)
    plan = planned(checkout, target)
    assert "pip" not in plan
    assert "npm" not in plan


@pytest.mark.parametrize("lock", LOCKS)
def test_a_changed_lock_empties_the_environment(checkout: Path, lock: str) -> None:
    install(checkout, *EVERYTHING)
    os.utime(checkout / lock)
    plan = planned(checkout, "setup")
    assert plan.index("venv --clear .venv") < plan.index(SERVING) < plan.index(TESTING)


def test_an_environment_whose_python_is_gone_is_made_again(checkout: Path) -> None:
    install(checkout, *EVERYTHING)
    (checkout / ".venv" / "bin" / "python").unlink()
    assert SERVING in planned(checkout, "run")


def test_every_package_is_checked_against_its_hash(checkout: Path) -> None:
    installs = [line for line in planned(checkout, "setup").splitlines() if "pip install" in line]
    assert len(installs) >= 2
    assert all("--require-hashes --only-binary=:all:" in line for line in installs)


def test_without_a_python_it_says_what_to_do(checkout: Path) -> None:
    done = make(checkout, "run", "PYTHON=no-such-python")
    assert done.returncode != 0
    assert "found no Python 3.11 or newer" in done.stderr
    assert "make setup PYTHON=/path/to/python3" in done.stderr
