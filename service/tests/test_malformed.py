"""Requests as RFC 9110 and 9112 want them, and others that the server lets through."""

from typing import Any

import pytest

from service.server.malformed import find_fault
from service.tests.client import answered, got, scope, serve

HOST = (b"host", b"example.org")
CHUNKED = (b"transfer-encoding", b"chunked")


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"method": "POST", "headers": [HOST, CHUNKED]},
        {"headers": [HOST, (b"transfer-encoding", b" Chunked ")]},
        {"headers": [(b"host", b"example.org:8000")]},
        {"headers": [(b"host", b"127.0.0.1:8000")]},
        {"headers": [(b"host", b"[2001:db8::1]:8000")]},
        {"headers": [(b"host", b"a_service.local")]},
        {"headers": [(b"host", b"")], "http_version": "1.0"},
        {"method": "OPTIONS", "raw_path": b"*"},
        {"method": "M-SEARCH"},
    ],
)
def test_what_is_sound_has_no_fault(options: dict[str, Any]) -> None:
    assert find_fault(scope(**options)) is None


@pytest.mark.parametrize(
    ("options", "part"),
    [
        ({"headers": [(b"host", b"")]}, "this has none"),
        ({"headers": [HOST, HOST]}, "this has 'example.org' and 'example.org'"),
        ({"headers": [(b"host", b"a"), (b"host", b"b")], "http_version": "1.0"}, "'a' and 'b'"),
        ({"headers": [(b"host", b"a/b@c")]}, "'a/b@c'"),
        ({"headers": [(b"host", b"a b")]}, "'a b'"),
        ({"headers": [(b"host", b"user@a")]}, "'user@a'"),
        ({"headers": [(b"host", b"a:port")]}, "'a:port'"),
        ({"headers": [HOST, (b"transfer-encoding", b"gzip, chunked")]}, "chunked"),
        ({"headers": [HOST, CHUNKED, (b"transfer-encoding", b"gzip")]}, "chunked"),
        ({"raw_path": b""}, "begins with /"),
        ({"raw_path": b"*"}, "begins with /"),
        ({"method": "get"}, "'get'"),
        ({"method": "A" * 21}, "not a method"),
    ],
)
def test_a_fault_is_a_problem_that_names_it(options: dict[str, Any], part: str) -> None:
    fault = find_fault(scope(**options))
    assert fault is not None
    assert part in fault.message


# What the parser lets through, of which each fault above is one kind.
HEADS = {
    "this has none": b"GET / HTTP/1.1\r\n\r\n",
    "'a' and 'b'": b"GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n",
    "'user@a'": b"GET / HTTP/1.1\r\nHost: user@a\r\n\r\n",
    "chunked": b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
    "begins with /": b"GET * HTTP/1.1\r\nHost: a\r\n\r\n",
}


@pytest.mark.parametrize("part", HEADS)
def test_a_malformed_head_is_refused_and_its_body_is_not_read_as_a_request(part: str) -> None:
    reply = answered(serve(), HEADS[part], got("/healthz")).reply
    assert (reply.status, reply.problem["code"]) == (400, "malformed_request")
    assert part in reply.problem["detail"]
    assert reply.headers["connection"] == "close"
    assert "x-request-id" in reply.headers


@pytest.mark.parametrize(
    "options", [{"method": "A" * 60_000}, {"headers": [(b"host", b"@" * 60_000)]}]
)
def test_a_long_method_or_host_is_not_repeated_in_full(options: dict[str, Any]) -> None:
    fault = find_fault(scope(**options))
    assert fault is not None
    assert len(fault.message) < 200
