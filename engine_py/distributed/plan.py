"""Request -> plan: a sweep cut into chunks, and which of them are done.

The points are those of the request, or the rows of a Parquet file with a column for every
variable that has no plain number.
"""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from engine_py.document import CONTRACT
from engine_py.errors import InvalidValue, LimitExceeded
from engine_py.introspect import Prepared, prepare_text, refuse_missing_values
from engine_py.limits import DEFAULT_LIMITS
from engine_py.request import check_expression, check_view
from engine_py.sweeps.axes import LARGEST, Axes, Points, check_axes
from engine_py.sweeps.blocks import Block, blocks_of, check_points

Form = Literal["parquet", "ndjson"]

LIMITS = DEFAULT_LIMITS._replace(sweep_nodes=LARGEST)
"""The usual limits of a program, and as many points as the cluster can take."""

POINTS = 2**20
NUMBERS = 2**23
"""The maximum number of points in a chunk, and of numbers in its file: columns of 64 MB."""

GRIDS = 2**22
"""The maximum number of points of all grids together; a worker makes them in a few seconds."""

CHUNKS = 10**6
"""The maximum number of files of a sweep: with a million points in each, a trillion points."""

ROWS = 2**16
"""Rows of a table that are read at once."""

BUFFER = 2**20
"""Bytes of a column that are read at once. With Arrow's own read-ahead, two columns of a row group
of 8 million rows take 136 MB instead of 10."""

PLAN = "plan.json"


class WrongTable(Exception):
    """The file does not fit the program; the message says why."""


class Table(NamedTuple):
    """A checked Parquet file."""

    place: str
    rows: int
    """The number of rows; each is a point."""
    names: list[str]
    """The variables that have a column."""
    numbers: dict[str, float]
    """Variables with the same number at every point."""

    def blocks(self, prepared: Prepared, chosen: range) -> Iterator[Block]:
        """Yield the blocks of these neighbouring rows, computing each when it is needed.

        A row with null, NaN or infinity in a column is a problem.
        """
        columns = self._read(chosen)
        wrong = {name: ~np.isfinite(column) for name, column in columns.items()}
        for name, column in columns.items():
            column[wrong[name]] = 1.0  # any number: the result is discarded
        points = Points(
            Axes(self.numbers, {each: memoryview(columns[each]) for each in columns}, {})
        )
        refused = np.flatnonzero(np.any(list(wrong.values()), axis=0)).tolist()
        problems = {row: _no_number(_first(wrong, row), chosen[row]) for row in refused}
        for block in blocks_of(prepared, points, range(len(chosen))):
            yield _moved(block, problems, chosen.start)

    def _read(self, chosen: range) -> dict[str, Any]:
        """Return these rows as columns of doubles, with NaN for null."""
        columns = {name: np.empty(len(chosen)) for name in self.names}
        with parquet.ParquetFile(self.place, buffer_size=BUFFER, pre_buffer=False) as file:
            groups, first = _groups(file.metadata, chosen)
            for batch in file.iter_batches(ROWS, row_groups=groups, columns=self.names):
                start, stop = max(first, chosen.start), min(first + batch.num_rows, chosen.stop)
                if start < stop:
                    rows = batch.slice(start - first, stop - start)
                    for name, column in columns.items():
                        column[start - chosen.start : stop - chosen.start] = _doubles(rows[name])
                first += batch.num_rows
                if first >= chosen.stop:
                    break
        return columns


class Plan(NamedTuple):
    """A sweep that is cut into chunks."""

    request: str
    """expression, values and view, as JSON."""
    folder: str
    """The same folder on all machines."""
    form: Form
    total: int
    """Points in all."""
    size: int
    """Points of a chunk; the last one may have fewer."""
    table: str | None
    """The Parquet file whose rows are the points; the same on all machines."""
    contract: str = CONTRACT

    @property
    def chunks(self) -> int:
        """The number of chunks."""
        return -(-self.total // self.size)

    def points(self, chunk: int) -> range:
        """Return the indices of a chunk's points."""
        return range(chunk * self.size, min((chunk + 1) * self.size, self.total))

    def file(self, chunk: int) -> Path:
        """Return the path of a chunk's file, which exists once the chunk is done."""
        return Path(self.folder) / f"part-{chunk:07}.{self.form}"

    def left(self) -> list[int]:
        """List the chunks that are not done."""
        return [chunk for chunk in range(self.chunks) if not self.file(chunk).exists()]


class WrongFolder(Exception):
    """The folder contains another sweep or cannot be made; the message says which."""


def make_plan(
    request: Mapping[str, Any],
    folder: Path,
    form: Form,
    points: int | None = None,
    table: Path | None = None,
) -> Plan:
    """Check a request and cut it into chunks.

    Args:
        request: `expression`, `values` and, if wanted, `view`, as in the body of `POST /v1/sweep`.
        folder: the folder of the files.
        form: the format of the files.
        points: the number of points in a chunk; if None, as many as fit.
        table: a Parquet file with a point in each row, and a column for each variable that has no
            plain number in the request.

    Raises:
        GradientError: the request is wrong.
        WrongTable: the table cannot be used.
    """
    text, place = json.dumps(request), None if table is None else str(table)
    prepared, source = read_request(text, place)
    fit = min(POINTS, NUMBERS // (1 + len(prepared.template.variables)))
    size = max(1, fit) if points is None else points
    total = source.rows if isinstance(source, Table) else source.count
    return _refuse_many_chunks(Plan(text, str(folder), form, total, size, place))


def read_request(text: str, table: str | None) -> tuple[Prepared, Points | Table]:
    """Prepare the program, and make its points or open the table with them.

    Raises:
        GradientError: the request is wrong.
        WrongTable: the table cannot be used.
    """
    request = json.loads(text)
    expression = check_expression(request.get("expression"), LIMITS)
    axes = check_axes(request.get("values", None if table is None else {}), LIMITS)
    prepared = prepare_text(expression, check_view(request.get("view", "folded")), LIMITS)
    _refuse_long_grids(axes)
    if table is not None:
        return prepared, open_table(table, prepared, axes)
    return prepared, check_points(prepared, axes, LIMITS)


def _refuse_long_grids(axes: Axes) -> None:
    """Refuse long grids: every worker makes all their numbers before its first point."""
    actual = sum(each.size for each in axes.grids.values())
    if actual > GRIDS:
        message = (
            f"the grids have {actual} numbers, before they are crossed; at most {GRIDS} are "
            "accepted: cross several short grids, or read the points from a --table"
        )
        raise LimitExceeded(message, name="grid_numbers", limit=GRIDS, actual=actual)


def _refuse_many_chunks(plan: Plan) -> Plan:
    """Return the plan, if it has at most `CHUNKS` chunks."""
    if plan.chunks > CHUNKS:
        message = (
            f"the sweep has {plan.chunks} chunks of {plan.size} points, a file each; at most "
            f"{CHUNKS} are accepted: cut it into several sweeps, or give a larger --chunk"
        )
        raise LimitExceeded(message, name="chunks", limit=CHUNKS, actual=plan.chunks)
    return plan


def begin(plan: Plan) -> None:
    """Write the plan into its folder, unless it is already there.

    Raises:
        WrongFolder: the folder has files of another plan, or cannot be made.
    """
    refuse_other(plan)
    place = Path(plan.folder) / PLAN
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists():
            write(place, _written(plan))
    except OSError as error:
        raise WrongFolder(f"{plan.folder} can't hold the files: {error}") from None


def refuse_other(plan: Plan) -> None:
    """Raise WrongFolder if the folder contains another sweep."""
    place = Path(plan.folder) / PLAN
    if place.exists() and place.read_bytes() != _written(plan):
        raise WrongFolder(f"{plan.folder} has another sweep; name a new folder, or delete that one")


def _written(plan: Plan) -> bytes:
    members = plan._asdict() | {"request": json.loads(plan.request)}
    del members["folder"]  # it may be mounted elsewhere, or moved
    return (json.dumps(members, indent=2) + "\n").encode()


def write(place: Path, content: bytes) -> None:
    """Write a file atomically: it exists whole or not at all."""
    unfinished = place.with_name(f".{place.name}.{os.getpid()}")
    unfinished.write_bytes(content)
    unfinished.replace(place)


def open_table(place: str, prepared: Prepared, axes: Axes) -> Table:
    """Check that a file has a column of numbers for each variable that has no plain number.

    Raises:
        GradientError: a variable has neither a number nor a column.
        WrongTable: the file cannot be used.
    """
    if not_numbers := {**axes.columns, **axes.grids}:
        name = min(not_numbers)
        raise WrongTable(f"with a table, values are plain numbers, and `{name}` is not one")
    try:
        with parquet.ParquetFile(place) as file:
            schema, rows = file.schema_arrow, file.metadata.num_rows
    except (OSError, pa.ArrowException) as error:
        raise WrongTable(f"{place} is not a Parquet file: {error}") from None
    variables = prepared.graph.variables
    refuse_missing_values(prepared.graph, {*axes.numbers, *schema.names})
    if twice := [name for name in variables if name in schema.names and name in axes.numbers]:
        raise WrongTable(f"`{twice[0]}` is a column of {place}, and has a value; leave one out")
    names = [name for name in variables if name in schema.names]
    if not names or not rows:
        lacks = "rows" if names else "column for a variable of the program"
        raise WrongTable(f"{place} has no {lacks}")
    for name in names:
        _check_column(place, schema, name)
    return Table(place, rows, names, axes.numbers)


def _check_column(place: str, schema: Any, name: str) -> None:
    """Refuse a name with several columns, or with a column of anything but numbers."""
    kinds = [field.type for field in schema if field.name == name]
    if len(kinds) > 1:
        raise WrongTable(f"{place} has {len(kinds)} columns `{name}`; keep one")
    if not (pa.types.is_floating(kinds[0]) or pa.types.is_integer(kinds[0])):
        message = f"column `{name}` of {place} holds {kinds[0]} from row 0 on"
        raise WrongTable(f"{message}; it must hold doubles, or other floats or integers")


def _groups(metadata: Any, chosen: range) -> tuple[list[int], int]:
    """List the row groups that contain the chosen rows, and the first row of the first group."""
    groups, before, start = [], 0, 0
    for group in range(metadata.num_row_groups):
        stop = start + metadata.row_group(group).num_rows
        if start < chosen.stop and stop > chosen.start:
            groups.append(group)
        elif stop <= chosen.start:
            before = stop
        start = stop
    return groups, before


def _doubles(column: Any) -> Any:
    """Convert numbers to the nearest doubles, as JSON's are."""
    return column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)


def _first(wrong: dict[str, Any], row: int) -> str:
    return next(name for name, places in wrong.items() if places[row])


def _no_number(name: str, row: int) -> InvalidValue:
    message = f"the column of `{name}` has no finite number in row {row}, counted from 0"
    return InvalidValue(message, name=name, pointer=f"/values/{name}/{row}")


def _moved(block: Block, problems: dict[int, InvalidValue], start: int) -> Block:
    """Add the rows without numbers to a block's problems, and count from the file's first row."""
    stop = block.first + len(block.columns[0])
    here = {row: error for row, error in problems.items() if block.first <= row < stop}
    for row in here:
        for column in block.columns:
            column[row - block.first] = np.nan
    found = {**dict(block.problems), **here}
    moved = [(start + row, found[row]) for row in sorted(found)]
    return Block(start + block.first, block.columns, moved)
