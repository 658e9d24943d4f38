"""Judge how `rewrite` reads texts as people write them, by tables of their meanings (R42).

python -m parity_tests.readings [TABLE.tsv ...]

A row has a text, the names that have values (`null`, or a list with commas), and the allowed
results, separated by ` || `: `=a program`, `?readings` separated by `|`, or `!a reason`. Programs
are compared by their values at a few points, which a sweep computes.
"""

import math
import re
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from engine_py import outline, prepare, rewrite

TABLE = Path(__file__).with_name("readings.tsv")
POINTS = 24
TOLERANCE = 1e-7
"""Some formulas lose digits."""


class Row(NamedTuple):
    """A text, the names that have values, and the allowed results."""

    text: str
    names: list[str] | None
    allowed: list[str]

    @property
    def programs(self) -> list[str]:
        """The programs that it may mean."""
        return [each[1:] for each in self.allowed if each[0] == "="]


def rows_of(table: Path) -> Iterator[Row]:
    """Read a table; `⏎` stands for the end of a line in a text."""
    for line in table.read_text("utf-8").splitlines():
        text, names, expected, *_ = line.split("\t")
        known = None if names == "null" else names.split(",")
        needs = re.compile(r" \{.*?\}")
        allowed = [needs.sub("", each.strip()) for each in expected.split(" || ")]
        yield Row(text.replace("⏎", "\n"), known, allowed)


def is_same(ours: str, meant: str) -> bool:
    """Compare two programs where both have values; `meant` must have one at some point."""
    programs = [re.sub(r"\b([a-z]+)_(\d)\b", r"\1\2", each) for each in (ours, meant)]
    names, needed = (set(outline(each)["variables"]) for each in programs)
    if needed - {"pi", "e"} - names:
        return False
    random, met = Random(7), 0
    bounds = [[(0.2, 2.0), (-2.0, 2.0), (2.0, 7.0)][place % 3] for place in range(POINTS)]
    points = {name: [random.uniform(*each) for each in bounds] for name in sorted(names | needed)}
    points |= {"pi": [math.pi] * POINTS, "e": [math.e] * POINTS}
    found = (prepare(each).sweep(points)["results"] for each in programs)
    for place, (got, wanted) in enumerate(zip(*found, strict=True)):
        if wanted is None:
            continue
        if got is None:
            if place % 3 == 0:  # where all variables are positive
                return False
            continue
        met += 1
        if abs(got - wanted) > TOLERANCE * (1 + abs(wanted)):
            return False
    return met > 0


def verdict_of(row: Row) -> tuple[str, str]:
    """Return the verdict on a row, and the result of `rewrite`."""
    found = rewrite(row.text, row.names)
    program = found["expression"]
    if program is None:
        refused = found["refused"]
        assert refused is not None
        is_right = any(each[0] in "!?" for each in row.allowed)
        shown = f"{refused['reason']} {found['readings']} {refused.get('program')}"
        return ("refused rightly" if is_right else "refused though clear"), shown
    if any(program == each or is_same(program, each) for each in row.programs):
        return ("accepted" if program == row.text else "rightly"), program
    return "wrongly", program


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the verdicts of the tables; return 1 if a text is read wrongly."""
    parser = ArgumentParser(description="Judge rewritten texts by tables.")
    parser.add_argument("tables", nargs="*", type=Path, default=[TABLE], metavar="TABLE")
    wrong = 0
    for table in parser.parse_args(arguments).tables:
        counts = Counter[str]()
        for row in rows_of(table):
            verdict, shown = verdict_of(row)
            counts[verdict] += 1
            if verdict in ("wrongly", "refused though clear"):
                print(f"{verdict}: {row.text!r} {row.names} -> {shown}; allowed {row.allowed}")
        print(f"{table.name}: {dict(sorted(counts.items()))}, of {counts.total()}")
        wrong += counts["wrongly"]
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
