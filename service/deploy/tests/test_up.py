"""`docker compose up`: its containers' answers, where they may write, and how they stop."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from uuid import uuid4

import pytest

from parity_tests.kit.cases import load_cases
from service.app import create_app
from service.config import Config
from service.deploy.tests.containers import Container, Project, call, project
from service.tests.processes import (
    CLIENT,
    HANG,
    SMALL,
    answer_to,
    eventually,
    not_reading,
)

pytestmark = [pytest.mark.container, pytest.mark.image]

SERVERS = """
import os, signal
from pathlib import Path
servers = [int(file.parent.name) for file in Path("/proc").glob("[0-9]*/cmdline")
    if file.read_bytes().startswith(b"python\\0-m\\0service")]
"""


@pytest.fixture(scope="module")
def up(images: None) -> Iterator[Project]:
    with project("up", "--no-recreate") as started:
        yield started


@pytest.fixture
def container(up: Project) -> Container:
    [container] = up.containers("service")
    return container


def test_every_fixture_gets_the_bytes_that_it_gets_in_process(up: Project) -> None:
    client = create_app(Config(log_requests=False)).test_client()
    cases = [case for case in load_cases() if case.command == "introspect" and not case.limits]
    assert len(cases) > 200
    port = up.port()
    for case in cases:
        body = json.dumps(case.request).encode()
        expected = client.post("/v1/gradient", data=body, content_type="application/json")
        answer = call(port, body=body)
        assert (answer.status, answer.body) == (expected.status_code, expected.data), case.id


def test_a_client_cannot_choose_its_address(up: Project) -> None:
    name = uuid4().hex
    call(up.port(), "/healthz", headers={"X-Forwarded-For": "192.0.2.9", "X-Request-Id": name})
    [gateway] = up.containers("gateway")
    assert eventually(lambda: gateway.lines(name) != [])
    [entry] = gateway.lines(name)
    assert entry["client"] not in ("", "192.0.2.9")


def test_nothing_can_be_written_outside_tmp(container: Container) -> None:
    for folder in ("", "/app", "/opt/venv", "/etc", "/var/tmp"):
        done = container.python(f"open('{folder}/x', 'w')", check=False)
        assert "Read-only file system" in done.stderr or "Permission denied" in done.stderr
    done = container.python("open('/tmp/x', 'wb').write(bytes(17 << 20))", check=False)
    assert "No space left on device" in done.stderr
    container.python("import os; os.remove('/tmp/x')")


def test_a_killed_service_is_restarted(up: Project, container: Container) -> None:
    before = container.state(".RestartCount")
    container.python(f"{SERVERS}[os.kill(pid, signal.SIGKILL) for pid in servers]", check=False)
    assert eventually(lambda: container.state(".RestartCount") == before + 1)
    assert eventually(lambda: container.state(".State.Health.Status") == "healthy")
    assert eventually(lambda: call(up.port(), body=SMALL).status == 200)


def test_a_stopped_service_finishes_replies_that_have_begun(up: Project) -> None:
    containers = [*up.containers("gateway"), *up.containers("service")]
    port = up.port()
    with ThreadPoolExecutor() as pool, not_reading(port) as begun:
        idle = HTTPConnection(CLIENT, port, timeout=HANG)
        idle.request("GET", "/healthz")
        idle.getresponse().read()
        stopping = pool.submit(up.compose, "stop")
        assert idle.sock.recv(1) == b""  # the stop has begun
        idle.close()
        assert len(json.loads(answer_to(begun)[2])["results"]) == 10
        stopping.result()
    for container in containers:
        assert container.state(".State.ExitCode") == 0  # a killed one has 137
