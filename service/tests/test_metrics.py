"""Metrics, read by Prometheus' own parser of its text format."""

import math
import platform

import pytest
from flask.testing import FlaskClient
from prometheus_client.parser import text_string_to_metric_families

from engine_py import CONTRACT, __version__
from service.observe.metrics import Metrics
from service.tests.validated import EXAMPLE, Samples, counted, samples_of


def metrics_of(client: FlaskClient) -> Samples:
    response = client.get("/metrics")
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    return samples_of(response.text)


def test_requests_are_counted_by_route_and_status(client: FlaskClient) -> None:
    for body in (EXAMPLE, EXAMPLE, {"expression": "2x", "values": {}}):
        client.post("/v1/gradient", json=body)
    client.get("/v1/gradient?expression=1&fields=result")
    client.get("/healthz")
    metrics_of(client)
    found = metrics_of(client)
    assert counted(found, "http_requests_total", route="/healthz", status="200") == 1
    assert counted(found, "http_requests_total", route="/metrics", status="200") == 1
    assert counted(found, "http_requests_total", route="/v1/gradient", status="200") == 3
    assert counted(found, "http_requests_total", route="/v1/gradient", status="422") == 1
    assert counted(found, "http_request_duration_seconds_count", route="/v1/gradient") == 4
    assert counted(found, "gradient_problems_total", code="unexpected_token") == 1
    assert counted(found, "gradient_nodes_count") == 3
    assert counted(found, "gradient_nodes_sum") == 5 + 5 + 1
    assert counted(found, "gradient_engine_seconds_count") == 3


def test_clients_cannot_create_labels(client: FlaskClient) -> None:
    for index in range(50):
        client.get(f"/nowhere/{index}", headers={"X-Request-Id": f"r{index}"})
        client.open("/v1/gradient", method=f"BREW{index}")
        client.get(f"/problems/made_up_{index}")
    found = metrics_of(client)
    labels = [dict(labels) for name, labels in found if name == "http_requests_total"]
    routes = {each["route"] for each in labels}
    assert "unmatched" in routes
    assert len(routes) <= 3
    assert counted(found, "http_requests_total", route="unmatched", status="404") >= 50
    assert counted(found, "http_requests_total", route="unmatched", status="405") == 50
    assert not any("made_up" in route or "nowhere" in route for route in routes)


@pytest.mark.parametrize(
    ("name", "least", "most"),
    [
        ("http_request_duration_seconds", 0.0005, 100),
        ("gradient_engine_seconds", 0.0005, 100),
        ("gradient_nodes", 5, 10_000),
    ],
)
def test_a_histogram_has_cumulative_buckets_in_steps_of_1_2_5_and_5(
    name: str, least: float, most: float
) -> None:
    metrics = Metrics()
    for seconds, nodes in ((0.0001, 1), (0.004, 70), (160.0, 20_000)):
        metrics.note_request("/x", 200, seconds)
        metrics.note_document(nodes, seconds)
    families = text_string_to_metric_families(metrics.exposed().decode())
    [family] = [family for family in families if family.name == name]
    assert family.type == "histogram"
    found = [each for each in family.samples if each.name == f"{name}_bucket"]
    bounds = [float(each.labels["le"]) for each in found]
    series = [float(f"{first}e{power}") for power in range(-4, 5) for first in ("1", "2.5", "5")]
    assert bounds == [*(bound for bound in series if least <= bound <= most), math.inf]
    counts = [each.value for each in found]
    assert counts == sorted(counts)  # they are cumulative
    assert (counts[0], counts[-2], counts[-1]) == (1, 2, 3)


def test_the_metrics_show_the_build_and_the_requests_in_flight(client: FlaskClient) -> None:
    found = metrics_of(client)
    build = {"version": __version__, "contract": CONTRACT, "python": platform.python_version()}
    assert counted(found, "gradient_build_info", **build) == 1
    for kind, count in (("small", 1), ("large", 0), ("waiting", 0)):  # this request is small
        assert found["http_requests_in_flight", (("kind", kind),)] == count
    assert counted(found, "process_start_time_seconds") > 0
    assert ("log_lines_lost_total", ()) in found
