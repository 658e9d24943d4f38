"""Whatever is refused has an id, which the log has once; and the metrics count all of it."""

import http.client
import json
import os
import signal
import socket
from collections import Counter
from collections.abc import Iterator

import pytest

from engine_py import GradientError
from service import Config, create_app
from service.attack.bodies import SMALL, posted
from service.errors import REFUSAL, MalformedRequest, Overloaded, RequestTimeout
from service.server.bridge import call_wsgi
from service.server.environ import make_environ
from service.tests.broken import BROKEN
from service.tests.client import scope
from service.tests.exposed import counted, samples_of
from service.tests.processes import Server, started
from service.tests.test_main_under_load import opened

HALF = posted("/v1/gradient", SMALL[:20], length=len(SMALL))
"""The body of this one never comes as a whole."""


@pytest.fixture
def server() -> Iterator[Server]:
    with started(GRADIENT_LOG_REQUESTS="1", GRADIENT_READ_SECONDS="1") as running:
        yield running


def refused(server: Server, request: bytes, *, is_half_closed: bool) -> tuple[int, str]:
    """Give the status of the reply, and its id."""
    with opened(server, request) as connection:
        if is_half_closed:
            connection.shutdown(socket.SHUT_WR)
        response = http.client.HTTPResponse(connection)
        response.begin()
        content = json.loads(response.read())
    assert content["status"] == response.status
    return response.status, response.headers["X-Request-Id"]


def test_every_refusal_is_in_the_log_and_in_the_metrics(server: Server) -> None:
    requests = {name: request for name, (request, _) in BROKEN.items()}
    requests |= {
        "late": HALF,
        "too large": posted("/v1/gradient", b"{", length=10_000_000),
        "nowhere": b"GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n",
    }
    replies = {
        name: refused(server, request, is_half_closed="cut" in name)
        for name, request in requests.items()
    }
    statuses = {name: status for name, (status, _) in replies.items()}
    told = {name: status for name, (_, status) in BROKEN.items()}
    assert statuses == {**told, "late": 408, "too large": 413, "nowhere": 404}
    samples = samples_of(server.get("/metrics")[1].decode())
    refusals = [counted(samples, "http_requests_total", status=str(s)) for s in range(400, 500)]
    assert sum(refusals) == len(requests)
    os.kill(server.process.pid, signal.SIGTERM)
    stdout, _ = server.process.communicate(timeout=20)
    lines = [json.loads(line) for line in stdout.splitlines()]
    logged = Counter(line["request_id"] for line in lines if "request_id" in line)
    for name, (_, request_id) in replies.items():
        assert logged[request_id] == 1, name


def refusal(config: Config, method: str, path: bytes, error: GradientError) -> tuple[object, ...]:
    environ = make_environ(scope([(b"x-request-id", b"1")], method=method, raw_path=path))
    environ[REFUSAL] = error
    app = create_app(config._replace(log_requests=False))
    status, headers, pieces = call_wsgi(app, environ, b"")
    kept = {name: text for name, text in headers if name not in (b"traceparent", b"vary")}
    return status, kept, pieces.take_now(), environ["gradient.record"].route


@pytest.mark.parametrize("method", ["GET", "POST", "HEAD"])
@pytest.mark.parametrize("path", [b"/v1/gradient", b"/v1/limits", b"/nowhere", b"*"])
@pytest.mark.parametrize(
    "error",
    [
        Overloaded("too much", limit=1, actual=2),
        RequestTimeout("too late", limit=10),
        MalformedRequest("not HTTP"),
    ],
)
def test_what_flask_does_not_see_is_refused_as_by_flask(
    method: str, path: bytes, error: GradientError
) -> None:
    # Where pages of other origins may read replies, Flask answers.
    by_flask = refusal(Config(cors_origins=("https://example.org",)), method, path, error)
    assert refusal(Config(), method, path, error) == by_flask
