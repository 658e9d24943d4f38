"""`make bench-http`: the whole route beside a bare Flask route, in one run on one server.

Both are asked in turn, round by round, with the same body and the same size of reply. The ratio is
the share of the bare route's requests a second; 1 is the exit code when a goal is missed.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from statistics import median
from time import perf_counter, sleep
from wsgiref.types import WSGIApplication

from service import Config
from service.bench.load import measure, slow_clients
from service.bench.workloads import FULL, WORKLOADS, Workload, make_application

PORT = 8_431
CONNECTIONS = 16
SLOW = 64
ROUNDS = 7
SECONDS = 0.7
CALLS = 400


def main() -> int:
    """Print the tables; 1 when a goal is missed."""
    print(f"{'':22}{'bare':>12}{'full':>12}{'ratio':>8}   goal", flush=True)
    met = [row_in_process(make_application(Config(log_requests=False)), each) for each in WORKLOADS]
    with served():
        met += [row_served(each) for each in WORKLOADS]
        print(f"\n{'':22}{'p50':>12}{'p99':>12}   of `lesson`, {CONNECTIONS} connections")
        latency_row("bare", WORKLOADS[0].bare)
        latency_row("full", FULL)
        with slow_clients(PORT, SLOW):
            latency_row(f"full, {2 * SLOW} slow clients", FULL)
    return 0 if all(met) else 1


def row_in_process(application: WSGIApplication, workload: Workload) -> bool:
    """Call the application without a server; microseconds a request, the best round of each."""
    call = partial(timed, application, workload.body)
    bare, full = zip(*((call(workload.bare), call(FULL)) for _ in range(4 * ROUNDS)), strict=True)
    ratio, goal = min(bare) / min(full), workload.in_process_goal
    print(
        f"{workload.name + ', in process':22}{min(bare) * 1e6:9.0f} µs{min(full) * 1e6:9.0f} µs"
        f"{ratio:8.2f}   >= {goal:.2f}",
        flush=True,
    )
    return bool(ratio >= goal)


def timed(application: WSGIApplication, body: bytes, path: str) -> float:
    """Seconds for one call."""
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": path,
        "QUERY_STRING": "",
        "SERVER_NAME": "bench",
        "SERVER_PORT": "80",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.url_scheme": "http",
        "wsgi.input_terminated": True,
    }
    start = perf_counter()
    for _ in range(CALLS):
        pieces = application({**environ, "wsgi.input": BytesIO(body)}, lambda *_: None)  # type: ignore[arg-type]
        b"".join(pieces)
    return (perf_counter() - start) / CALLS


def row_served(workload: Workload) -> bool:
    """Ask over the network; requests a second."""
    ask = partial(measure, PORT, body=workload.body, connections=CONNECTIONS, seconds=SECONDS)
    rounds = [
        (ask(path=workload.bare).per_second, ask(path=FULL).per_second) for _ in range(ROUNDS)
    ]
    bare, full = (median(column) for column in zip(*rounds, strict=True))
    ratio, goal = median(full / bare for bare, full in rounds), workload.served_goal
    print(
        f"{workload.name + ', served':22}{bare:10.0f}/s{full:10.0f}/s{ratio:8.2f}   >= {goal:.2f}",
        flush=True,
    )
    return ratio >= goal


def latency_row(name: str, path: str) -> None:
    """Print how long a request of the first workload takes, in milliseconds."""
    body = WORKLOADS[0].body
    rounds = [measure(PORT, path, body, CONNECTIONS, SECONDS) for _ in range(ROUNDS)]
    p50, p99 = (median(column) * 1e3 for column in zip(*(row[1:] for row in rounds), strict=True))
    print(f"{name:22}{p50:9.2f} ms{p99:9.2f} ms", flush=True)


@contextmanager
def served() -> Iterator[None]:
    """Serve both with one worker; the log is written, but goes nowhere."""
    argv = [sys.executable, "-m", "service.bench.serve", str(PORT)]
    with subprocess.Popen(argv, stdout=subprocess.DEVNULL) as process:  # noqa: S603 - ours
        try:
            wait_until_answered()
            yield
        finally:
            process.terminate()


def wait_until_answered() -> None:
    """Wait for the server's first answer."""
    for _ in range(200):
        try:
            measure(PORT, FULL, WORKLOADS[0].body, 1, 0.0)
        except ConnectionError:
            sleep(0.05)
        else:
            return
    raise SystemExit(f"bench: nothing answers at port {PORT}")


if __name__ == "__main__":
    sys.exit(main())
