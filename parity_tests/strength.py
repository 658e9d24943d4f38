"""Mistakes of `engine_py` -> what detects each: cases, only random programs, or nothing.

    python -m parity_tests.strength              all mistakes, a table by rule
    python -m parity_tests.strength worker 7     the engine with mistake 7, counted from 0

A mistake is a change of one place that a careful person could make. Its worker plants it when the
module is loaded, so no engine is built anew. The exit code is 1 if too few mistakes are detected.
"""

import json
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from itertools import groupby
from types import CodeType
from typing import Any, NamedTuple

from parity_tests.fuzz.__main__ import compare, drawn_seed
from parity_tests.kit.cases import Case, load_cases, load_hard_cases, load_lines
from parity_tests.kit.engines import ENGINES, ROOT, Engine, load_engines
from parity_tests.kit.report import MISTAKES
from parity_tests.kit.runner import run_cases
from parity_tests.kit.worker import Budget

ENOUGH = 0.95
"""The part of the mistakes that must be detected; below it no version is released."""
PROGRAMS = 2000
"""Random programs for a mistake that passes all cases."""


class Mistake(NamedTuple):
    """A change of one place, which breaks a rule."""

    rule: str
    file: str
    """In `engine_py`."""
    before: str
    after: str

    @property
    def source(self) -> str:
        """The file's text, changed. Raises ValueError unless the place is in it once."""
        text = (ROOT / "engine_py" / self.file).read_text(encoding="utf-8")
        if text.count(self.before) != 1:
            raise ValueError(f"{self.file} has {text.count(self.before)} times {self.before!r}")
        return text.replace(self.before, self.after)

    @property
    def module(self) -> str:
        """The name of the changed module."""
        return f"engine_py.{self.file.removesuffix('.py').replace('/', '.')}"


def load_mistakes() -> list[Mistake]:
    """Return all mistakes."""
    rows: list[list[str]] = json.loads(MISTAKES.read_text(encoding="utf-8"))
    return [Mistake(*row) for row in rows]


class Changed(SourceFileLoader):
    """Loads a module with a mistake in it."""

    def __init__(self, mistake: Mistake) -> None:
        """Load the module of the mistake."""
        self._mistake = mistake
        super().__init__(mistake.module, str(ROOT / "engine_py" / mistake.file))

    def get_code(self, fullname: str) -> CodeType:
        """Compile the changed source, past any compiled file."""
        code: CodeType = compile(self._mistake.source, self.path, "exec")
        return code


class Planted(MetaPathFinder):
    """Finds one module by its own loader, and leaves the others to theirs."""

    def __init__(self, mistake: Mistake) -> None:
        """Plant the mistake when its module is first imported."""
        self._loader = Changed(mistake)

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        """Return how to load the module; None for another one."""
        if fullname != self._loader.name:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        assert spec is not None
        spec.loader = self._loader
        return spec


def work(number: int) -> None:
    """Answer lines as the engine with one mistake."""
    sys.meta_path.insert(0, Planted(load_mistakes()[number]))
    from engine_py.protocol.worker import main as serve  # noqa: PLC0415 - after planting

    serve()


def detector_of(number: int, mistake: Mistake, cases: Sequence[Case], seed: int) -> str:
    """Return what detects the mistake: "cases", "fuzz" or "nothing"."""
    model, *_ = load_engines().values()
    argv = (sys.executable, "-m", "parity_tests.strength", "worker", str(number))
    engine = Engine(f"mistake {number}", argv, ROOT, file=ENGINES, is_twin=True)
    budget = Budget(seconds=5.0, grace=120.0)
    near = sorted(cases, key=lambda case: mistake.rule not in case.holds)
    for _, group in groupby(near, lambda case: mistake.rule in case.holds):
        if any(not result.good for result in run_cases([engine], [*group], model, budget=budget)):
            return "cases"
    return "nothing" if compare([model, engine], PROGRAMS, seed, budget=budget).green else "fuzz"


def detected(mistakes: Sequence[Mistake], seed: int) -> Iterator[tuple[Mistake, str]]:
    """Yield each mistake with what detects it."""
    cases: list[Case] = [*load_cases(), *load_hard_cases(), *load_lines()]
    for number, mistake in enumerate(mistakes):
        yield mistake, detector_of(number, mistake, cases, seed)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit code."""
    parser = ArgumentParser(prog="python -m parity_tests.strength", description=__doc__)
    parser.add_argument("worker", nargs="*", help="`worker N` is the engine with mistake N")
    options = parser.parse_args(arguments)
    if options.worker:
        work(int(options.worker[1]))
        return 0
    mistakes, seed = load_mistakes(), drawn_seed()
    by_rule: dict[str, Counter[str]] = {}
    for mistake, by in detected(mistakes, seed):
        by_rule.setdefault(mistake.rule, Counter())[by] += 1
        if by != "cases":
            print(f"{by}: {mistake.file}: {mistake.before}  ->  {mistake.after}", flush=True)
    print(table(by_rule))
    missed = sum(counts["nothing"] for counts in by_rule.values())
    part = 1 - missed / len(mistakes)
    print(f"{part:.1%} of {len(mistakes)} mistakes are detected, with the programs of seed {seed}")
    return 0 if part >= ENOUGH else 1


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
