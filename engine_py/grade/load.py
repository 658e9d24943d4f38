"""A learner's file -> its namespace and classes, in the child process.

A script, a notebook or a file of a package runs statement by statement. A statement that raises or
takes too long, such as a demonstration that trains, is skipped, and the next one follows.
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
"""Seconds of CPU time: for a statement, for an import, for all statements but imports."""
_MARKS = (".git", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "README.md")
"""Names that mark the folder of a whole project."""
_ANCESTORS = 4
_MESSAGE = 200
"""Characters of an exception's message that are kept."""

_LINE_MAGIC = re.compile(r"^(\s*)(?:[%!?].*|[\w.\[\]]+\?{1,2}\s*)$", re.MULTILINE)
_ASSIGNED_MAGIC = re.compile(r"^(\s*[\w., ]+=\s*)[%!].*$", re.MULTILINE)
_PYTHON_CELLS = ("time", "timeit", "capture", "prun", "writefile", "file", "script", "python")
"""The cell magics whose cells are Python."""


class Loaded(NamedTuple):
    """The definitions of a file, and what went wrong."""

    namespace: Json
    classes: list[type]
    """In the order of their statements; of two with the same name, `namespace` has the second."""
    folder: str
    """The folder that contains its package."""
    stopped: list[Json]
    """The exceptions of its statements."""
    stand_ins: list[str]
    hidden: list[str]
    """Modules of Python that are hidden by a file next to this one."""


def load(file: Path, base: Path, above: str | None) -> Loaded:
    """Run a file as a module of its package, without the statements that fail.

    Args:
        file: the file, in `base`.
        base: the folder that was handed in, or its copy.
        above: the original of `base`, from whose parents the file may import; None to forbid it.
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
    """Run a statement, without evaluating its annotations; return its exception."""
    flags = __future__.annotations.compiler_flag
    try:
        code = compile(ast.Module([statement], []), name, "exec", flags, dont_inherit=True)
        with limited(seconds):
            exec(code, namespace)  # noqa: S102 - in a child process with limits
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
    """Parse Python; without its magics if it is invalid with them."""
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
    """Return whether a line of a file is within `try`."""
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
    """Return the folder that contains the package of a file, or the script.

    A folder without `__init__.py` is a package, too, if the file imports a module of it by name.
    """
    text = file.read_bytes()
    dots = re.findall(rb"^\s*from\s+(\.+)", text, re.MULTILINE)
    folder, levels = file.parent, max(map(len, dots), default=0)
    while ((folder / "__init__.py").exists() or levels > 0) and folder.name:
        folder, levels = folder.parent, levels - 1
    for top, module in re.findall(rb"^\s*(?:from|import)\s+(\w+)\.(\w+)", text, re.MULTILINE):
        named = folder / os.fsdecode(module)
        exists = named.is_dir() or named.with_suffix(".py").exists()
        if folder.name == os.fsdecode(top) and exists:
            return folder.parent
    return folder


def _module_name(file: Path, folder: Path) -> str:
    parts = file.relative_to(folder).with_suffix("").parts
    parts = parts[:-1] if file.stem == "__init__" else parts
    return ".".join([part.replace(".", "_") for part in parts])


def _open_folders(file: Path, lineage: Sequence[Path]) -> None:
    """Add the folders that a file may import from to `sys.path`.

    They come after Python's own modules, and before installed packages.

    Args:
        file: the file; its own folder comes first.
        lineage: the folder that contains its package, and the folders above it.
    """
    marked = [any((each / mark).exists() for mark in _MARKS) for each in lineage[: _ANCESTORS + 1]]
    folders = [file.parent, *lineage[: marked.index(True) + 1 if any(marked) else 1]]
    folders += [each / "src" for each in folders if (each / "src").is_dir()]
    packages = [n for n, each in enumerate(sys.path) if each.endswith("-packages")]
    place = min(packages, default=len(sys.path))
    sys.path[place:place] = dict.fromkeys(map(str, folders))
    invalidate_caches()


def _module(file: Path, folder: Path, name: str) -> ModuleType:
    """Return a module for a file, with its packages.

    If its package has already imported the file, that module is returned: the classes of a second
    copy would not be those of the first.
    """
    parts = name.split(".")
    if len(parts) == 1 and (name in sys.modules or name in sys.stdlib_module_names):
        name = f"graded_{name}"
    for depth in range(1, len(parts)):
        parent = ".".join(parts[:depth])
        try:
            with limited(_IMPORT):
                import_module(parent)
        except BaseException:  # noqa: BLE001 - the file may not need its package's `__init__.py`
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
    """Return an exception's type and message, and the last line of the file in its traceback.

    A SyntaxError has the text of its line, too.
    """
    cell, line, scope = None, None, ""
    for frame, number in walk_tb(fault.__traceback__):
        name, _, own = frame.f_code.co_filename.partition("#cell ")
        if name == file:
            cell, line, scope = own, number, frame.f_code.co_qualname
    if isinstance(fault, SyntaxError) and (fault.filename or "").startswith(file):
        cell = (fault.filename or "").partition("#cell ")[2]
    return {
        "type": type(fault).__name__,
        "message": str(fault)[:_MESSAGE],
        "line": line,
        "scope": scope.split("."),
        "cell": int(cell) if cell else None,
        "text": str(getattr(fault, "text", "") or "")[:_MESSAGE],
    }
