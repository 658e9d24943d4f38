"""Parquet file -> points, a row each: a column for every variable that is not a plain number."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from engine_py.errors import InvalidValue
from engine_py.introspect import Prepared, refuse_missing_values
from engine_py.sweeps.axes import Axes
from engine_py.sweeps.blocks import Block, blocks_of
from engine_py.sweeps.points import Points

ROWS = 2**16
"""Read at once."""

BUFFER = 2**20
"""Bytes of a column that are read at once. With Arrow's own reading ahead instead, two columns of a
row group of 8 million rows take 136 MB, not 10."""


class WrongTable(Exception):
    """The file can't be the points of the program; the text says why."""


class Table(NamedTuple):
    """A checked file."""

    place: str
    rows: int
    """So many points."""
    names: list[str]
    """The variables that have a column."""
    numbers: dict[str, float]
    """The variables that are the same at every point."""

    def blocks(self, prepared: Prepared, chosen: range) -> Iterator[Block]:
        """Compute neighbouring rows, block after block, as they are taken.

        A row that holds null, NaN or infinity in one of the columns is a problem of its own.
        """
        columns = self._read(chosen)
        wrong = {name: ~np.isfinite(column) for name, column in columns.items()}
        for name, column in columns.items():
            column[wrong[name]] = 1.0  # any number will do: what comes of it is thrown away
        points = Points(
            Axes(self.numbers, {each: memoryview(columns[each]) for each in columns}, {})
        )
        refused = np.flatnonzero(np.any(list(wrong.values()), axis=0)).tolist()
        problems = {row: _no_number(_first(wrong, row), chosen[row]) for row in refused}
        for block in blocks_of(prepared, points, range(len(chosen))):
            yield _moved(block, problems, chosen.start)

    def _read(self, chosen: range) -> dict[str, Any]:
        """Give the columns as doubles, NaN for null, of the row groups that have these rows."""
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


def open_table(place: str, prepared: Prepared, axes: Axes) -> Table:
    """Check that a file has a column of numbers for each variable that has no plain number.

    Raises:
        GradientError: a variable has neither a number nor a column.
        WrongTable: the file can't be used.
    """
    if not_numbers := {**axes.columns, **axes.grids}:
        name = min(not_numbers)
        raise WrongTable(f"beside a table, values are plain numbers, and `{name}` is none")
    try:
        with parquet.ParquetFile(place) as file:
            schema, rows = file.schema_arrow, file.metadata.num_rows
    except (OSError, pa.ArrowException) as fault:
        raise WrongTable(f"{place} is no file of Parquet: {fault}") from None
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
    """Accept one column of numbers."""
    kinds = [field.type for field in schema if field.name == name]
    if len(kinds) > 1:
        raise WrongTable(f"{place} has {len(kinds)} columns `{name}`; keep one")
    if not (pa.types.is_floating(kinds[0]) or pa.types.is_integer(kinds[0])):
        message = f"column `{name}` of {place} holds {kinds[0]} from row 0 on"
        raise WrongTable(f"{message}; it must hold doubles, or other floats or integers")


def _groups(metadata: Any, chosen: range) -> tuple[list[int], int]:
    """List the row groups that have the chosen rows; give the first row of the first one."""
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
    """Convert numbers to the nearest doubles, as those of JSON are."""
    return column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)


def _first(wrong: dict[str, Any], row: int) -> str:
    return next(name for name, places in wrong.items() if places[row])


def _no_number(name: str, row: int) -> InvalidValue:
    message = f"the column of `{name}` has no finite number in row {row}, counted from 0"
    return InvalidValue(message, name=name, pointer=f"/values/{name}/{row}")


def _moved(block: Block, problems: dict[int, InvalidValue], start: int) -> Block:
    """Put rows without numbers among a block's problems, and count from the file's first row."""
    stop = block.first + len(block.columns[0])
    here = {row: error for row, error in problems.items() if block.first <= row < stop}
    for row in here:
        for column in block.columns:
            column[row - block.first] = np.nan
    found = {**dict(block.problems), **here}
    moved = [(start + row, found[row]) for row in sorted(found)]
    return Block(start + block.first, block.columns, moved)
