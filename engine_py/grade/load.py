"""A learner's file -> what it has defined, in the child process.

A script, a notebook or a file of a package runs statement by statement: what raises, or takes too
long, as a demonstration may that trains, is left at that, and the next statement follows.
"""

import __future__

import ast
import builtins
import json
import os
import re
import sys
import tokenize
from collections.abc import Iterator, Sequence
from importlib import import_module, invalidate_caches
from importlib.machinery import ModuleSpec
from pathlib import Path
from textwrap import dedent
from time import process_time
from traceback import walk_tb
from types import ModuleType
from typing import Any, NamedTuple

from engine_py.grade.clock import limited
from engine_py.grade.stand_in import StandIn, StandIns

Json = dict[str, Any]

_STATEMENT, _IMPORT, _ALL = 1.5, 8.0, 4.0
"""Seconds of the processor's time: for a statement, for an import, for all that are no imports."""
_MARKS = (".git", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "README.md")
"""What the folder of a whole project has."""
_ANCESTORS = 4
_MESSAGE = 200
"""Characters of an exception's message that are kept."""

_LINE_MAGIC = re.compile(r"^(\s*)(?:[%!?].*|[\w.\[\]]+\?{1,2}\s*)$", re.MULTILINE)
_ASSIGNED_MAGIC = re.compile(r"^(\s*[\w., ]+=\s*)[%!].*$", re.MULTILINE)
_PYTHON_CELLS = ("time", "timeit", "capture", "prun", "writefile", "file", "script", "python")
"""The cell magics whose cells are Python."""


class Loaded(NamedTuple):
    """What a file has defined, and what came in the way."""

    namespace: Json
    classes: list[type]
    """In the order of their statements; of two with one name the namespace has the second."""
    folder: str
    """Where its package begins."""
    stopped: list[Json]
    """The exceptions of its statements."""
    stand_ins: list[str]
    hidden: list[str]
    """The modules of Python that a file next to it hides."""


def load(file: Path, base: Path, above: str | None) -> Loaded:
    """Run a file as a module of its package, as far as it comes.

    Args:
        file: in `base`.
        base: the folder that was handed in, or its copy.
        above: the original of it, above which the file may import, if it may.
    """
    stopped: list[Json] = []
    trees: dict[str, ast.Module] = {}
    for cell, text in _cells(file):
        try:
            trees[cell] = _parsed(text, cell, is_notebook=file.suffix == ".ipynb")
        except (SyntaxError, ValueError, RecursionError) as fault:
            stopped.append(described(fault, str(file)))
    stand_ins = StandIns(lambda name, line: _is_tried(trees, name, line))
    sys.meta_path.append(stand_ins)
    sys.argv = [str(file)]
    for name in ("get_ipython", "display"):
        setattr(builtins, name, StandIn())
    folder = package_folder(file)
    name = _module_name(file, folder)
    handed_in = [each for each in folder.parents if each.is_relative_to(base)]
    _open_folders(file, [folder, *handed_in, *(Path(above).parents if above else ())])
    module = _module(file, folder, name)
    namespace = vars(module)
    classes: list[type] = []
    if module.__loader__ is not None:  # its package has imported it
        trees = {}
        classes = [
            each
            for each in namespace.values()
            if isinstance(each, type) and each.__module__ == module.__name__
        ]
    left = _ALL
    for cell, tree in trees.items():
        for statement in tree.body:
            is_import = isinstance(statement, ast.Import | ast.ImportFrom)
            before = process_time()
            seconds = _IMPORT if is_import else min(_STATEMENT, left)
            raised = _run(statement, cell, namespace, seconds)
            left -= 0 if is_import else process_time() - before
            if raised is not None:
                stopped.append(described(raised, str(file)))
            if isinstance(statement, ast.ClassDef):
                found = namespace.get(statement.name)
                classes += [found] if isinstance(found, type) else []
    neighbours = {each.stem for each in file.parent.glob("*.py")}
    hidden = sorted(neighbours & set(sys.stdlib_module_names) & set(sys.modules))
    return Loaded(namespace, classes, str(folder), stopped, stand_ins.names, hidden)


def _run(statement: ast.stmt, name: str, namespace: Json, seconds: float) -> BaseException | None:
    """Run a statement, without what its annotations would raise; return what it raises."""
    flags = __future__.annotations.compiler_flag
    try:
        code = compile(ast.Module([statement], []), name, "exec", flags, dont_inherit=True)
        with limited(seconds):
            exec(code, namespace)  # noqa: S102 - that is the purpose
    except BaseException as raised:  # noqa: BLE001 - a file may raise anything, SystemExit too
        return raised
    return None


def _cells(file: Path) -> Iterator[tuple[str, str]]:
    """Yield the text of a script, or of each cell of a notebook with its number in its name."""
    if file.suffix != ".ipynb":
        with tokenize.open(file) as script:
            yield str(file), script.read()
        return
    book = json.loads(file.read_text("utf-8-sig"))
    for number, cell in enumerate(book["cells"], 1):
        if cell["cell_type"] == "code":
            yield f"{file}#cell {number}", "".join(cell["source"])


def _parsed(text: str, name: str, *, is_notebook: bool) -> ast.Module:
    """Parse Python, without the magics if it is none with them."""
    text = dedent(text) if is_notebook else text
    magic = re.match(r"\s*%%(\w+).*", text) if is_notebook else None
    if magic:
        text = "\n" * text[: magic.end()].count("\n") + text[magic.end() :]
        text = text if magic[1] in _PYTHON_CELLS else ""
    try:
        return ast.parse(text, name)
    except SyntaxError:
        plain = _ASSIGNED_MAGIC.sub(r"\1None", _LINE_MAGIC.sub(r"\1pass", text))
        if plain == text:
            raise
        return ast.parse(plain, name)


def _is_tried(trees: dict[str, ast.Module], name: str, line: int) -> bool:
    """Tell whether a line of a file is within `try`."""
    if name not in trees:
        try:
            trees = {name: ast.parse(Path(name).read_bytes())}
        except (OSError, SyntaxError, ValueError):
            return False
    return any(
        isinstance(each, ast.Try) and each.lineno <= line <= (each.body[-1].end_lineno or 0)
        for each in ast.walk(trees[name])
    )


def package_folder(file: Path) -> Path:
    """Return the folder in which the package of a file is; for a script that of the script.

    A folder without `__init__.py` is a package, too, if the file imports a module of it by name.
    """
    text = file.read_bytes()
    dots = re.findall(rb"^\s*from\s+(\.+)", text, re.MULTILINE)
    folder, levels = file.parent, max(map(len, dots), default=0)
    while ((folder / "__init__.py").exists() or levels > 0) and folder.name:
        folder, levels = folder.parent, levels - 1
    for top, module in re.findall(rb"^\s*(?:from|import)\s+(\w+)\.(\w+)", text, re.MULTILINE):
        named = folder / os.fsdecode(module)
        is_there = named.is_dir() or named.with_suffix(".py").exists()
        if folder.name == os.fsdecode(top) and is_there:
            return folder.parent
    return folder


def _module_name(file: Path, folder: Path) -> str:
    parts = file.relative_to(folder).with_suffix("").parts
    parts = parts[:-1] if file.stem == "__init__" else parts
    return ".".join([part.replace(".", "_") for part in parts])


def _open_folders(file: Path, lineage: Sequence[Path]) -> None:
    """Put the folders that a file may import from on the path.

    Python's own modules are found before the files of the learner, and those before what is
    installed.

    Args:
        file: its own folder comes first.
        lineage: the folder in which its package is, and those above it, up to a whole project's.
    """
    marked = [any((each / mark).exists() for mark in _MARKS) for each in lineage[: _ANCESTORS + 1]]
    folders = [file.parent, *lineage[: marked.index(True) + 1 if any(marked) else 1]]
    folders += [each / "src" for each in folders if (each / "src").is_dir()]
    packages = [n for n, each in enumerate(sys.path) if each.endswith("-packages")]
    place = min(packages, default=len(sys.path))
    sys.path[place:place] = dict.fromkeys(map(str, folders))
    invalidate_caches()


def _module(file: Path, folder: Path, name: str) -> ModuleType:
    """Make the module of a file, with its packages.

    Where its package has imported the file, that module is the one: a second copy would have
    classes of its own, which are no instances of the first one's.
    """
    parts = name.split(".")
    if len(parts) == 1 and (name in sys.modules or name in sys.stdlib_module_names):
        name = f"graded_{name}"
    for depth in range(1, len(parts)):
        parent = ".".join(parts[:depth])
        try:
            with limited(_IMPORT):
                import_module(parent)
        except BaseException:  # noqa: BLE001 - the package may do without its first file
            stub = sys.modules[parent] = ModuleType(parent)
            stub.__path__ = [str(Path(folder, *parts[:depth]))]
    for each in list(sys.modules.values()):
        if isinstance(found := getattr(each, "__file__", None), str) and Path(found) == file:
            return each
    is_package = file.stem == "__init__"
    module = ModuleType(name)
    module.__spec__ = ModuleSpec(name, None, origin=str(file), is_package=is_package)
    module.__file__ = str(file)
    module.__package__ = name if is_package else name.rpartition(".")[0]
    if is_package:
        module.__path__ = [str(file.parent)]
    sys.modules[name] = module
    return module


def described(fault: BaseException, file: str) -> Json:
    """Return type, message, and the last line of the file that the exception came through.

    A SyntaxError has the text of its line, too.
    """
    cell, line = None, None
    for frame, number in walk_tb(fault.__traceback__):
        name, _, own = frame.f_code.co_filename.partition("#cell ")
        if name == file:
            cell, line = own, number
    if isinstance(fault, SyntaxError) and (fault.filename or "").startswith(file):
        cell = (fault.filename or "").partition("#cell ")[2]
    return {
        "type": type(fault).__name__,
        "message": str(fault)[:_MESSAGE],
        "line": line,
        "cell": int(cell) if cell else None,
        "text": str(getattr(fault, "text", "") or "")[:_MESSAGE],
    }
