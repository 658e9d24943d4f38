"""mistakes.toml -> damaged copies of the engines, which the fixtures must find."""

import shutil
import tomllib
from pathlib import Path
from typing import NamedTuple

from parity_tests.kit.engines import ROOT, Engine

FILE = Path(__file__).with_name("mistakes.toml")


class Mistake(NamedTuple):
    """One mistake in one engine: a text that stands once in a file, and what takes its place."""

    name: str
    engine: str
    file: str
    before: str
    after: str


def load_mistakes() -> list[Mistake]:
    """Read every mistake, for every engine that it is written for."""
    mistakes = tomllib.loads(FILE.read_text())
    return [
        Mistake(name, engine, **change)
        for name, changes in mistakes.items()
        for engine, change in changes.items()
    ]


def put_into_copy(mistake: Mistake, engine: Engine, into: Path) -> None:
    """Copy the engine under a root of its own and put the mistake into the copy.

    What Python has compiled is copied, too: a file that changes is newer than that.
    """
    folder = into / engine.folder.relative_to(ROOT)
    shutil.copytree(engine.folder, folder, ignore=shutil.ignore_patterns("tests", "bench"))
    file = folder / mistake.file
    source = file.read_text()
    if source.count(mistake.before) != 1:
        raise ValueError(f"{mistake.name!r}: its text does not stand once in {mistake.file}")
    file.write_text(source.replace(mistake.before, mistake.after))
