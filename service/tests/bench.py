"""`make bench-http`: the service relative to a bare Flask route on granian, in one run.

The service runs as `python -m service` starts it, with metrics and its log. The bare route has the
same number of threads and returns the service's reply, computed once. The servers have one core,
the clients the other; they send to both in turn, round by round, as soon as a reply arrives.

A target is for the CPU time per request of all threads of a server (Linux): the bare route's
divided by the service's. Requests per second are printed, too; they vary by a tenth between runs.
The exit code is 1 if a target is missed.
"""

import json
import os
import selectors
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import NamedTuple

PATH = "/v1/gradient"
CONNECTIONS, ROUNDS, SECONDS = 16, 7, 0.7
SERVICE, BARE = 8_431, 8_432
"""Ports."""

CORES = sorted(os.sched_getaffinity(0))

_NEURONS = """\
h1 = tanh(x1*w1 + x2*w2 + b)
h2 = relu(x1*w3 + x2*w4 + b)
(h1*w5 + h2*w6 - y) ** 2"""
_VALUES = {"x1": 0.5, "x2": -1, "w1": 0.3, "w2": 0.7, "w3": -0.4, "w4": 0.9, "w5": 1.1, "w6": -0.2}


class Workload(NamedTuple):
    """A request, and the least ratio of CPU times, the bare route's by the service's."""

    name: str
    expression: str
    values: dict[str, float]
    goal: float

    @property
    def body(self) -> bytes:
        return json.dumps({"expression": self.expression, "values": self.values}).encode()


WORKLOADS = (
    Workload("5 nodes", "(a + b) * c", {"a": 2, "b": -3, "c": 10}, 0.55),
    Workload("26 nodes", _NEURONS, {**_VALUES, "b": 0.1, "y": 0.25}, 0.43),
)


def main() -> int:
    """Print the table; return 1 if a target is missed."""
    columns = f"{'bare':>10}{'service':>10}"
    print(f"{'':10}{'requests per second':^20}{'us of CPU time':^20}\n{'':10}{columns * 2}   ratio")
    with (
        running("service", SERVICE) as service,
        running("service.tests.bench", BARE, "bare") as bare,
    ):
        met = [row(workload, bare, service) for workload in WORKLOADS]
    return 0 if all(met) else 1


def row(workload: Workload, bare: int, service: int) -> bool:
    """Load both servers in turn; print requests per second and CPU time per request."""
    rounds = [(*ask(bare, BARE, workload), *ask(service, SERVICE, workload)) for _ in range(ROUNDS)]
    rates, costs, own_rates, own_costs = (median(column) for column in zip(*rounds, strict=True))
    ratio = median(cost / own for _, cost, _, own in rounds)
    times = f"{costs * 1e6:10.0f}{own_costs * 1e6:10.0f}"
    shown = f"{workload.name:10}{rates:10.0f}{own_rates:10.0f}{times}{ratio:8.2f}"
    print(f"{shown}   >= {workload.goal:.2f}", flush=True)
    return ratio >= workload.goal


def ask(pid: int, port: int, workload: Workload) -> tuple[float, float]:
    """Load a server; return its requests per second, and its CPU seconds per request."""
    before, began = cpu_seconds(pid), perf_counter()
    count = 0
    with ExitStack() as stack, selectors.DefaultSelector() as selector:
        for _ in range(CONNECTIONS):
            client = Client(port, workload.body)
            stack.callback(client.socket.close)
            selector.register(client.socket, selectors.EVENT_READ, client)
        while perf_counter() < began + SECONDS:
            for key, _ in selector.select(1):
                if key.data.is_answered():
                    count += 1
                    key.data.send()
    return count / (perf_counter() - began), (cpu_seconds(pid) - before) / max(1, count)


class Client:
    """A connection that repeats a request, whose replies have a Content-Length."""

    def __init__(self, port: int, body: bytes) -> None:
        head = f"POST {PATH} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
        self.request = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.send()

    def send(self) -> None:
        self.socket.sendall(self.request)
        self.received = b""

    def is_answered(self) -> bool:
        """Receive the bytes that have arrived; return whether the reply is complete."""
        self.received += self.socket.recv(1 << 20)
        head, _, body = self.received.partition(b"\r\n\r\n")
        if not head.startswith(b"HTTP/1.1 200 "):
            raise RuntimeError(f"the server answered {head[:60]!r}")
        length = head.lower().partition(b"content-length: ")[2].partition(b"\r")[0]
        return len(body) >= int(length)


def cpu_seconds(pid: int) -> float:
    """Return the CPU time that a process and its descendants have used so far."""
    times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    own = sum(map(int, times)) / os.sysconf("SC_CLK_TCK")
    children = (file.read_text().split() for file in Path("/proc").glob(f"{pid}/task/*/children"))
    return own + sum(cpu_seconds(int(child)) for of_task in children for child in of_task)


@contextmanager
def running(module: str, port: int, *arguments: str) -> Iterator[int]:
    """Run a server on the first core; yield the id of its process when it accepts connections."""
    argv = [sys.executable, "-m", module, *arguments]
    os.sched_setaffinity(0, CORES[:1])  # inherited by the server
    environ = {**os.environ, "PORT": str(port), "GRADIENT_LOG_REQUESTS": "1"}
    with subprocess.Popen(argv, stdout=subprocess.DEVNULL, env=environ) as process:
        os.sched_setaffinity(0, CORES[1:] or CORES)
        try:
            while process.poll() is None:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                except ConnectionError:
                    sleep(0.05)
                else:
                    yield process.pid
                    return
            raise SystemExit(f"bench: {module} ended with exit status {process.returncode}")
        finally:
            process.terminate()


def serve_bare() -> None:
    """Serve the service's reply to each workload on a bare Flask route."""
    from flask import Flask, Response, request  # noqa: PLC0415 - the client needs none of these
    from granian import Granian  # noqa: PLC0415
    from granian.constants import Interfaces  # noqa: PLC0415
    from granian.log import LogLevels  # noqa: PLC0415

    from service.app import create_app  # noqa: PLC0415
    from service.config import Config  # noqa: PLC0415
    from service.server import CONNECTIONS as THREADS  # noqa: PLC0415

    client = create_app(Config(log_requests=False)).test_client()
    replies = {
        each.body: client.post(PATH, data=each.body, content_type="application/json").data
        for each in WORKLOADS
    }
    bare = Flask(__name__, static_folder=None)

    @bare.post(PATH)
    def _view() -> Response:
        return Response(replies[request.get_data()], mimetype="application/json")

    server = Granian(
        "bare",
        port=int(os.environ["PORT"]),
        interface=Interfaces.WSGI,
        workers=1,
        blocking_threads=THREADS,
        log_level=LogLevels.error,
    )
    server.serve(target_loader=lambda: bare, wrap_loader=False)


if __name__ == "__main__":
    if sys.argv[1:]:
        serve_bare()
    else:
        sys.exit(main())
