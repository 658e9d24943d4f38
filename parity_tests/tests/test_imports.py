"""Imports point one way: a folder knows those below it, and what ships does not know its tests."""

import re
import sys
from collections.abc import Iterable
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib.metadata import packages_distributions

import pytest

from parity_tests.kit.engines import ROOT
from parity_tests.tests.imports import imported_modules

FOLDERS = {
    f"engine_py.{each}" for each in ("accuracy", "lab", "language", "numerics", "picture", "sweeps")
}
"""What the pipeline calls, and what calls its stages: the pipeline's modules are the top."""
ENGINE = {"engine_py", *FOLDERS}

MAY_IMPORT: dict[str, set[str]] = {
    "engine_py": {"engine_py.command", "engine_py.show", *FOLDERS},
    "engine_py.numerics": set(),
    "engine_py.language": {"engine_py"},
    "engine_py.picture": {"engine_py"},
    "engine_py.sweeps": {"engine_py", "engine_py.numerics"},
    "engine_py.lab": {"engine_py", "engine_py.numerics"},
    "engine_py.accuracy": {"engine_py", "engine_py.lab", "engine_py.numerics"},
    "engine_py.protocol": ENGINE,
    "engine_py.command": {
        *ENGINE,
        "engine_py.distributed",
        "engine_py.grade",
        "engine_py.protocol",
        "engine_py.show",
    },
    "engine_py.distributed": {"engine_py", "engine_py.sweeps"},
    "engine_py.grade": {"engine_py", "engine_py.accuracy"},
    "engine_py.show": {"engine_py", "engine_py.language", "engine_py.picture"},
    "engine_py.bench": ENGINE,
    "service": {
        *ENGINE,
        "service.compute",
        "service.observe",
        "service.pages",
        "service.reply",
        "service.request",
        "service.server",
    },
    "service.compute": {
        *ENGINE,
        "service.config",
        "service.errors",
        "service.observe",
        "service.reply",
        "service.request",
    },
    "service.reply": {
        *ENGINE,
        "engine_py.show",
        "service.errors",
        "service.lean",
        "service.observe",
        "service.request",
    },
    "service.request": {"engine_py", "service.errors"},
    "service.observe": {"service.config"},
    "service.openapi": {"engine_py"},
    "service.pages": {
        *ENGINE,
        "service.config",
        "service.errors",
        "service.observe",
        "service.openapi",
        "service.reply",
        "service.request",
    },
    "service.server": {
        "engine_py",
        "service.app",
        "service.config",
        "service.errors",
        "service.observe",
    },
    "service.attack": set(),
    "service.bench": {"service"},
    "parity_tests": {"parity_tests.kit", "parity_tests.oracle"},
    "parity_tests.kit": set(),
    "parity_tests.oracle": {"parity_tests.kit"},
    "parity_tests.fuzz": {"parity_tests.kit", "parity_tests.oracle"},
    "parity_tests.exactness": {"parity_tests.kit", "parity_tests.oracle"},
    "parity_tests.packaging": {"engine_py"},
    "parity_tests.results": {"parity_tests.kit"},
}
"""For each folder what it may import of this repository, beside itself. Tests may import all."""

TEST_FRAMEWORKS = {"pytest", "_pytest", "hypothesis", "schemathesis", "unittest"}
LOCKS = {
    "engine_py.bench": "parity_tests/requirements.lock",
    "engine_py.sweeps": "parity_tests/requirements.lock",
    "engine_py.distributed": "engine_py/distributed/requirements.lock",
    "service": "service/requirements.lock",
    "service.bench": "parity_tests/requirements.lock",
    "parity_tests": "parity_tests/requirements.lock",
}
"""Where the packages stand that a folder may import. An engine's are none, but for columns, which
are computed by numpy where it is installed, and for sweeps over a cluster."""
OPTIONAL = {
    *("distributed", "libcst", "micrograd", "opentelemetry"),
    *("pyarrow", "torch"),
}
"""What is installed by hand for GRADIENT_TRACES, or by another target of the Makefile."""
OURS = ("engine_py", "parity_tests", "schemas", "service")
PIN = re.compile(r"^([a-z0-9-]+)==", re.MULTILINE)


Imports = dict[str, set[str]]
"""The modules that each file imports, by the file's path from the root."""


@cache
def shipped() -> Imports:
    """Read each module that is no test."""
    files = [
        str(file.relative_to(ROOT))
        for package in ("engine_py", "service", "parity_tests")
        for file in sorted((ROOT / package).rglob("*.py"))
        if {"tests"}.isdisjoint(file.relative_to(ROOT).parts)
    ]
    return {file: imported_modules((ROOT / file).read_text()) for file in files}


def wrong_imports(imports: Imports) -> list[str]:
    """Give each import of this repository that its folder may not make."""
    found = []
    for file, names in imports.items():
        folder = _longest(MAY_IMPORT, _folder(file))
        for name in sorted(name for name in names if name.split(".")[0] in OURS):
            home = _longest([*MAY_IMPORT, *MAY_IMPORT[folder]], name)
            if "tests" in name.split(".") or home not in {folder, *MAY_IMPORT[folder]}:
                found.append(f"{file} imports {name}")
    return found


def wrong_packages(imports: Imports) -> list[str]:
    """Give each import of a package that is a test framework, or not in the folder's lock."""
    distributions = packages_distributions()
    found = []
    for file, names in imports.items():
        pinned = _pinned(_folder(file))
        for name in sorted({name.split(".")[0] for name in names} - {*OURS, *OPTIONAL}):
            known = {each.lower().replace("_", "-") for each in distributions.get(name, [])}
            allowed = name in sys.stdlib_module_names or known & pinned
            if name in TEST_FRAMEWORKS or not allowed:
                found.append(f"{file} imports {name}")
    return found


def circle(imports: Imports) -> list[str]:
    """Give modules that import each other, in a circle; none where there is no circle."""
    arrows = {
        file.removesuffix(".py").removesuffix("/__init__").replace("/", "."): names
        for file, names in imports.items()
    }
    try:
        TopologicalSorter(arrows).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def _folder(file: str) -> str:
    return file.rpartition("/")[0].replace("/", ".")


def _longest(names: Iterable[str], name: str) -> str:
    """Give the longest of the names that is this one or a package around it."""
    return max((each for each in names if f"{name}.".startswith(f"{each}.")), key=len)


@cache
def _pinned(folder: str) -> set[str]:
    locks = [LOCKS[name] for name in (folder, folder.split(".", maxsplit=1)[0]) if name in LOCKS]
    return set(PIN.findall((ROOT / locks[0]).read_text())) if locks else set()


def test_every_folder_imports_only_what_is_below_it() -> None:
    assert len(shipped()) >= 80
    assert wrong_imports(shipped()) == []


def test_what_is_shipped_needs_its_locked_packages_and_no_test_framework() -> None:
    assert wrong_packages(shipped()) == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert circle(shipped()) == []


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("parity_tests/kit/compare.py", "from parity_tests.fuzz import damage"),
        ("parity_tests/kit/compare.py", "from parity_tests.tests.imports import imported_modules"),
        ("parity_tests/oracle/truth.py", "import parity_tests.fuzz.programs"),
        ("parity_tests/fuzz/damage.py", "from engine_py import introspect"),
        ("parity_tests/exactness/cases.py", "import parity_tests.contract"),
        ("engine_py/graph.py", "from parity_tests.kit import worker"),
        ("engine_py/graph.py", "import service"),
        ("engine_py/numerics/exact.py", "from engine_py import rows"),
        ("engine_py/language/parser.py", "from engine_py.sweeps.axes import Points"),
        ("engine_py/lab/descent.py", "from engine_py.picture.captions import visible"),
        ("engine_py/sweeps/program.py", "from engine_py.protocol import line"),
        ("service/request/body.py", "from service.tests.processes import started"),
        ("service/request/body.py", "from parity_tests.kit.worker import Json"),
        ("service/observe/metrics.py", "from service.app import create_app"),
        ("service/request/payloads.py", "from service.reply.formats import json_bytes"),
        ("service/request/query.py", "from service.config import Config"),
        ("service/reply/formats.py", "from service.compute.engine import Engine"),
        ("service/compute/engine.py", "from service.routes import make_routes"),
        ("service/server/run.py", "from service.routes import something"),
        ("service/openapi/__init__.py", "import service.config"),
    ],
)
def test_an_import_in_the_wrong_direction_is_found(file: str, line: str) -> None:
    [found] = wrong_imports(with_import(file, line))
    assert found.startswith(f"{file} imports {line.split()[1]}")


@pytest.mark.parametrize(
    ("file", "package"),
    [
        ("engine_py/graph.py", "orjson"),
        ("parity_tests/kit/compare.py", "pytest"),
        ("service/request/body.py", "gmpy2"),
        ("service/server/run.py", "jsonschema"),
    ],
)
def test_a_package_that_is_not_locked_is_found(file: str, package: str) -> None:
    assert wrong_packages(with_import(file, f"import {package}")) == [f"{file} imports {package}"]


def test_a_circle_is_found() -> None:
    imports = with_import("parity_tests/kit/engines.py", "from parity_tests.kit import runner")
    assert {"parity_tests.kit.engines", "parity_tests.kit.runner"} <= set(circle(imports))


def with_import(file: str, line: str) -> Imports:
    """Add a line to a file that ships."""
    imports = shipped()
    return {**imports, file: imports[file] | imported_modules(line)}
