"""`gradient sweep`: program and columns or grids -> a row for each point, as table, CSV or JSON."""

import csv
import io
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from engine_py.canonical import canonical_text
from engine_py.command.cluster import add_cluster, is_for_cluster, sweep_on_cluster
from engine_py.command.program import (
    UsageError,
    add_program,
    read_number,
    read_program,
    split_value,
)
from engine_py.command.terminal import paint_of, print_bytes, print_json, print_lines
from engine_py.errors import LimitExceeded
from engine_py.show.paint import Paint
from engine_py.show.text_table import Column, draw_table
from engine_py.sweeps.blocks import HINT_FOR_TOO_MANY
from engine_py.sweeps.sweep import Sweep
from engine_py.sweeps.sweep import sweep as sweep_program

_HINT = "use fewer points, or a Dask cluster with --scheduler, which --help explains"

_MOST_EXPLAINED = 10
"""Different problems whose sentences are printed below the table."""


def sweep(parser: ArgumentParser) -> Callable[[Namespace], int]:
    """differentiate a program at many points

    A value may be a number, a column such as 1,2,3, or a grid from:to:count. Columns have one
    length and change together; grids are crossed with the columns and with each other. Prints the
    result and the gradients at every point.

    Examples:
      {gradient} sweep "x ** 3" x=0:1:5
      {gradient} sweep "tanh(w * x)" x=-2:2:101 w=0.5,1,2 --csv
      {gradient} sweep "log(x) * w" x=-1:1:3 w=2 --json
    """
    add_program(parser, with_values=True, with_parameters=False)
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--csv", action="store_true", help="print comma-separated values")
    forms.add_argument("--json", action="store_true", help="print the whole sweep")
    add_cluster(parser)
    return _sweep


def _sweep(options: Namespace) -> int:
    if is_for_cluster(options):
        return sweep_on_cluster(options)
    try:
        made = sweep_program(read_program(options), _ranges(options.values), view=options.view)
    except LimitExceeded as error:
        error.message = error.message.replace(HINT_FOR_TOO_MANY, _HINT)
        raise
    if options.json:
        print_json(made)
    elif options.csv:
        print_bytes(_csv(made))
    else:
        print_lines(_shown(made, paint_of(sys.stdout)))
    return 0


def _ranges(arguments: list[str]) -> dict[str, Any]:
    """Read `name=number`, `name=1,2,3` and `name=from:to:count`, once for each name."""
    ranges: dict[str, Any] = {}
    for argument in arguments:
        name, text = split_value(argument, "name=number, name=1,2,3 or name=from:to:count", ranges)
        if ":" in text:
            parts = text.split(":")
            if len(parts) != 3:  # noqa: PLR2004 - the members of a grid
                raise UsageError(f"the grid of `{name}` must be from:to:count, such as -2:2:101")
            numbers = [read_number(name, part) for part in parts]
            ranges[name] = dict(zip(("from", "to", "count"), numbers, strict=True))
        elif "," in text:
            ranges[name] = [read_number(name, part) for part in text.split(",")]
        else:
            ranges[name] = read_number(name, text)
    return ranges


def _rows(made: Sweep) -> Iterator[list[str]]:
    """Give what changes at a point, and the result and gradients there, or the error's code."""
    problems = {each["index"]: each["error"] for each in made["problems"]}
    axes = [list(zip(*axis.values(), strict=True)) for axis in made["axes"]]
    columns = [made["results"], *made["gradients"].values()]
    for index, rows in enumerate(product(*axes)):
        cells = [canonical_text(number) for row in rows for number in row]
        numbers = [column[index] for column in columns]
        cells += ["" if number is None else canonical_text(number) for number in numbers]
        yield [*cells, problems[index]["code"] if index in problems else ""]


def _names(made: Sweep) -> list[str]:
    return [name for axis in made["axes"] for name in axis]


def _csv(made: Sweep) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    gradients = [f"d/d{name}" for name in made["gradients"]]
    writer.writerow([*_names(made), "result", *gradients, "problem"])
    writer.writerows(_rows(made))
    return text.getvalue()


def _shown(made: Sweep, paint: Paint) -> list[str]:
    columns = [
        *(Column(name) for name in _names(made)),
        Column("result", style="data"),
        *(Column(f"d/d{name}", style="grad") for name in made["gradients"]),
        Column("problem" if made["problems"] else "", "<", "strong"),
    ]
    counts = Counter((each["error"]["code"], each["error"]["message"]) for each in made["problems"])
    problems = [
        f"{code}: {message}" + (f" ({count} points)" if count > 1 else "")
        for (code, message), count in counts.items()
    ]
    left = len(problems) - _MOST_EXPLAINED
    more = [f"and {left} other problems"] if left > 0 else []
    unused = [f"unused values: {', '.join(names)}"] if (names := made["unused_values"]) else []
    notes = [*problems[:_MOST_EXPLAINED], *more, *unused]
    return [*draw_table(columns, list(_rows(made)), paint), *([""] if notes else []), *notes]
