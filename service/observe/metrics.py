"""What happens -> counts and durations for Prometheus, added up over all processes.

prometheus_client decides when it is imported whether several processes count together: they do
where PROMETHEUS_MULTIPROC_DIR names a folder. So it is imported by the process that counts.
"""

import fcntl
import os
from functools import cache
from itertools import count
from pathlib import Path
from typing import BinaryIO

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_SHARED = "PROMETHEUS_MULTIPROC_DIR"
_NODES = (5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)


class Metrics:
    """The metrics of one process, exposed together with those of the others."""

    def __init__(self) -> None:
        """Make all metrics anew, in a registry of their own."""
        from prometheus_client import CollectorRegistry, Counter, Histogram  # noqa: PLC0415

        _name_files_by_slots()
        self._registry = own = CollectorRegistry()
        self._requests = Counter("http_requests", "Requests.", ["route", "status"], registry=own)
        self._durations = Histogram(
            "http_request_duration_seconds",
            "From the request as a whole to the reply as a whole.",
            ["route"],
            buckets=_SECONDS,
            registry=own,
        )
        self._cut = Counter("http_replies_cut", "Replies cut off.", ["route"], registry=own)
        self._problems = Counter("gradient_problems", "Refusals.", ["code"], registry=own)
        self._engine = Histogram(
            "gradient_engine_seconds", "A document's time.", buckets=_SECONDS, registry=own
        )
        self._nodes = Histogram(
            "gradient_nodes", "A document's nodes.", buckets=_NODES, registry=own
        )

    def note_request(self, route: str, status: int, seconds: float) -> None:
        """Count a request that has been answered."""
        self._requests.labels(route, status).inc()
        self._durations.labels(route).observe(seconds)

    def note_cut(self, route: str) -> None:
        """Count a reply that did not reach its client as a whole."""
        self._cut.labels(route).inc()

    def note_problem(self, code: str) -> None:
        """Count a request, or one of a batch, that was refused."""
        self._problems.labels(code).inc()

    def note_document(self, nodes: int, seconds: float) -> None:
        """Count a document."""
        self._engine.observe(seconds)
        self._nodes.observe(nodes)

    def exposed(self) -> bytes:
        """Give all metrics in Prometheus' text format."""
        from prometheus_client import CollectorRegistry, generate_latest  # noqa: PLC0415
        from prometheus_client.multiprocess import MultiProcessCollector  # noqa: PLC0415

        registry = self._registry
        if _SHARED in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)


@cache
def _name_files_by_slots() -> None:
    """Have a process go on with the files of one that has ended: there are never more of them.

    By itself prometheus_client names files by process, and each that is killed leaves some behind.
    """
    from prometheus_client import values  # noqa: PLC0415

    if _SHARED in os.environ:
        folder = Path(os.environ[_SHARED])
        values.ValueClass = values.MultiProcessValue(  # type: ignore[no-untyped-call]
            lambda: _slot(folder, os.getpid())
        )


@cache
def _slot(folder: Path, _process: int) -> str:
    """Give the first number that no living process has: its lock goes with the process."""
    for number in count():
        file = (folder / f"{number}.slot").open("wb")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
        else:
            _held.append(file)
            return str(number)
    raise AssertionError


_held: list[BinaryIO] = []
"""Locked as long as the process lives."""
