"""Replies of the HTTP library, which come before the application: as the OpenAPI document says."""

import socket
from collections.abc import Iterator
from http.client import HTTPResponse

import pytest

from service.openapi import build_openapi
from service.tests.processes import started

ADDRESS = "GET /v1/gradient?expression={} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
REQUESTS = [
    (200, ADDRESS.format("a%2B1&a=2")),
    (431, ADDRESS.format("a" * 8_192)),
    (431, ADDRESS.format("2") + f"X: {'1' * 8_192}\r\n"),
    (431, ADDRESS.format("2") + "".join(f"X-{number}: 1\r\n" for number in range(100))),
]


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with started() as server:
        yield server.port


def reply_to(port: int, head: str) -> tuple[int, dict[str, str], bytes]:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(f"{head}\r\n".encode())
        with HTTPResponse(connection) as response:
            response.begin()
            headers = {name.lower(): text for name, text in response.getheaders()}
            return response.status, headers, response.read()


@pytest.mark.parametrize(("status", "head"), REQUESTS)
def test_a_reply_of_the_library_has_no_body_and_a_description(
    port: int, status: int, head: str
) -> None:
    found, headers, body = reply_to(port, head)
    assert found == status
    document = build_openapi()
    described = document["paths"]["/v1/gradient"]["get"]["responses"][str(status)]
    response = document["components"]["responses"][described["$ref"].rpartition("/")[2]]
    assert bool(body) == ("content-type" in headers) == ("content" in response)
    assert ("x-request-id" in headers) == ("headers" in response)
