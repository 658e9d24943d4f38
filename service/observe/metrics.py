"""Events -> counts, durations and the state of the process, for Prometheus."""

from collections.abc import Callable, Iterator
from functools import cache
from platform import python_version

from prometheus_client import (
    GC_COLLECTOR,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    Metric,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector

from engine_py import CONTRACT, __version__
from service.observe.log import lost_lines

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_SECONDS = (
    *(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25),
    *(0.5, 1.0, 2.5, 5.0, 10.0, 25.0, 50.0, 100.0),
)
_NODE_BUCKETS = (5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)


class _LostLines(Collector):
    """Counts lost lines of the log."""

    def collect(self) -> Iterator[Metric]:
        """Yield the count when Prometheus asks."""
        yield CounterMetricFamily("log_lines_lost", "Lines not written to stdout.", lost_lines())


class Metrics:
    """The metrics of the service in this process."""

    def __init__(self) -> None:
        self._registry = own = CollectorRegistry()
        requests = Counter("http_requests", "Requests.", ["route", "status"], registry=own)
        durations = Histogram(
            "http_request_duration_seconds",
            "From the complete request to the complete reply.",
            ["route"],
            buckets=_SECONDS,
            registry=own,
        )
        cut = Counter("http_replies_cut", "Replies cut off.", ["route"], registry=own)
        self._problems = Counter("gradient_problems", "Refusals.", ["code"], registry=own)
        self._problems.labels("internal_error")  # start at 0, or the first would not be an increase
        self._engine = Histogram(
            "gradient_engine_seconds", "A document's time.", buckets=_SECONDS, registry=own
        )
        self._nodes = Histogram(
            "gradient_nodes", "A document's nodes.", buckets=_NODE_BUCKETS, registry=own
        )
        self._in_flight = Gauge(
            "http_requests_in_flight",
            "Requests now: small ones, large ones, and large ones that wait for their turn.",
            ["kind"],
            registry=own,
        )
        own.register(_LostLines())
        build = {"version": __version__, "contract": CONTRACT, "python": python_version()}
        Info("gradient_build", "The running versions.", registry=own).info(build)
        ProcessCollector(registry=own)
        own.register(GC_COLLECTOR)
        # Looking a label up takes as long as counting; there are few routes and statuses.
        self._requests_of, self._durations_of = cache(requests.labels), cache(durations.labels)
        self._cut_of = cache(cut.labels)

    def follow(self, kind: str, count: Callable[[], float]) -> None:
        """Expose the current number of requests of a kind."""
        self._in_flight.labels(kind).set_function(count)

    def note_request(self, route: str, status: int, seconds: float) -> None:
        """Count a request that has been answered."""
        self._requests_of(route, status).inc()
        self._durations_of(route).observe(seconds)
        self._cut_of(route)  # start at 0, as above

    def note_cut(self, route: str) -> None:
        """Count a reply that was cut before its end."""
        self._cut_of(route).inc()

    def note_problem(self, code: str) -> None:
        """Count a refused request, or a refused request of a batch."""
        self._problems.labels(code).inc()

    def note_document(self, nodes: int, seconds: float) -> None:
        """Count a document."""
        self._engine.observe(seconds)
        self._nodes.observe(nodes)

    def exposed(self) -> bytes:
        """Return all metrics in Prometheus' text format."""
        return generate_latest(self._registry)
