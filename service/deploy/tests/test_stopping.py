"""`docker stop` while a request is computed."""

import json
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.deploy.tests.calls import SMALL, call, large
from service.deploy.tests.containers import docker, project

pytestmark = [pytest.mark.container, pytest.mark.image, pytest.mark.usefixtures("images")]

LIMITS = {"GRADIENT_MAX_CHARACTERS": "10000000", "GRADIENT_MAX_NODES": "1000000",
          "GRADIENT_MAX_BODY_BYTES": "10000000", "MEMORY": "2g"}  # fmt: skip
TERMS = 60_000


def test_a_request_in_flight_is_answered_and_the_exit_code_is_0() -> None:
    with project("stopping", "service", **LIMITS) as started, ThreadPoolExecutor() as pool:
        [container], port = started.containers("service"), started.port("PORT")
        assert call(port, body=SMALL).status == 200
        in_flight = pool.submit(call, port, body=large(TERMS))
        time.sleep(0.7)
        assert not in_flight.done(), "the request is too quick to be in flight when it is stopped"
        docker("stop", container.id)
        answer = in_flight.result()
        assert answer.status == 200
        assert len(json.loads(answer.body)["nodes"]) == 2 * TERMS
        assert container.state(".State.ExitCode") == 0


def test_an_idle_service_stops_at_once() -> None:
    with project("idle", "service") as started:
        [container] = started.containers("service")
        begin = time.monotonic()
        docker("stop", container.id)
        assert time.monotonic() - begin < 5
        assert container.state(".State.ExitCode") == 0
