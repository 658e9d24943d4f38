"""Plan + number of a chunk -> its file, written by a worker of the cluster."""

import ctypes
import json
import os
import platform
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from engine_py.distributed.parquet import Table
from engine_py.distributed.plan import Plan, read_request
from engine_py.document import CONTRACT
from engine_py.sweeps.blocks import Block, blocks_of
from engine_py.sweeps.points import names_of_variables

_read_request = lru_cache(maxsize=2)(read_request)
"""A worker has many chunks of a sweep; its program is prepared once."""

PROBLEMS = 2**16
"""Of a Parquet file's row group, or a few more: some 16 MB of text. Where there are no more in a
chunk, it is one row group."""

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""Of glibc's malloc.h."""


def write_chunk(plan: Plan, chunk: int) -> tuple[int, int]:
    """Compute a chunk and write its file; give the number of its points and of its problems.

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
    """Give a block as rows."""
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
