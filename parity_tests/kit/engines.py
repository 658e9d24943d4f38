"""engines.toml -> engines: the folder of each, and how to start its worker."""

from __future__ import annotations

import os
import shutil
import sys
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

PACKAGE = Path(__file__).resolve().parents[1]
ROOT = PACKAGE.parent
"""The checkout, or the folder in which the wheel and engine_py are installed."""
IS_INSTALLED = (PACKAGE / "schemas").is_dir()
"""True in the wheel, which contains a copy of schemas/."""
SCHEMAS = (PACKAGE if IS_INSTALLED else ROOT) / "schemas"
ENGINES = PACKAGE / "engines.toml"


class SetupError(Exception):
    """An engine, or a program that it needs, is missing. The suite then fails; it never skips."""


class Engine(NamedTuple):
    """How to start an engine's worker, and its folder."""

    name: str
    argv: tuple[str, ...]
    folder: Path
    known_failures: frozenset[str] = frozenset()
    """Ids of the cases that it is known to fail."""
    root: Path = ROOT
    """The working directory of its worker."""
    file: Path = ENGINES
    """The file that lists it."""
    commands: frozenset[str] = frozenset()
    """The commands that are sent to it; empty for all."""
    contract: str | None = None
    """The contract version to judge it by; None for the one that it states."""
    is_twin: bool = False
    """Whether it states that it runs another engine, or has its messages."""


MEMBERS = {"folder": str, "argv": list, "known_failures": list, "twin": bool}


def load_engines(file: Path = ENGINES) -> dict[str, Engine]:
    """Read the engines by name. Raises SetupError if anything is missing.

    Paths are relative to the repository's root for its own engines, and to the file for others.
    """
    if os.name == "nt":
        raise SetupError("Windows has no way to wait for pipes; run this on Linux, macOS or WSL")
    if not file.is_file():
        raise SetupError(f"no engines: the file {file} is missing")
    root = ROOT if file == ENGINES else file.resolve().parent
    try:
        entries = tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as fault:
        raise SetupError(f"{file} is not TOML: {fault}") from None
    if not entries:
        raise SetupError(f"no engines: {file} lists none")
    return {name: _engine(name, entry, root, file) for name, entry in entries.items()}


def _engine(name: str, entry: Any, root: Path, file: Path) -> Engine:
    given = entry if isinstance(entry, dict) else {}
    entry = {"known_failures": [], "twin": file == ENGINES, **given}
    for member in [*MEMBERS, *entry]:
        if member not in MEMBERS or not isinstance(entry.get(member), MEMBERS[member]):
            expected = "folder (a string), argv and known_failures (arrays), twin (true or false)"
            raise SetupError(f"engine {name}: `{member}` is wrong; an engine has {expected}")
    folder = root / entry["folder"]
    if not folder.is_dir() or not any(folder.iterdir()):
        raise SetupError(f"engine {name}: its folder {entry['folder']} is missing or empty")
    if not entry["argv"]:
        raise SetupError(f"engine {name}: `argv` is empty; it begins with the program")
    program, *rest = entry["argv"]
    argv = (find_program(program, root), *rest)
    known = frozenset(entry["known_failures"])
    return Engine(name, argv, folder, known, root, file, is_twin=entry["twin"])


def find_program(name: str, root: Path = ROOT) -> str:
    """Find a program by its path from the root, next to the running Python, or on PATH."""
    if name == "python":
        return sys.executable
    if "/" in name:
        if not os.access(root / name, os.X_OK):
            raise SetupError(f"`{name}` is not a program in {root}")
        return str(root / name)
    here = str(Path(sys.executable).parent)
    found = shutil.which(name, path=os.pathsep.join([here, os.environ.get("PATH", "")]))
    if found is None:
        advice = "install it; in a checkout of gradient-service run `make setup`"
        raise SetupError(f"`{name}` is neither in {here} nor on PATH; {advice}")
    return found
