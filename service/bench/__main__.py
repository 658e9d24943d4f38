"""`make bench-http`: the service beside a bare Flask route on granian's own WSGI, in one run.

The service runs as `python -m service` starts it, with metrics and its log in a file; the bare
route as a user would deploy it, with one worker and one thread. Both are asked in turn, round by
round, with the same body and reply.

A goal is for the time of the processor that all threads of a server take for a request, the bare
route's by the service's: how many requests a core answers. Requests a second are printed, too; on
two cores, which the client shares, they vary by a tenth from one run to the next. 1 is the exit
code when a goal or a log line is missed.

Where the service's time goes, in percent of its event loop's for 5 and for 26 nodes, as a sampling
profiler sees it every half a millisecond, without the kernel's part:

    uvicorn and server/: framing, turns, budgets, environment, sending      46   37
    request/: reading and checking                                          15   12
    the engine: forward, backward, the document                             12   22
    observe/: names, headers, counts, the line in the log                   11    9
    Flask, as lean.py has it: contexts, routing                              9    9
    reply/: the document's JSON                                              5    8
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from statistics import median
from tempfile import TemporaryFile
from time import sleep
from typing import IO

from service.bench.load import Measured, measure, processor_seconds, slow_clients
from service.bench.workloads import FULL, WORKLOADS, Workload

SERVICE, PEER = 8_431, 8_432
"""Ports."""
CONNECTIONS = 16
SLOW = 64
ROUNDS = 7
SECONDS = 0.7

Command = tuple[tuple[str, ...], dict[str, str]]
"""Arguments of Python, and variables."""

_SERVE: Command = ("-m", "service"), {"PORT": str(SERVICE), "GRADIENT_LOG_REQUESTS": "1"}
_SERVE_BARE: Command = ("-m", "service.bench.bare", str(PEER)), {}


def main() -> int:
    """Print the tables; 1 when a goal is missed."""
    loop = "uvloop" if find_spec("uvloop") else "asyncio"  # as uvicorn chooses
    print(f"the service on {loop}'s event loop, the bare route on WSGI with one thread\n")
    print(f"{'':10}{'requests a second':^28}{'us of the processor a request':^38}")
    columns = f"{'bare':>10}{'service':>10}{'ratio':>8}"
    print(f"{'':10}{columns}  {columns}   goal", flush=True)
    answered: list[int] = []
    with TemporaryFile() as log:
        with (
            running(_SERVE, SERVICE, FULL, log) as service,
            running(_SERVE_BARE, PEER, WORKLOADS[0].bare, log) as bare,
        ):
            met = [row(each, bare, service, answered) for each in WORKLOADS]
            latencies(answered)
        log.seek(0)
        lines = sum(b'"route":"/v1/gradient"' in line for line in log)
    print(f"\n{sum(answered)} requests answered, {lines} lines logged", flush=True)
    return 0 if all(met) and lines >= sum(answered) else 1


def row(workload: Workload, bare: int, service: int, answered: list[int]) -> bool:
    """Ask both in turn; print requests a second, and what one costs."""
    rounds = [
        (ask(bare, PEER, workload.bare, workload), ask(service, SERVICE, FULL, workload))
        for _ in range(ROUNDS)
    ]
    answered += [measured.answered for _, (measured, _) in rounds]
    rates = [(a.per_second, b.per_second) for (a, _), (b, _) in rounds]
    costs = [(a * 1e6, b * 1e6) for (_, a), (_, b) in rounds]
    ratio = median(a / b for a, b in costs)
    cells = [median(column) for column in zip(*rates, strict=True)]
    cells += [median(b / a for a, b in rates)]
    cells += [median(column) for column in zip(*costs, strict=True)]
    print(
        f"{workload.name:10}{cells[0]:10.0f}{cells[1]:10.0f}{cells[2]:8.2f}  "
        f"{cells[3]:10.0f}{cells[4]:10.0f}{ratio:8.2f}   >= {workload.goal:.2f}",
        flush=True,
    )
    return ratio >= workload.goal


def ask(pid: int, port: int, path: str, workload: Workload) -> tuple[Measured, float]:
    """Load a server; give what it answered, and the seconds of the processor for each."""
    before = processor_seconds(pid)
    measured = measure(port, path, workload.body, CONNECTIONS, SECONDS)
    return measured, (processor_seconds(pid) - before) / measured.answered


def latencies(answered: list[int]) -> None:
    """Print how long the first workload takes."""
    print(f"\n{'':22}{'p50':>12}{'p99':>12}   of {WORKLOADS[0].name}, {CONNECTIONS} connections")
    latency_row("bare", PEER, WORKLOADS[0].bare)
    answered += latency_row("service", SERVICE, FULL)
    with slow_clients(SERVICE, SLOW):
        answered += latency_row(f"service, {2 * SLOW} slow clients", SERVICE, FULL)


def latency_row(name: str, port: int, path: str) -> list[int]:
    """Print it in milliseconds, and give how many were answered."""
    body = WORKLOADS[0].body
    rounds = [measure(port, path, body, CONNECTIONS, SECONDS) for _ in range(ROUNDS)]
    p50, p99 = (median(column) * 1e3 for column in zip(*(row[1:3] for row in rounds), strict=True))
    print(f"{name:22}{p50:9.2f} ms{p99:9.2f} ms", flush=True)
    return [each.answered for each in rounds]


@contextmanager
def running(start: Command, port: int, path: str, log: IO[bytes]) -> Iterator[int]:
    """Serve with one worker, whose log is the file; give the first process."""
    arguments, variables = start
    environ = {**os.environ, **variables}
    argv = [sys.executable, *arguments]
    with subprocess.Popen(argv, stdout=log, env=environ) as process:  # noqa: S603 - ours
        try:
            wait_until_answered(port, path)
            yield process.pid
        finally:
            process.terminate()


def wait_until_answered(port: int, path: str) -> None:
    """Wait for the server's first answer."""
    for _ in range(200):
        try:
            measure(port, path, WORKLOADS[0].body, 1, 0.0)
        except ConnectionError:
            sleep(0.05)
        else:
            return
    raise SystemExit(f"bench: nothing answers at port {port}")


if __name__ == "__main__":
    sys.exit(main())
