"""The running service beside slow, many and large requests, and while it stops."""

import http.client
import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from service.tests.processes import Server, started, stop
from service.tests.validated import EXAMPLE

pytestmark = pytest.mark.alone

SMALL = json.dumps(EXAMPLE).encode()
LARGE = json.dumps({"expression": "+".join(["tanh(a)"] * 3_300), "values": {"a": 0.5}}).encode()
"""9,900 nodes: tens of milliseconds in the engine, megabytes of reply."""

HUGE = b'{"requests":[' + b",".join([LARGE] * 9) + b"]}"
"""A reply of more than the pipes between two processes hold."""

HEAD = (
    b"POST /v1/gradient HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    b"Content-Length: %d\r\n\r\n"
)


@pytest.fixture
def server() -> Iterator[Server]:
    with started() as running:
        yield running
        assert stop(running, signal.SIGTERM) == (0, "", "")


def opened(server: Server, start: bytes) -> socket.socket:
    """A client that has sent so much, and waits."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=20)
    connection.sendall(start)
    return connection


def answer_to(connection: socket.socket) -> tuple[int, bytes]:
    response = http.client.HTTPResponse(connection)
    response.begin()
    return response.status, response.read()


def worker_of(server: Server) -> int:
    pid = server.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    workers = [
        int(child) for child in children if b"resource_tracker" not in command_line(int(child))
    ]
    assert len(workers) == 1
    return workers[0]


def command_line(pid: int) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()


def test_a_client_is_answered_at_once_beside_64_that_send_slowly(server: Server) -> None:
    half_a_head, half_a_body = HEAD[:40], HEAD % len(SMALL) + SMALL[:20]
    with ExitStack() as slow:
        for start in [half_a_head, half_a_body] * 64:
            slow.enter_context(opened(server, start))
        took = []
        for _ in range(300):
            asked = time.perf_counter()
            assert server.post(SMALL).status == 200
            took.append(time.perf_counter() - asked)
    # Where slow clients hold threads, this takes as long as they do: ten seconds.
    assert sorted(took)[int(0.99 * len(took))] < 0.25


def test_clients_that_take_no_reply_hold_nobody_up_and_are_let_go() -> None:
    with started(GRADIENT_READ_SECONDS="1") as server, ExitStack() as stalled:
        readers = []
        for _ in range(6):
            reader = socket.socket()
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
            reader.connect(("127.0.0.1", server.port))
            reader.sendall(HEAD.replace(b"gradient ", b"gradients ") % len(HUGE) + HUGE)
            readers.append(stalled.enter_context(reader))
        assert server.post(SMALL).status == 200
        time.sleep(3)
        # Let go in the middle: what is left in the pipe is not a whole reply.
        for reader in readers:
            with pytest.raises((http.client.IncompleteRead, ConnectionError)):
                answer_to(reader)
        assert server.post(LARGE).status == 200
        assert stop(server, signal.SIGTERM)[0] == 0


def test_a_body_that_does_not_come_is_a_problem_in_the_end() -> None:
    with started(GRADIENT_READ_SECONDS="1") as server:
        with opened(server, HEAD % len(SMALL) + SMALL[:20]) as slow:
            asked = time.perf_counter()
            status, content = answer_to(slow)
            assert 0.9 < time.perf_counter() - asked < 5
        assert (status, json.loads(content)["code"]) == (408, "request_timeout")
        assert stop(server, signal.SIGTERM) == (0, "", "")


def test_a_client_that_sends_ten_megabytes_hears_that_it_is_too_much(server: Server) -> None:
    # It listens when it has sent all: the rest is read past, or it would see a broken pipe.
    for _ in range(20):
        assert server.post(b" " * 10_000_000).status == 413


def test_more_requests_than_are_taken_on_are_told_to_come_back() -> None:
    with started(GRADIENT_MAX_CONCURRENCY="8") as server, ExitStack() as clients:
        # One in eight may be large.
        sent = [clients.enter_context(opened(server, HEAD % len(LARGE) + LARGE)) for _ in range(5)]
        replies = [http.client.HTTPResponse(connection) for connection in sent]
        for reply in replies:
            reply.begin()
        statuses = sorted(reply.status for reply in replies)
        assert set(statuses) == {200, 503}
        for reply in replies:
            content = json.loads(reply.read())
            if reply.status == 503:
                assert reply.headers["Retry-After"] == "1"
                assert (content["code"], content["limit"]) == ("overloaded", 1)
        assert server.post(SMALL).status == 200
        assert stop(server, signal.SIGTERM) == (0, "", "")


def test_a_stop_loses_no_request_that_was_begun() -> None:
    with started() as server, ExitStack() as clients:
        begun = [clients.enter_context(opened(server, HEAD % len(LARGE) + LARGE)) for _ in range(6)]
        half = clients.enter_context(opened(server, HEAD % len(SMALL) + SMALL[:20]))
        time.sleep(0.2)
        os.kill(server.process.pid, signal.SIGTERM)
        time.sleep(0.2)
        half.sendall(SMALL[20:])
        with ThreadPoolExecutor() as pool:
            replies = list(pool.map(answer_to, [*begun, half]))
        assert [status for status, _ in replies] == [200] * 7
        assert all(json.loads(content)["gradients"] for _, content in replies)
        _, stderr = server.process.communicate(timeout=20)
        assert (server.process.returncode, stderr) == (0, "")


def test_it_serves_on_while_it_drains_but_is_not_ready() -> None:
    with started(GRADIENT_DRAIN_SECONDS="2") as server:
        assert server.get("/readyz") == (200, b'{"status":"ready"}\n')
        os.kill(server.process.pid, signal.SIGTERM)
        told = time.perf_counter()
        while (reply := server.get("/readyz"))[0] == 200:
            pass
        status, content = reply
        assert (status, json.loads(content)["code"]) == (503, "not_ready")
        assert server.post(SMALL).status == 200
        server.process.communicate(timeout=20)
        assert server.process.returncode == 0
        assert time.perf_counter() - told > 1.9


def test_a_second_signal_ends_the_draining() -> None:
    with started(GRADIENT_DRAIN_SECONDS="60") as server:
        os.kill(server.process.pid, signal.SIGTERM)
        while server.get("/readyz")[0] == 200:
            pass
        assert stop(server, signal.SIGTERM) == (0, "", "")


def test_a_worker_that_is_killed_is_replaced_and_the_counts_go_on() -> None:
    with started() as server:
        assert server.post(SMALL).status == 200
        first = worker_of(server)
        os.kill(first, signal.SIGKILL)
        deadline = time.monotonic() + 20
        second = None
        while second is None and time.monotonic() < deadline:
            with suppress(ConnectionError, http.client.HTTPException):
                second = server.post(SMALL).status
        assert second == 200
        assert worker_of(server) != first
        assert count_of(server, "/v1/gradient") == 2
        assert stop(server, signal.SIGTERM)[0] == 0


def test_the_metrics_of_all_workers_are_added_up() -> None:
    with started(GRADIENT_WORKERS="2") as server:
        for _ in range(60):
            assert server.post(SMALL).status == 200
        assert count_of(server, "/v1/gradient") == 60
        assert stop(server, signal.SIGTERM)[0] == 0


def count_of(server: Server, route: str) -> float:
    families = text_string_to_metric_families(server.get("/metrics")[1].decode())
    return sum(
        sample.value
        for family in families
        for sample in family.samples
        if sample.name == "http_requests_total" and sample.labels["route"] == route
    )
