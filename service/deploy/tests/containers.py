"""Calls to docker and docker compose, as a user makes them, and requests to published ports."""

import json
import os
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from threading import Event
from typing import Any, NamedTuple

from service.tests.processes import CLIENT, HANG, JSON, ROOT, SMALL

TAG = "container-test"
IMAGE = f"gradient-service:{TAG}"

RUN = ("--progress", "quiet", "run", "--rm", "--no-TTY")


def docker(
    *arguments: str, check: bool = True, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run docker to its end; a failure shows its output."""
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
    """Return why containers cannot be started here; None if they can."""
    try:
        done = docker("compose", "ls", check=False)
    except FileNotFoundError:
        return "no `docker` on PATH"
    return None if done.returncode == 0 else (done.stderr or done.stdout).strip().splitlines()[0]


class Container(NamedTuple):
    """A started container, by its id."""

    id: str

    def state(self, path: str) -> Any:
        """Return a part of the output of `docker inspect`, such as `.State.ExitCode`."""
        return json.loads(docker("inspect", "--format", f"{{{{json {path}}}}}", self.id).stdout)

    def python(self, program: str, *, check: bool = True) -> subprocess.CompletedProcess[str]:
        """Run a Python program inside, as the service's user."""
        return docker("exec", self.id, "python", "-c", program, check=check)

    def lines(self, *names: str) -> list[dict[str, Any]]:
        """Return the log lines of requests with these ids."""
        log = map(json.loads, docker("logs", self.id).stdout.splitlines())
        return [line for line in log if line.get("request_id") in names]


_INSIDE = {"PORT": ("gateway", "8080"), "PROMETHEUS_PORT": ("prometheus", "9090")}
"""A variable -> the service and the inner port that it publishes; 0 means any free port."""


class Project(NamedTuple):
    """A Compose project with its own name, on free ports."""

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
        """Return the published port of this machine; after a restart it may be another."""
        published = self.compose("--profile", "*", "port", *_INSIDE[name]).stdout
        return int(published.rpartition(":")[2])


@contextmanager
def project(name: str, *up: str, **variables: str) -> Iterator[Project]:
    """Run `docker compose up` with these arguments until all is healthy, and remove it at the end.

    Without arguments, nothing is started.
    """
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
    """A reply, with headers by their names in lower case."""

    status: int
    body: bytes
    headers: dict[str, str]

    @property
    def problem(self) -> dict[str, Any]:
        """The body as a problem; the media type must say that it is one."""
        assert self.headers["content-type"] == "application/problem+json"
        content: dict[str, Any] = json.loads(self.body)
        return content


def call(
    port: int,
    path: str = "/v1/gradient",
    body: bytes | None = None,
    *,
    headers: Mapping[str, str] = JSON,
    method: str | None = None,
) -> Answer:
    """POST a body, or GET without one. Raises OSError or HTTPException if no reply comes."""
    method = method or ("GET" if body is None else "POST")
    connection = HTTPConnection(CLIENT, port, timeout=HANG)
    try:
        connection.request(method, path, body, {**JSON, **headers})
        response = connection.getresponse()
        found = {name.lower(): text for name, text in response.getheaders()}
        return Answer(response.status, response.read(), found)
    finally:
        connection.close()


@contextmanager
def load(port: int) -> Iterator[Counter[int | str]]:
    """Send requests from four threads until the end; count the statuses, and "lost" replies.

    It sends fewer requests per second than nginx allows a client.
    """
    counts: Counter[int | str] = Counter()
    over = Event()

    def client() -> None:
        while not over.wait(0.03):
            try:
                counts[call(port, body=SMALL).status] += 1
            except (OSError, HTTPException):
                counts["lost"] += 1

    with ThreadPoolExecutor(4) as pool:
        running = [pool.submit(client) for _ in range(4)]
        try:
            yield counts
        finally:
            over.set()
        for each in running:
            each.result()
