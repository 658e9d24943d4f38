"""A server's address -> requests a second, how long they take and what they cost the server.

One process with one loop: threads would measure themselves.
"""

import os
import selectors
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

from service.attack.target import family

_LENGTH = b"content-length: "
_END_OF_HEAD = b"\r\n\r\n"


class Measured(NamedTuple):
    """What one load gave. Times in seconds."""

    per_second: float
    p50: float
    p99: float
    answered: int


class _Client:
    """A connection that sends a request as soon as the last one is answered."""

    def __init__(self, port: int, request: bytes) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.request = request
        self.send()

    def send(self) -> None:
        self.socket.sendall(self.request)
        self.asked, self.received, self.expected = perf_counter(), 0, 0

    def is_answered(self) -> bool:
        """Take what has come; the first part has the head as a whole."""
        part = self.socket.recv(1 << 20)
        if not self.expected:
            head, _, _ = part.partition(_END_OF_HEAD)
            if not head.startswith(b"HTTP/1.1 200 "):
                raise RuntimeError(f"the server answered {head[:60]!r}")
            length = head[head.index(_LENGTH) + len(_LENGTH) :].partition(b"\r")[0]
            self.expected = len(head) + len(_END_OF_HEAD) + int(length)
        self.received += len(part)
        return self.received >= self.expected


def measure(port: int, path: str, body: bytes, connections: int, seconds: float) -> Measured:
    """Load a server for so long."""
    head = f"POST {path} HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n"
    request = f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body
    took: list[float] = []
    with ExitStack() as stack, selectors.DefaultSelector() as selector:
        for _ in range(connections):
            client = _Client(port, request)
            stack.callback(client.socket.close)
            selector.register(client.socket, selectors.EVENT_READ, client)
        started = perf_counter()
        while (now := perf_counter()) < started + seconds:
            for key, _ in selector.select(1):
                if key.data.is_answered():
                    took.append(perf_counter() - key.data.asked)
                    key.data.send()
    count, took = len(took), sorted(took) or [0.0]
    p50, p99 = took[len(took) // 2], took[len(took) * 99 // 100]
    return Measured(count / (now - started), p50, p99, count)


def processor_seconds(pid: int) -> float:
    """Add up what a process and its descendants have taken of the processor so far (Linux)."""
    ticks = 0
    for member in family(pid):
        times = Path(f"/proc/{member}/stat").read_text().rpartition(")")[2].split()[11:13]
        ticks += sum(map(int, times))
    return ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def slow_clients(port: int, count: int) -> Iterator[None]:
    """Keep so many clients that have sent half a head, and as many with half a body."""
    head = b"POST /v1/gradient HTTP/1.1\r\nHost: slow\r\n"
    body = head + b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    with ExitStack() as stack:
        for start in [head, body] * count:
            client = socket.create_connection(("127.0.0.1", port), timeout=10)
            stack.callback(client.close)
            client.sendall(start)
        yield
