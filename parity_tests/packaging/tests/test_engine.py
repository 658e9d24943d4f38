"""`gradient-engine`: what is in it, and that it works where this checkout is not."""

import re
import subprocess
import sys
import tarfile
from pathlib import Path
from zipfile import ZipFile

import pytest

from engine_py import __version__
from parity_tests.kit.engines import ROOT
from parity_tests.packaging.tests.places import TOOLS, environment, run

pytestmark = pytest.mark.packages

NOT_SHIPPED = {"tests", "bench", "examples", "__pycache__"}
EXAMPLE = """
from html import unescape
from importlib.metadata import version
import engine_py
from engine_py import Value
from engine_py.notebook import sandbox
a, b, c = Value(2.0, label="a"), Value(-3.0, label="b"), Value(10.0, label="c")
root = (a + b) * c
root.backward()
print(root.data, a.grad, b.grad, c.grad)
print(version("gradient-engine") == engine_py.__version__)
print(unescape(sandbox(root)._repr_html_()).count("Gradient sandbox</title>"))
"""


def test_the_wheel_holds_the_engine_and_the_page_alone(engine_wheel: Path) -> None:
    expected = {
        str(file.relative_to(ROOT))
        for file in (ROOT / "engine_py").rglob("*")
        if file.suffix in (".py", ".typed") and NOT_SHIPPED.isdisjoint(file.relative_to(ROOT).parts)
    }
    assert len(expected) >= 30
    expected.add("engine_py/sandbox.html")  # what `make page` builds
    with ZipFile(engine_wheel) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
        [license_file] = [name for name in wheel.namelist() if name.endswith("licenses/LICENSE")]
        assert wheel.read(license_file) == (ROOT / "LICENSE").read_bytes()
    assert names == expected


def test_check_wheel_contents_has_no_complaint(engine_wheel: Path) -> None:
    run(TOOLS / "check-wheel-contents", engine_wheel)


def test_pyroma_has_no_complaint(engine_archive: Path) -> None:
    assert "10/10" in run(TOOLS / "pyroma", "--min", "10", engine_archive)


def test_pyroma_would_complain_of_metadata_that_lack_something(
    engine_archive: Path, tmp_path: Path
) -> None:
    with tarfile.open(engine_archive) as archive:
        archive.extractall(tmp_path, filter="data")
    [folder] = tmp_path.iterdir()
    project = folder / "pyproject.toml"
    project.write_text(re.sub(r"classifiers = \[.*?\n\]", "", project.read_text(), flags=re.DOTALL))
    with tarfile.open(tmp_path / engine_archive.name, "w:gz") as archive:
        archive.add(folder, folder.name)
    rated = subprocess.run(
        [TOOLS / "pyroma", "--min", "10", tmp_path / engine_archive.name],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert rated.returncode != 0
    assert "classifier" in rated.stdout


def test_it_computes_in_an_empty_folder_beside_a_strangers_own_modules(
    engine_wheel: Path, tmp_path: Path
) -> None:
    programs = environment(tmp_path / "environment", engine_wheel)
    project = tmp_path / "project"
    for name in ("service", "schemas", "parity_tests"):
        (project / name).mkdir(parents=True)
        (project / name / "__init__.py").write_text("raise AssertionError('not what was meant')")
    (project / "use.py").write_text(EXAMPLE)
    assert run(programs / "python", "use.py", cwd=project) == "-10.0 10.0 10.0 -1.0\nTrue\n1\n"


def test_its_command_explains_in_an_empty_folder(engine_wheel: Path, tmp_path: Path) -> None:
    programs = environment(tmp_path / "environment", engine_wheel)
    gradient, values = programs / "gradient", ("a=2", "b=-3", "c=10")
    printed = run(gradient, "explain", "(a + b) * c", *values, cwd=tmp_path, NO_COLOR="1")
    tree = (ROOT / "engine_py" / "README.md").read_text(encoding="utf-8").split("```\n")
    assert printed.partition("\n\n")[0] + "\n" in tree
    assert run(gradient, "parse", "w * x", cwd=tmp_path).endswith("\nvariables: w, x\n")
    assert f"{gradient.name} explain " in run(gradient, "--help", cwd=tmp_path)


def test_nothing_else_is_in_its_environment(engine_wheel: Path, tmp_path: Path) -> None:
    environment(tmp_path, engine_wheel)
    [packages] = tmp_path.glob("lib/python3*/site-packages")
    installed = {path.name for path in packages.iterdir()}
    assert installed == {"engine_py", f"gradient_engine-{__version__}.dist-info"}


def test_the_source_archive_passes_its_own_tests(engine_archive: Path, tmp_path: Path) -> None:
    with tarfile.open(engine_archive) as archive:
        archive.extractall(tmp_path, filter="data")
    [folder] = tmp_path.iterdir()
    assert not (folder / "service").exists()
    tested = (sys.executable, "-m", "pytest", "engine_py", "--numprocesses", "auto")
    assert " passed" in run(*tested, "-p", "no:cacheprovider", cwd=folder)
