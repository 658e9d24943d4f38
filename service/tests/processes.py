"""Services as processes of their own, as `make run` starts them."""

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

from service.tests.validated import Reply, proven

ROOT = Path(__file__).parents[2]
JSON = {"Content-Type": "application/json"}


class Server(NamedTuple):
    """A process that listens, and the message of the first line of its log."""

    process: subprocess.Popen[str]
    port: int
    line: str

    def post(self, body: bytes, *, announced: int | None = None) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        headers = {**JSON, "Content-Length": str(announced)} if announced else JSON
        connection.request("POST", "/v1/gradient", body, headers)
        return answer_of(connection)

    def post_chunked(self, chunks: list[bytes]) -> Reply:
        head = b"POST /v1/gradient HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        framed = b"".join(b"%x\r\n%b\r\n" % (len(chunk), chunk) for chunk in chunks)
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            with suppress(ConnectionError):  # an answer may come before all is sent
                connection.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n" + framed)
                connection.sendall(b"0\r\n\r\n")
            response = http.client.HTTPResponse(connection)
            response.begin()
            return read(response)

    def get(self, path: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", path)
        response = connection.getresponse()
        status, content = response.status, response.read()
        connection.close()
        return status, content


def answer_of(connection: http.client.HTTPConnection) -> Reply:
    response = connection.getresponse()
    reply = read(response)
    connection.close()
    return reply


def read(response: http.client.HTTPResponse) -> Reply:
    return proven(response.status, Headers(response.getheaders()), response.read())


AS_A_MODULE = ("-m", "service")


def command(
    port: int | str, start: tuple[str, ...] = AS_A_MODULE, **variables: str
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *start],
        cwd=ROOT,
        env={**os.environ, "PORT": str(port), "GRADIENT_LOG_REQUESTS": "0", **variables},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def free_port() -> int:
    """Give a port that is free at all addresses: some clients of other tests have their own."""
    with socket.socket() as probe:
        probe.bind(("", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def started(start: tuple[str, ...] = AS_A_MODULE, **variables: str) -> Iterator[Server]:
    port = free_port()
    with command(port, start, **variables) as process:
        assert process.stdout
        try:
            yield Server(process, port, json.loads(process.stdout.readline())["message"])
        finally:
            process.kill()  # does nothing to one that has ended, as it should


def workers_of(server: Server) -> list[int]:
    """Give the processes of the workers; a spawned one has a resource tracker beside it."""
    pid = server.process.pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    commands = {int(child): _command(child) for child in children}
    return [pid for pid, line in commands.items() if line and b"resource_tracker" not in line]


def _command(pid: str) -> bytes:
    """Give the command line of a process, empty if it has ended meanwhile."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):  # before it was opened, or since
        return b""


def is_answered(server: Server) -> bool:
    try:
        return server.get("/healthz")[0] == 200
    except (OSError, http.client.HTTPException):
        return False


def eventually(holds: Callable[[], bool], seconds: float = 60) -> bool:
    """Ask until it holds or the time is over."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def stop(
    server: Server, number: int, *, group: bool = False, seconds: float = 20
) -> tuple[int, str, str]:
    (os.killpg if group else os.kill)(server.process.pid, number)
    stdout, stderr = server.process.communicate(timeout=seconds)
    return server.process.returncode, stdout, stderr
