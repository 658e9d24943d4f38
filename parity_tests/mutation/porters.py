"""Mistakes of a porter -> those that the kit finds, by fixtures, hard cases and lines alone.

python -m parity_tests.mutation.porters                     all mistakes, a table by class
python -m parity_tests.mutation.porters --share 4           every fourth mistake
python -m parity_tests.mutation.porters --cases names.txt   with the cases of a list alone
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from parity_tests.kit.cases import load_cases
from parity_tests.kit.engines import ROOT, load_engines
from parity_tests.kit.hard import load_hard_cases
from parity_tests.kit.lines import load_lines
from parity_tests.kit.worker import Worker
from parity_tests.mutation.judge import Judge
from parity_tests.mutation.mistakes import Change, load_tables, put_into_copy

FILE = Path(__file__).with_name("porters.toml")
[MODEL, *_] = load_engines().values()
PORT = load_engines(ROOT / "parity_tests" / "port" / "engines.toml")["port"]
SECONDS = 10.0
"""The longest that a mistaken port may take for one case."""


class Mistake(NamedTuple):
    """One mistake of a porter, of some class."""

    kind: str
    name: str
    change: Change


class Fate(NamedTuple):
    """A mistake, and the case that found it; None where it has survived."""

    mistake: Mistake
    found_by: str | None


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; give 0 where every mistake is found and the port itself passes."""
    options = _options(argv)
    cases = [*load_cases(), *load_hard_cases(), *load_lines()]
    if options.cases:
        names = set(options.cases.read_text().split())
        cases = [case for case in cases if case.id in names]
    judge = Judge(cases, MODEL)
    with Worker(PORT, seconds=SECONDS) as worker:
        if wrong := judge.first_failure(worker):
            print(f"the port itself fails {wrong}", file=sys.stderr)
            return 1
    mistakes = load_mistakes()[:: options.share]
    with ThreadPoolExecutor(options.jobs) as pool:
        fates = list(pool.map(lambda mistake: try_mistake(mistake, judge), mistakes))
    print(table(fates))
    return 0 if all(fate.found_by for fate in fates) else 1


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m parity_tests.mutation.porters")
    parser.add_argument("--share", type=int, default=1, help="try one mistake in so many")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--cases", type=Path, help="a file of cases' names, to play these alone")
    return parser.parse_args(argv)


def load_mistakes() -> list[Mistake]:
    """Read porters.toml."""
    return [Mistake(*row) for row in load_tables(FILE)]


def try_mistake(mistake: Mistake, judge: Judge) -> Fate:
    """Play the cases to a copy of the port with the mistake in it."""
    with tempfile.TemporaryDirectory() as folder:
        copy = put_into_copy([mistake.change], PORT, Path(folder))
        return Fate(mistake, judge.first_failure(Worker(PORT, root=copy, seconds=SECONDS)))


def table(fates: Sequence[Fate]) -> str:
    """Count by class, and name what has survived."""
    kinds = dict.fromkeys(fate.mistake.kind for fate in fates)
    head = f"{'a mistake of a porter':24} {'made':>5} {'found':>6} {'survived':>9}"
    rows = [_row(kind, [each for each in fates if each.mistake.kind == kind]) for kind in kinds]
    survivors = [
        f"SURVIVED {fate.mistake.kind}: {fate.mistake.name}" for fate in fates if not fate.found_by
    ]
    return "\n".join([head, *rows, _row("all", fates), *survivors])


def _row(name: str, fates: Iterable[Fate]) -> str:
    found = [fate.found_by is not None for fate in fates]
    return f"{name:24} {len(found):5} {sum(found):6} {len(found) - sum(found):9}"


if __name__ == "__main__":
    sys.exit(main())
