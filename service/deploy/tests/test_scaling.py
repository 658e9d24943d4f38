"""nginx with two services: both answer, one is restarted or killed, others are added."""

import json
from http.client import HTTPException
from urllib.parse import quote

import pytest

from service.deploy.tests.containers import Container, Project, call, docker, load
from service.tests.processes import SMALL, eventually

pytestmark = pytest.mark.container

SOME = 100
"""The number of replies to wait for."""


def received(container: Container) -> int:
    lines = container.python("print(open('/proc/net/dev').read())").stdout.splitlines()
    [numbers] = [line.split(":")[1].split() for line in lines if line.strip().startswith("eth0")]
    return int(numbers[0])


def test_all_services_answer_and_new_ones_are_found_without_a_restart_of_nginx(
    composition: Project, port: int
) -> None:
    composition.compose(
        "up", "--detach", "--wait", "--no-build", "--no-recreate", "--scale", "service=3"
    )
    services = composition.containers("service")
    assert len(services) == 3
    before = [received(each) for each in services]
    with load(port) as counts:
        assert eventually(
            lambda: all(
                received(each) - old > SOME * len(SMALL)
                for each, old in zip(services, before, strict=True)
            )
        )
    assert set(counts) == {200}


@pytest.mark.parametrize("command", ["restart", "kill"])
def test_no_request_is_lost_while_a_service_restarts_or_dies(
    composition: Project, port: int, command: str
) -> None:
    service = composition.containers("service")[0]
    with load(port) as counts:
        assert eventually(lambda: counts[200] > SOME)
        docker(command, service.id)
        done = counts[200]
        assert eventually(lambda: counts[200] > done + SOME)
    assert set(counts) == {200}  # nginx repeats the requests of the killed one elsewhere
    docker("start", service.id)
    assert eventually(lambda: service.state(".State.Health.Status") == "healthy")


def test_prometheus_accepts_its_configuration_and_the_alerts(composition: Project) -> None:
    check = (
        "--entrypoint",
        "promtool",
        "prometheus",
        "check",
        "config",
        "/etc/prometheus/gradient.yml",
    )
    done = composition.compose("--profile", "metrics", "run", "--rm", "--no-deps", *check)
    assert "4 rules found" in done.stdout + done.stderr


def test_prometheus_scrapes_each_service(composition: Project) -> None:
    composition.compose(
        "--profile", "metrics", "up", "--detach", "--no-recreate", "--no-deps", "prometheus"
    )
    query = "/api/v1/query?query=" + quote('sum by (instance) (up{job=~"gradient-(service|main)"})')

    def instances_up() -> int:
        try:
            answer = call(composition.port("PROMETHEUS_PORT"), query)
        except (OSError, HTTPException):
            return 0  # it has not started yet
        found = json.loads(answer.body)["data"]["result"] if answer.status == 200 else []
        return sum(row["value"][1] == "1" for row in found)

    assert eventually(
        lambda: instances_up() >= 4
    )  # the worker and the main process of each service
