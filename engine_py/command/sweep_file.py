"""A sweep of any size -> rows of CSV or a Parquet file, computed by the cores of this machine.

The points are cut into chunks. Processes compute them, at most two for each process ahead of the
file, so memory is bounded by the chunks and not by the points.
"""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from math import isnan
from pathlib import Path
from typing import Any, NamedTuple

from engine_py.canonical import canonical_text
from engine_py.command.terminal import print_bytes
from engine_py.command.values import UsageError
from engine_py.introspect import prepare_text
from engine_py.limits import DEFAULT_LIMITS
from engine_py.request import View, check_expression
from engine_py.sweeps.axes import LARGEST, check_axes
from engine_py.sweeps.blocks import Block, blocks_of, check_points, names_of_variables

_LIMITS = DEFAULT_LIMITS._replace(sweep_nodes=LARGEST)
"""The usual limits of a program, and any number of points."""
_POINTS = 2**16
"""Points of a chunk: a few tenths of a second, and some megabytes of CSV."""
_FORMS = (".csv", ".parquet")


class Request(NamedTuple):
    """The program of a sweep, its values and grids, and the view."""

    program: str
    ranges: dict[str, Any]
    view: View


class Rows(NamedTuple):
    """A chunk: its content in the form of the file, and its numbers of points and problems."""

    content: Any
    points: int
    problems: int


class Chunks:
    """A prepared sweep: a process makes it once and computes it chunk by chunk.

    Raises:
        GradientError: the request is invalid.
    """

    def __init__(self, request: Request, form: str) -> None:
        axes = check_axes(request.ranges, _LIMITS)
        text = check_expression(request.program, _LIMITS)
        self._prepared = prepare_text(text, request.view, _LIMITS)
        self._points = check_points(self._prepared, axes, _LIMITS)
        self._form = form
        self.count = self._points.count
        gradients = [f"d/d{name}" for name in names_of_variables(self._prepared)]
        self.names = [*self._points.names, "result", *gradients, "problem"]

    @property
    def head(self) -> str:
        """The first line of CSV."""
        return ",".join(self.names) + "\n"

    def chosen(self) -> Iterator[range]:
        """Yield the points of each chunk."""
        for first in range(0, self.count, _POINTS):
            yield range(first, min(first + _POINTS, self.count))

    def rows(self, chosen: range) -> Rows:
        """Compute a chunk."""
        made = [*blocks_of(self._prepared, self._points, chosen)]
        problems = sum(len(block.problems) for block in made)
        write: Any = self._csv if self._form == ".csv" else self._tables
        return Rows(write(made), len(chosen), problems)

    def _csv(self, made: Sequence[Block]) -> str:
        lines: list[str] = []
        for *columns, codes in self._tables(made):
            texts = [map(_cell, column) for column in columns]
            lines += map(",".join, zip(*texts, codes, strict=True))
        return "\n".join([*lines, ""])

    def _tables(self, made: Sequence[Block]) -> list[list[list[Any]]]:
        """Return the columns of each block; the last has the code of each problem, or ""."""
        tables = []
        for block in made:
            codes = [""] * len(block.columns[0])
            for index, error in block.problems:
                codes[index - block.first] = error.code
            rows = self._points.rows(block.first, block.first + len(codes))
            tables.append([*rows, *(column.tolist() for column in block.columns), codes])
        return tables


def _cell(number: float) -> str:
    return "" if isnan(number) else canonical_text(number)


_chunks: Chunks
"""Those of a process of the pool."""


def _begin(request: Request, form: str) -> None:
    global _chunks  # noqa: PLW0603 - the tasks of a process share it
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all; the parent ends the pool
    _chunks = Chunks(request, form)


def _rows(chosen: range) -> Rows:
    return _chunks.rows(chosen)


def computed(request: Request, form: str, chunks: Chunks) -> Iterator[Rows]:
    """Yield the chunks in the order of their points, from a pool if there are several."""
    from concurrent.futures import (  # noqa: PLC0415 - it takes a tenth of a second
        Future,
        ProcessPoolExecutor,
    )

    left = chunks.chosen()
    cores = min(_cores(), -(-chunks.count // _POINTS))
    if cores == 1:
        yield from map(chunks.rows, left)
        return
    with ProcessPoolExecutor(cores, initializer=_begin, initargs=(request, form)) as pool:
        ahead: deque[Future[Rows]] = deque()
        try:
            ahead += [pool.submit(_rows, each) for each in islice(left, 2 * cores)]
            while ahead:
                yield ahead.popleft().result()
                ahead += [pool.submit(_rows, each) for each in islice(left, 1)]
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def print_csv(request: Request) -> tuple[int, int]:
    """Print a sweep as CSV; return the numbers of its points and of its problems.

    Raises:
        GradientError: the request is invalid.
    """
    chunks, problems = Chunks(request, ".csv"), 0
    print_bytes(chunks.head)
    for rows in computed(request, ".csv", chunks):
        print_bytes(rows.content)
        problems += rows.problems
    return chunks.count, problems


def write_file(request: Request, file: Path, show: Callable[[int, int], object]) -> tuple[int, int]:
    """Write a sweep into a file; return the numbers of its points and of its problems.

    The file appears when it is complete.

    Args:
        request: the sweep.
        file: its name ends with .csv or .parquet.
        show: called with the points that are done, and with all.

    Raises:
        UsageError: the file cannot be written, or pyarrow is missing.
        GradientError: the request is invalid.
    """
    form = file.suffix
    if form not in _FORMS:
        raise UsageError(f"--into {file}: the name must end with .csv or .parquet")
    chunks = Chunks(request, form)
    unfinished = file.with_name(f".{file.name}.{os.getpid()}")
    done = problems = 0
    try:
        with (_open_csv if form == ".csv" else _open_parquet)(unfinished, chunks) as write:
            for rows in computed(request, form, chunks):
                write(rows.content)
                done, problems = done + rows.points, problems + rows.problems
                show(done, chunks.count)
        unfinished.replace(file)
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error.strerror or error}") from None
    finally:
        unfinished.unlink(missing_ok=True)
    return done, problems


@contextmanager
def _open_csv(file: Path, chunks: Chunks) -> Iterator[Callable[[str], object]]:
    with file.open("w", encoding="ascii", newline="") as opened:
        opened.write(chunks.head)
        yield opened.write


@contextmanager
def _open_parquet(file: Path, chunks: Chunks) -> Iterator[Callable[[Any], object]]:
    """Write doubles, null at a problem, and the code of the problem or null."""
    try:
        import pyarrow as pa  # noqa: PLC0415 - an optional package
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError:
        raise UsageError("a Parquet file needs pyarrow; install it, or write a .csv") from None
    kinds = [pa.float64()] * (len(chunks.names) - 1) + [pa.string()]
    schema = pa.schema(list(zip(chunks.names, kinds, strict=True)))

    def write(tables: list[list[list[Any]]]) -> None:
        batches = []
        for *numbers, codes in tables:
            arrays = [pa.array(column, pa.float64(), from_pandas=True) for column in numbers]
            arrays.append(pa.array([code or None for code in codes], pa.string()))
            batches.append(pa.RecordBatch.from_arrays(arrays, schema=schema))
        writer.write_table(pa.Table.from_batches(batches))

    with parquet.ParquetWriter(file, schema, use_dictionary=["problem"]) as writer:
        yield write
