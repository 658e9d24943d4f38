"""Headers -> the names of a request in a trace (W3C Trace Context, level 1); OpenTelemetry spans.

Spans are off unless GRADIENT_TRACES=1; they need packages of their own. The standard variables
apply: OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SERVICE_NAME and the others.
"""

import re
from importlib.util import find_spec
from random import getrandbits
from typing import TYPE_CHECKING, NamedTuple
from wsgiref.types import WSGIEnvironment

from service.config import Config, ConfigError

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import SpanProcessor
    from opentelemetry.trace import Span

INSTALL = "pip install opentelemetry-sdk opentelemetry-exporter-otlp-proto-http"

_TRACEPARENT = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?")
_REQUEST_ID = re.compile(r"[A-Za-z0-9._:/+=-]{1,128}")
_SAMPLED = 1
_NOT_ZERO = 1 << 64 | 1
"""A bit of the trace's name, which comes first, and one of the span's."""


class TraceContext(NamedTuple):
    """The names by which a request is found again in logs and traces."""

    request_id: str
    trace_id: str
    span_id: str
    """This service's part of the trace."""
    flags: str

    @property
    def traceparent(self) -> str:
        """The header for the caller, or for the next service."""
        return f"00-{self.trace_id}-{self.span_id}-{self.flags}"


def read_trace_context(request_id: str | None, traceparent: str | None) -> TraceContext:
    """Keep the caller's names where they are well formed, and make new ones where not.

    Those are random, and not all zeros; nothing secret depends on them.
    """
    new = f"{getrandbits(192) | _NOT_ZERO:048x}"
    trace_id, span_id, flags = new[:32], new[32:], "00"
    if traceparent and (caller := _caller(traceparent)):
        trace_id, flags = caller
    if request_id is None or not _REQUEST_ID.fullmatch(request_id):
        request_id = span_id
    return TraceContext(request_id, trace_id, span_id, flags)


def _caller(traceparent: str) -> tuple[str, str] | None:
    if found := _TRACEPARENT.fullmatch(traceparent):
        version, trace_id, parent_id, flags, more = found.groups()
        is_known = version != "ff" and not (version == "00" and more)
        if is_known and int(trace_id, 16) and int(parent_id, 16):
            return trace_id, f"{int(flags, 16) & _SAMPLED:02x}"
    return None


def refuse_missing_extra(config: Config) -> None:
    """Raise ConfigError if traces are on and OpenTelemetry is not installed."""
    if config.traces and not _is_installed():
        raise ConfigError(f"GRADIENT_TRACES=1 needs two packages: {INSTALL}")


def _is_installed() -> bool:
    try:
        return find_spec("opentelemetry.exporter.otlp.proto.http") is not None
    except ModuleNotFoundError:  # a part of that name is not there
        return False


class Tracing:
    """Makes a span of each request, in the trace of the caller."""

    def __init__(self, processor: "SpanProcessor | None" = None) -> None:
        """Send spans to a collector, or to the processor that is given."""
        from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415 - may be absent
        from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415

        provider = TracerProvider()
        if processor is None:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415
                OTLPSpanExporter,
            )

            processor = BatchSpanProcessor(OTLPSpanExporter())
        provider.add_span_processor(processor)
        self._provider, self._tracer = provider, provider.get_tracer("service")

    def close(self) -> None:
        """Send the last spans: a worker process ends without `atexit`."""
        self._provider.shutdown()

    def begin(self, environ: WSGIEnvironment) -> "Span":
        """Start a span, whose parent is the caller's where the caller has one."""
        from opentelemetry.trace import SpanKind  # noqa: PLC0415
        from opentelemetry.trace.propagation.tracecontext import (  # noqa: PLC0415
            TraceContextTextMapPropagator,
        )

        carrier = {"traceparent": environ.get("HTTP_TRACEPARENT", "")}
        parent = TraceContextTextMapPropagator().extract(carrier)
        return self._tracer.start_span("request", parent, SpanKind.SERVER)

    def end(self, span: "Span", method: str, route: str, status: int) -> None:
        """Name the span by the route, and let it go."""
        span.update_name(f"{method} {route}")
        span.set_attribute("http.request.method", method)
        span.set_attribute("http.route", route)
        span.set_attribute("http.response.status_code", status)
        span.end()


def trace_of(span: "Span", request_id: str) -> TraceContext:
    """Return the span's own names, for the reply and the log."""
    context = span.get_span_context()
    names = f"{context.trace_id:032x}", f"{context.span_id:016x}"
    return TraceContext(request_id, *names, f"{context.trace_flags & 1:02x}")
