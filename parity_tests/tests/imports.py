"""Python source -> the modules that it imports."""

import ast

from parity_tests.kit.engines import ROOT


def imported_modules(source: str) -> set[str]:
    """Give full names: `engine_py.graph`, also for `from engine_py import graph`.

    Raises AssertionError at a relative import, which nothing here uses.
    """
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"a relative import: {ast.unparse(node)}"
            names.update(_module(f"{node.module}.{alias.name}") for alias in node.names)
    return names


def _module(name: str) -> str:
    """Leave out the last name, unless it is a module's or a package's."""
    path = ROOT.joinpath(*name.split("."))
    return name if path.is_dir() or path.with_suffix(".py").is_file() else name.rpartition(".")[0]
