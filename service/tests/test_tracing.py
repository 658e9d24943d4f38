import pytest
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

import service.observe.tracing
from service import Config, ConfigError, create_app
from service.observe.tracing import Tracing, refuse_missing_extra
from service.tests.validated import EXAMPLE

TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


def test_a_request_is_a_span_in_the_trace_of_its_caller() -> None:
    exporter = InMemorySpanExporter()
    app = create_app(Config(), tracing=Tracing(SimpleSpanProcessor(exporter)))
    headers = {"traceparent": f"00-{TRACE}-{PARENT}-01"}
    reply = app.test_client().post("/v1/gradient", json=EXAMPLE, headers=headers)
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


def test_a_refusal_is_a_span_too_and_one_without_a_caller_begins_a_trace() -> None:
    exporter = InMemorySpanExporter()
    app = create_app(Config(), tracing=Tracing(SimpleSpanProcessor(exporter)))
    assert app.test_client().get("/nowhere").status_code == 404
    [span] = exporter.get_finished_spans()
    assert (span.name, span.parent) == ("GET unmatched", None)


def test_without_its_packages_a_service_that_should_trace_does_not_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(service.observe.tracing, "find_spec", lambda _: None)
    refuse_missing_extra(Config())
    with pytest.raises(ConfigError, match="two packages: pip install opentelemetry-sdk"):
        create_app(Config(traces=True))
