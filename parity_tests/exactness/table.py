"""Engines -> the table of wrong results, one row an operation and one column an engine."""

import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from itertools import islice

from parity_tests.exactness.compare import Wrong, compare
from parity_tests.kit.engines import Engine
from parity_tests.kit.hard import Row
from parity_tests.kit.worker import Worker


class Column:
    """One engine's part of the table: its worker, a thread that waits for it, and the score."""

    def __init__(self, engine: Engine, stack: ExitStack) -> None:
        """Start the worker; the stack ends it."""
        self.name = engine.name
        self.seconds = 0.0
        self.wrong: list[Wrong] = []
        self._worker = stack.enter_context(Worker(engine))
        self._thread = stack.enter_context(ThreadPoolExecutor(1))

    def submit(self, operation: str, rows: list[Row]) -> Future[None]:
        """Compare in the background."""
        return self._thread.submit(self._compare, operation, rows)

    def _compare(self, operation: str, rows: list[Row]) -> None:
        start = time.perf_counter()
        self.wrong += compare(self._worker, operation, rows)
        self.seconds += time.perf_counter() - start


def compare_all(
    engines: Iterable[Engine], rows: Mapping[str, Iterator[Row]], batch: int = 2000
) -> Iterator[tuple[str, int, list[Column]]]:
    """Compare operation by operation; every engine runs beside the referee, who makes the rows."""
    with ExitStack() as stack:
        columns = [Column(engine, stack) for engine in engines]
        for operation, source in rows.items():
            for column in columns:
                column.seconds, column.wrong = 0.0, []
            running: deque[Future[None]] = deque()
            done = 0
            while part := list(islice(source, batch)):
                running.extend(column.submit(operation, part) for column in columns)
                while len(running) > 3 * len(columns):  # the slowest engine sets the pace
                    running.popleft().result()
                done += len(part)
                show_progress(f"{operation:5} {done:,}")
            for future in running:
                future.result()
            show_progress("")
            yield operation, done, columns


def show_progress(text: str) -> None:
    """Rewrite the last line of a terminal; elsewhere, nothing."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
