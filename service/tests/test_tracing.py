"""Cases from W3C Trace Context, level 1 (https://www.w3.org/TR/trace-context-1/), and spans."""

import re

import pytest
from flask.testing import FlaskClient
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import service.observe.tracing
from service import Config, ConfigError, create_app
from service.observe.tracing import Tracing, read_trace_context, refuse_missing_extra
from service.tests.validated import EXAMPLE

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
PARENT = "00f067aa0ba902b7"
# Section 3.2.2: version, trace-id, parent-id, trace-flags.
TRACEPARENT = re.compile(r"00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})")


def read(traceparent: str | None) -> tuple[str, str, str]:
    """Return the trace, the span and the flags of the header that is sent on."""
    found = TRACEPARENT.fullmatch(read_trace_context(None, traceparent).traceparent)
    assert found
    trace, span, flags = found.groups()
    assert set(trace) != {"0"}
    assert set(span) != {"0"}
    return trace, span, flags


@pytest.mark.parametrize(
    ("traceparent", "flags"),
    [
        (f"00-{TRACE}-{PARENT}-00", "00"),
        (f"00-{TRACE}-{PARENT}-01", "01"),
        # Section 3.2.2.5.1: unknown flags are set to zero; only the last bit has a meaning.
        (f"00-{TRACE}-{PARENT}-ff", "01"),
        (f"00-{TRACE}-{PARENT}-fe", "00"),
        # Section 3.2.4: of a future version the first four fields, and more only behind a dash.
        (f"01-{TRACE}-{PARENT}-01", "01"),
        (f"cc-{TRACE}-{PARENT}-01-what-the-future-will-be-like", "01"),
        (f"fe-{TRACE}-{PARENT}-01-", "01"),
    ],
)
def test_the_trace_of_the_caller_goes_on_with_a_span_of_our_own(
    traceparent: str, flags: str
) -> None:
    trace, span, kept = read(traceparent)
    assert (trace, kept) == (TRACE, flags)
    assert span != PARENT


@pytest.mark.parametrize(
    "traceparent",
    [
        None,
        "",
        f"ff-{TRACE}-{PARENT}-01",  # the version that is invalid
        f"00-{'0' * 32}-{PARENT}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{TRACE.upper()}-{PARENT}-01",
        f"00-{TRACE}-{PARENT}-0A",
        f"00-{TRACE}-{PARENT}-01-more",  # version 00 has no more
        f"00-{TRACE}-{PARENT}-01-",
        f"cc-{TRACE}-{PARENT}-01.more",
        f"cc-{TRACE}-{PARENT}-012",
        f"00-{TRACE[1:]}-{PARENT}-01",
        f"00-{TRACE}-{PARENT[1:]}-01",
        f"00-{TRACE}-{PARENT}-1",
        f"00_{TRACE}_{PARENT}_01",
        f" 00-{TRACE}-{PARENT}-01",
        f"00-{TRACE}-{PARENT}-01\n",
        f"00-{TRACE.replace('4', '٤')}-{PARENT}-01",
        f"00-{TRACE}-{PARENT}-01,00-{TRACE}-{PARENT}-01",  # given twice
    ],
)
def test_what_is_malformed_begins_a_trace_that_is_not_sampled(traceparent: str | None) -> None:
    trace, _, flags = read(traceparent)
    assert trace != TRACE
    assert flags == "00"


def test_traces_and_spans_do_not_repeat() -> None:
    many = [read(None) for _ in range(1_000)]
    assert len({trace for trace, _, _ in many}) == len({span for _, span, _ in many}) == 1_000


@pytest.mark.parametrize("request_id", ["a", "req:1/2.3_4+5=-", "x" * 128])
def test_a_well_formed_request_id_is_kept(client: FlaskClient, request_id: str) -> None:
    reply = client.get("/healthz", headers={"X-Request-Id": request_id})
    assert reply.headers.getlist("X-Request-Id") == [request_id]


@pytest.mark.parametrize(
    "request_id", ["", "a b", "x" * 129, "a\r\nSet-Cookie: b=c", "a\n", "é", '"a"', "a,b", "\ud800"]
)
def test_a_malformed_request_id_is_replaced(request_id: str) -> None:
    kept = read_trace_context(request_id, None).request_id
    assert re.fullmatch("[0-9a-f]{16}", kept)


# Spans.


def traced() -> tuple[FlaskClient, InMemorySpanExporter]:
    """Make a client of a service that makes spans, and what they are sent to."""
    exporter = InMemorySpanExporter()
    app = create_app(Config(), tracing=Tracing(SimpleSpanProcessor(exporter)))
    return app.test_client(), exporter


def test_a_request_is_a_span_in_the_trace_of_its_caller() -> None:
    client, exporter = traced()
    headers = {"traceparent": f"00-{TRACE}-{PARENT}-01"}
    reply = client.post("/v1/gradient", json=EXAMPLE, headers=headers)
    [span] = exporter.get_finished_spans()
    assert span.name == "POST /v1/gradient"
    assert dict(span.attributes or {}) == {
        "http.request.method": "POST",
        "http.route": "/v1/gradient",
        "http.response.status_code": 200,
    }
    assert span.context
    assert span.parent
    assert f"{span.context.trace_id:032x}" == TRACE
    assert f"{span.parent.span_id:016x}" == PARENT
    assert reply.headers["traceparent"] == f"00-{TRACE}-{span.context.span_id:016x}-01"


@pytest.mark.parametrize("flags", ["00", "01"])
def test_the_flag_says_whether_the_span_is_sampled(flags: str) -> None:
    client, exporter = traced()
    headers = {"traceparent": f"00-{TRACE}-{PARENT}-{flags}"}
    reply = client.get("/healthz", headers=headers)
    # The sampler of the standard's default goes with the caller.
    assert len(exporter.get_finished_spans()) == int(flags)
    assert reply.headers["traceparent"].endswith(f"-{flags}")


def test_a_refusal_is_a_span_too_and_one_without_a_caller_begins_a_trace() -> None:
    client, exporter = traced()
    assert client.get("/nowhere").status_code == 404
    [span] = exporter.get_finished_spans()
    assert (span.name, span.parent) == ("GET unmatched", None)


def test_without_its_packages_a_service_that_should_trace_does_not_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(service.observe.tracing, "find_spec", lambda _: None)
    refuse_missing_extra(Config())
    with pytest.raises(ConfigError, match="two packages: pip install opentelemetry-sdk"):
        create_app(Config(traces=True))
