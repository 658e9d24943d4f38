"""`gradient sweep FILE --scheduler ADDRESS`: a request -> files, computed by a Dask cluster."""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine_py.command.program import UsageError
from engine_py.command.streams import print_error
from engine_py.request import quoted

_ARGUMENTS = ("scheduler", "into", "table", "form", "chunk")
_NEEDED = {"dask", "distributed", "numpy", "pyarrow"}


def add_cluster(parser: ArgumentParser) -> None:
    """Add what says where a sweep is computed, and where its files are to be."""
    cluster = parser.add_argument_group(
        "on a Dask cluster (needs gradient-engine[distributed])",
        "The program is then a file: expression, values and view, as JSON. Started again, the "
        "command goes on where it was stopped.",
    )
    cluster.add_argument("--scheduler", metavar="ADDRESS", help="such as tcp://10.0.0.1:8786")
    cluster.add_argument("--into", metavar="FOLDER", help="the same folder on all machines")
    cluster.add_argument(
        "--table",
        metavar="FILE",
        help="Parquet with a point in each row, and a column for each variable that has no number "
        "in values; the same file on all machines",
    )
    cluster.add_argument("--form", choices=("parquet", "ndjson"), help="of the files; parquet")
    cluster.add_argument("--chunk", type=int, metavar="POINTS", help="of a file; a million or so")


def is_for_cluster(options: Namespace) -> bool:
    """Say whether an argument is given that only a cluster reads."""
    return any(getattr(options, name) is not None for name in _ARGUMENTS)


def sweep_on_cluster(options: Namespace) -> int:
    """Compute what is left of a sweep, and print how far it is to stderr.

    Raises:
        UsageError: an argument is missing or wrong, or the cluster can't be used so.
        GradientError: the request is wrong.
    """
    if not (options.scheduler and options.into):
        given = " ".join(f"--{name}" for name in _ARGUMENTS if getattr(options, name) is not None)
        raise UsageError(f"{given}: a cluster needs --scheduler and --into")
    if options.values or options.csv or options.json or options.view != "folded":
        raise UsageError(
            "with --scheduler, values and view stand in the file, and files are written"
        )
    if options.chunk is not None and options.chunk < 1:
        raise UsageError("--chunk must be 1 point or more")
    try:
        from engine_py.distributed import parquet, plan, spread  # noqa: PLC0415 - they need an extra
    except ModuleNotFoundError as missing:
        if missing.name not in _NEEDED:
            raise
        raise UsageError("--scheduler needs gradient-engine[distributed]") from None
    request = _read(options.program)
    options.program = str(request.get("expression"))  # for the error that may come of it
    folder = Path(options.into).resolve()
    rows = None if options.table is None else Path(options.table).resolve()
    try:
        made = plan.make_plan(request, folder, options.form or "parquet", options.chunk, rows)
        done = spread.spread(
            made, options.scheduler, _shown(on_terminal=bool(sys.stderr and sys.stderr.isatty()))
        )
    except (plan.WrongFolder, spread.NoCluster, spread.NotShared, parquet.WrongTable) as reason:
        raise UsageError(str(reason)) from None
    except OSError as fault:
        raise UsageError(f"a worker or the folder failed: {fault}") from None
    rate = f", {done.points / done.seconds:,.0f} a second" if done.seconds else ""
    counts = f"{done.points:,} points computed{rate}; {done.problems:,} have no result"
    print_error(f"{folder}: {done.chunks:,} files; {counts}")
    return 0


def _read(name: str) -> dict[str, Any]:
    try:
        text = Path(name).read_text(encoding="utf-8")
        request = json.loads(text, object_pairs_hook=_distinct_members)
    except (OSError, ValueError, RecursionError) as fault:
        raise UsageError(f"{name} is no file of JSON: {fault}") from None
    if not isinstance(request, dict) or request.keys() - {"expression", "values", "view"}:
        raise UsageError(f"{name} must be an object of expression, values and view")
    return request


def _distinct_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Refuse a member that is given twice, as the service does."""
    members: dict[str, Any] = {}
    for name, value in pairs:
        if name in members:
            raise UsageError(f"the member {quoted(name)} is given twice in one object of the file")
        members[name] = value
    return members


def _shown(*, on_terminal: bool) -> Callable[[Any], None]:
    """Give what shows progress: a bar on a terminal, elsewhere a line for each tenth."""
    tenths: set[int] = set()

    def show(progress: Any) -> None:
        share = progress.done / progress.chunks
        text = f"{progress.done:,} of {progress.chunks:,} chunks"
        if on_terminal:
            bar = "#" * int(30 * share)
            end = "\n" if progress.done == progress.chunks else ""
            print_error(f"\r[{bar:30}] {text}", end)
        elif int(10 * share) not in tenths:
            tenths.add(int(10 * share))
            print_error(text)

    return show
