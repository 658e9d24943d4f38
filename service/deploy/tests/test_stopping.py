"""`docker stop` while a request is under way."""

import json
import socket
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection, HTTPResponse

import pytest

from service.deploy.tests.containers import CLIENT, HANG, SMALL, docker, project

pytestmark = [pytest.mark.container, pytest.mark.image, pytest.mark.usefixtures("images")]

HEAD = (
    f"POST /v1/gradient HTTP/1.1\r\nHost: {CLIENT}\r\nContent-Type: application/json\r\n"
    f"Content-Length: {len(SMALL)}\r\nExpect: 100-continue\r\n\r\n"
)


def test_a_request_that_has_begun_is_answered_and_the_exit_code_is_0() -> None:
    with project("stopping", "service") as started, ThreadPoolExecutor() as pool:
        [container], port = started.containers("service"), started.port("PORT")
        with socket.create_connection((CLIENT, port), timeout=HANG) as begun:
            begun.sendall(HEAD.encode())
            assert begun.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"  # it reads the body
            idle = HTTPConnection(CLIENT, port, timeout=HANG)
            idle.request("GET", "/healthz")
            idle.getresponse().read()
            stopping = pool.submit(docker, "stop", container.id)
            assert idle.sock.recv(1) == b""  # the stop has begun
            idle.close()
            begun.sendall(SMALL)
            response = HTTPResponse(begun)
            response.begin()
            assert response.status == 200
            assert json.loads(response.read())["result"] == -10
        stopping.result()
        assert container.state(".State.ExitCode") == 0


def test_an_idle_service_stops_by_itself() -> None:
    with project("idle", "service") as started:
        [container] = started.containers("service")
        docker("stop", container.id)
        assert container.state(".State.ExitCode") == 0  # of one that is killed it is 137
