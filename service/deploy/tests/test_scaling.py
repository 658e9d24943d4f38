"""nginx before two replicas: both answer, one is restarted, one is killed; Prometheus sees both."""

import gzip
import json
import socket
import time
from collections.abc import Iterator
from http.client import HTTPResponse
from urllib.parse import quote

import pytest

from service.deploy.tests.containers import (
    SMALL,
    Container,
    Project,
    Tell,
    call,
    docker,
    eventually,
    load,
    project,
)

pytestmark = [pytest.mark.container, pytest.mark.usefixtures("images")]

SOME = 100
"""Answers after which a thing has shown."""


@pytest.fixture(scope="module")
def scaled(images: None) -> Iterator[Project]:
    with project("scaling", "gateway") as started:
        yield started


@pytest.fixture
def port(scaled: Project) -> int:
    return scaled.port("GATEWAY_PORT")


def received(container: Container) -> int:
    lines = container.python("print(open('/proc/net/dev').read())").stdout.splitlines()
    [numbers] = [line.split(":")[1].split() for line in lines if line.strip().startswith("eth0")]
    return int(numbers[0])


def test_both_replicas_answer(scaled: Project, port: int) -> None:
    replicas = scaled.containers("replica")
    assert len(replicas) == 2
    before = [received(replica) for replica in replicas]
    with load(port) as counts:
        assert eventually(lambda: counts[200] > SOME)
    growth = [received(replica) - old for replica, old in zip(replicas, before, strict=True)]
    assert set(counts) == {200}
    assert min(growth) > 0.25 * sum(growth) > len(SMALL) * SOME / 4


def test_a_restart_under_load_loses_no_request(scaled: Project, port: int, tell: Tell) -> None:
    replica, _ = scaled.containers("replica")
    with load(port) as counts:
        assert eventually(lambda: counts[200] > SOME)
        docker("restart", replica.id)
        restarted = counts[200]
        assert eventually(lambda: counts[200] > restarted + SOME)
    tell(f"one of two replicas restarted under load: {dict(counts)}")
    assert set(counts) == {200}


def test_a_replica_killed_under_load_is_done_without(
    scaled: Project, port: int, tell: Tell
) -> None:
    _, replica = scaled.containers("replica")
    with load(port) as counts:
        assert eventually(lambda: counts[200] > SOME)
        docker("kill", replica.id)
        killed = counts[200]
        assert eventually(lambda: counts[200] > killed + SOME)
    tell(f"one of two replicas killed under load: {dict(counts)}")
    assert set(counts) == {200}  # what the killed one had begun nginx asks of the other again
    docker("start", replica.id)
    assert eventually(lambda: replica.state(".State.Health.Status") == "healthy")


def test_more_replicas_are_found_without_a_restart_of_nginx(scaled: Project, port: int) -> None:
    scaled.compose("up", "--detach", "--wait", "--no-build", "--no-recreate",
                   "--scale", "replica=3", "gateway")  # fmt: skip
    third = scaled.containers("replica")[-1]
    before = received(third)
    with load(port):
        assert eventually(lambda: received(third) - before > 10 * len(SMALL))


def test_a_get_is_kept_and_answered_from_there(port: int) -> None:
    values = quote(json.dumps({"a": time.time()}))
    path = f"/v1/gradient?expression=a*a&values={values}"
    first, second = call(port, path), call(port, path)
    assert [of.headers["x-cache-status"] for of in (first, second)] == ["MISS", "HIT"]
    assert first.body == second.body
    assert first.headers["etag"] == second.headers["etag"]
    assert first.headers["x-request-id"] != second.headers["x-request-id"]


def test_replies_are_compressed_for_those_who_accept_it(port: int) -> None:
    path = f"/v1/gradient?expression=a*b*a&a={time.time()}&b=2"
    plain = call(port, path)
    for _ in range(2):
        packed = call(port, path, headers={"Accept-Encoding": "gzip"})
        assert packed.headers["content-encoding"] == "gzip"
        assert gzip.decompress(packed.body) == plain.body
        tag = packed.headers["etag"]
        assert tag.removeprefix("W/") == plain.headers["etag"]
        again = call(port, path, headers={"Accept-Encoding": "gzip", "If-None-Match": tag})
        assert (again.status, again.body) == (304, b"")


def test_a_post_is_never_kept(port: int) -> None:
    answers = [call(port, body=SMALL) for _ in range(3)]
    assert {of.headers.get("x-cache-status", "none") for of in answers} <= {
        "none",
        "BYPASS",
        "MISS",
    }


def test_the_log_of_nginx_is_json_and_holds_no_values(scaled: Project, port: int) -> None:
    answer = call(port, "/v1/gradient?expression=a%2Ba&values=%7B%22a%22%3A424242%7D")
    [gateway] = scaled.containers("gateway")
    lines = docker("logs", gateway.id).stdout.splitlines()
    entry = json.loads(lines[-1])
    assert entry["request_id"] == answer.headers["x-request-id"]
    assert (entry["path"], entry["status"]) == ("/v1/gradient", 200)
    assert not any("424242" in line for line in lines)


def test_what_nginx_refuses_is_a_problem_too(port: int) -> None:
    refused = call(port, body=bytes(300_000))
    assert (refused.status, refused.headers["content-type"]) == (413, "application/problem+json")
    assert json.loads(refused.body)["code"] == "payload_too_large"
    assert call(port, "/metrics").status == 404


@pytest.mark.parametrize(
    ("target", "headers", "status"),
    [
        (f"/v1/gradient?expression=1{'%2B1' * 1_400}", {}, 200),
        (f"/v1/gradient?expression=1{'%2B1' * 2_000}", {}, 400),
        ("/healthz", {"X-Long": "x" * 5_500}, 200),
        ("/healthz", {"X-Long": "x" * 7_500}, 400),
        ("/healthz", {f"X-{number}": "x" * 1_000 for number in range(30)}, 400),
        ("/healthz", {f"X-{number}": "1" for number in range(101)}, 400),
    ],
)
def test_what_is_too_long_for_nginx_is_a_problem_and_the_rest_is_passed_on(
    port: int, target: str, headers: dict[str, str], status: int
) -> None:
    answer = call(port, target, headers=headers)
    assert answer.status == status
    if status == 400:
        assert answer.headers["content-type"] == "application/problem+json"
        assert json.loads(answer.body)["code"] == "malformed_request"
        assert "x-request-id" in answer.headers


def test_a_client_that_closes_its_sending_side_gets_its_reply(port: int) -> None:
    head = b"POST /v1/gradient HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(head + b"Content-Length: %d\r\n\r\n" % len(SMALL) + SMALL)
        connection.shutdown(socket.SHUT_WR)
        response = HTTPResponse(connection)
        response.begin()
        assert response.status == 200
        assert json.loads(response.read())["result"] == -10


def test_prometheus_scrapes_each_replica(scaled: Project) -> None:
    query = "/api/v1/query?query=" + quote('sum by (instance) (up{job="gradient-service"})')

    def instances_up() -> int:
        found = json.loads(call(scaled.port("PROMETHEUS_PORT"), query).body)["data"]["result"]
        return sum(row["value"][1] == "1" for row in found)

    assert eventually(lambda: instances_up() >= 2)


def test_nginx_without_any_replica_says_that_it_is_overloaded(scaled: Project, port: int) -> None:
    for replica in scaled.containers("replica"):
        docker("stop", replica.id)

    refused = call(port, body=SMALL)
    assert (refused.status, refused.headers["retry-after"]) == (503, "1")
    assert json.loads(refused.body)["code"] == "overloaded"
