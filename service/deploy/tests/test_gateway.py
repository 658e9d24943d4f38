"""What nginx buffers, caches, compresses, refuses and logs."""

import gzip
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from socket import SHUT_WR
from urllib.parse import quote
from uuid import uuid4

import pytest

from service.deploy.tests.containers import Answer, Container, Project, call, docker
from service.tests.processes import SMALL, eventually, opened, posted
from service.tests.validated import PROBLEM

pytestmark = pytest.mark.container

LARGE_BODY = 262_144
UP = ("up", "--detach", "--wait", "--no-build", "--no-deps", "--scale", "service=2", "gateway")
CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


@pytest.fixture
def gateway(composition: Project) -> Container:
    [gateway] = composition.containers("gateway")
    return gateway


def of(address: str) -> dict[str, str]:
    """Return the header in which the proxy in front names the client."""
    return {"X-Forwarded-For": address}


@contextmanager
def waiting(port: int, count: int, path: str, address: str) -> Iterator[None]:
    """Keep `count` requests of one address open, whose bodies nginx waits for."""
    headers = (f"X-Forwarded-For: {address}", "Expect: 100-continue")
    head = posted(b"", *headers, path=path, length=100)
    with ExitStack() as stack:
        connections = [stack.enter_context(opened(port, head)) for _ in range(count)]
        for connection in connections:
            assert connection.recv(100) == CONTINUE
        yield


def test_a_get_is_cached(port: int) -> None:
    values = quote(json.dumps({f"v{uuid4().hex}": 1, "a": 2}))
    path = f"/v1/gradient?expression=a*a&values={values}"
    first, again = call(port, path), call(port, path)
    assert [each.headers["x-cache-status"] for each in (first, again)] == ["MISS", "HIT"]
    assert again.body == first.body
    assert again.headers["etag"] == first.headers["etag"]
    assert again.headers["x-request-id"] != first.headers["x-request-id"]


def test_replies_are_compressed_for_clients_that_accept_it(port: int) -> None:
    path = "/v1/gradient?expression=a*b*a&a=1.5&b=2"
    plain = call(port, path)
    packed = call(port, path, headers={"Accept-Encoding": "gzip"})
    assert packed.headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed.body) == plain.body
    tag = packed.headers["etag"]
    assert tag.removeprefix("W/") == plain.headers["etag"]
    again = call(port, path, headers={"Accept-Encoding": "gzip", "If-None-Match": tag})
    assert (again.status, again.body) == (304, b"")


def test_each_request_has_a_line_with_its_client_and_without_its_values(
    port: int, gateway: Container
) -> None:
    path = "/v1/gradient?expression=a%2Ba&values=%7B%22a%22%3A424242%7D"
    name = uuid4().hex
    assert call(port, path, headers={**of("192.0.2.7"), "X-Request-Id": name}).status == 200
    assert eventually(lambda: gateway.lines(name) != [])
    [entry] = gateway.lines(name)
    assert (entry["client"], entry["path"]) == ("192.0.2.7", "/v1/gradient")
    assert (entry["method"], entry["status"], entry["completed"]) == ("GET", 200, True)
    log = docker("logs", gateway.id)
    assert "424242" not in log.stdout + log.stderr


def test_settings_of_the_composition_reach_nginx(composition: Project) -> None:
    origins = "https://one.example https://two.example"
    composition.compose(
        *UP, LOG_ADDRESSES="0", GRADIENT_MAX_BODY_BYTES="1000", GRADIENT_CORS_ORIGINS=origins
    )
    try:
        name = uuid4().hex
        headers = {**of("192.0.2.7"), "X-Request-Id": name, "Origin": "https://two.example"}
        refused = call(composition.port(), body=bytes(1_001), headers=headers)
        assert refused.headers["access-control-allow-origin"] == "https://two.example"
        other = call(composition.port(), "/metrics", headers={"Origin": "https://three.example"})
        assert "access-control-allow-origin" not in other.headers
        answer = call(composition.port(), body=SMALL, headers=headers)
        assert answer.headers["access-control-allow-origin"] == "https://two.example"
        assert (refused.problem["code"], refused.problem["limit"]) == ("payload_too_large", 1_000)
        [gateway] = composition.containers("gateway")
        assert eventually(lambda: gateway.lines(name) != [])
        [entry] = gateway.lines(name)
        assert (entry["client"], entry["status"]) == ("", 413)
    finally:
        composition.compose(*UP)


def test_a_page_of_the_only_origin_can_read_that_its_address_is_too_long(
    composition: Project,
) -> None:
    """nginx has not read the header Origin then."""
    composition.compose(*UP, GRADIENT_CORS_ORIGINS="https://one.example")
    try:
        refused = call(composition.port(), f"/v1/gradient?expression={'a' * 20_000}")
        assert refused.problem["code"] == "malformed_request"
        assert refused.headers["access-control-allow-origin"] == "https://one.example"
    finally:
        composition.compose(*UP)


def test_status_and_metrics_are_served_to_the_inner_network_only(
    composition: Project, port: int
) -> None:
    program = "from urllib.request import urlopen; print(urlopen('{}').read().decode())"
    service = composition.containers("service")[0]
    reported = service.python(program.format("http://gateway:8081/status")).stdout
    assert reported.startswith("Active connections: ")
    for path in ("/status", "/metrics"):
        assert call(port, path).problem["code"] == "not_found"


@pytest.mark.parametrize(
    ("target", "headers", "status"),
    [
        (f"/v1/gradient?expression=1{'%2B1' * 1_400}", {}, 200),
        (f"/v1/gradient?expression=1{'%2B1' * 2_000}", {}, 400),
        ("/healthz", {"X-Long": "x" * 5_500}, 200),
        ("/healthz", {"X-Long": "x" * 7_500}, 400),
        ("/healthz", {f"X-{number}": "x" * 1_000 for number in range(30)}, 400),
        ("/healthz", {f"X-{number}": "x" for number in range(200)}, 200),
        ("/healthz", {"X-Control": "a\x01b"}, 200),
        ('/v1/gradient?expression="1"', {}, 400),
        ("/v1/gradient?expression=1<2", {}, 400),
    ],
)
def test_a_request_that_the_service_would_not_parse_is_a_problem_and_others_are_passed_on(
    port: int, target: str, headers: dict[str, str], status: int
) -> None:
    answer = call(port, target, headers=headers)
    assert answer.status == status
    if status == 400:
        assert answer.problem["code"] == "malformed_request"
        assert "x-request-id" in answer.headers


@pytest.mark.parametrize(
    ("path", "limit", "name"),
    [
        ("/v1/gradient", 64, "requests_of_an_address"),
        ("/v1/sweep", 16, "long_computations_of_an_address"),
    ],
)
def test_an_address_over_its_share_is_refused_and_others_are_answered(
    port: int, path: str, limit: int, name: str
) -> None:
    def status(address: str) -> int:
        return call(port, path, SMALL, headers=of(address)).status

    answered = status("192.0.2.2")
    with waiting(port, limit, path, "192.0.2.1"):
        refused = call(port, path, SMALL, headers=of("192.0.2.1"))
        assert status("192.0.2.2") == answered != 503
        # A page can read the refusal only if its preflight is answered.
        assert call(port, path, headers=of("192.0.2.1"), method="OPTIONS").status == 200
    assert (refused.status, refused.headers["retry-after"]) == (503, "1")
    assert (refused.problem["name"], refused.problem["limit"]) == (name, limit)
    assert eventually(lambda: status("192.0.2.1") == answered)


def test_an_address_over_its_rate_is_refused_and_others_are_answered(port: int) -> None:
    def burst(_: int) -> Answer:
        return call(port, "/healthz", headers=of("192.0.2.3"))

    refused: list[Answer] = []
    with ThreadPoolExecutor(8) as pool:
        while not refused:
            refused = [each for each in pool.map(burst, range(200)) if each.status != 200]
    assert call(port, "/healthz", headers=of("192.0.2.4")).status == 200
    assert refused[0].status == 503
    assert refused[0].problem["name"] == "requests_of_an_address_in_a_second"
    PROBLEM.validate(refused[0].problem)


@pytest.fixture
def paused(composition: Project) -> Iterator[None]:
    """Pause all services, so that no request is answered."""
    services = [each.id for each in composition.containers("service")]
    docker("pause", *services)
    yield
    docker("unpause", *services)


@pytest.mark.usefixtures("paused")
def test_a_client_that_leaves_is_logged_as_such_and_frees_its_place(
    port: int, gateway: Container
) -> None:
    body = SMALL.ljust(LARGE_BODY)
    names = [uuid4().hex for _ in range(3 * 64)]  # three times as many as may be under way
    for name in names:
        sent = posted(body, "X-Forwarded-For: 192.0.2.5", f"X-Request-Id: {name}")
        with opened(port, sent) as connection:
            connection.shutdown(SHUT_WR)  # as a browser's abort does
            assert connection.recv(1) == b""
    assert eventually(lambda: len(gateway.lines(*names)) == len(names))
    assert {line["status"] for line in gateway.lines(*names)} == {499}


@pytest.mark.parametrize("part", ["body", "head"])
def test_unfinished_requests_delay_no_other_client(port: int, part: str) -> None:
    """300 unfinished requests of 30 addresses; others send a probe, a small and a large request."""
    with ExitStack() as stalled:
        for number in range(300):
            headers = f"X-Forwarded-For: 198.51.100.{number % 30}"
            head = posted(b"", headers, length=LARGE_BODY)
            sent = head + bytes(LARGE_BODY - 1) if part == "body" else head[:-2]
            stalled.enter_context(opened(port, sent))
        for path, body in [("/healthz", None), ("/v1/gradient", SMALL)]:
            assert call(port, path, body, headers=of("192.0.2.6")).status == 200
        large = call(port, body=SMALL.ljust(LARGE_BODY), headers=of("192.0.2.6"))
        assert large.status == 200


def test_without_a_service_nginx_answers_not_ready(composition: Project, port: int) -> None:
    services = [each.id for each in composition.containers("service")]
    docker("stop", *services)
    try:
        refused = call(port, body=SMALL)
    finally:
        docker("start", *services)
    assert (refused.status, refused.headers["retry-after"]) == (503, "1")
    assert refused.problem["code"] == "not_ready"
    assert eventually(lambda: call(port, body=SMALL).status == 200)
