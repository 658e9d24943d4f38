"""`gradient sweep`: a program at many points -> a row for each, as table, CSV, JSON or a file.

With --scheduler, a Dask cluster computes them and writes files.
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from time import monotonic
from typing import Any

from engine_py.canonical import canonical_text
from engine_py.command import sweep_file
from engine_py.command.program import add_program, has_input, read_program, read_stdin
from engine_py.command.terminal import (
    paint_of,
    print_error,
    print_json,
    print_lines,
)
from engine_py.command.values import UsageError, read_number, split_values
from engine_py.errors import LimitExceeded
from engine_py.request import quoted
from engine_py.show.explanation import Column, Paint, draw_table
from engine_py.sweeps.blocks import HINT_FOR_TOO_MANY
from engine_py.sweeps.program import Sweep
from engine_py.sweeps.program import sweep as sweep_program

_HINT = "write them to a file with --into FILE.csv, or with --csv"

_MAX_EXPLAINED = 10
"""The maximum number of different problems that are explained below the table."""


def sweep(parser: ArgumentParser) -> Callable[[Namespace], int]:
    """differentiate a program at many points

    A value may be a number, a column such as 1,2,3, or a grid from:to:count. Columns have one
    length and change together; grids are crossed with the columns and with each other. Prints the
    result and the gradients at every point. Exits with 3 if no point has a result.

    Examples:
      {gradient} sweep "x ** 3" x=0:1:5
      {gradient} sweep "tanh(w * x)" x=-2:2:101 w=0.5,1,2 --csv
      {gradient} sweep "log(x) * w" x=-1:1:3 w=2 --json
      {gradient} sweep "tanh(w * x)" w=0:1:100 x=-pi:pi:100 --into rows.csv
    """
    add_program(parser, with_values=True, with_parameters=False)
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--csv", action="store_true", help="print comma-separated values")
    forms.add_argument("--json", action="store_true", help="print the whole sweep")
    forms.add_argument(
        "--into",
        metavar="FILE",
        help="write a .csv or .parquet file of any number of points, on all cores; "
        "on a cluster, a folder that is the same one on all machines",
    )
    _add_cluster(parser)
    return _sweep


def _sweep(options: Namespace) -> int:
    if _is_for_cluster(options):
        return _sweep_on_cluster(options)
    program, ranges = read_program(options), _ranges(options.values)
    if options.csv or options.into is not None:
        return _sweep_in_chunks(options, sweep_file.Request(program, ranges, options.view))
    try:
        made = sweep_program(program, ranges, view=options.view)
    except LimitExceeded as error:
        error.message = error.message.replace(HINT_FOR_TOO_MANY, _HINT)
        raise
    if options.json:
        print_json(made)
    else:
        print_lines(_sweep_lines(made, paint_of(sys.stdout)))
    return 3 if len(made["problems"]) == made["count"] else 0


def _sweep_in_chunks(options: Namespace, request: sweep_file.Request) -> int:
    """Print CSV, or write the file and show the progress; the points may be any number."""
    if options.into is None:
        points, problems = sweep_file.print_csv(request)
        return 3 if points == problems else 0
    started = monotonic()
    show: Callable[[int, int], object] = lambda *_: None  # noqa: E731 - a file shows nothing
    if sys.stderr and sys.stderr.isatty():
        show = _make_progress("points")
    points, problems = sweep_file.write_file(request, Path(options.into), show)
    rate = points / max(monotonic() - started, 1e-3)
    counts = f"{points:,} points, {rate:,.0f} a second; {problems:,} have no result"
    print_error(f"{options.into}: {counts}")
    return 3 if points == problems else 0


def _ranges(arguments: list[str]) -> dict[str, Any]:
    """Read `name=number`, `name=1,2,3` and `name=from:to:count`, once for each name."""
    ranges: dict[str, Any] = {}
    form = "name=number, name=1,2,3 or name=from:to:count"
    for name, text in split_values(arguments, form).items():
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
    """Yield for each point the values that change, its result and gradients, or an error code."""
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


def _sweep_lines(made: Sweep, paint: Paint) -> list[str]:
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
    left = len(problems) - _MAX_EXPLAINED
    more = [f"and {left} other problems"] if left > 0 else []
    unused = [f"unused values: {', '.join(names)}"] if (names := made["unused_values"]) else []
    notes = [*problems[:_MAX_EXPLAINED], *more, *unused]
    return [*draw_table(columns, list(_rows(made)), paint), *([""] if notes else []), *notes]


_ARGUMENTS = ("scheduler", "into", "table", "form", "chunk")
_NEEDED = {"dask", "distributed", "numpy", "pyarrow"}


def _add_cluster(parser: ArgumentParser) -> None:
    """Add the arguments for a sweep on a cluster."""
    group = parser.add_argument_group(
        "on a Dask cluster (needs gradient-engine[distributed])",
        "The program is then JSON, in the file `program`, in that of --file, or on stdin: an "
        "object of expression, values and view. If the sweep was stopped, the same command "
        "continues it.",
    )
    group.add_argument("--scheduler", metavar="ADDRESS", help="such as tcp://10.0.0.1:8786")
    group.add_argument(
        "--table",
        metavar="FILE",
        help="Parquet with a point in each row and a column for each variable without a number "
        "in values; the same file on all machines",
    )
    group.add_argument("--form", choices=("parquet", "ndjson"), help="of the files (parquet)")
    group.add_argument("--chunk", type=int, metavar="POINTS", help="points per file (a million)")


def _is_for_cluster(options: Namespace) -> bool:
    """Return whether there is an argument that only a cluster uses."""
    return any(getattr(options, name) is not None for name in _ARGUMENTS if name != "into")


def _sweep_on_cluster(options: Namespace) -> int:
    """Compute the chunks of a sweep that are not done, and print the progress to stderr.

    Raises:
        UsageError: an argument is missing or wrong, or the cluster cannot be used with them.
        GradientError: the request is wrong.
    """
    if not (options.scheduler and options.into):
        given = " ".join(f"--{name}" for name in _ARGUMENTS if getattr(options, name) is not None)
        raise UsageError(f"{given}: a cluster needs --scheduler and --into")
    if options.values or options.csv or options.json or options.view != "folded":
        raise UsageError("with --scheduler, the file has values and view, and the output is files")
    if options.chunk is not None and options.chunk < 1:
        raise UsageError("--chunk must be 1 point or more")
    request = _read_request(options)
    options.program = str(request.get("expression"))  # for the report of an error
    try:
        from engine_py.distributed import plan, work  # noqa: PLC0415 - the extra
    except ModuleNotFoundError as missing:
        if missing.name not in _NEEDED:
            raise
        raise UsageError("--scheduler needs gradient-engine[distributed]") from None
    folder = Path(options.into).resolve()
    rows = None if options.table is None else Path(options.table).resolve()
    try:
        made = plan.make_plan(request, folder, options.form or "parquet", options.chunk, rows)
        show = _make_progress("chunks")
        done = work.spread(
            made, options.scheduler, lambda progress: show(progress.done, progress.chunks)
        )
    except (plan.WrongFolder, plan.WrongTable, work.NoCluster, work.NotShared) as reason:
        raise UsageError(str(reason)) from None
    except OSError as error:
        raise UsageError(f"a worker or the folder failed: {error}") from None
    rate = f", {done.points / done.seconds:,.0f} a second" if done.seconds else ""
    counts = f"{done.points:,} points computed{rate}; {done.problems:,} have no result"
    print_error(f"{folder}: {done.chunks:,} files; {counts}")
    return 0 if done.problems < done.points or work.has_result(made) else 3


def _read_request(options: Namespace) -> dict[str, Any]:
    """Read the request from its argument, --file or stdin."""
    given = [each for each in (options.program, options.program_file) if each is not None]
    if len(given) > 1 or not (given or has_input()):
        fault = "there are two requests" if given else "the request is missing"
        line = f"{options.prog} request.json --scheduler ADDRESS --into FOLDER"
        raise UsageError(f"{fault}; write: {line}")
    from_stdin = given in ([], ["-"])
    name = "stdin" if from_stdin else given[0]
    try:
        text = read_stdin() if from_stdin else Path(name).read_bytes()
        request = json.loads(text, object_pairs_hook=_distinct_members)
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"{name} is not a JSON file: {error}") from None
    if not isinstance(request, dict) or request.keys() - {"expression", "values", "view"}:
        raise UsageError(f"{name} must be an object of expression, values and view")
    return request


def _distinct_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object of its members; refuse a repeated one, as the service does."""
    members: dict[str, Any] = {}
    for name, value in pairs:
        if name in members:
            raise UsageError(f"the member {quoted(name)} is given twice in one object of the file")
        members[name] = value
    return members


def _make_progress(unit: str) -> Callable[[int, int], None]:
    """Return a function that shows progress: a bar on a terminal, else a line for each tenth."""
    tenths: set[int] = set()
    on_terminal = bool(sys.stderr and sys.stderr.isatty())

    def show(done: int, count: int) -> None:
        share = done / count
        text = f"{done:,} of {count:,} {unit}"
        if on_terminal:
            bar = "#" * int(30 * share)
            end = "\n" if done == count else ""
            print_error(f"\r[{bar:30}] {text}", end)
        elif int(10 * share) not in tenths:
            tenths.add(int(10 * share))
            print_error(text)

    return show
