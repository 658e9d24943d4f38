"""saboteurs.toml -> damaged copies of the engines, which the fixtures must find."""

import shutil
import tomllib
from pathlib import Path
from typing import NamedTuple

from parity_tests.kit.engines import ROOT, Engine

SABOTEURS = Path(__file__).with_name("saboteurs.toml")


class Saboteur(NamedTuple):
    """One mistake in one engine: a text that stands once in a file, and what takes its place."""

    mistake: str
    engine: str
    file: str
    before: str
    after: str


def load_saboteurs() -> list[Saboteur]:
    """Read every mistake, for every engine that it is written for."""
    mistakes = tomllib.loads(SABOTEURS.read_text())
    return [
        Saboteur(mistake, engine, **change)
        for mistake, changes in mistakes.items()
        for engine, change in changes.items()
    ]


def sabotage(saboteur: Saboteur, engine: Engine, into: Path) -> None:
    """Copy the engine under a root of its own and put the mistake into the copy."""
    folder = into / engine.folder.relative_to(ROOT)
    shutil.copytree(
        engine.folder, folder, ignore=shutil.ignore_patterns("tests", "bench", "__pycache__")
    )
    file = folder / saboteur.file
    source = file.read_text()
    if source.count(saboteur.before) != 1:
        raise ValueError(f"{saboteur.mistake!r}: its text does not stand once in {saboteur.file}")
    file.write_text(source.replace(saboteur.before, saboteur.after))
