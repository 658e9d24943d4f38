"""The engines are twins: the same files, the same arrows between them, the same tables."""

import ast
import json
import re
import sys
from pathlib import Path

import pytest

from engine_py import DEFAULT_LIMITS, errors
from parity_tests.kit.engines import ROOT
from parity_tests.tests.imports import imported_modules

PYTHON_ROOT, TYPESCRIPT_ROOT = ROOT / "engine_py", ROOT / "engine_ts" / "src"
FOLDERS = (
    "accuracy",
    "language",
    "numerics",
    "sweeps",
    "protocol",
    "picture",
    "lab",
)
PYTHON = sorted(
    [
        *PYTHON_ROOT.glob("*.py"),
        *(file for folder in FOLDERS for file in PYTHON_ROOT.glob(f"{folder}/[!_]*.py")),
    ]
)
TYPESCRIPT = sorted(TYPESCRIPT_ROOT.rglob("*.ts"))
TWINS = {"__init__": "index"}

FILES_ONLY_IN_PYTHON = {
    "__main__": "the command `gradient` is for a terminal, and one language is enough for that",
    "sweeps/functions": "numpy does a step for all points; V8 compiles a loop over points",
    "notebook": "a page of one's own has an address, with which a frame shows it",
    "picture/notebook": "Jupyter calls methods of Python's objects; it calls none of JavaScript's",
}

FILES_ONLY_IN_TYPESCRIPT = {
    "numerics/builtins": "Python has the length, the root and the floor of an integer, and frexp",
    "client/connect": "requests to a service; in Python the standard library is enough for them",
    "client/digests": "as above",
}

ARROWS_ONLY_IN_TYPESCRIPT = {
    ("sweeps/columns", f"numerics/{name}"): "in Python `functions` does the work of these"
    for name in ("elementary", "logistic", "wave")
}

ARROWS_ONLY_IN_PYTHON = {
    ("index", "show/explanation"): "text for terminals, as the command writes it",
}

EXACT = {"copysign", "frexp", "inf", "isfinite", "isqrt", "ldexp", "nan"}
"""What an engine may take from `math`: nothing that a platform rounds in its own way."""
EXACT_IN_NUMPY = {
    *("abs", "add", "arange", "array", "asarray", "ascontiguousarray", "bool_", "broadcast_arrays"),
    *("copysign", "empty", "errstate", "flatnonzero", "float64", "frexp", "full", "inf"),
    *("int64", "isfinite", "maximum", "minimum", "ones", "ones_like", "repeat", "sqrt"),
    *("where", "zeros"),
}
"""What takes, moves and scales doubles, adds two columns, or is a guess: sqrt."""
GUESSED = {"numerics/elementary": {"sqrt"}}
"""What a module takes for a guess alone, which it corrects."""
EXACT_IN_TYPESCRIPT = {"abs", "clz32", "floor", "max", "min"}
OF_DOUBLES = {"sum"}
"""Exact for integers, and a picture computes with nothing else, nor does the work of the truth."""
ROUNDING_OR_WORSE = {"pow", "eval", "exec", "compile", "__import__"}

LIMIT = re.compile(r"`(\w+)`\s+\(([\d,]+)")

Arrows = set[tuple[str, str]]


def stem(file: Path) -> str:
    """Give a module's path from the top of its engine, which is the same in both."""
    root = PYTHON_ROOT if file.is_relative_to(PYTHON_ROOT) else TYPESCRIPT_ROOT
    path = file.relative_to(root).with_suffix("")
    return str(path.with_name(TWINS.get(path.name, path.name)))


def typescript_code(file: Path) -> str:
    return re.sub(r"/\*.*?\*/|//[^\n]*", "", file.read_text(), flags=re.DOTALL)


def typescript_imports(file: Path) -> set[str]:
    start = r"^import\s*|^(?:import|export)\b[^;\"]*?\bfrom\s*|\bimport\(\s*"
    return set(re.findall(rf"(?:{start})\"([^\"]+)\"", typescript_code(file), re.MULTILINE))


def python_arrows() -> Arrows:
    names = [(stem(file), name) for file in PYTHON for name in imported_modules(file.read_text())]
    own = [(file, name.split(".")[1:]) for file, name in names if name.startswith("engine_py.")]
    named = {(file, "/".join(path)) for file, path in own}
    return {(source, target) for source, target in named if source != target}


def typescript_arrows() -> Arrows:
    return {
        (stem(file), stem((file.parent / name).resolve()))
        for file in TYPESCRIPT
        for name in typescript_imports(file)
    }


def test_the_engines_have_the_same_files() -> None:
    assert len(PYTHON) >= 15
    files = {stem(file) for file in PYTHON} - FILES_ONLY_IN_PYTHON.keys()
    assert files == {stem(file) for file in TYPESCRIPT} - FILES_ONLY_IN_TYPESCRIPT.keys()


def test_the_engines_have_the_same_arrows() -> None:
    assert len(typescript_arrows()) >= 30
    ours = {arrow for arrow in python_arrows() if FILES_ONLY_IN_PYTHON.keys().isdisjoint(arrow)}
    theirs = {
        arrow for arrow in typescript_arrows() if FILES_ONLY_IN_TYPESCRIPT.keys().isdisjoint(arrow)
    }
    only_here, only_there = ARROWS_ONLY_IN_PYTHON.keys(), ARROWS_ONLY_IN_TYPESCRIPT.keys()
    assert theirs - only_there == ours - only_here


def test_the_arrows_have_no_circle() -> None:
    arrows = python_arrows() | typescript_arrows()
    while arrows:
        sources = {source for source, _ in arrows}
        kept = {(source, target) for source, target in arrows if target in sources}
        assert kept != arrows, f"a circle among {sorted(sources)}"
        arrows = kept


@pytest.mark.parametrize("file", PYTHON, ids=stem)
def test_the_python_engine_needs_the_standard_library_alone(file: Path) -> None:
    outside = {
        name.split(".")[0] for name in imported_modules(file.read_text())
    } - sys.stdlib_module_names
    of_columns = stem(file) in {"sweeps/columns", "sweeps/functions"}
    assert outside <= {"engine_py", "numpy" if of_columns else "engine_py"}


@pytest.mark.parametrize("file", TYPESCRIPT, ids=stem)
def test_the_typescript_engine_needs_nothing(file: Path) -> None:
    for name in typescript_imports(file):
        assert name.startswith("."), name
        assert (file.parent / name).resolve().is_relative_to(TYPESCRIPT_ROOT), name


@pytest.mark.parametrize("file", PYTHON, ids=stem)
def test_the_python_engine_leaves_rounding_to_no_platform(file: Path) -> None:
    of_integers = file.parent.name == "picture" or stem(file) == "accuracy/truth"
    refused = ROUNDING_OR_WORSE | (set() if of_integers else OF_DOUBLES)
    # However a sum is rounded, whether it is finite tells the same.
    for node in ast.walk(ast.parse(file.read_text().replace("isfinite(sum(", "isfinite(("))):
        if isinstance(node, ast.Import):
            assert {alias.name for alias in node.names}.isdisjoint({"math", "cmath", "decimal"})
        elif isinstance(node, ast.ImportFrom) and node.module == "math":
            assert {alias.name for alias in node.names} <= EXACT | GUESSED.get(stem(file), set())
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in refused
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            assert node.value.id != "np" or node.attr in EXACT_IN_NUMPY


@pytest.mark.parametrize("file", TYPESCRIPT, ids=stem)
def test_the_typescript_engine_leaves_rounding_to_no_platform(file: Path) -> None:
    code = typescript_code(file)
    used = set(re.findall(r"\bMath\.(\w+)", code))
    assert used <= EXACT_IN_TYPESCRIPT | GUESSED.get(stem(file), set())
    assert not re.search(r"\bMath\b(?!\.\w)|\beval\(|\bFunction\(", code)


def test_the_default_limits_are_those_of_the_schema_and_the_contract() -> None:
    request = json.loads((ROOT / "schemas" / "request.schema.json").read_text())["properties"]
    assert request["expression"]["maxLength"] == DEFAULT_LIMITS.characters
    assert request["values"]["maxProperties"] == DEFAULT_LIMITS.variables
    contract = (ROOT / "schemas" / "CONTRACT.md").read_text()
    rule = contract[contract.index("**R32") : contract.index("**R33")]
    stated = {name: int(number.replace(",", "")) for name, number in LIMIT.findall(rule)}
    assert stated == DEFAULT_LIMITS._asdict()


def test_the_error_codes_are_those_of_the_schema() -> None:
    schema = json.loads((ROOT / "schemas" / "error.schema.json").read_text())
    codes = {branch["properties"]["code"]["const"] for branch in schema["oneOf"]}
    classes = [kind for kind in vars(errors).values() if isinstance(kind, type)]
    assert {kind.code for kind in classes if hasattr(kind, "code")} == codes
