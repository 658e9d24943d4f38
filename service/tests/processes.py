"""Services in their own processes, as `make run` starts them, and slow clients."""

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from werkzeug.datastructures import Headers

from service.tests.validated import EXAMPLE, Reply, proven

ROOT = Path(__file__).parents[2]
JSON = {"Content-Type": "application/json"}
HANG = 120
"""Seconds without an answer after which a process counts as hung."""

AS_A_MODULE = ("-m", "service")
CLIENT = "127.0.0.1"

SMALL = json.dumps(EXAMPLE).encode()
SUMS = json.dumps({"expression": "+".join(["a"] * 4_900), "values": {"a": 0.5}}).encode()
HUGE = b'{"requests":[' + b",".join([SUMS] * 10) + b"]}"
"""The reply has 20 MB: more than Linux and nginx together buffer for a connection."""

DEFAULTS = {"GRADIENT_LOG_REQUESTS": "0", "GRADIENT_COMPUTE_SECONDS": "3600"}
"""On a busy machine no request times out."""


class Server(NamedTuple):
    """A process that listens on `port`; `line` is the first message of its log."""

    process: subprocess.Popen[str]
    port: int
    line: str

    def connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(CLIENT, self.port, timeout=HANG)

    def post(self, body: bytes) -> Reply:
        with opened(self.port, posted(body)) as connection:
            return proven(*answer_to(connection))

    def post_chunked(self, chunks: list[bytes]) -> Reply:
        head = b"POST /v1/gradient HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        framed = b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks)
        with opened(self.port, b"") as connection:
            with suppress(ConnectionError):  # the reply may come before all is sent
                connection.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n" + framed)
                connection.sendall(b"0\r\n\r\n")
            return proven(*answer_to(connection))

    def get(self, path: str) -> tuple[int, bytes]:
        connection = self.connect()
        connection.request("GET", path)
        response = connection.getresponse()
        status, content = response.status, response.read()
        connection.close()
        return status, content


def posted(
    body: bytes, *headers: str, path: str = "/v1/gradient", length: int | None = None
) -> bytes:
    """Return a POST request; `length` replaces its true Content-Length."""
    size = len(body) if length is None else length
    lines = [f"POST {path} HTTP/1.1", f"Host: {CLIENT}", "Content-Type: application/json"]
    lines += [f"Content-Length: {size}", *headers]
    return "".join(f"{line}\r\n" for line in [*lines, ""]).encode() + body


def opened(port: int, sent: bytes) -> socket.socket:
    """Connect a client that sends `sent`, and then waits."""
    connection = socket.create_connection((CLIENT, port), timeout=HANG)
    connection.sendall(sent)
    return connection


def not_reading(port: int) -> socket.socket:
    """Connect a client that sends a batch and does not read the reply, which has begun."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65_536)
    connection.settimeout(HANG)
    connection.connect((CLIENT, port))
    connection.sendall(posted(HUGE, path="/v1/gradients"))
    assert connection.recv(12, socket.MSG_PEEK) == b"HTTP/1.1 200"
    return connection


def answer_to(connection: socket.socket) -> tuple[int, Headers, bytes]:
    response = http.client.HTTPResponse(connection)
    response.begin()
    return response.status, Headers(response.getheaders()), response.read()


def command(
    port: int | str, start: tuple[str, ...] = AS_A_MODULE, **variables: str
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *start],
        cwd=ROOT,
        env={**os.environ, **DEFAULTS, "PORT": str(port), **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@contextmanager
def started(start: tuple[str, ...] = AS_A_MODULE, **variables: str) -> Iterator[Server]:
    with command(0, start, **variables) as process:
        assert process.stdout
        try:
            line = json.loads(process.stdout.readline())["message"]
            port = int(line.partition(" ")[0].rpartition(":")[2])
            yield Server(process, port, line)
        finally:
            process.kill()  # does nothing if it has ended


def descendants(pid: int) -> list[int]:
    """Return a process and all its descendants (Linux)."""
    found = [pid] if Path(f"/proc/{pid}").exists() else []
    for file in Path("/proc").glob(f"{pid}/task/*/children"):
        with suppress(OSError):  # it has ended
            for child in file.read_text().split():
                found += descendants(int(child))
    return found


def workers_of(server: Server) -> list[int]:
    """Return the processes of the workers, without the resource tracker of spawned ones."""
    commands = {pid: command_line(pid) for pid in descendants(server.process.pid)[1:]}
    return [pid for pid, line in commands.items() if line and b"resource_tracker" not in line]


def command_line(pid: int) -> bytes:
    """Return the command line of a process, empty if it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):  # it ended before the file was opened, or since
        return b""


def eventually(holds: Callable[[], bool]) -> bool:
    """Wait until `holds()` and return True, or return False after `HANG` seconds."""
    end = time.monotonic() + HANG
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def stop(server: Server, number: int, *, group: bool = False) -> tuple[int, str, str]:
    (os.killpg if group else os.kill)(server.process.pid, number)
    stdout, stderr = server.process.communicate(timeout=HANG)
    return server.process.returncode, stdout, stderr
