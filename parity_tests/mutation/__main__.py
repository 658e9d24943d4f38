"""Mutate copies of both engines and count the mistakes that the checks notice.

make mutation                              both engines
make mutation ARGS='--engine engine_ts'    one of them
make mutation ARGS='--only lab/paths'      some modules of each
make mutation ARGS='--judge kit'           without the engines' unit tests
"""

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from parity_tests.kit.engines import ROOT, SetupError
from parity_tests.mutation.calls import write_calls
from parity_tests.mutation.engines import MUTATORS, Mutant, Task

GOAL = 85.0
"""Percent of the mutants that must be killed, in each engine."""


def main(argv: Sequence[str] | None = None) -> int:
    """Give 0 where each engine reaches the goal."""
    options = _options(argv)
    folder: Path = options.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    calls = folder / "calls.json"
    try:
        write_calls(calls)
        task = Task(
            folder, calls, options.jobs, options.only, options.judge == "kit", options.share
        )
        scores = [report(MUTATORS[name](task), folder) for name in options.engine]
    except SetupError as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0 if min(scores) >= GOAL else 1


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m parity_tests.mutation")
    parser.add_argument("--engine", nargs="+", choices=list(MUTATORS), default=list(MUTATORS))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--share", type=int, default=1, help="try one mutant in so many")
    parser.add_argument("--only", nargs="+", default=[], metavar="MODULE")
    parser.add_argument(
        "--judge",
        choices=["all", "kit"],
        default="all",
        help="kit: without the unit tests of the engine",
    )
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "mutation")
    return parser.parse_args(argv)


def report(mutants: Sequence[Mutant], folder: Path) -> float:
    """Print a row per module, write the survivors to a file, and give the score."""
    engine = mutants[0].engine
    survivors = folder / f"survivors_{engine}.txt"
    survivors.write_text("\n\n".join(each.change for each in mutants if not each.killed) + "\n")
    print(f"{engine:18} {'mutants':>8} {'killed':>8} {'survived':>8} {'score':>8}")
    for module in sorted({each.module for each in mutants}):
        _row(module, [each for each in mutants if each.module == module])
    return _row("all", mutants)


def _row(name: str, mutants: Iterable[Mutant]) -> float:
    fates = [each.killed for each in mutants]
    killed, score = sum(fates), 100.0 * sum(fates) / len(fates)
    print(f"{name:18} {len(fates):8} {killed:8} {len(fates) - killed:8} {score:7.1f}%")
    return score


if __name__ == "__main__":
    sys.exit(main())
