"""Mistakes of both engines -> what detects each: cases, only random programs, or nothing.

    python -m parity_tests.strength     all mistakes, a table by rule

A mistake is a change of one place that a careful person could make, planted in a copy of the
engines. The exit code is 1 if too few mistakes of a profile are detected.
"""

import json
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import NamedTuple

from parity_tests.fuzz.__main__ import compare, drawn_seed
from parity_tests.kit.cases import Case, load_cases, load_hard_cases, load_lines
from parity_tests.kit.contract import CORE, load_profiles
from parity_tests.kit.engines import ROOT, Engine, load_engines
from parity_tests.kit.report import MISTAKES, TWIN
from parity_tests.kit.runner import run_cases
from parity_tests.kit.worker import Budget

FOLDERS = ("engine_py", TWIN, "schemas")
"""The folders that a copy needs to run."""
ENOUGH = 0.95
"""The share of a profile's mistakes that must be detected before a release."""
PROGRAMS = 2000
"""Random programs for a mistake that passes all cases."""


class Mistake(NamedTuple):
    """A change in one place that breaks a rule."""

    rule: str
    file: str
    """In the folder of the engine."""
    before: str
    after: str

    @property
    def folder(self) -> str:
        """The folder of the engine, which follows from the language."""
        return "engine_py" if self.file.endswith(".py") else TWIN

    @property
    def source(self) -> str:
        """The changed text of the file. Raises ValueError unless it contains `before` once."""
        text = (ROOT / self.folder / self.file).read_text(encoding="utf-8")
        if text.count(self.before) != 1:
            raise ValueError(f"{self.file} has {self.before!r} {text.count(self.before)} times")
        return text.replace(self.before, self.after)


def load_mistakes() -> list[Mistake]:
    """Return all mistakes."""
    rows: list[list[str]] = json.loads(MISTAKES.read_text(encoding="utf-8"))
    return [Mistake(*row) for row in rows]


@contextmanager
def planted(mistake: Mistake) -> Iterator[Engine]:
    """Yield the engine with the mistake, in a copy that is removed afterwards."""
    with TemporaryDirectory() as name:
        for folder in FOLDERS:
            copytree(ROOT / folder, Path(name, folder))
        Path(name, mistake.folder, mistake.file).write_text(mistake.source, encoding="utf-8")
        [engine] = [each for each in load_engines().values() if mistake.folder in str(each.folder)]
        yield engine._replace(name=f"{engine.name} with a mistake", root=Path(name))


def detector_of(mistake: Mistake, cases: Sequence[Case], seed: int) -> str:
    """Return what detects the mistake: "cases", "fuzz" or "nothing"."""
    model, *_ = load_engines().values()
    budget = Budget(seconds=5.0, grace=120.0)
    near = sorted(cases, key=lambda case: mistake.rule not in case.holds)
    with planted(mistake) as engine:
        for _, group in groupby(near, lambda case: mistake.rule in case.holds):
            if any(not each.good for each in run_cases([engine], [*group], model, budget=budget)):
                return "cases"
        green = compare([model, engine], PROGRAMS, seed, budget=budget).green
    return "nothing" if green else "fuzz"


def detected(mistakes: Sequence[Mistake], seed: int) -> Iterator[tuple[Mistake, str]]:
    """Yield each mistake with what detects it."""
    cases: list[Case] = [*load_cases(), *load_hard_cases(), *load_lines()]
    for mistake in mistakes:
        yield mistake, detector_of(mistake, cases, seed)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = ArgumentParser(prog="python -m parity_tests.strength", description=__doc__)
    parser.parse_args(arguments)
    mistakes, seed = load_mistakes(), drawn_seed()
    by_rule: dict[str, Counter[str]] = {}
    for mistake, by in detected(mistakes, seed):
        by_rule.setdefault(mistake.rule, Counter())[by] += 1
        if by != "cases":
            print(f"{by}: {mistake.file}: {mistake.before}  ->  {mistake.after}", flush=True)
    print(table(by_rule))
    found = parts(by_rule)
    print(f"detected of {len(mistakes)} mistakes, with the programs of seed {seed}:")
    print(", ".join(f"{name} {part:.1%}" for name, part in found.items()))
    return 0 if min(found.values()) >= ENOUGH else 1


def parts(by_rule: Mapping[str, Mapping[str, int]]) -> dict[str, float]:
    """Return the share of mistakes that is detected, by profile."""
    names = {profile.rules: name for name, profile in load_profiles().items()}
    counted: dict[str, Counter[str]] = {}
    for rule, counts in by_rule.items():
        counted.setdefault(names.get(rule, CORE), Counter()).update(counts)
    return {name: 1 - counts["nothing"] / counts.total() for name, counts in counted.items()}


def table(by_rule: Mapping[str, Mapping[str, int]]) -> str:
    """Write a row for each rule: its mistakes, and what detects them."""
    heads = ("cases", "fuzz", "nothing")
    rows = [
        f"| {rule} | {sum(counts.values())} | "
        + " | ".join(str(counts.get(head, 0)) for head in heads)
        + " |"
        for rule, counts in sorted(by_rule.items(), key=lambda row: int(row[0][1:]))
    ]
    return "\n".join(
        ["| rule | mistakes | cases | fuzz | nothing |", "|---|--:|--:|--:|--:|", *rows]
    )


if __name__ == "__main__":
    sys.exit(main())
