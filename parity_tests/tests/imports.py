"""A Python file -> the modules that it imports."""

import ast
from pathlib import Path

from parity_tests.kit.engines import ROOT


def imported_modules(file: Path, root: Path = ROOT) -> set[str]:
    """Give full names: `engine_py.numerics`, also for `from engine_py import numerics`.

    Raises AssertionError at a relative import, which nothing here uses.
    """
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports relatively"
            names.update(_module(root, f"{node.module}.{alias.name}") for alias in node.names)
    return names


def _module(root: Path, name: str) -> str:
    """Leave out the last name, unless it is a module's or a package's."""
    path = root.joinpath(*name.split("."))
    return name if path.is_dir() or path.with_suffix(".py").is_file() else name.rpartition(".")[0]
