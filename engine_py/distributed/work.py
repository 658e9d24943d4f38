"""Plan + cluster -> the files of the plan; the worker that computes a chunk writes its file.

The cluster has two chunks for each of its threads at any time.
"""

import ctypes
import json
import os
import platform
import time
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from distributed import Client, as_completed
from pyarrow import parquet

from engine_py.distributed.plan import Plan, Table, begin, read_request, refuse_other
from engine_py.document import CONTRACT
from engine_py.sweeps.blocks import Block, blocks_of, names_of_variables

_read_request = lru_cache(maxsize=2)(read_request)
"""A worker computes many chunks of a sweep, and prepares the program once."""

PROBLEMS = 2**16
"""A row group of a Parquet file ends after about this number of problems, 16 MB of text. A chunk
with fewer is one row group."""

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""From glibc's malloc.h."""


class Progress(NamedTuple):
    """The progress of a sweep."""

    done: int
    """Chunks, including those of an earlier run."""
    chunks: int
    points: int
    """Points that this run has computed."""
    problems: int
    """The points among them without a result."""
    seconds: float


class NoCluster(Exception):
    """The scheduler cannot be reached; the message says why."""


class NotShared(Exception):
    """A worker wrote its file into a folder that is not this one; the message names it."""


def spread(plan: Plan, address: str, show: Callable[[Progress], None]) -> Progress:
    """Have the cluster compute the chunks of a plan that are not done.

    If a worker is lost, the scheduler gives its chunks to others. After a stop, the same call
    continues: a chunk whose file exists is not computed again.

    Args:
        plan: the sweep.
        address: of the Dask scheduler, such as `tcp://10.0.0.1:8786`.
        show: called with the progress after each chunk.

    Raises:
        WrongFolder: the folder contains another sweep, or cannot be made.
        NotShared: the workers do not write to this machine's folder.
        NoCluster: there is no scheduler at the address; nothing has been written.
    """
    refuse_other(plan)
    left = plan.left()
    progress = Progress(plan.chunks - len(left), plan.chunks, 0, 0, 0.0)
    show(progress)
    if not left:
        return progress
    started = time.monotonic()
    with _connected(address) as client:
        begin(plan)
        shared = client.submit(_same, plan)  # sent once for all chunks, and again if it is lost
        chunks = iter(left)
        at_once = 2 * max(1, sum(client.nthreads().values()))
        running = as_completed(
            [_submit(client, shared, chunk) for chunk in islice(chunks, at_once)]
        )
        for future in running:
            points, problems = future.result()
            for chunk in islice(chunks, 1):
                running.add(_submit(client, shared, chunk))
            progress = Progress(
                progress.done + 1,
                plan.chunks,
                progress.points + points,
                progress.problems + problems,
                time.monotonic() - started,
            )
            show(progress)
    if missing := plan.left():
        message = f"{plan.file(missing[0])} was written elsewhere; "
        raise NotShared(message + "the folder must be the same one on all machines")
    for unfinished in Path(plan.folder).glob(".part-*"):  # left by lost workers
        unfinished.unlink()
    return progress


def has_result(plan: Plan) -> bool:
    """Return whether a point of a finished sweep has a result, perhaps from an earlier run.

    A file whose content was changed counts as one with a result.
    """
    return any(_has_result(plan.file(chunk)) for chunk in range(plan.chunks))


def _has_result(place: Path) -> bool:
    if place.suffix == ".parquet":
        try:
            results = parquet.read_table(place, columns=["result"])["result"]
        except pa.ArrowInvalid:
            return True
        return bool(results.null_count < len(results))
    with place.open(encoding="utf-8") as file:
        return any(',"result":' in line for line in file)


def _connected(address: str) -> Client:
    try:
        return Client(address, timeout="10s")
    except (OSError, ValueError) as error:  # no scheduler listens, or the address is malformed
        message = f"{address} is not a scheduler such as tcp://10.0.0.1:8786: {error}"
        raise NoCluster(message) from None


def _submit(client: Client, shared: object, chunk: int) -> object:
    # Not pure: a chunk's output is a file, so Dask must not reuse an earlier result.
    return client.submit(write_chunk, shared, chunk, pure=False, retries=3)


def _same(plan: Plan) -> Plan:
    return plan


def write_chunk(plan: Plan, chunk: int) -> tuple[int, int]:
    """Compute a chunk and write its file; return the number of its points and of its problems.

    The file appears once it is complete, always with the same bytes, so it does no harm if a chunk
    is computed twice because a machine was lost.

    Raises:
        RuntimeError: this machine has a different version of the contract.
    """
    if plan.contract != CONTRACT:
        raise RuntimeError(f"the sweep is of contract {plan.contract}, this machine has {CONTRACT}")
    _keep_freed_columns()
    prepared, source = _read_request(plan.request, plan.table)
    names, chosen = names_of_variables(prepared), plan.points(chunk)
    if isinstance(source, Table):
        computed = source.blocks(prepared, chosen)
    else:
        computed = blocks_of(prepared, source, chosen)
    place = plan.file(chunk)
    unfinished = place.with_name(f".{place.name}.{os.getpid()}")
    if plan.form == "parquet":
        problems = _write_parquet(unfinished, names, computed)
    else:
        problems = _write_lines(unfinished, names, computed)
    unfinished.replace(place)
    return len(chosen), problems


@cache
def _keep_freed_columns() -> None:
    """Make glibc keep freed memory for the next columns.

    Dask starts its workers with MALLOC_TRIM_THRESHOLD_=65536, which returns each freed column to
    the system: that costs forty times as many page faults and two to three times the time.
    """
    if platform.libc_ver()[0] == "glibc":
        libc = ctypes.CDLL(None)
        libc.mallopt(M_MMAP_THRESHOLD, 2**25)
        libc.mallopt(M_TRIM_THRESHOLD, 2**26)


def _write_parquet(place: Path, names: list[str], computed: Iterator[Block]) -> int:
    """Write index, result, a column for each gradient, and the problem as JSON or null."""
    titles = ["result", *(f"d/d{name}" for name in names)]
    doubles = [(title, pa.float64()) for title in titles]
    schema = pa.schema([("index", pa.int64()), *doubles, ("problem", pa.string())])
    failed, batches, held = 0, [], 0
    # Doubles seldom repeat, so encoding them by a dictionary would take most of the time.
    with parquet.ParquetWriter(place, schema, use_dictionary=["problem"]) as writer:
        for block in computed:
            batches.append(_batch(block, schema))
            failed += len(block.problems)
            held += len(block.problems)
            if held >= PROBLEMS:
                writer.write_table(pa.Table.from_batches(batches))
                batches, held = [], 0
        if batches:
            writer.write_table(pa.Table.from_batches(batches))
    return failed


def _batch(block: Block, schema: Any) -> Any:
    """Return a block as rows."""
    count = len(block.columns[0])
    problems: list[str | None] = [None] * count
    for index, error in block.problems:
        problems[index - block.first] = json.dumps(error.as_dict())
    rows = [pa.array(np.arange(block.first, block.first + count))]
    rows += [pa.array(column, from_pandas=True) for column in block.columns]  # NaN is null
    rows.append(pa.array(problems, pa.string()))
    return pa.RecordBatch.from_arrays(rows, schema=schema)


def _write_lines(place: Path, names: list[str], computed: Iterator[Block]) -> int:
    """Write the lines of `POST /v1/sweep`: {index, result, gradients} or {index, error}."""
    failed = 0
    with place.open("w", encoding="utf-8") as file:
        for block in computed:
            problems = dict(block.problems)
            failed += len(problems)
            rows = zip(*(column.tolist() for column in block.columns), strict=True)
            for index, (result, *gradients) in enumerate(rows, block.first):
                if index in problems:
                    line = {"index": index, "error": problems[index].as_dict()}
                else:
                    found = dict(zip(names, gradients, strict=True))
                    line = {"index": index, "result": result, "gradients": found}
                file.write(json.dumps(line, separators=(",", ":")) + "\n")
    return failed
