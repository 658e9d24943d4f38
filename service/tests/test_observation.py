"""A log line has the method, route and result of a request, and none of its content."""

import io
import json
import logging
import logging.config
import platform
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from flask.testing import FlaskClient

from engine_py import CONTRACT, __version__
from service.app import create_app
from service.config import Config
from service.observe import LOGGING, lost_lines, write_line
from service.tests.processes import ROOT
from service.tests.validated import EXAMPLE, Samples, counted, samples_of

NDJSON = {"Accept": "application/x-ndjson"}
ALWAYS = {"time", "level", "method", "route", "status", "milliseconds", "request_id"}

Capture = pytest.CaptureFixture[str]


def lines_of(capsys: Capture) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def line_of(capsys: Capture) -> dict[str, Any]:
    [line] = lines_of(capsys)
    return line


def make_client(**options: Any) -> FlaskClient:
    return create_app(Config(**options)).test_client()


def test_a_request_is_logged_as_one_line_with_its_id(client: FlaskClient, capsys: Capture) -> None:
    before = datetime.now(UTC)
    headers = {"X-Request-Id": "mine"}
    replied = client.post("/v1/gradient", json=EXAMPLE, headers=headers).headers
    line = line_of(capsys)
    assert set(line) == {*ALWAYS, "nodes"}
    asked = (line["level"], line["method"], line["route"], line["status"], line["nodes"])
    assert asked == ("info", "POST", "/v1/gradient", 200, 5)
    assert line["request_id"] == replied["X-Request-Id"] == "mine"
    assert before <= datetime.fromisoformat(line["time"]) <= datetime.now(UTC)
    assert line["milliseconds"] > 0


@pytest.mark.parametrize("request_id", ["a", "req:1/2.3_4+5=-", "x" * 128])
def test_a_well_formed_request_id_is_kept(client: FlaskClient, request_id: str) -> None:
    reply = client.get("/healthz", headers={"X-Request-Id": request_id})
    assert reply.headers.getlist("X-Request-Id") == [request_id]


@pytest.mark.parametrize("request_id", ["", "a b", "x" * 129, "é", '"a"', "a,b", "a\t"])
def test_a_malformed_request_id_is_replaced(client: FlaskClient, request_id: str) -> None:
    reply = client.get("/healthz", headers={"X-Request-Id": request_id})
    assert re.fullmatch("[0-9a-f]{16}", reply.headers["X-Request-Id"])


def test_the_duration_is_logged_in_milliseconds(
    client: FlaskClient, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter([7.0, 7.0, 7.0, 7.0625])  # the observation reads it first and last
    monkeypatch.setattr(time, "perf_counter", lambda: next(clock))
    client.post("/v1/gradient", json=EXAMPLE)
    assert line_of(capsys)["milliseconds"] == 62.5


@pytest.mark.parametrize(
    ("asked", "body", "found"),
    [
        ("POST /v1/gradient", {"expression": "2x"}, {"code": "invalid_request"}),
        ("GET /v1/gradient?expression=2*3", None, {"nodes": 3}),
        ("GET /v1/gradient?expression=(", None, {"code": "unexpected_end"}),
        ("POST /v1/gradients", {"requests": [EXAMPLE] * 2}, {"requests": 2}),
        ("POST /v1/gradients", {"requests": [EXAMPLE, {}, {}]}, {"requests": 3, "refused": 2}),
        ("GET /v1/limits", None, {}),
        ("GET /secret", None, {"code": "not_found", "route": "unmatched"}),
        ("PUT /v1/gradient", {}, {"code": "method_not_allowed", "route": "unmatched"}),
    ],
)
def test_a_line_has_only_a_code_or_a_size_of_the_request(
    client: FlaskClient, capsys: Capture, asked: str, body: Any, found: dict[str, Any]
) -> None:
    method, path = asked.split(" ")
    client.open(path, method=method, json=body)
    line = line_of(capsys)
    assert set(line) == {*ALWAYS, *found}
    expected = {"method": method, "route": path.split("?")[0], "level": "info", **found}
    assert expected.items() <= line.items()


def test_the_content_of_requests_is_not_logged_by_default(capsys: Capture) -> None:
    body = {"expression": "hush * 2", "values": {"hush": 31337}}
    make_client().post("/v1/gradient", json=body)
    make_client().post("/v1/gradient", json={**body, "expression": "hush 2"})
    make_client().post("/v1/gradients", json={"requests": [body]})
    make_client().get("/v1/gradient", query_string={"expression": "hush 2", "values": '{"hush":1}'})
    make_client().get("/hush?hush=31337", headers={"X-Hush": "hush"})
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 5
    assert "hush" not in captured.out + captured.err
    assert "31337" not in captured.out + captured.err


def test_values_are_logged_if_configured(capsys: Capture) -> None:
    make_client(log_values=True).post("/v1/gradient", json=EXAMPLE)
    line = line_of(capsys)
    assert set(line) == {*ALWAYS, "nodes", "request"}
    assert line["request"] == EXAMPLE


@pytest.mark.parametrize(
    "body",
    [b"[" * 64 + b"]" * 64, b'{"expression":' + b"[" * 63 + b"]" * 63 + b"}", b'{"a":1e999}'],
)
def test_a_body_that_cannot_be_logged_is_still_answered(capsys: Capture, body: bytes) -> None:
    client = make_client(log_values=True)
    reply = client.post("/v1/gradient", data=body, content_type="application/json")
    assert reply.status_code == 422
    assert line_of(capsys)["code"] == "invalid_request"


def test_successful_probes_are_not_logged(client: FlaskClient, capsys: Capture) -> None:
    for path in ("/healthz", "/readyz", "/metrics"):
        assert client.get(path).status_code == 200
    assert lines_of(capsys) == []


def test_request_lines_can_be_turned_off(capsys: Capture) -> None:
    client = make_client(log_requests=False)
    client.post("/v1/gradient", json=EXAMPLE)
    client.get("/nowhere")
    assert lines_of(capsys) == []
    assert count_of(client, "/v1/gradient") == 1  # it is still counted


def count_of(client: FlaskClient, route: str) -> float:
    return counted(samples_of(client.get("/metrics").text), "http_requests_total", route=route)


def test_a_streamed_reply_is_logged_once_when_it_ends(client: FlaskClient, capsys: Capture) -> None:
    response = client.post("/v1/gradients", json={"requests": [EXAMPLE] * 3}, headers=NDJSON)
    pieces = response.iter_encoded()
    assert next(iter(pieces))
    assert lines_of(capsys) == []
    assert count_of(client, "/v1/gradients") == 0
    assert len(list(pieces)) == 2
    response.close()
    line = line_of(capsys)
    assert (line["route"], line["requests"], line["status"]) == ("/v1/gradients", 3, 200)
    assert count_of(client, "/v1/gradients") == 1


@pytest.mark.parametrize("path", ["/healthz", "/v1/gradient?expression=1", "/nowhere", "/docs"])
def test_every_reply_has_each_security_header_once(client: FlaskClient, path: str) -> None:
    headers = client.get(path).headers
    names = [name.lower() for name, _ in headers]
    assert len(names) == len(set(names))
    assert re.fullmatch("[0-9a-f]{16}", headers["X-Request-Id"])
    assert headers["X-Content-Type-Options"] == "nosniff"
    policy = headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'self';")
    assert headers["Referrer-Policy"] == "no-referrer"


class Broken(io.RawIOBase):
    """A pipe whose reader has gone."""

    has_gone = True

    def writable(self) -> bool:
        return True

    def write(self, piece: Any) -> int:
        if self.has_gone:
            raise BrokenPipeError
        return len(piece)


def closed_file() -> io.TextIOWrapper:
    file = io.TextIOWrapper(io.BytesIO())
    file.close()
    return file


@pytest.mark.parametrize("where", ["broken", "closed", "none"])
def test_a_broken_log_fails_no_request_and_its_lost_lines_are_counted(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    # sys.stdout is None in a process that is started without one (`>&-`).
    before = lost_lines()
    reader = Broken()
    pipe = io.TextIOWrapper(io.BufferedWriter(reader, 100))
    stdout = {"broken": pipe, "closed": closed_file(), "none": None}[where]
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", stdout)
        for _ in range(5):
            assert client.post("/v1/gradient", json=EXAMPLE).status_code == 200
    reader.has_gone = False  # otherwise closing the pipe fails, too
    assert lost_lines() == before + 5


# Lines of any logger.


@pytest.fixture
def configured() -> Iterator[None]:
    """Configure logging as the server does, and restore it afterwards."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    logging.config.dictConfig(LOGGING)
    yield
    root.handlers[:] = before
    root.setLevel(level)


@pytest.mark.parametrize("name", ["service", "_granian", "some.library"])
@pytest.mark.usefixtures("configured")
def test_a_record_of_any_logger_is_a_line_with_its_traceback(capsys: Capture, name: str) -> None:
    before = datetime.now(UTC)
    try:
        int("seven")
    except ValueError:
        logging.getLogger(name).exception("it %s", "broke", extra={"request_id": "7"})
    line = line_of(capsys)
    exception = line.pop("exception")
    assert exception.startswith("Traceback (most recent call last):\n")
    assert exception.endswith("ValueError: invalid literal for int() with base 10: 'seven'\n")
    assert before <= datetime.fromisoformat(line.pop("time")) <= datetime.now(UTC)
    assert line == {"level": "error", "logger": name, "message": "it broke", "request_id": "7"}


@pytest.mark.usefixtures("configured")
def test_members_without_a_value_are_left_out_of_a_line(capsys: Capture) -> None:
    logging.getLogger("some.library").warning("beware")
    logging.getLogger("some.library").info("chatter")
    line = line_of(capsys)
    assert set(line) == {"time", "level", "logger", "message"}


def test_values_that_json_cannot_hold_are_replaced_in_a_line(capsys: Capture) -> None:
    """These are integers of more than 64 bits, and halves of surrogate pairs."""
    write_line("info", points=2**64, message="half \ud800", nodes=3, status=422)
    line = line_of(capsys)
    assert (line["level"], line["nodes"], line["status"]) == ("info", 3, 422)
    assert line["points"] == "<int: Integer exceeds 64-bit range>"
    assert line["message"].startswith("<str: ")


UNREAD = """
import sys
from service.app import create_app
from service.config import Config
from service.observe import lost_lines, write_waiting

client = create_app(Config(log_values=True)).test_client()
body = {"expression": "+" * 60_000, "values": {}}
while not lost_lines():  # a line has 60 kB
    assert client.post("/v1/gradient", json=body).status_code == 422
    assert client.get("/healthz").status_code == 200
print(lost_lines(), file=sys.stderr, flush=True)
sys.stdin.readline()
while write_waiting():
    pass
"""


def test_requests_do_not_wait_for_a_log_reader_and_lost_lines_are_counted() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", UNREAD],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stderr
        lost = int(process.stderr.readline())  # printed when all requests have been answered
        stdout, stderr = process.communicate("\n")
    assert (process.returncode, stderr) == (0, "")
    assert lost == 1
    assert {json.loads(line)["status"] for line in stdout.splitlines()} == {422}


# Metrics, read by Prometheus' own parser of its text format.


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


def test_the_metrics_show_the_build_and_the_requests_in_flight(client: FlaskClient) -> None:
    found = metrics_of(client)
    build = {"version": __version__, "contract": CONTRACT, "python": platform.python_version()}
    assert counted(found, "gradient_build_info", **build) == 1
    for kind, count in (("small", 1), ("large", 0), ("waiting", 0)):  # this request is small
        assert found["http_requests_in_flight", (("kind", kind),)] == count
    assert counted(found, "process_start_time_seconds") > 0
    assert ("log_lines_lost_total", ()) in found
