"""The service as a process, on the server that `make run` starts."""

import http.client
import json
import os
import shlex
import signal
import socket
from collections.abc import Iterator
from urllib.request import urlopen

import pytest

from service.config import VARIABLES
from service.tests.processes import (
    JSON,
    Server,
    command,
    eventually,
    free_port,
    is_answered,
    read,
    started,
    stop,
    workers_of,
)
from service.tests.test_body import LIMIT, body_of
from service.tests.validated import EXAMPLE


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with started() as running:
        yield running
        assert stop(running, signal.SIGTERM) == (0, "", "")


def test_the_line_that_it_prints_has_a_call_that_is_answered(server: Server) -> None:
    url, call = server.line.split(" is up; try: ")
    assert url == f"http://127.0.0.1:{server.port}"
    program, silent, target = shlex.split(call)
    assert (program, silent) == ("curl", "-s")
    with urlopen(target) as reply:
        assert json.load(reply)["gradients"] == {"a": 10, "b": 10, "c": -1}


def test_a_refusal_does_not_cost_the_connection(server: Server) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
    for body, status in ((b"{", 400), (b"{}", 422), (json.dumps(EXAMPLE).encode(), 200)):
        connection.request("POST", "/v1/gradient", body, JSON)
        response = connection.getresponse()
        assert read(response).status == status
    connection.close()


def pieces_of(body: bytes, size: int) -> list[bytes]:
    return [body[at : at + size] for at in range(0, len(body), size)]


@pytest.mark.parametrize("size", [100, 4096, 65_536, LIMIT])
def test_a_chunked_body_of_exactly_the_limit_is_answered(server: Server, size: int) -> None:
    assert server.post_chunked(pieces_of(body_of(LIMIT), size)).content["result"] == 6


@pytest.mark.parametrize("more", [1, 2, 1000, 100_000])
def test_a_chunked_body_beyond_the_limit_is_refused_and_not_cut_short(
    server: Server, more: int
) -> None:
    # Cut at the limit it would be a fine request.
    reply = server.post_chunked([*pieces_of(body_of(LIMIT), 8192), b" " * more])
    assert (reply.status, reply.content["code"]) == (413, "payload_too_large")
    assert (reply.content["limit"], reply.content["actual"]) == (LIMIT, None)


def test_ten_megabytes_are_refused_before_they_are_sent(server: Server) -> None:
    reply = server.post(b"{", announced=10_000_000)
    assert (reply.status, reply.content["actual"]) == (413, 10_000_000)  # waited for, it were 408


@pytest.mark.parametrize("first", [True, False])
def test_a_request_of_two_lengths_is_refused_and_nothing_is_read_after_it(
    server: Server, *, first: bool
) -> None:
    """RFC 9112 section 6.3: it may be meant to smuggle another."""
    lengths = [b"Content-Length: 5\r\n", b"Transfer-Encoding: chunked\r\n"]
    head = b"POST /v1/gradient HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    body = json.dumps(EXAMPLE).encode()
    chunks = b"\r\n%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    smuggled = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(head + b"".join(lengths[:: 1 if first else -1]) + chunks + smuggled)
        received = b""
        while piece := connection.recv(65_536):
            received += piece
    assert received.count(b"HTTP/1.1 ") == 1
    assert received.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert b"\r\nconnection: close\r\n" in received


def test_a_port_that_is_taken_is_said_and_ends_with_1(server: Server) -> None:
    second = command(server.port)
    stdout, stderr = second.communicate(timeout=20)
    assert (second.returncode, stdout) == (1, "")
    assert stderr == (
        f"service: cannot listen on 127.0.0.1, port {server.port}: Address already in use; "
        "choose another by PORT or GRADIENT_HOST\n"
    )


@pytest.mark.parametrize(
    ("port", "host", "message"),
    [
        ("eighty", "", "PORT must be a whole number from 1 to 65535, not 'eighty'"),
        ("", "nowhere.invalid", "cannot listen on nowhere.invalid"),
        ("", "203.0.113.1", "cannot listen on 203.0.113.1"),
    ],
)
def test_a_configuration_that_cannot_be_used_is_said_and_ends_with_1(
    port: str, host: str, message: str
) -> None:
    process = command(port, GRADIENT_HOST=host)
    stdout, stderr = process.communicate(timeout=20)
    assert (process.returncode, stdout) == (1, "")
    assert stderr.startswith(f"service: {message}")
    assert stderr.count("\n") == 1


def test_help_tells_every_variable_and_ends_with_0() -> None:
    process = command("", ("-m", "service", "--help"))
    stdout, stderr = process.communicate(timeout=20)
    assert (process.returncode, stderr) == (0, "")
    assert set(VARIABLES) <= set(stdout.split())
    assert "(default: 262144)" in stdout


def test_an_argument_is_refused_in_words() -> None:
    process = command("", ("-m", "service", "--port=80"))
    stdout, stderr = process.communicate(timeout=20)
    assert (process.returncode, stdout) == (2, "")
    assert stderr.endswith("error: unrecognized arguments: --port=80\n")


def test_an_unknown_variable_is_a_warning_without_its_value() -> None:
    with started(GRADIENT_MAX_NODE="my secret") as running:
        assert running.post(json.dumps(EXAMPLE).encode()).status == 200
        status, stdout, stderr = stop(running, signal.SIGTERM)
    assert (status, stdout) == (0, "")
    assert stderr == (
        "service: warning: GRADIENT_MAX_NODE is no variable of the service and sets nothing; "
        "the nearest is GRADIENT_MAX_NODES\n"
    )


@pytest.mark.parametrize("host", ["localhost", "0.0.0.0"])
def test_a_host_may_be_a_name_or_all_addresses(host: str) -> None:
    with started(GRADIENT_HOST=host) as running:
        assert running.line.startswith(f"http://localhost:{running.port} is up")
        assert running.post(json.dumps(EXAMPLE).encode()).status == 200
        assert stop(running, signal.SIGTERM) == (0, "", "")


def test_each_worker_tells_that_it_serves_also_one_that_takes_the_place_of_another() -> None:
    with started(GRADIENT_WORKERS="3") as running:
        assert running.process.stdout
        told = [running.line, *(running.process.stdout.readline() for _ in range(2))]
        assert [" is up" in line for line in told] == [True] * 3
        [killed, *_] = workers_of(running)
        os.kill(killed, signal.SIGKILL)
        assert "a worker has ended with -9" in running.process.stdout.readline()
        assert " is up" in running.process.stdout.readline()
        assert len(set(workers_of(running)) - {killed}) == 3
        assert stop(running, signal.SIGTERM) == (0, "", "")


PATIENT = "from service.server import run; run._SECONDS_TO_STOP = 300; run.main()"
SLOW_TO_LOAD = """
import time
from service.server import run

def work(*arguments, work=run._work):
    time.sleep(2)
    work(*arguments)

run._work = work
run._SECONDS_TO_STOP = 300
run.main()
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_stop_reaches_workers_that_have_not_started_yet(number: int) -> None:
    with command(free_port(), ("-c", SLOW_TO_LOAD), GRADIENT_WORKERS="2") as process:
        try:
            loading = Server(process, 0, "")
            assert eventually(lambda: len(workers_of(loading)) == 2)
            # Far sooner than a worker would be killed.
            code, stdout, stderr = stop(loading, number, group=True, seconds=60)
            # One may tell that it serves before the other has begun: it learns of the stop then.
            assert (code, stdout.count("\n"), stderr) == (0, stdout.count(" is up"), "")
            assert stdout.count(" is up") < 2
        finally:
            process.kill()


DYING = """
import sys
from service.server import run

start = run._Main._start

def start_next(self):
    global lives
    run._work = lambda *arguments, lives=lives[0]: sys.exit(3) if not lives else work(*arguments)
    lives = lives[1:] or lives
    start(self)

work, lives = run._work, %s
run._Main._start = start_next
run._FIRST_PAUSE, run._PAUSES_IN_ALL, run._SOUND = 0.1, 1, %s
run.main()
"""


def test_workers_that_end_again_and_again_end_the_service_with_1() -> None:
    process = command(free_port(), ("-c", DYING % ([0], 10)))
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (1, "")
    *deaths, last = [json.loads(line)["message"] for line in stdout.splitlines()]
    assert set(deaths) == {"a worker has ended with 3; another takes its place"}
    assert len(deaths) == 5  # after pauses of .1, .2, .4 and .8 seconds
    assert last == "workers end again and again: the service stops"


def test_a_server_whose_workers_ended_is_not_ready_until_one_has_served_for_a_while() -> None:
    with started(("-c", DYING % ([0, 0, 1], 3))) as running:
        assert "has ended with 3" in running.line
        assert eventually(lambda: is_answered(running))
        status, content = running.get("/readyz")
        assert (status, json.loads(content)["code"]) == (503, "not_ready")
        assert eventually(lambda: running.get("/readyz")[0] == 200)
        assert stop(running, signal.SIGTERM)[0] == 0


WITHOUT_SPACE = """
import resource
from service.server import run

def work(*arguments, work=run._work):
    limit()
    work(*arguments)

def limit():
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))

run._work = work
%s
run.main()
"""


def test_a_start_without_space_for_files_is_said_and_ends_with_1() -> None:
    process = command(free_port(), ("-c", WITHOUT_SPACE % "limit()"))
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout) == (1, "")
    fault = "service: cannot write to a temporary folder: File too large; "
    assert stderr == f"{fault}name one that can be written to by TMPDIR\n"


def test_without_space_for_files_it_answers_and_each_worker_counts_by_itself() -> None:
    with started(("-c", WITHOUT_SPACE % "")) as running:
        assert running.line == "counts are this process's alone: File too large"
        assert [running.post(json.dumps(EXAMPLE).encode()).status for _ in range(3)] == [200] * 3
        counted = running.get("/metrics")[1]
        assert b'http_requests_total{route="/v1/gradient",status="200"} 3.0' in counted
        code, stdout, stderr = stop(running, signal.SIGTERM)
        assert (code, stderr) == (0, "")
        assert {json.loads(line)["level"] for line in stdout.splitlines()} <= {"info", "warning"}


def test_a_worker_that_is_killed_refuses_nobody() -> None:
    with started() as running:
        [worker] = workers_of(running)
        os.kill(worker, signal.SIGKILL)
        assert eventually(lambda: workers_of(running) != [worker])
        assert running.post(json.dumps(EXAMPLE).encode()).status == 200
        assert stop(running, signal.SIGTERM)[0] == 0


@pytest.mark.parametrize("group", [True, False])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_with_0_at_once_and_without_a_word(number: int, *, group: bool) -> None:
    # A terminal interrupts the whole group, a service manager may tell the first process alone.
    with started(("-c", PATIENT)) as running:
        # Far sooner than a worker would be killed.
        assert stop(running, number, group=group, seconds=60) == (0, "", "")


def test_a_signal_of_the_terminal_does_not_reach_the_worker_by_itself(server: Server) -> None:
    # Stopped like this, the first process sleeps; only a worker in a group of its own answers.
    os.killpg(server.process.pid, signal.SIGSTOP)
    try:
        assert server.post(json.dumps(EXAMPLE).encode()).status == 200
    finally:
        os.killpg(server.process.pid, signal.SIGCONT)


def test_it_runs_where_workers_are_spawned_and_not_forked() -> None:
    # As on macOS, and on Linux from Python 3.14 on.
    method = "import multiprocessing; multiprocessing.set_start_method('spawn')"
    with started(("-c", f"{method}; from service.server.run import main; main()")) as running:
        assert running.post(json.dumps(EXAMPLE).encode()).status == 200
        assert stop(running, signal.SIGTERM) == (0, "", "")
