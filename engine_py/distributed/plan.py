"""Request -> plan: how a sweep is cut into chunks, and the folder that says which are done."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from engine_py.distributed.parquet import Table, open_table
from engine_py.document import CONTRACT
from engine_py.errors import LimitExceeded
from engine_py.introspect import Prepared, prepare
from engine_py.limits import DEFAULT_LIMITS
from engine_py.request import check_expression, check_view
from engine_py.sweeps.axes import LARGEST, Axes, check_axes
from engine_py.sweeps.blocks import check_points
from engine_py.sweeps.points import Points

Form = Literal["parquet", "ndjson"]

LIMITS = DEFAULT_LIMITS._replace(sweep_nodes=LARGEST)
"""A program is as large as elsewhere; of points there are as many as the cluster can take."""

POINTS = 2**20
NUMBERS = 2**23
"""Points of a chunk, and numbers that it writes, at most: its columns have 64 MB."""

GRIDS = 2**22
"""Numbers of all grids, at most: a worker makes them in some seconds."""

CHUNKS = 10**6
"""Files of a sweep, at most: of chunks of a million points, a trillion points."""

PLAN = "plan.json"


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
        """Say how many there are."""
        return -(-self.total // self.size)

    def points(self, chunk: int) -> range:
        """Give the indices of a chunk's points."""
        return range(chunk * self.size, min((chunk + 1) * self.size, self.total))

    def file(self, chunk: int) -> Path:
        """Give the place of a chunk's file, which is there when the chunk is done."""
        return Path(self.folder) / f"part-{chunk:07}.{self.form}"

    def left(self) -> list[int]:
        """List the chunks that are not done."""
        return [chunk for chunk in range(self.chunks) if not self.file(chunk).exists()]


class WrongFolder(Exception):
    """The folder has another sweep, or can't be had; the text says so."""


def make_plan(
    request: Mapping[str, Any],
    folder: Path,
    form: Form,
    points: int | None = None,
    table: Path | None = None,
) -> Plan:
    """Check a request and cut it.

    Args:
        request: `expression`, `values` and, if wanted, `view`, as in the body of `POST /v1/sweep`.
        folder: where the files are to be.
        form: what they are.
        points: of a chunk; as many as fit if none are given.
        table: a Parquet file with a point in each row, and a column for each variable that has no
            plain number in the request.

    Raises:
        GradientError: the request is wrong.
        WrongTable: the table can't be used.
    """
    text, place = json.dumps(request), None if table is None else str(table)
    prepared, source = read_request(text, place)
    fit = min(POINTS, NUMBERS // (1 + len(prepared.template.variables)))
    size = max(1, fit) if points is None else points
    total = source.rows if isinstance(source, Table) else source.count
    return _refuse_many_chunks(Plan(text, str(folder), form, total, size, place))


def read_request(text: str, table: str | None) -> tuple[Prepared, Points | Table]:
    """Prepare the program, and make its points, or open the table that has them.

    Raises:
        GradientError: the request is wrong.
        WrongTable: the table can't be used.
    """
    request = json.loads(text)
    expression = check_expression(request.get("expression"), LIMITS)
    axes = check_axes(request.get("values", None if table is None else {}), LIMITS)
    prepared = prepare(expression, check_view(request.get("view", "folded")), LIMITS)
    _refuse_long_grids(axes)
    if table is not None:
        return prepared, open_table(table, prepared, axes)
    return prepared, check_points(prepared, axes, LIMITS)


def _refuse_long_grids(axes: Axes) -> None:
    """Every worker makes all numbers of the grids before its first point."""
    actual = sum(each.size for each in axes.grids.values())
    if actual > GRIDS:
        message = (
            f"the grids have {actual} numbers, before they are crossed; at most {GRIDS} are "
            "accepted: cross several short grids, or read the points from a --table"
        )
        raise LimitExceeded(message, name="grid_numbers", limit=GRIDS, actual=actual)


def _refuse_many_chunks(plan: Plan) -> Plan:
    """Accept so many files as a folder can hold."""
    if plan.chunks > CHUNKS:
        message = (
            f"the sweep has {plan.chunks} chunks of {plan.size} points, a file each; at most "
            f"{CHUNKS} are accepted: cut it into several sweeps, or name a larger --chunk"
        )
        raise LimitExceeded(message, name="chunks", limit=CHUNKS, actual=plan.chunks)
    return plan


def begin(plan: Plan) -> None:
    """Write the plan into its folder, or find it there.

    Raises:
        WrongFolder: it has files of another plan, or can't be made.
    """
    refuse_other(plan)
    place = Path(plan.folder) / PLAN
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.exists():
            write(place, _written(plan))
    except OSError as fault:
        raise WrongFolder(f"{plan.folder} can't hold the files: {fault}") from None


def refuse_other(plan: Plan) -> None:
    """Raise WrongFolder where the folder has another sweep."""
    place = Path(plan.folder) / PLAN
    if place.exists() and place.read_bytes() != _written(plan):
        raise WrongFolder(f"{plan.folder} has another sweep; name a new folder, or delete that one")


def _written(plan: Plan) -> bytes:
    members = plan._asdict() | {"request": json.loads(plan.request)}
    del members["folder"]  # it may be mounted elsewhere, or moved
    return (json.dumps(members, indent=2) + "\n").encode()


def write(place: Path, content: bytes) -> None:
    """Write a file that is there as a whole or not at all."""
    beside = place.with_name(f".{place.name}.{os.getpid()}")
    beside.write_bytes(content)
    beside.replace(place)
