"""The service as a process: what `make run` starts serves, refuses, is replaced and stops."""

import http.client
import json
import os
import shlex
import signal
import socket
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from urllib.request import urlopen

import pytest

from service.config import VARIABLES
from service.tests.processes import (
    HANG,
    JSON,
    ROOT,
    Server,
    command,
    descendants,
    eventually,
    read,
    reserved_port,
    started,
    stop,
    workers_of,
)
from service.tests.test_request import LIMIT, body_of
from service.tests.validated import EXAMPLE, counted, samples_of

SMALL = json.dumps(EXAMPLE).encode()
LARGE = json.dumps({"expression": "+".join(["tanh(a)"] * 3_300), "values": {"a": 0.5}}).encode()
"""9,900 nodes: a reply of megabytes, which the process for large requests computes."""

SUMS = json.dumps({"expression": "+".join(["a"] * 4_900), "values": {"a": 0.5}}).encode()
HUGE = b'{"requests":[' + b",".join([SUMS] * 5) + b"]}"
"""A reply of ten megabytes: more than twice what Linux buffers for a connection by default."""


def posted(
    body: bytes, path: str = "/v1/gradient", *, length: int | None = None, more: str = ""
) -> bytes:
    """Write a request of HTTP/1.1, whose length may be announced as another."""
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n{more}"
    size = len(body) if length is None else length
    return f"{head}Content-Length: {size}\r\n\r\n".encode() + body


def opened(server: Server, start: bytes) -> socket.socket:
    """Connect a client that has sent so much, and waits."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=HANG)
    connection.sendall(start)
    return connection


def answer_to(connection: socket.socket) -> tuple[int, bytes]:
    response = http.client.HTTPResponse(connection)
    response.begin()
    return response.status, response.read()


def not_reading(server: Server) -> socket.socket:
    """Connect a client that has sent a batch and does not read the reply, which has begun."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
    connection.settimeout(HANG)
    connection.connect(("127.0.0.1", server.port))
    connection.sendall(posted(HUGE, "/v1/gradients"))
    assert connection.recv(12, socket.MSG_PEEK) == b"HTTP/1.1 200"
    return connection


def count_of(server: Server, route: str, name: str = "http_requests_total") -> float:
    return counted(samples_of(server.get("/metrics")[1].decode()), name, route=route)


def run_to_end(*arguments: str, **variables: str) -> tuple[int, str, str]:
    with reserved_port() as port:
        process = command(port, arguments or ("-m", "service"), **variables)
        stdout, stderr = process.communicate(timeout=HANG)
    return process.returncode, stdout, stderr


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with started() as running:
        yield running
        assert stop(running, signal.SIGTERM) == (0, "", "")


# It serves.


def test_the_line_that_it_prints_has_a_call_that_is_answered(server: Server) -> None:
    url, call = server.line.split(" is up; try: ")
    assert url == f"http://127.0.0.1:{server.port}"
    program, silent, target = shlex.split(call)
    assert (program, silent) == ("curl", "-s")
    with urlopen(target) as reply:
        assert json.load(reply)["gradients"] == {"a": 10, "b": 10, "c": -1}


@pytest.mark.parametrize("host", ["localhost", "0.0.0.0"])
def test_a_host_may_be_a_name_or_all_addresses(host: str) -> None:
    with started(GRADIENT_HOST=host) as running:
        assert running.line.startswith(f"http://localhost:{running.port} is up")
        assert running.post(SMALL).status == 200
        assert stop(running, signal.SIGTERM) == (0, "", "")


def test_workers_may_be_spawned_instead_of_forked() -> None:
    # As on macOS, and on Linux from Python 3.14 on.
    method = "import multiprocessing; multiprocessing.set_start_method('spawn')"
    with started(("-c", f"{method}; from service.server.run import main; main()")) as running:
        assert running.post(SMALL).status == 200
        assert stop(running, signal.SIGTERM) == (0, "", "")


def test_a_refusal_does_not_cost_the_connection(server: Server) -> None:
    connection = server.connect()
    for body, status in ((b"{", 400), (b"{}", 422), (SMALL, 200)):
        connection.request("POST", "/v1/gradient", body, JSON)
        assert read(connection.getresponse()).status == status
    connection.close()


def test_a_small_request_is_answered_while_other_clients_send_nothing_more() -> None:
    # Where slow clients hold threads or places, this waits for them: for an hour.
    with started(GRADIENT_READ_SECONDS="3600") as server, ExitStack() as slow:
        request = posted(SMALL)
        for start in [request[:40], request[:-20]] * 64:
            slow.enter_context(opened(server, start))
        slow.enter_context(not_reading(server))
        assert server.post(SMALL).status == 200


def test_large_and_small_replies_are_compressed() -> None:
    with started(GRADIENT_COMPRESS="1") as running:
        batch = json.dumps({"requests": [EXAMPLE] * 300}).encode()
        _, packed = compressed(running, "POST", "/v1/gradients", batch)
        assert len(json.loads(zlib.decompress(packed, wbits=31))["results"]) == 300
        path = "/v1/gradient?expression=(a%2Bb)*c&a=2&b=-3&c=10"
        length, packed = compressed(running, "GET", path)
        assert json.loads(zlib.decompress(packed, wbits=31))["result"] == -10
        assert int(length) == len(packed)
        assert compressed(running, "HEAD", path)[1] == b""


def compressed(
    server: Server, method: str, path: str, body: bytes | None = None
) -> tuple[str, bytes]:
    """Read a reply that is sent as gzip: its length, where it is told, and its bytes."""
    connection = server.connect()
    connection.request(method, path, body, {**JSON, "Accept-Encoding": "gzip"})
    with connection.getresponse() as reply:
        assert reply.headers["Content-Encoding"] == "gzip"
        found = reply.headers.get("Content-Length", ""), reply.read()
    connection.close()
    return found


# It refuses, with problems.


def pieces_of(body: bytes, size: int) -> list[bytes]:
    return [body[at : at + size] for at in range(0, len(body), size)]


@pytest.mark.parametrize("size", [100, LIMIT])
def test_a_chunked_body_of_exactly_the_limit_is_answered(server: Server, size: int) -> None:
    assert server.post_chunked(pieces_of(body_of(LIMIT), size)).content["result"] == 6


@pytest.mark.parametrize("more", [1, 100_000])
def test_a_chunked_body_beyond_the_limit_is_refused_and_not_cut_short(
    server: Server, more: int
) -> None:
    # Cut at the limit it would be a fine request.
    reply = server.post_chunked([*pieces_of(body_of(LIMIT), 8192), b" " * more])
    assert (reply.status, reply.content["code"]) == (413, "payload_too_large")
    assert (reply.content["limit"], reply.content["actual"]) == (LIMIT, None)


def test_ten_megabytes_are_refused_before_and_after_they_are_sent(server: Server) -> None:
    reply = server.post(b"{", announced=10_000_000)
    assert (reply.status, reply.content["actual"]) == (413, 10_000_000)
    # A client that listens when it has sent all must not see a broken pipe.
    assert server.post(b" " * 10_000_000).status == 413


@pytest.mark.parametrize("first", [True, False])
def test_nothing_is_read_after_a_request_of_two_lengths(server: Server, *, first: bool) -> None:
    """RFC 9112 section 6.3: it may be meant to smuggle another."""
    lengths = [b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n"]
    head = b"POST /v1/gradient HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    chunks = b"\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(SMALL), SMALL)
    smuggled = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    request = head + b"".join(lengths[:: 1 if first else -1]) + chunks + smuggled
    with opened(server, request) as connection:
        received = b""
        while piece := connection.recv(65_536):
            received += piece
    assert received.count(b"HTTP/1.1 ") == 1
    assert received.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert b"\r\nconnection: close\r\n" in received


_CHUNKED = posted(b"", more="Transfer-Encoding: chunked\r\n").replace(b"Content-Length: 0\r\n", b"")
_PROBE = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
REFUSED: dict[str, tuple[bytes, int]] = {
    "chunk size is no number": (_CHUNKED + b"zz\r\n" + SMALL, 400),
    "chunk longer than its size": (_CHUNKED + b"5\r\n" + SMALL + b"\r\n0\r\n\r\n", 400),
    "chunk size beyond 64 bits": (_CHUNKED + b"f" * 17 + b"\r\n" + SMALL, 400),
    "body cut in the middle": (posted(SMALL[:20], length=len(SMALL)), 400),
    "no Host": (b"GET /healthz HTTP/1.1\r\n\r\n", 400),
    "two Hosts": (_PROBE + b"Host: b\r\n\r\n", 400),
    "Host: a/b@c": (b"GET /healthz HTTP/1.1\r\nHost: a/b@c\r\n\r\n", 400),
    "target without a slash": (b"GET healthz HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    "target of another form": (b"GET other:80 HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    "gzip, chunked": (_CHUNKED.replace(b" chunked", b" gzip, chunked") + b"0\r\n\r\n", 400),
    "method of 6 kB": (b"A" * 6_000 + _PROBE[3:] + b"\r\n", 400),
    "method in lower case": (_PROBE.replace(b"GET", b"get") + b"\r\n", 400),
    "101 headers": (_PROBE + b"X: 1\r\n" * 100 + b"\r\n", 400),
    "head of 20 kB": (_PROBE + b"X: " + b"a" * 20_000 + b"\r\n\r\n", 400),
    "another protocol": (b"\x16\x03\x01\x02\x00\x01\x00", 400),
    "late body": (posted(SMALL[:20], length=len(SMALL)), 408),
    "too large": (posted(b"{", length=10_000_000), 413),
    "nowhere": (b"GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n", 404),
}
"""What is sent, and the status that says what is wrong (RFC 9110, 9112)."""


def refused(server: Server, request: bytes, *, ends: bool) -> tuple[int, str]:
    """Read the status of a refusal, and its id."""
    with opened(server, request) as connection:
        if ends:
            connection.shutdown(socket.SHUT_WR)
        response = http.client.HTTPResponse(connection)
        response.begin()
        content = json.loads(response.read())
    assert content["status"] == response.status
    return response.status, response.headers["X-Request-Id"]


def test_every_refusal_is_a_problem_and_in_the_log_and_in_the_metrics() -> None:
    with started(GRADIENT_LOG_REQUESTS="1", GRADIENT_READ_SECONDS="3") as server:
        replies = {
            name: refused(server, request, ends="cut" in name)
            for name, (request, _) in REFUSED.items()
        }
        samples = samples_of(server.get("/metrics")[1].decode())
        _, stdout, _ = stop(server, signal.SIGTERM)
    statuses = {name: status for name, (status, _) in replies.items()}
    assert statuses == {name: status for name, (_, status) in REFUSED.items()}
    counts = [counted(samples, "http_requests_total", status=str(s)) for s in range(400, 500)]
    assert sum(counts) == len(REFUSED)
    lines = [json.loads(line) for line in stdout.splitlines()]
    logged = Counter(line["request_id"] for line in lines if "request_id" in line)
    for name, (_, request_id) in replies.items():
        assert logged[request_id] == 1, name


def test_more_requests_than_are_taken_on_are_refused_until_there_is_room() -> None:
    # One in eight may be large, and one is: its client does not read.
    with started(GRADIENT_MAX_CONCURRENCY="8", GRADIENT_READ_SECONDS="3600") as server:
        with not_reading(server):
            reply = server.post(LARGE)
            assert reply.status == 503
            assert reply.headers["Retry-After"] == "1"
            assert (reply.content["code"], reply.content["limit"]) == ("overloaded", 1)
            assert server.post(SMALL).status == 200
        assert eventually(lambda: server.post(LARGE).status == 200)
        assert stop(server, signal.SIGTERM) == (0, "", "")


def test_clients_that_take_no_reply_are_let_go() -> None:
    with started(GRADIENT_READ_SECONDS="2") as server, ExitStack() as stalled:
        readers = [stalled.enter_context(not_reading(server)) for _ in range(2)]
        assert eventually(lambda: count_of(server, "/v1/gradients", "http_replies_cut_total") == 2)
        for reader in readers:
            with pytest.raises((http.client.IncompleteRead, ConnectionError)):
                answer_to(reader)
        assert server.post(LARGE).status == 200


# It does not start.


def test_a_port_that_is_taken_is_said_and_ends_with_1(server: Server) -> None:
    second = command(server.port)
    stdout, stderr = second.communicate(timeout=HANG)
    assert (second.returncode, stdout) == (1, "")
    assert stderr == (
        f"service: cannot listen on 127.0.0.1, port {server.port}: Address already in use; "
        "choose another by PORT or GRADIENT_HOST\n"
    )


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"PORT": "eighty"}, "PORT must be a whole number from 1 to 65535, not 'eighty'"),
        ({"GRADIENT_HOST": "nowhere.invalid"}, "cannot listen on nowhere.invalid"),
        ({"GRADIENT_HOST": "203.0.113.1"}, "cannot listen on 203.0.113.1"),
    ],
)
def test_a_configuration_that_cannot_be_used_is_said_and_ends_with_1(
    variables: dict[str, str], message: str
) -> None:
    code, stdout, stderr = run_to_end(**variables)
    assert (code, stdout) == (1, "")
    assert stderr.startswith(f"service: {message}")
    assert stderr.count("\n") == 1


def test_without_a_temporary_folder_it_says_what_to_do() -> None:
    nowhere = "import tempfile; tempfile._candidate_tempdir_list = lambda: ['/nowhere']"
    code, stdout, stderr = run_to_end(
        "-c", f"{nowhere}; from service.server.run import main; main()"
    )
    assert (code, stdout) == (1, "")
    assert stderr.startswith("service: cannot write to a temporary folder: ")
    assert stderr.endswith("; name one that can be written to by TMPDIR\n")


def test_help_tells_every_variable_and_an_argument_is_refused() -> None:
    code, stdout, stderr = run_to_end("-m", "service", "--help")
    assert (code, stderr) == (0, "")
    assert set(VARIABLES) <= set(stdout.split())
    assert "(default: 262144)" in stdout
    code, stdout, stderr = run_to_end("-m", "service", "--port=80")
    assert (code, stdout) == (2, "")
    assert stderr.endswith("error: unrecognized arguments: --port=80\n")


def test_an_unknown_variable_is_a_warning_without_its_value() -> None:
    with started(GRADIENT_MAX_NODE="my secret") as running:
        assert running.post(SMALL).status == 200
        status, stdout, stderr = stop(running, signal.SIGTERM)
    assert (status, stdout) == (0, "")
    assert stderr == (
        "service: warning: GRADIENT_MAX_NODE is no variable of the service and sets nothing; "
        "the nearest is GRADIENT_MAX_NODES\n"
    )


# Its workers.


def test_a_worker_that_is_killed_is_replaced_and_the_counts_go_on() -> None:
    with started(GRADIENT_WORKERS="2") as running:
        assert running.process.stdout
        assert " is up" in running.process.stdout.readline()
        for _ in range(20):
            assert running.post(SMALL).status == 200
        assert eventually(lambda: count_of(running, "/v1/gradient") == 20)
        killed, _ = workers_of(running)
        os.kill(killed, signal.SIGKILL)
        assert "a worker has ended with -9" in running.process.stdout.readline()
        assert " is up" in running.process.stdout.readline()
        assert len(set(workers_of(running)) - {killed}) == 2
        assert running.post(SMALL).status == 200
        assert eventually(lambda: count_of(running, "/v1/gradient") == 21)
        assert stop(running, signal.SIGTERM) == (0, "", "")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_no_process_and_no_file_is_left(tmp_path: Path, number: signal.Signals) -> None:
    with started(TMPDIR=str(tmp_path)) as server:
        with not_reading(server):
            everyone = descendants(server.process.pid)
        # Its client has left, and it computes on.
        assert stop(server, number)[0] == (0 if number == signal.SIGTERM else -signal.SIGKILL)
        assert eventually(lambda: not any(map(is_alive, everyone)))
        assert list(tmp_path.iterdir()) == []


def is_alive(pid: int) -> bool:
    """Say whether a process is there; a parent that died leaves zombies to the system."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):  # before it was opened, or since
        return False


# It stops.


@pytest.mark.parametrize("group", [True, False])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_with_0_and_without_a_word(number: int, *, group: bool) -> None:
    # A terminal interrupts the whole group, a service manager may tell the first process alone.
    with started() as running:
        assert stop(running, number, group=group) == (0, "", "")


def test_a_stop_loses_no_request_that_was_begun() -> None:
    with started(GRADIENT_STOP_SECONDS="3600") as server, ExitStack() as clients:
        begun = clients.enter_context(not_reading(server))
        head = posted(b"", length=len(SMALL), more="Expect: 100-continue\r\n")
        half = clients.enter_context(opened(server, head))
        assert half.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"  # it reads the body
        half.sendall(SMALL[:20])
        idle = server.connect()
        idle.request("GET", "/healthz")
        idle.getresponse().read()
        os.kill(server.process.pid, signal.SIGTERM)
        assert idle.sock.recv(1) == b""  # the stop has begun
        idle.close()
        half.sendall(SMALL[20:])
        with ThreadPoolExecutor() as pool:
            batch, single = pool.map(answer_to, [begun, half])
        assert batch[0] == single[0] == 200
        assert len(json.loads(batch[1])["results"]) == 5
        assert json.loads(single[1])["gradients"] == {"a": 10, "b": 10, "c": -1}
        _, stderr = server.process.communicate(timeout=HANG)
        assert (server.process.returncode, stderr) == (0, "")


def test_a_stop_cuts_what_takes_too_long_and_tells_of_it() -> None:
    with started(GRADIENT_STOP_SECONDS="1", GRADIENT_LOG_REQUESTS="1") as server, ExitStack() as on:
        readers = [on.enter_context(not_reading(server)) for _ in range(2)]
        code, log, stderr = stop(server, signal.SIGTERM)
        assert (code, stderr) == (0, "")
        for reader in readers:
            with pytest.raises((http.client.IncompleteRead, ConnectionError)):
                answer_to(reader)
    lines = [json.loads(line) for line in log.splitlines()]
    cut = [line["request_id"] for line in lines if "the reply was cut" in line.get("message", "")]
    told = [line["request_id"] for line in lines if line.get("status") == 200]
    assert len(set(cut)) == len(cut) == 2
    assert sorted(told) == sorted(cut)


def test_it_serves_on_while_it_drains_but_is_not_ready_until_a_second_signal() -> None:
    with started(GRADIENT_DRAIN_SECONDS="3600") as server:
        assert server.get("/readyz") == (200, b'{"status":"ready"}\n')
        os.kill(server.process.pid, signal.SIGTERM)
        assert eventually(lambda: server.get("/readyz")[0] == 503)
        assert json.loads(server.get("/readyz")[1])["code"] == "not_ready"
        assert server.post(SMALL).status == 200
        assert stop(server, signal.SIGTERM) == (0, "", "")


# It writes lines of JSON.

FAULTY = """
import service.compute.engine
from service.server.run import main

def fail(*_):
    raise RuntimeError("a fault of the engine")

service.compute.engine.differentiate = fail
main()
"""


def lines_of(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


def test_requests_faults_and_deaths_are_lines_on_stdout_and_stderr_is_empty() -> None:
    with started(("-c", FAULTY), GRADIENT_LOG_REQUESTS="1") as server:
        assert server.post(SMALL).status == 500
        [worker] = workers_of(server)
        os.kill(worker, signal.SIGKILL)
        assert eventually(lambda: [worker] != workers_of(server) != [])
        code, stdout, stderr = stop(server, signal.SIGTERM)
    fault, request, death, *_ = lines_of(stdout)
    assert str(fault["exception"]).endswith("RuntimeError: a fault of the engine\n")
    assert (fault["level"], fault["request_id"]) == ("error", request["request_id"])
    assert (request["level"], request["status"]) == ("error", 500)
    assert death["level"] == "error"
    assert death["message"] == "a worker has ended with -9; another takes its place"
    assert (code, stderr) == (0, "")


def test_no_line_of_many_is_lost_or_cut_at_a_stop() -> None:
    with started(GRADIENT_LOG_REQUESTS="1") as server:
        connection = server.connect()
        names = [f"request-{number}" for number in range(200)]
        for name in names:
            connection.request("GET", "/v1/limits", headers={"X-Request-Id": name})
            connection.getresponse().read()
        connection.close()
        _, stdout, _ = stop(server, signal.SIGTERM)
    assert [line["request_id"] for line in lines_of(stdout)] == names


# The container's health check.


@pytest.mark.thorough
def test_the_attack_runs_and_shows_a_row() -> None:
    options = ["--robust", "--seconds=1", "--pause=0", "--only", "endless headers"]
    argv = [sys.executable, "-m", "service.attack", *options]
    done = subprocess.run(argv, check=False, capture_output=True, text=True, cwd=ROOT)
    assert done.stderr == ""
    assert [line.split("  ")[0] for line in done.stdout.splitlines()[:2]] == [
        "attack",
        "endless headers",
    ]
