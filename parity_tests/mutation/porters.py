"""Mistakes of a porter -> those that the kit finds: by fixtures, hard cases and lines, or by fuzz.

python -m parity_tests.mutation.porters                     all mistakes, a table by class
python -m parity_tests.mutation.porters --share 4           every fourth mistake
python -m parity_tests.mutation.porters --cases names.txt   with the cases of a list alone
python -m parity_tests.mutation.porters --fuzz 20000        with so many random programs instead
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from parity_tests.fuzz.__main__ import random_batches
from parity_tests.fuzz.search import disagreement, is_claimed, run_asked
from parity_tests.kit.cases import load_cases
from parity_tests.kit.engines import ROOT, load_engines
from parity_tests.kit.hard import load_hard_cases
from parity_tests.kit.lines import load_lines
from parity_tests.kit.worker import Call, EngineFault, Worker
from parity_tests.mutation.judge import BATCH, Judge
from parity_tests.mutation.mistakes import Change, load_tables, put_into_copy

FILE = Path(__file__).with_name("porters.toml")
[MODEL, *_] = load_engines().values()
PORT = load_engines(ROOT / "parity_tests" / "port" / "engines.toml")["port"]
SECONDS = 30.0
"""The longest that a mistaken port may take for one case."""
ROUND = 1000
"""Programs that are played to all mistakes that are left, before the next ones are drawn."""


class Mistake(NamedTuple):
    """One mistake of a porter, of some class."""

    kind: str
    name: str
    change: Change


class Fate(NamedTuple):
    """A mistake, and the case or the call that found it; None where it has survived."""

    mistake: Mistake
    found_by: str | None


class Programs:
    """Random programs with the model's answers; a judge like that of cases."""

    def __init__(self, calls: Sequence[Call], model: Worker) -> None:
        """Ask the model."""
        self.model, self.pairs = model, [*zip(calls, run_asked(model, calls), strict=True)]

    def first_failure(self, worker: Worker) -> str | None:
        """Give the call that is answered differently, or the crash; None where there is none."""
        try:
            for start in range(0, len(self.pairs), BATCH):
                batch = self.pairs[start : start + BATCH]
                responses = run_asked(worker, [call for call, _ in batch])
                for (call, right), response in zip(batch, responses, strict=True):
                    if disagreement([self.model, worker], call, [right, response]):
                        return json.dumps(call)
        except EngineFault as fault:
            return str(fault)
        finally:
            worker.__exit__(EngineFault)
        return None


def main(argv: Sequence[str] | None = None) -> int:
    """Print the table; give 0 where every mistake is found and the port itself passes."""
    options = _options(argv)
    mistakes = load_mistakes()[:: options.share]
    with Worker(MODEL) as model, ThreadPoolExecutor(options.jobs) as pool:
        judges = by_fuzz(options.fuzz, model) if options.fuzz else by_cases(options.cases)
        fates = {mistake: Fate(mistake, None) for mistake in mistakes}
        for judge in judges:
            if wrong := judge.first_failure(Worker(PORT, seconds=SECONDS)):
                print(f"the port itself fails {wrong}", file=sys.stderr)
                return 1
            left = [mistake for mistake in mistakes if fates[mistake].found_by is None]
            tried = pool.map(try_mistake, left, [judge] * len(left))
            fates.update(zip(left, tried, strict=True))
    print(table([*fates.values()]))
    return 0 if all(fate.found_by for fate in fates.values()) else 1


def by_cases(names: Path | None) -> Iterator[Judge]:
    """Judge by fixtures, hard cases and lines, all at once, or by those of a list."""
    cases = [*load_cases(), *load_hard_cases(), *load_lines()]
    if names:
        listed = set(names.read_text().split())
        cases = [case for case in cases if case.id in listed]
    yield Judge(cases, MODEL)


def by_fuzz(count: int, model: Worker) -> Iterator[Programs]:
    """Judge by so many random programs, round by round, as far as the port claims them."""
    with Worker(PORT) as port:
        for calls in random_batches(1, count, ROUND):
            yield Programs([call for call in calls if is_claimed(port, call)], model)


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m parity_tests.mutation.porters")
    parser.add_argument("--share", type=int, default=1, help="try one mistake in so many")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--cases", type=Path, help="a file of cases' names, to play these alone")
    parser.add_argument("--fuzz", type=int, default=0, help="play so many random programs instead")
    return parser.parse_args(argv)


def load_mistakes() -> list[Mistake]:
    """Read porters.toml."""
    return [Mistake(*row) for row in load_tables(FILE)]


def try_mistake(mistake: Mistake, judge: Judge | Programs) -> Fate:
    """Play what the judge has to a copy of the port with the mistake in it."""
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
