"""mistakes.toml, porters.toml -> damaged copies of an engine, which the cases must find."""

import shutil
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from parity_tests.kit.engines import ROOT, Engine

FILE = Path(__file__).with_name("mistakes.toml")


class Change(NamedTuple):
    """A text that stands once in a file of an engine, and what takes its place."""

    file: str
    before: str
    after: str


class Mistake(NamedTuple):
    """One mistake in one engine."""

    name: str
    engine: str
    change: Change


def load_tables(file: Path) -> list[tuple[str, str, Change]]:
    """Read a file of tables of changes: the names of the table and of the row with each."""
    tables = tomllib.loads(file.read_text(encoding="utf-8"))
    return [
        (table, row, Change(**change))
        for table, changes in tables.items()
        for row, change in changes.items()
    ]


def load_mistakes() -> list[Mistake]:
    """Read every mistake, for every engine that it is written for."""
    return [Mistake(*row) for row in load_tables(FILE)]


def put_into_copy(changes: Iterable[Change], engine: Engine, into: Path) -> Path:
    """Copy the engine under a root of its own and make the changes there; give its folder.

    What Python has compiled is copied, too: a file that changes is newer than that. Raises
    ValueError unless each text stands once in its file.
    """
    folder = into / engine.folder.relative_to(ROOT)
    shutil.copytree(engine.folder, folder, ignore=shutil.ignore_patterns("tests", "bench"))
    for file, before, after in changes:
        source = (folder / file).read_text()
        if source.count(before) != 1:
            raise ValueError(f"{before!r} does not stand once in {file}")
        (folder / file).write_text(source.replace(before, after))
    return folder
