"""The service as a process, as `make run` starts it: it serves, refuses, logs and stops."""

import http.client
import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from urllib.request import urlopen

import pytest

from engine_py import CONTRACT, __version__
from service.config import VARIABLES, Config
from service.server import CONNECTIONS, main
from service.tests.processes import (
    AS_A_MODULE,
    CLIENT,
    HANG,
    JSON,
    ROOT,
    SMALL,
    Server,
    answer_to,
    command,
    command_line,
    descendants,
    eventually,
    not_reading,
    opened,
    posted,
    started,
    stop,
    workers_of,
)
from service.tests.test_request import LIMIT, body_of
from service.tests.validated import counted, proven, samples_of

LARGE = json.dumps({"expression": "+".join(["tanh(a)"] * 3_300), "values": {"a": 0.5}}).encode()
"""9,900 nodes: a large request, whose reply has megabytes."""

ENDLESS = json.dumps(
    {
        "expression": "(w * x - y) ** 2",
        "values": {"w": 0, "x": 0, "y": 0},
        "parameters": ["w"],
        "rows": [{"x": row, "y": row} for row in range(1_000)],
        "learning_rate": 1e-9,
        "steps": 5_000,
    }
).encode()
"""A descent of 35 million nodes."""

EXPECT = "Expect: 100-continue"


def metric(server: Server, name: str, **labels: str) -> float:
    return counted(samples_of(server.get("/metrics")[1].decode()), name, **labels)


def in_flight(server: Server, kind: str) -> float:
    return metric(server, "http_requests_in_flight", kind=kind)


def run_to_end(*arguments: str, port: int | str = 0, **variables: str) -> tuple[int, str, str]:
    process = command(port, arguments or ("-m", "service"), **variables)
    stdout, stderr = process.communicate(timeout=HANG)
    return process.returncode, stdout, stderr


def lines_of(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with started() as running:
        yield running
        assert stop(running, signal.SIGTERM) == (0, "", "")


# It serves.


@pytest.mark.parametrize(
    ("host", "number", "group"),
    [
        ("localhost", signal.SIGINT, True),  # as a terminal does
        ("0.0.0.0", signal.SIGTERM, False),  # as a service manager may
        ("localhost", signal.SIGHUP, True),  # as a terminal that is closed
    ],
)
def test_the_addresses_in_the_startup_line_work_until_it_stops(
    host: str, number: int, *, group: bool
) -> None:
    with started(GRADIENT_HOST=host) as running:
        url, parts = running.line.split(" is up: ")
        assert url == f"http://localhost:{running.port}"
        assert parts == "the page, and at /docs the HTTP API"
        for path in ("/", "/docs"):
            assert running.get(path)[0] == 200
        assert running.post(SMALL).status == 200
        stops_and_leaves_no_process(running, number, group=group)


def stops_and_leaves_no_process(running: Server, number: int, *, group: bool) -> None:
    everyone = descendants(running.process.pid)
    assert len(everyone) > 1
    code = -number if number == signal.SIGKILL else 0
    assert stop(running, number, group=group) == (code, "", "")
    assert eventually(lambda: not any(map(command_line, everyone)))


def test_a_worker_can_be_spawned_instead_of_forked() -> None:
    # As on macOS, and on Linux from Python 3.14 on.
    method = "import multiprocessing; multiprocessing.set_start_method('spawn')"
    with started(("-c", f"{method}; from service.server import main; main()")) as running:
        assert running.post(SMALL).status == 200
        assert stop(running, signal.SIGTERM) == (0, "", "")


def test_a_refused_request_keeps_its_connection_open(server: Server) -> None:
    connection = server.connect()
    for body, status in ((b"{", 400), (b"{}", 422), (SMALL, 200)):
        connection.request("POST", "/v1/gradient", body, JSON)
        response = connection.getresponse()
        assert response.read()
        assert response.status == status
    connection.close()


def test_requests_are_answered_while_other_clients_stall(
    server: Server,
) -> None:
    with ExitStack() as slow:
        request = posted(SMALL)
        for start in [request[:40], request[:-20]] * 64:
            slow.enter_context(opened(server.port, start))
        slow.enter_context(not_reading(server.port))
        assert server.post(SMALL).status == 200
        assert server.post(LARGE).status == 200


def test_a_client_that_aborts_its_requests_gets_the_last_reply() -> None:
    with started(GRADIENT_MAX_WAITING="2") as server:
        for number in range(1, 7):  # more than the queue holds
            with opened(server.port, posted(LARGE)):
                assert eventually(lambda: seen(server) >= number)  # noqa: B023 - called now
        assert server.post(LARGE).status == 200


def seen(server: Server) -> float:
    """Return how many requests of the route have arrived, answered or not."""
    answered = metric(server, "http_requests_total", route="/v1/gradient")
    return answered + in_flight(server, "large") + in_flight(server, "waiting")


# It refuses requests.


def pieces_of(body: bytes, size: int) -> list[bytes]:
    return [body[at : at + size] for at in range(0, len(body), size)]


@pytest.mark.parametrize("size", [100, LIMIT])
def test_a_chunked_body_of_exactly_the_limit_is_answered(server: Server, size: int) -> None:
    assert server.post_chunked(pieces_of(body_of(LIMIT), size)).content["result"] == 6


@pytest.mark.parametrize("more", [1, 100_000])
def test_a_chunked_body_beyond_the_limit_is_refused_and_not_truncated(
    server: Server, more: int
) -> None:
    # Truncated at the limit, it would be valid.
    reply = server.post_chunked([*pieces_of(body_of(LIMIT), 8192), b" " * more])
    assert (reply.status, reply.content["code"]) == (413, "payload_too_large")
    assert (reply.content["limit"], reply.content["actual"]) == (LIMIT, None)


def test_the_service_itself_refuses_an_address_of_thirty_kilobytes(server: Server) -> None:
    """A head is read up to 32 kB; the server would refuse a longer one without a problem."""
    status, reply = server.get(f"/v1/gradient?expression={'a' * 30_000}")
    assert (status, json.loads(reply)["code"]) == (400, "malformed_request")


def test_ten_megabytes_are_refused_after_they_are_read(server: Server) -> None:
    # A client that reads only after it has sent everything sees no broken pipe.
    reply = server.post(b" " * 10_000_000)
    assert (reply.status, reply.content["actual"]) == (413, 10_000_000)


@pytest.mark.parametrize(("length", "actual"), [(LIMIT + 1, LIMIT + 1), (2**60, 2**53 - 1)])
def test_with_expect_100_continue_a_large_body_is_refused_before_it_is_sent(
    server: Server, length: int, actual: int
) -> None:
    with opened(server.port, posted(b"", EXPECT, length=length)) as client:
        reply = proven(*answer_to(client))
    assert (reply.status, reply.content["code"]) == (413, "payload_too_large")
    assert (reply.content["limit"], reply.content["actual"]) == (LIMIT, actual)


def test_too_many_large_requests_are_refused() -> None:
    sines = {"expression": "+".join(["sin(x)"] * 60), "values": {"x": 1}, "parameters": ["x"]}
    descent = posted(json.dumps({**sines, "steps": 10_000}).encode(), path="/v1/descend")
    with started(GRADIENT_MAX_WAITING="1", GRADIENT_WAIT_SECONDS="3600") as server:
        with opened(server.port, descent):
            assert eventually(lambda: in_flight(server, "large") == 1)
            with opened(server.port, descent) as older:
                assert eventually(lambda: in_flight(server, "waiting") == 1)
                with opened(server.port, descent):
                    reply = proven(*answer_to(older))
        found = [reply.content[member] for member in ("code", "limit", "actual")]
        assert (reply.status, found) == (503, ["overloaded", 1, 2])
        assert reply.headers["Retry-After"] == "1"
        assert server.post(SMALL).status == 200


# It does not start.


def test_a_port_in_use_is_reported_with_exit_status_1(server: Server) -> None:
    code, stdout, stderr = run_to_end(port=server.port)
    assert (code, stdout) == (1, "")
    assert stderr == (
        f"service: cannot listen on 127.0.0.1, port {server.port}: Address already in use; "
        "choose another by PORT or GRADIENT_HOST\n"
    )


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"PORT": "eighty"}, "PORT must be a whole number from 0 to 65535, not 'eighty'"),
        ({"GRADIENT_HOST": "nowhere.invalid"}, "cannot listen on nowhere.invalid"),
        ({"GRADIENT_HOST": "203.0.113.1"}, "cannot listen on 203.0.113.1"),
    ],
)
def test_an_unusable_setting_is_reported(
    variables: dict[str, str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"PORT": "0", **variables}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit) as ended:  # which Python prints, and exits with 1
        main()
    assert str(ended.value).startswith(f"service: {message}")
    assert "\n" not in str(ended.value)


def test_version_prints_the_versions_of_software_and_contract() -> None:
    found = f"gradient-service {__version__}, contract {CONTRACT}\n"
    assert run_to_end("-m", "service", "--version") == (0, found, "")


def test_help_lists_every_variable_and_an_argument_is_refused() -> None:
    code, stdout, stderr = run_to_end("-m", "service", "--help")
    assert (code, stderr) == (0, "")
    assert set(VARIABLES) <= set(stdout.split())
    assert "(default: 262144)" in stdout
    code, stdout, stderr = run_to_end("-m", "service", "--port=80")
    assert (code, stdout) == (2, "")
    assert stderr.endswith("error: unrecognized arguments: --port=80\n")


def test_an_unknown_variable_causes_a_warning_without_its_value() -> None:
    with started(GRADIENT_MAX_NODE="my secret") as running:
        assert running.post(SMALL).status == 200
        status, stdout, stderr = stop(running, signal.SIGTERM)
    assert (status, stdout) == (0, "")
    assert stderr == (
        "service: warning: GRADIENT_MAX_NODE sets nothing; the nearest is GRADIENT_MAX_NODES\n"
    )


# It stops.


def test_a_killed_service_leaves_no_process() -> None:
    with started() as running:
        stops_and_leaves_no_process(running, signal.SIGKILL, group=False)


@pytest.mark.parametrize("group", [True, False])
def test_a_stop_completes_the_requests_in_progress(*, group: bool) -> None:
    with started(GRADIENT_STOP_SECONDS="3600") as server, ExitStack() as clients:
        begun = clients.enter_context(not_reading(server.port))
        head = posted(b"", EXPECT, length=len(SMALL))
        half = clients.enter_context(opened(server.port, head))
        assert half.recv(100).startswith(b"HTTP/1.1 100 Continue\r\n")  # it waits for the body
        half.sendall(SMALL[:20])
        idle = server.connect()
        idle.request("GET", "/healthz")
        idle.getresponse().read()
        (os.killpg if group else os.kill)(server.process.pid, signal.SIGTERM)
        assert idle.sock.recv(1) == b""  # closed, so the stop has begun
        idle.close()
        half.sendall(SMALL[20:])
        with ThreadPoolExecutor() as pool:
            batch, single = pool.map(answer_to, [begun, half])
        assert batch[0] == single[0] == 200
        assert len(json.loads(batch[2])["results"]) == 10
        assert json.loads(single[2])["gradients"] == {"a": 10, "b": 10, "c": -1}
        _, stderr = server.process.communicate(timeout=HANG)
        assert (server.process.returncode, stderr) == (0, "")


def test_a_stop_cuts_off_slow_replies_and_logs_them() -> None:
    with started(GRADIENT_STOP_SECONDS="1", GRADIENT_LOG_REQUESTS="1") as server, ExitStack() as on:
        readers = [on.enter_context(not_reading(server.port)) for _ in range(2)]
        code, log, stderr = stop(server, signal.SIGTERM)
        assert (code, stderr) == (0, "")
        for reader in readers:
            with pytest.raises((http.client.IncompleteRead, ConnectionError)):
                answer_to(reader)
    cut = [line for line in lines_of(log) if line.get("route") == "/v1/gradients"]
    assert {(line["level"], line["cut"]) for line in cut} == {("warning", "the service stopped")}
    assert len({line["request_id"] for line in cut}) == 2


def test_large_requests_that_wait_at_a_stop_are_logged_as_warnings() -> None:
    # The first descent computes until its deadline, twice as long as the others may wait.
    seconds = {"GRADIENT_COMPUTE_SECONDS": "2", "GRADIENT_WAIT_SECONDS": "1"}
    variables = {"GRADIENT_STOP_SECONDS": "3600", "GRADIENT_LOG_REQUESTS": "1", **seconds}
    variables["GRADIENT_MAX_DESCENT_NODES"] = "40000000"
    with started(AS_A_MODULE, **variables) as server, ExitStack() as on:
        for _ in range(3):
            on.enter_context(opened(server.port, posted(ENDLESS, path="/v1/descend")))
        assert eventually(lambda: in_flight(server, "waiting") == 2)
        code, log, stderr = stop(server, signal.SIGTERM)
    assert (code, stderr) == (0, "")
    found = [line for line in lines_of(log) if line["route"] == "/v1/descend"]
    assert [line.get("code", line.get("cut")) for line in found] == [
        "overloaded",
        "overloaded",
        "compute_timeout",
    ]
    assert {line["level"] for line in lines_of(log)} == {"warning"}


# It logs lines of JSON.

FAILING = """
import service.compute
from service.server import main

def fail(*_, **__):
    raise RuntimeError("the engine failed")

service.compute.differentiate = fail
main()
"""


def printed_on_terminal(form: str) -> list[str]:
    """Return what a terminal shows for two requests, one of which fails, and for the stop."""
    ours, theirs = pty.openpty()
    environ = {**os.environ, "PORT": "0", "GRADIENT_LOG": form}
    argv = (sys.executable, "-c", FAILING)
    with subprocess.Popen(argv, cwd=ROOT, env=environ, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        try:
            text = os.read(ours, 65_536).decode()
            port = int(re.findall(r":(\d+) is up", text)[0])
            for sent in (b"GET /docs HTTP/1.1\r\nHost: x\r\n\r\n", posted(SMALL)):
                with opened(port, sent) as connection:
                    answer_to(connection)
            process.terminate()
            with suppress(OSError):  # the end of a pseudo-terminal on Linux
                while piece := os.read(ours, 65_536):
                    text += piece.decode()
        finally:
            process.kill()
            os.close(ours)
    return text.splitlines()


def test_a_terminal_shows_messages_as_text_and_no_requests() -> None:
    first, reported, *traceback = printed_on_terminal("auto")
    assert first.startswith("http://127.0.0.1:")
    assert first.endswith(" is up: the page, and at /docs the HTTP API")
    assert reported == "a request failed"
    assert (traceback[0], traceback[-1]) == (
        "Traceback (most recent call last):",
        "RuntimeError: the engine failed",
    )


def test_a_terminal_shows_json_if_configured() -> None:
    logged = lines_of("\n".join(printed_on_terminal("json")))
    assert [line.get("route") for line in logged] == [None, "/docs", None, "/v1/gradient"]


def test_a_killed_worker_is_replaced_and_its_end_is_logged() -> None:
    with started(("-c", FAILING), GRADIENT_LOG_REQUESTS="1") as server:
        assert server.post(SMALL).status == 500
        [worker] = workers_of(server)
        os.kill(worker, signal.SIGKILL)
        assert server.process.stdout
        found = [server.process.stdout.readline() for _ in range(5)]
        assert server.post(SMALL).status == 500  # from the new worker
        code, _, stderr = stop(server, signal.SIGTERM)
    error, request, *others = lines_of("".join(found))
    assert str(error["exception"]).endswith("RuntimeError: the engine failed\n")
    assert (error["level"], error["request_id"]) == ("error", request["request_id"])
    assert (request["level"], request["status"]) == ("error", 500)
    deaths = {line["message"]: line for line in others if line["level"] == "error"}
    ended = deaths[f"worker {worker} ended, and its requests with it"]
    assert ended["exit_status"] == -signal.SIGKILL
    assert "Unexpected exit from worker-1" in deaths
    assert (code, stderr) == (0, "")


HUNGRY = """
import service.compute
from service.server import main

def allocate(prepared, request, *, deadline):
    if request.values["a"] < 0:
        return bytearray(1 << 33)  # in one piece
    kept = []
    while True:
        kept.append(bytearray(1 << 20))
        deadline.check()

service.compute.differentiate = allocate
main()
"""


@pytest.mark.parametrize("value", [-1, 1])
def test_a_request_that_needs_too_much_memory_is_refused(value: int) -> None:
    body = {"expression": "a + " * 300 + "a", "values": {"a": value}}  # a large request
    with started(("-c", HUNGRY)) as server:
        workers = workers_of(server)
        reply = server.post(json.dumps(body).encode())
        assert (reply.status, reply.content["code"]) == (503, "overloaded")
        assert reply.content["limit"] == Config().max_memory_bytes
        assert server.get("/healthz")[0] == 200
        assert workers_of(server) == workers
        assert stop(server, signal.SIGTERM) == (0, "", "")


def test_the_probes_port_answers_when_all_connections_are_taken() -> None:
    with socket.create_server((CLIENT, 0)) as free:
        own = free.getsockname()[1]
    with started(GRADIENT_PROBES_PORT=str(own)) as server, ExitStack() as taken:
        for _ in range(CONNECTIONS):
            taken.enter_context(opened(server.port, posted(SMALL)[:-1]))
        with opened(server.port, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n") as waiting:
            for path in ("healthz", "readyz", "metrics"):
                with urlopen(f"http://{CLIENT}:{own}/{path}") as reply:
                    assert reply.status == 200
            waiting.settimeout(0)
            with pytest.raises(BlockingIOError):  # no reply yet on the service's port
                waiting.recv(1)
        assert eventually(lambda: listens(own + 1))  # on a busy machine later than the others
        with urlopen(f"http://{CLIENT}:{own + 1}/metrics") as reply:
            assert b"granian_workers_respawns_for_err 0" in reply.read()


def listens(port: int) -> bool:
    with suppress(ConnectionRefusedError), socket.create_connection((CLIENT, port)):
        return True
    return False


def test_no_log_line_is_lost_at_a_stop() -> None:
    with started(GRADIENT_LOG_REQUESTS="1") as server:
        connection = server.connect()
        names = [f"request-{number}" for number in range(200)]
        for name in names:
            connection.request("GET", "/v1/limits", headers={"X-Request-Id": name})
            connection.getresponse().read()
        connection.close()
        _, stdout, _ = stop(server, signal.SIGTERM)
    assert [line["request_id"] for line in lines_of(stdout)] == names


def test_a_reply_cut_off_by_its_client_is_logged_and_counted() -> None:
    with started(GRADIENT_LOG_REQUESTS="1") as server:
        not_reading(server.port).close()
        of_batches = {"route": "/v1/gradients"}
        assert eventually(lambda: metric(server, "http_replies_cut_total", **of_batches) == 1)
        assert metric(server, "http_requests_total", **of_batches) == 1
        _, stdout, _ = stop(server, signal.SIGTERM)
    [line] = [line for line in lines_of(stdout) if line.get("route") == "/v1/gradients"]
    found = (line["level"], line["status"], line["cut"])
    assert found == ("warning", 200, "its client left")
