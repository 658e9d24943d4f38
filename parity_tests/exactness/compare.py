"""Rows -> the results of each engine that are not correctly rounded."""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from itertools import islice
from typing import NamedTuple

from parity_tests.exactness.cases import double
from parity_tests.kit.cases import Row, explain_row, is_other_zero
from parity_tests.kit.engines import Engine
from parity_tests.kit.worker import EngineFault, Worker

BATCH = 2000


class Wrong(NamedTuple):
    """A result that is not the nearest double."""

    operation: str
    row: Row
    actual: str | None

    def __str__(self) -> str:
        """Show operands, expected and actual result, one per line."""
        symbol = f"{self.operation} ({self.row.kind})"
        return explain_row(symbol, self.row.operands, self.row.expected, self.actual)


def compare(worker: Worker, operation: str, rows: list[Row]) -> list[Wrong]:
    """Return the wrong results of an engine."""
    return [
        Wrong(operation, row, actual)
        for row, actual in zip(rows, evaluate(worker, operation, rows), strict=True)
        if actual != row.expected and not is_other_zero(operation, row.expected, actual)
    ]


def evaluate(worker: Worker, operation: str, rows: list[Row]) -> list[str | None]:
    """Ask an engine for results. Raises EngineFault with the operands on which it crashes."""
    request = {"operation": operation, "operands": [row.operands for row in rows]}
    response = worker.run("evaluate", request)
    if response["kind"] == "result" and len(response["result"]) == len(rows):
        return list(response["result"])
    if len(rows) == 1:
        operands = ", ".join(repr(double(bits)) for bits in rows[0].operands)
        reason = response.get("message") or json.dumps(response)[:300]
        raise EngineFault(f"{worker.engine.name}, {operation} of {operands}: {reason}")
    return [result for row in rows for result in evaluate(worker, operation, [row])]


def compare_all(
    engines: Iterable[Engine], rows: Mapping[str, Iterator[Row]]
) -> Iterator[tuple[str, int, list[list[Wrong]]]]:
    """Yield, for each operation, its symbol, the number of rows, and wrong results by engine."""
    with ExitStack() as stack:
        workers = [stack.enter_context(Worker(engine)) for engine in engines]
        pool = stack.enter_context(ThreadPoolExecutor(len(workers)))
        for operation, source in rows.items():
            wrong: list[list[Wrong]] = [[] for _ in workers]
            running: list[Future[list[Wrong]]] = []
            done = 0
            while True:
                part = list(
                    islice(source, BATCH)
                )  # drawn while the engines compute the batch before
                for found, future in zip(wrong, running, strict=False):
                    found.extend(future.result())
                if not part:
                    break
                running = [pool.submit(compare, worker, operation, part) for worker in workers]
                done += len(part)
                show_progress(f"{operation:5} {done:,}")
            show_progress("")
            yield operation, done, wrong


def show_progress(text: str) -> None:
    """Rewrite the last line of a terminal; do nothing elsewhere."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
