"""Plan + cluster -> the files of the plan; a worker of the cluster writes the file of a chunk.

Two chunks wait for each thread of the cluster.
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
"""A worker has many chunks of a sweep; its program is prepared once."""

PROBLEMS = 2**16
"""Of a Parquet file's row group, or a few more: some 16 MB of text. Where there are no more in a
chunk, it is one row group."""

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""Of glibc's malloc.h."""


class Progress(NamedTuple):
    """How far a sweep is."""

    done: int
    """Chunks, with those of an earlier run."""
    chunks: int
    points: int
    """Computed by this run."""
    problems: int
    """Points among them that have no result."""
    seconds: float


class NoCluster(Exception):
    """No scheduler can be reached; the text says why."""


class NotShared(Exception):
    """A worker wrote a file that is not here; the text says so."""


def spread(plan: Plan, address: str, show: Callable[[Progress], None]) -> Progress:
    """Have the cluster compute what is left of a plan.

    The scheduler gives the chunks of a worker that is lost to others. After a stop, the same call
    goes on: a chunk whose file is there is not computed again.

    Args:
        plan: the sweep.
        address: of the Dask scheduler, such as `tcp://10.0.0.1:8786`.
        show: is called with the progress after each chunk.

    Raises:
        WrongFolder: the folder has another sweep, or can't be made.
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
        shared = client.submit(_same, plan)  # once for all chunks, and made again if it is lost
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
    for unfinished in Path(plan.folder).glob(".part-*"):  # of workers that were lost
        unfinished.unlink()
    return progress


def _connected(address: str) -> Client:
    try:
        return Client(address, timeout="10s")
    except (OSError, ValueError) as fault:  # nobody listens, or the address is none
        raise NoCluster(f"{address} is no scheduler such as tcp://10.0.0.1:8786: {fault}") from None


def _submit(client: Client, shared: object, chunk: int) -> object:
    # Not pure: what a chunk leaves is a file, so a result that Dask remembers is worth nothing.
    return client.submit(write_chunk, shared, chunk, pure=False, retries=3)


def _same(plan: Plan) -> Plan:
    return plan


def write_chunk(plan: Plan, chunk: int) -> tuple[int, int]:
    """Compute a chunk and write its file; return the number of its points and of its problems.

    The file appears when it is whole, and always has the same bytes, so a chunk that is computed
    twice, as when a machine is lost, does no harm.

    Raises:
        RuntimeError: this machine has another version of the contract.
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
    beside = place.with_name(f".{place.name}.{os.getpid()}")
    if plan.form == "parquet":
        problems = _write_parquet(beside, names, computed)
    else:
        problems = _write_lines(beside, names, computed)
    beside.replace(place)
    return len(chosen), problems


@cache
def _keep_freed_columns() -> None:
    """Have glibc keep some freed memory for the next columns.

    Dask starts its workers with MALLOC_TRIM_THRESHOLD_=65536, which returns each freed column to
    the system: forty times as many page faults, and two to three times the time.
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
    # Doubles seldom repeat: a dictionary of them takes longer than all the rest.
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
