"""docker and docker compose, called by the tests as by a user; HTTP requests to containers."""

import json
import os
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException, HTTPResponse
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[3]
TAG = "container-test"
IMAGE = f"gradient-service:{TAG}"
CLIENT = "127.0.0.1"
HANG = 120
"""Seconds after which what does not answer is taken for hung."""

RUN = ("--progress", "quiet", "run", "--rm", "--no-TTY")
JSON = {"Content-Type": "application/json"}
LOST = "lost"


def docker(
    *arguments: str, check: bool = True, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run it to its end; a failure shows what it said."""
    done = subprocess.run(
        ["docker", *arguments],
        cwd=ROOT,
        env={**os.environ, "TAG": TAG, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    if check and done.returncode:
        raise AssertionError(f"docker {' '.join(arguments)}: {done.stdout}{done.stderr}")
    return done


def missing_runtime() -> str | None:
    """Say why containers cannot be started here; None if they can."""
    try:
        done = docker("compose", "ls", check=False)
    except FileNotFoundError:
        return "no `docker` on PATH"
    return None if done.returncode == 0 else (done.stderr or done.stdout).strip().splitlines()[0]


class Container(NamedTuple):
    """One that was started, by its id."""

    id: str

    def state(self, path: str) -> Any:
        """Read a part of what `docker inspect` says, such as `.State.ExitCode`."""
        return json.loads(docker("inspect", "--format", f"{{{{json {path}}}}}", self.id).stdout)

    def python(self, program: str, *, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a program inside, as the service's user."""
        return docker("exec", self.id, "python", "-c", program, check=check)

    def lines(self, *names: str) -> list[dict[str, Any]]:
        """Return the lines of its log about requests of these ids."""
        log = map(json.loads, docker("logs", self.id).stdout.splitlines())
        return [line for line in log if line.get("request_id") in names]


_INSIDE = {"PORT": ("gateway", "8080"), "PROMETHEUS_PORT": ("prometheus", "9090")}
"""The service and the port within that is published as the variable says; by 0 as any free one."""


class Project(NamedTuple):
    """A `docker compose up` with a name of its own, on ports that are free."""

    name: str
    variables: dict[str, str]

    def compose(
        self, *arguments: str, check: bool = True, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        return docker("compose", *arguments, check=check, **{**self.variables, **variables})

    def containers(self, service: str) -> list[Container]:
        listed = self.compose("ps", "--all", "--quiet", service).stdout.split()
        return [Container(line) for line in listed]

    def port(self, name: str = "PORT") -> int:
        """Ask which port of this machine is published; after a restart it may be another."""
        published = self.compose("--profile", "*", "port", *_INSIDE[name]).stdout
        return int(published.rpartition(":")[2])


@contextmanager
def project(name: str, *up: str, **variables: str) -> Iterator[Project]:
    """Start what `docker compose up` with these arguments starts, wait until all is healthy, and
    remove it again; without arguments nothing is started."""
    project_name = f"{TAG}-{name}-{os.getpid()}"
    ports = dict.fromkeys(_INSIDE, "0")
    started = Project(name, {**ports, **variables, "COMPOSE_PROJECT_NAME": project_name})
    try:
        if up:
            started.compose("up", "--detach", "--wait", "--no-build", *up)
        yield started
    finally:
        started.compose("--profile", "*", "down", "--volumes", "--timeout", "2")


class Answer(NamedTuple):
    """What came back, headers by their names in small letters."""

    status: int
    body: bytes
    headers: dict[str, str]

    @property
    def problem(self) -> dict[str, Any]:
        """Read the body as a problem, which it says to be."""
        assert self.headers["content-type"] == "application/problem+json"
        content: dict[str, Any] = json.loads(self.body)
        return content


def call(
    port: int,
    path: str = "/v1/gradient",
    body: bytes | None = None,
    *,
    headers: Mapping[str, str] = JSON,
) -> Answer:
    """POST a body, or GET without one. Raises OSError or HTTPException where no answer comes."""
    connection = HTTPConnection(CLIENT, port, timeout=HANG)
    try:
        connection.request("GET" if body is None else "POST", path, body, {**JSON, **headers})
        return read_answer(connection.getresponse())
    finally:
        connection.close()


def read_answer(response: HTTPResponse) -> Answer:
    """Read an answer to its end."""
    found = {name.lower(): text for name, text in response.getheaders()}
    return Answer(response.status, response.read(), found)


def answer_to(connection: socket.socket) -> Answer:
    """Read the answer to what was sent on a connection."""
    response = HTTPResponse(connection)
    response.begin()
    return read_answer(response)


def opened(port: int, sent: bytes) -> socket.socket:
    """Connect, and send so much."""
    connection = socket.create_connection((CLIENT, port), timeout=HANG)
    connection.sendall(sent)
    return connection


def post_head(length: int, *headers: str, path: str = "/v1/gradient") -> bytes:
    """Write the head of a POST."""
    lines = [f"POST {path} HTTP/1.1", f"Host: {CLIENT}", "Content-Type: application/json"]
    lines += [f"Content-Length: {length}", *headers]
    return "".join(f"{line}\r\n" for line in [*lines, ""]).encode()


SMALL = b'{"expression":"(a + b) * c","values":{"a":2,"b":-3,"c":10}}'


@contextmanager
def load(port: int) -> Iterator[Counter[int | str]]:
    """Call without end from four threads; the statuses are counted, and LOST where none comes.

    Fewer requests a second than nginx allows a client.
    """
    counts: Counter[int | str] = Counter()
    over = Event()

    def client() -> None:
        while not over.wait(0.03):
            try:
                counts[call(port, body=SMALL).status] += 1
            except (OSError, HTTPException):
                counts[LOST] += 1

    with ThreadPoolExecutor(4) as pool:
        running = [pool.submit(client) for _ in range(4)]
        try:
            yield counts
        finally:
            over.set()
        for each in running:
            each.result()


def eventually(holds: Callable[[], bool]) -> bool:
    """Ask until it holds; False is for what hangs."""
    end = time.monotonic() + HANG
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True
