"""The running service beside slow, many and large requests, and while it stops."""

import http.client
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from service.tests.exposed import counted, samples_of
from service.tests.processes import Server, eventually, is_answered, started, stop, workers_of
from service.tests.validated import EXAMPLE

SMALL = json.dumps(EXAMPLE).encode()
LARGE = json.dumps({"expression": "+".join(["tanh(a)"] * 3_300), "values": {"a": 0.5}}).encode()
"""9,900 nodes: tens of milliseconds in the engine, megabytes of reply."""

SUMS = json.dumps({"expression": "+".join(["a"] * 4_900), "values": {"a": 0.5}}).encode()
HUGE = b'{"requests":[' + b",".join([SUMS] * 5) + b"]}"
"""A reply of ten megabytes: more than twice what Linux buffers for a connection by default."""

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


def not_reading(server: Server) -> socket.socket:
    """A client that has sent a batch and does not read the reply, which has begun."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    connection.settimeout(60)
    connection.connect(("127.0.0.1", server.port))
    connection.sendall(HEAD.replace(b"gradient ", b"gradients ") % len(HUGE) + HUGE)
    assert connection.recv(12, socket.MSG_PEEK) == b"HTTP/1.1 200"
    return connection


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
    assert max(took) < 5


def test_clients_that_take_no_reply_hold_nobody_up_and_are_let_go() -> None:
    with started(GRADIENT_READ_SECONDS="2") as server, ExitStack() as stalled:
        readers = [stalled.enter_context(not_reading(server)) for _ in range(6)]
        assert server.post(SMALL).status == 200
        assert eventually(lambda: count_of(server, "/v1/gradients", "http_replies_cut_total") == 6)
        for reader in readers:
            with pytest.raises((http.client.IncompleteRead, ConnectionError)):
                answer_to(reader)
        assert server.post(LARGE).status == 200
        code, *output = stop(server, signal.SIGTERM)
        assert code == 0, output


def test_a_client_that_sends_ten_megabytes_hears_that_it_is_too_much(server: Server) -> None:
    # It listens when it has sent all: the rest is read past, or it would see a broken pipe.
    for _ in range(20):
        assert server.post(b" " * 10_000_000).status == 413


def test_more_requests_than_are_taken_on_are_refused_until_there_is_room() -> None:
    # One in eight may be large, and one is: its client does not read.
    with started(GRADIENT_MAX_CONCURRENCY="8", GRADIENT_READ_SECONDS="60") as server:
        with not_reading(server):
            refused = server.post(LARGE)
            assert refused.status == 503
            assert refused.headers["Retry-After"] == "1"
            assert (refused.content["code"], refused.content["limit"]) == ("overloaded", 1)
            assert server.post(SMALL).status == 200
        assert eventually(lambda: server.post(LARGE).status == 200)
        assert stop(server, signal.SIGTERM) == (0, "", "")


def test_a_stop_loses_no_request_that_was_begun() -> None:
    with started(GRADIENT_STOP_SECONDS="120") as server, ExitStack() as clients:
        begun = [clients.enter_context(not_reading(server)) for _ in range(6)]
        head = HEAD.replace(b"\r\n\r\n", b"\r\nExpect: 100-continue\r\n\r\n")
        half = clients.enter_context(opened(server, head % len(SMALL)))
        assert half.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"  # it reads the body
        half.sendall(SMALL[:20])
        idle = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        idle.request("GET", "/healthz")
        idle.getresponse().read()
        os.kill(server.process.pid, signal.SIGTERM)
        assert idle.sock.recv(1) == b""  # the stop has begun
        idle.close()
        half.sendall(SMALL[20:])
        with ThreadPoolExecutor() as pool:
            replies = list(pool.map(answer_to, [*begun, half]))
        assert [status for status, _ in replies] == [200] * 7
        assert all(len(json.loads(content)["results"]) == 5 for _, content in replies[:6])
        assert json.loads(replies[6][1])["gradients"] == {"a": 10, "b": 10, "c": -1}
        _, stderr = server.process.communicate(timeout=20)
        assert (server.process.returncode, stderr) == (0, "")


def test_a_stop_cuts_what_takes_too_long_and_tells_of_it() -> None:
    with started(GRADIENT_STOP_SECONDS="2", GRADIENT_LOG_REQUESTS="1") as server, ExitStack() as on:
        readers = [on.enter_context(not_reading(server)) for _ in range(2)]
        began = time.perf_counter()
        code, log, stderr = stop(server, signal.SIGTERM)
        assert (code, stderr) == (0, "")
        assert 1.9 < time.perf_counter() - began < 15
        for reader in readers:
            with pytest.raises((http.client.IncompleteRead, ConnectionError)):
                answer_to(reader)
    lines = [json.loads(line) for line in log.splitlines()]
    cut = [line["request_id"] for line in lines if "the reply was cut" in line.get("message", "")]
    told = [line["request_id"] for line in lines if line.get("status") == 200]
    assert len(set(cut)) == len(cut) == 2
    assert sorted(told) == sorted(cut)


def test_it_serves_on_while_it_drains_but_is_not_ready() -> None:
    with started(GRADIENT_DRAIN_SECONDS="4") as server:
        assert server.get("/readyz") == (200, b'{"status":"ready"}\n')
        os.kill(server.process.pid, signal.SIGTERM)
        stopped = time.perf_counter()
        assert eventually(lambda: server.get("/readyz")[0] == 503)
        status, content = server.get("/readyz")
        assert (status, json.loads(content)["code"]) == (503, "not_ready")
        assert server.post(SMALL).status == 200
        server.process.communicate(timeout=20)
        assert server.process.returncode == 0
        assert time.perf_counter() - stopped > 3.9


def test_a_second_signal_ends_the_draining() -> None:
    with started(GRADIENT_DRAIN_SECONDS="60") as server:
        os.kill(server.process.pid, signal.SIGTERM)
        assert eventually(lambda: server.get("/readyz")[0] == 503)
        assert stop(server, signal.SIGTERM) == (0, "", "")


def test_a_worker_that_is_killed_is_replaced_and_the_counts_go_on() -> None:
    with started() as server:
        assert server.post(SMALL).status == 200
        [first] = workers_of(server)
        os.kill(first, signal.SIGKILL)
        assert eventually(lambda: is_answered(server))
        [second] = workers_of(server)
        assert second != first
        assert server.post(SMALL).status == 200
        assert count_of(server, "/v1/gradient") == 2
        code, *output = stop(server, signal.SIGTERM)
        assert code == 0, output


def test_the_metrics_of_all_workers_are_added_up() -> None:
    with started(GRADIENT_WORKERS="2") as server:
        for _ in range(60):
            assert server.post(SMALL).status == 200
        # What the other worker counted within the last moment it may still hold.
        assert eventually(lambda: count_of(server, "/v1/gradient") == 60, seconds=2)
        code, *output = stop(server, signal.SIGTERM)
        assert code == 0, output


def count_of(server: Server, route: str, name: str = "http_requests_total") -> float:
    return counted(samples_of(server.get("/metrics")[1].decode()), name, route=route)


@pytest.mark.skipif(sys.platform != "linux", reason="the queues are read from Linux' /proc")
def test_the_kernel_holds_little_for_clients_that_take_no_reply(server: Server) -> None:
    """A container's memory counts what it holds, which is megabytes of a connection by default."""
    with ExitStack() as stack:
        for _ in range(200):
            client = stack.enter_context(socket.socket())
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
            client.connect(("127.0.0.1", server.port))
            client.sendall(b"GET /docs HTTP/1.1\r\nHost: x\r\n\r\n")
        assert eventually(lambda: min(sent_to(server)) > 0)
        time.sleep(0.5)
        assert max(sent_to(server)) < 100_000  # of 150,000
        assert sum(sent_to(server)) < 64 * 100_000  # as many replies are under way


def sent_to(server: Server) -> list[int]:
    """Give what the kernel holds for each client; ports and queues are hexadecimal."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    ours = [row for row in rows if row[1].endswith(f":{server.port:04X}") and row[3] == "01"]
    return [int(row[4].partition(":")[0], 16) for row in ours]
