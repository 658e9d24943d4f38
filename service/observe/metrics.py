"""What happens -> counts and durations for Prometheus, added up over all processes.

prometheus_client decides when it is imported whether several processes count together: they do
where PROMETHEUS_MULTIPROC_DIR names a folder. So it is imported by the process that counts.
"""

import os
from functools import cache
from pathlib import Path
from typing import Any

from service.observe.values import SHARED, WRITING, use_files

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_NODES = (5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)


class Metrics:
    """The metrics of one process, exposed together with those of the others."""

    def __init__(self) -> None:
        """Make all metrics anew, in a registry of their own."""
        from prometheus_client import CollectorRegistry, Counter, Histogram  # noqa: PLC0415

        self._are_shared = use_files()
        self._registry = own = CollectorRegistry()
        requests = Counter("http_requests", "Requests.", ["route", "status"], registry=own)
        durations = Histogram(
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
        # To look a label up takes as long as to count; routes and statuses are few.
        self._requests_of, self._durations_of = cache(requests.labels), cache(durations.labels)

    def note_request(self, route: str, status: int, seconds: float) -> None:
        """Count a request that has been answered."""
        self._requests_of(route, status).inc()
        self._durations_of(route).observe(seconds)
        WRITING.ask()

    def note_cut(self, route: str) -> None:
        """Count a reply that did not reach its client as a whole."""
        self._cut.labels(route).inc()
        WRITING.ask()

    def note_problem(self, code: str) -> None:
        """Count a request, or one of a batch, that was refused."""
        self._problems.labels(code).inc()

    def note_document(self, nodes: int, seconds: float) -> None:
        """Count a document."""
        self._engine.observe(seconds)
        self._nodes.observe(nodes)

    def exposed(self) -> bytes:
        """Write all metrics in Prometheus' text format."""
        from prometheus_client import CollectorRegistry, generate_latest  # noqa: PLC0415

        registry = self._registry
        if self._are_shared:
            WRITING.now()
            registry = CollectorRegistry()
            registry.register(_Shared(Path(os.environ[SHARED])))
        return generate_latest(registry)


class _Shared:
    """The metrics of all processes, but for a file that another makes at this moment.

    prometheus_client's own collector fails at a file that is still empty.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def collect(self) -> Any:
        from prometheus_client.multiprocess import MultiProcessCollector  # noqa: PLC0415

        written = [str(file) for file in self._folder.glob("*.db") if file.stat().st_size]
        return MultiProcessCollector.merge(written)  # type: ignore[no-untyped-call]
