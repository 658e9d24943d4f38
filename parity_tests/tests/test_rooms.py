"""Imports point one way: a folder knows those below it, and what ships does not know its tests."""

import re
import sys
from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from parity_tests.kit.engines import ROOT
from parity_tests.tests.imports import imported_modules

MAY_IMPORT: dict[str, set[str]] = {
    "engine_py": set(),
    "engine_py.bench": {"engine_py"},
    "service": {"engine_py", "service.observe", "service.pages", "service.server"},
    "service.observe": {"service.config", "service.replies"},
    "service.openapi": {"engine_py"},
    "service.pages": {"engine_py", "service", "service.openapi"},
    "service.server": {"service.app", "service.config", "service.errors", "service.observe"},
    "service.attack": set(),
    "service.bench": {"engine_py", "service", "service.server"},
    "parity_tests": {"parity_tests.kit", "parity_tests.oracle"},
    "parity_tests.kit": set(),
    "parity_tests.oracle": {"parity_tests.kit"},
    "parity_tests.fuzz": {"parity_tests.kit", "parity_tests.oracle"},
    "parity_tests.exactness": {"parity_tests.kit", "parity_tests.oracle"},
    "parity_tests.mutation": {"parity_tests.kit", "parity_tests.exactness"},
}
"""For each folder what it may import of this repository, beside itself. Tests may import all."""

COPIED = {"parity_tests/mutation/check_py.py", "parity_tests/mutation/limit_py.py"}
"""Tests of another place: they run beside a mutated copy of the engine."""
TEST_FRAMEWORKS = {"pytest", "_pytest", "hypothesis", "schemathesis", "unittest"}
LOCKS = {
    "engine_py.bench": "engine_py/bench/requirements.lock",
    "service": "service/requirements.lock",
    "service.bench": "parity_tests/requirements.lock",
    "parity_tests": "parity_tests/requirements.lock",
}
"""Where the packages stand that a folder may import; an engine's are none."""
OPTIONAL = {"libcst", "micrograd", "mutmut", "opentelemetry", "torch"}
"""What an extra of the service or another target of the Makefile installs."""
OURS = ("engine_py", "parity_tests", "schemas", "service")
PIN = re.compile(r"^([a-z0-9-]+)==", re.MULTILINE)


def shipped(root: Path = ROOT) -> Iterator[tuple[str, Path]]:
    """Give each module that is no test, with its folder as a dotted name."""
    for package in ("engine_py", "service", "parity_tests"):
        for file in sorted((root / package).rglob("*.py")):
            parts = file.relative_to(root).parent.parts
            if "tests" not in parts and str(file.relative_to(root)) not in COPIED:
                yield ".".join(parts), file


def wrong_imports(root: Path = ROOT) -> list[str]:
    """Give each import of this repository that its folder may not make."""
    found = []
    for folder, file in shipped(root):
        room = _longest(MAY_IMPORT, folder)
        for name in sorted(imported_modules(file, root)):
            if name.split(".")[0] not in ("engine_py", "service", "parity_tests"):
                continue
            home = _longest([*MAY_IMPORT, *MAY_IMPORT[room]], name)
            tests = "tests" in name.split(".")
            if tests or home not in {room, *MAY_IMPORT[room]}:
                found.append(f"{file.relative_to(root)} imports {name}")
    return found


def wrong_packages(root: Path = ROOT) -> list[str]:
    """Give each import of a package that is a test framework, or not in the folder's lock."""
    distributions = packages_distributions()
    found = []
    for folder, file in shipped(root):
        lock = next((LOCKS[name] for name in (folder, folder.split(".")[0]) if name in LOCKS), None)
        pinned = set(PIN.findall((ROOT / lock).read_text())) if lock else set()
        for name in sorted({name.split(".")[0] for name in imported_modules(file, root)}):
            if name in (*OURS, *OPTIONAL) or (name in sys.stdlib_module_names - TEST_FRAMEWORKS):
                continue
            known = {each.lower().replace("_", "-") for each in distributions.get(name, [])}
            if name in TEST_FRAMEWORKS or not known & pinned:
                found.append(f"{file.relative_to(root)} imports {name}")
    return found


def circle(root: Path = ROOT) -> list[str]:
    """Give modules that import each other, in a circle; none where there is no circle."""
    arrows = {}
    for _, file in shipped(root):
        path = file.relative_to(root).with_suffix("")
        module = ".".join(path.parent.parts if path.name == "__init__" else path.parts)
        arrows[module] = imported_modules(file, root)
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def _longest(names: Iterable[str], name: str) -> str:
    """Give the longest of the names that is this one or a package around it."""
    return max((each for each in names if f"{name}.".startswith(f"{each}.")), key=len)


def test_every_folder_imports_only_what_is_below_it() -> None:
    assert len(list(shipped())) >= 80
    assert wrong_imports() == []


def test_what_is_shipped_needs_its_locked_packages_and_no_test_framework() -> None:
    assert wrong_packages() == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circle() == []


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("parity_tests/kit/compare.py", "from parity_tests.fuzz import damage"),
        ("parity_tests/kit/compare.py", "from parity_tests.tests.imports import imported_modules"),
        ("parity_tests/oracle/value.py", "import parity_tests.fuzz.programs"),
        ("parity_tests/fuzz/damage.py", "from engine_py import introspect"),
        ("parity_tests/exactness/cases.py", "import parity_tests.contract"),
        ("engine_py/graph.py", "from parity_tests.kit import worker"),
        ("engine_py/graph.py", "import service"),
        ("service/body.py", "from service.tests.processes import started"),
        ("service/body.py", "from parity_tests.kit.worker import Json"),
        ("service/observe/metrics.py", "from service.app import create_app"),
        ("service/server/run.py", "from service.routes import something"),
        ("service/openapi/plain.py", "import service.config"),
    ],
)
def test_an_import_in_the_wrong_direction_is_found(module: str, line: str, copy: Path) -> None:
    _append(copy / module, line)
    [found] = wrong_imports(copy)
    assert found.startswith(f"{module} imports {line.split()[1]}")


@pytest.mark.parametrize(
    ("module", "package"),
    [
        ("engine_py/graph.py", "orjson"),
        ("parity_tests/kit/compare.py", "pytest"),
        ("service/body.py", "gmpy2"),
        ("service/server/run.py", "jsonschema"),
    ],
)
def test_a_package_that_is_not_locked_is_found(module: str, package: str, copy: Path) -> None:
    _append(copy / module, f"import {package}")
    assert wrong_packages(copy) == [f"{module} imports {package}"]


def test_a_circle_is_found(copy: Path) -> None:
    _append(copy / "parity_tests/kit/engines.py", "from parity_tests.kit import runner")
    assert {"parity_tests.kit.engines", "parity_tests.kit.runner"} <= set(circle(copy))


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of all Python files, tests too, for a module is what is there."""
    for package in OURS:
        for file in (ROOT / package).rglob("*.py"):
            target = tmp_path / file.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(file.read_bytes())
    return tmp_path


def _append(file: Path, line: str) -> None:
    file.write_text(f"{file.read_text()}\n{line}\n")
