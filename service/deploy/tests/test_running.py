"""The container as `docker compose up` runs it: who it is, what it may, and what it answers."""

import json

import pytest

from parity_tests.kit.cases import load_cases
from service import Config, create_app
from service.deploy.tests.containers import SMALL, Container, Project, call, eventually

pytestmark = pytest.mark.container

SERVERS = """
import os, signal
from pathlib import Path
servers = [int(file.parent.name) for file in Path("/proc").glob("[0-9]*/cmdline")
    if file.read_bytes().startswith(b"python\\0-m\\0service")]
"""


@pytest.fixture
def container(service: Project) -> Container:
    [container] = service.containers("service")
    return container


def test_it_becomes_healthy(container: Container) -> None:
    assert container.state(".State.Health.Status") == "healthy"


def test_every_process_is_a_user_without_any_capability(container: Container) -> None:
    program = """
import json
from pathlib import Path
rows = [dict(line.split(":\\t", 1) for line in file.read_text().splitlines() if ":\\t" in line)
    for file in Path("/proc").glob("[0-9]*/status")]
print(json.dumps(rows))
"""
    processes = json.loads(container.python(program).stdout)
    assert {"docker-init", "python"} <= {process["Name"] for process in processes}
    for process in processes:
        assert process["Uid"].split() == process["Gid"].split() == ["10001"] * 4
        assert {int(process[f"Cap{kind}"], 16) for kind in ("Eff", "Prm", "Bnd", "Inh")} == {0}
        assert process["NoNewPrivs"] == "1"


@pytest.mark.parametrize("folder", ["/", "/app", "/opt/venv", "/etc", "/var/tmp"])
def test_nothing_can_be_written_outside_tmp(container: Container, folder: str) -> None:
    done = container.python(f"open('{folder}/x', 'w')", check=False)
    assert "Read-only file system" in done.stderr or "Permission denied" in done.stderr


def test_the_root_file_system_is_read_only_and_tmp_is_small(container: Container) -> None:
    assert container.state(".HostConfig.ReadonlyRootfs") is True
    container.python("open('/tmp/x', 'w').write('x')")
    done = container.python("open('/tmp/y', 'wb').write(bytes(17 << 20))", check=False)
    assert "No space left on device" in done.stderr
    container.python("import os; os.remove('/tmp/x'); os.remove('/tmp/y')")


def test_it_is_published_to_this_machine_alone(container: Container) -> None:
    published = container.state(".NetworkSettings.Ports")
    assert [port["HostIp"] for port in published["8000/tcp"]] == ["127.0.0.1"]


def test_every_fixture_gets_the_bytes_that_it_gets_in_process(service: Project) -> None:
    client = create_app(Config(log_requests=False)).test_client()
    cases = [case for case in load_cases() if case.command == "introspect" and not case.limits]
    assert len(cases) > 200
    port = service.port("PORT")
    for case in cases:
        body = json.dumps(case.request).encode()
        expected = client.post("/v1/gradient", data=body, content_type="application/json")
        answer = call(port, body=body)
        assert (answer.status, answer.body) == (expected.status_code, expected.data), case.id


def test_the_health_check_fails_where_nothing_answers(service: Project) -> None:
    [container] = service.containers("service")
    check = "import os, runpy; os.environ['PORT'] = '1'; runpy.run_path("
    done = container.python(
        f"{check}'/app/service/server/healthcheck.py', run_name='__main__')", check=False
    )
    assert done.returncode == 1
    assert "healthcheck: no answer from localhost, port 1" in done.stderr


def test_killed_it_is_started_again(service: Project) -> None:
    [container] = service.containers("service")
    before = container.state(".RestartCount")
    container.python(f"{SERVERS}[os.kill(pid, signal.SIGKILL) for pid in servers]", check=False)
    assert eventually(lambda: container.state(".RestartCount") == before + 1)
    assert eventually(lambda: container.state(".State.Health.Status") == "healthy")
    assert call(service.port("PORT"), body=SMALL).status == 200
