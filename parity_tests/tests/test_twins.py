"""The engines are twins: they have the same files and imports, and leave no rounding to platforms.

`lint-imports` holds the Python modules to their layers, and so the TypeScript ones.
"""

import ast
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from parity_tests.kit.engines import ROOT

PYTHON, TYPESCRIPT = ROOT / "engine_py", ROOT / "engine_ts" / "src"
FOLDERS = ("accuracy", "lab", "language", "numerics", "picture", "protocol", "sweeps")

ONLY_IN_PYTHON = {
    "__main__": "the command `gradient` is for a terminal, and one language is enough for that",
    "sweeps/column_functions": "numpy does a step for all points; V8 compiles a loop over points",
    "value_forms": "micrograd's forms are Python's; TypeScript's `value` has those of calls",
    "value_protocols": "copies, pickles and comparisons; JavaScript has no such methods",
    "notebook": "a page of your own has an address, with which a frame shows it",
    "picture/display": "Jupyter calls methods of Python's objects; it calls none of JavaScript's",
}
ONLY_IN_TYPESCRIPT = {
    "language/rewrites": "Python reads the file when it is needed; TypeScript imports it",
    "numerics/builtins": "Python has the length, the root and the floor of an integer, and frexp",
    "client/connect": "requests to a service; in Python the standard library is enough for them",
    "client/digests": "as above",
    **{
        f"client/{name}": "sliders, frameworks and replies are those of browsers"
        for name in ("problems", "react", "state", "store", "vue")
    },
    **{
        f"screen/{name}": "a picture that fits a window is for front ends, which are in browsers"
        for name in ("arrange", "cells", "digits", "extents", "held", "lens", "paths", "places")
    },
    "screen/search": "as above",
    "screen/texts": "as above",
}
ARROWS_ONLY_IN_ONE = {
    *(("sweeps/columns", f"numerics/{name}") for name in ("elementary", "logistic", "wave")),
    ("index", "show/explanation"),
    ("protocol/message", "errors"),
    ("protocol/worker", "operands"),
    *((f"lab/{name}", "request") for name in ("experiment", "paths")),
    *(("subject", name) for name in ("deadline", "limits", "request")),
    ("value", "request"),
    ("value_graph", "deadline"),
}
"""In Python `sweeps/column_functions` does the work of the first; then come text for terminals,
JSON's words made from Python's, and `True`, which a Value accepts and a request does not; then
types that TypeScript has in one interface: that of a view, and that of a deadline."""

EXACT = {"copysign", "factorial", "floor", "frexp", "inf", "isfinite", "isqrt", "ldexp", "nan"}
"""Names that an engine may take from `math`: none that a platform rounds in its own way."""
EXACT_IN_NUMPY = {
    *("abs", "add", "arange", "array", "asarray", "ascontiguousarray", "bool_", "broadcast_arrays"),
    *("copysign", "empty", "errstate", "flatnonzero", "float64", "frexp", "full", "inf"),
    *("int64", "isfinite", "maximum", "minimum", "ones", "ones_like", "repeat", "sqrt"),
    *("where", "zeros"),
}
"""Names that select, move and scale doubles, add two columns, or make a guess: sqrt."""
EXACT_IN_TYPESCRIPT = {"abs", "clz32", "floor", "max", "min"}
PLACES = "screen/"
"""Pixels and the digits of labels are not results, so a platform may round them."""
GUESSED = {"numerics/elementary": {"sqrt"}}
"""Names that a module uses only for a guess, which it corrects."""
SUMS_OF_INTEGERS = ("accuracy/truth", "language/", "picture/")

Arrows = set[tuple[str, str]]


def stem(file: Path, root: Path) -> str:
    """Return a module's path from the top of its engine, which is the same in both."""
    path = str(file.relative_to(root).with_suffix(""))
    return "index" if path == "__init__" else path.removesuffix("/__init__")


def python_modules() -> dict[str, ast.Module]:
    files = [*PYTHON.glob("*.py")]
    files += [file for folder in FOLDERS for file in PYTHON.glob(f"{folder}/[!_]*.py")]
    return {stem(file, PYTHON): ast.parse(file.read_text()) for file in files}


def typescript_modules() -> dict[str, str]:
    """Return the code of each, without comments."""
    comment = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
    return {
        stem(file, TYPESCRIPT): comment.sub("", file.read_text())
        for file in TYPESCRIPT.rglob("*.ts")
    }


def python_imports(tree: ast.Module) -> set[str]:
    """Return full names of modules and of the names imported from them."""
    nodes = list(ast.walk(tree))
    plain = [alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    return {*plain} | {
        f"{node.module}.{alias.name}"
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def python_arrows() -> Arrows:
    modules = python_modules()
    named = {
        (source, name.removeprefix("engine_py.").replace(".", "/"))
        for source, tree in modules.items()
        for name in python_imports(tree)
        if name.startswith("engine_py.")
    }
    found = {
        (source, target if target in modules else target.rpartition("/")[0])
        for source, target in named
    }
    return {(source, target or "index") for source, target in found if source != target}


def typescript_imports(code: str) -> list[str]:
    start = r"^import\s*|^(?:import|export)\b[^;\"]*?\bfrom\s*|\bimport\(\s*"
    return re.findall(rf"(?:{start})\"([^\"]+)\"", code, re.MULTILINE)


def typescript_arrows() -> Arrows:
    return {
        (source, stem((TYPESCRIPT / source).parent.joinpath(name).resolve(), TYPESCRIPT))
        for source, code in typescript_modules().items()
        for name in typescript_imports(code)
        if name.endswith(".ts")
    }


def test_the_engines_have_the_same_files() -> None:
    ours, theirs = python_modules().keys(), typescript_modules().keys()
    assert len(ours) >= 30
    assert ours - ONLY_IN_PYTHON.keys() == theirs - ONLY_IN_TYPESCRIPT.keys()


def test_the_engines_have_the_same_arrows() -> None:
    alone = ONLY_IN_PYTHON.keys() | ONLY_IN_TYPESCRIPT.keys()
    ours, theirs = (
        {arrow for arrow in arrows if alone.isdisjoint(arrow)} - ARROWS_ONLY_IN_ONE
        for arrows in (python_arrows(), typescript_arrows())
    )
    assert len(ours) >= 100
    assert ours == theirs


def test_an_engine_needs_no_package() -> None:
    """numpy computes columns if it is installed."""
    for name, tree in python_modules().items():
        needed = {each.split(".")[0] for each in python_imports(tree)} - sys.stdlib_module_names
        of_columns = name in {"sweeps/columns", "sweeps/column_functions"}
        assert needed <= {"engine_py", "numpy" if of_columns else "engine_py"}, name
    for name, code in typescript_modules().items():
        needed = {each for each in typescript_imports(code) if not each.startswith(".")}
        framework = name.removeprefix("client/")
        assert needed == ({framework} & {"react", "vue"}), name
    package = json.loads((ROOT / "engine_ts" / "package.json").read_text())
    assert "dependencies" not in package
    optional = {name: {"optional": True} for name in package["peerDependencies"]}
    assert package["peerDependenciesMeta"] == optional


def is_constant(node: ast.expr) -> bool:
    """Return whether `node` is a number, perhaps with a sign, or the name of one."""
    if isinstance(node, ast.UnaryOp):
        return is_constant(node.operand)
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id.isupper())


def python_growth(tree: ast.Module) -> Iterator[str]:
    """Find shifts and powers by computed amounts; a power of a double allocates nothing."""
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.LShift | ast.Pow):
            is_double = isinstance(node.left, ast.Constant) and isinstance(node.left.value, float)
            if not is_double and not is_constant(node.right):
                yield ast.unparse(node)
        elif isinstance(node, ast.AugAssign) and isinstance(node.op, ast.LShift | ast.Pow):
            yield ast.unparse(node)


def test_an_integer_gets_longer_by_a_computed_number_of_bits_at_one_place() -> None:
    """So no number of a request can allocate much memory: the one place has a bound."""
    ours = {(name, each) for name, tree in python_modules().items() for each in python_growth(tree)}
    assert ours == {("numerics/exact", "n << by"), ("numerics/exact", "n ** exponent")}
    computed = re.compile(r"(?<!\b2 )(?:<<|\*\*)=? (?!-?\d|[A-Z_]+\b|[$])")
    found = {
        name: len(computed.findall(re.sub(r'"[^"]*"', '""', code)))
        for name, code in typescript_modules().items()
    }
    theirs = {name: count for name, count in found.items() if count}
    of_32_bits = {"canonical": 1, "accuracy/ball_functions": 1}
    half_as_long_as_its_square = {"numerics/builtins": 1}
    of_doubles = {"screen/digits": 4}
    known = {**of_32_bits, **half_as_long_as_its_square, **of_doubles}
    assert theirs == {"numerics/exact": 2, **known}


def calls(tree: ast.Module) -> set[str]:
    nodes = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {node.id for node in nodes if isinstance(node, ast.Name)}


def test_an_engine_leaves_rounding_to_no_platform() -> None:
    for name, tree in python_modules().items():
        of_math = {each.removeprefix("math.") for each in python_imports(tree) if "math" in each}
        assert of_math <= EXACT | GUESSED.get(name, set()), name
        code = ast.unparse(tree)
        assert set(re.findall(r"\bnp\.(\w+)", code)) <= EXACT_IN_NUMPY, name
        # Whether a sum is finite does not depend on how it is rounded.
        called = calls(ast.parse(code.replace("isfinite(sum(", "isfinite((")))
        assert called.isdisjoint({"compile", "eval", "exec", "pow", "__import__"}), name
        assert name.startswith(SUMS_OF_INTEGERS) or "sum" not in called, name
    for name, code in typescript_modules().items():
        used = set() if name.startswith(PLACES) else set(re.findall(r"\bMath\.(\w+)", code))
        assert used <= EXACT_IN_TYPESCRIPT | GUESSED.get(name, set()), name
        assert not re.search(r"\bMath\b(?![.|\"])|\beval\(|\bFunction\(", code), name
