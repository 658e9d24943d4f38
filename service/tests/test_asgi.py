"""Requests as they arrive: whole, in pieces, too large, too slow."""

import asyncio
import json
import time
from typing import Any
from wsgiref.types import StartResponse

import pytest

from service import Config
from service.tests.asgi_client import (
    BODY,
    GONE,
    Client,
    Environ,
    answered,
    got,
    impatient,
    posted,
    scope,
    serve,
)


@pytest.mark.parametrize(
    "pieces", [[BODY], [BODY[:7], BODY[7:]], [bytes([byte]) for byte in BODY], [b"", BODY, b""]]
)
@pytest.mark.parametrize("length", [len(BODY), None])
def test_a_body_is_read_whole_however_it_comes(pieces: list[bytes], length: int | None) -> None:
    client = answered(serve(), posted(length=length), Client(*pieces))
    assert client.status == 200
    assert json.loads(client.body)["gradients"] == {"a": 10, "b": 10, "c": -1}
    assert client.is_whole
    assert int(client.headers["content-length"]) == len(client.body)


def test_without_a_body_nothing_is_waited_for() -> None:
    client = answered(serve(), got(), Client())
    assert (client.status, client.read) == (200, 0)


def test_of_what_the_server_keeps_nothing_is_kept_while_a_body_comes() -> None:
    asked, slow = posted(length=len(BODY)), Client(BODY, delay=60)

    async def run() -> None:
        task = asyncio.create_task(serve()(asked, slow.receive, slow.send))
        await asyncio.sleep(0)
        assert asked == {}
        task.cancel()

    asyncio.run(run())


def test_the_names_of_headers_are_sent_in_lower_case() -> None:
    # ASGI, HTTP connection scope, response start: "Header names must be lowercased".
    client = answered(serve(), got(), Client())
    names = [name for name, _ in client.sent[0]["headers"]]
    assert names == [name.lower() for name in names]


def test_what_is_not_modified_is_answered_without_a_body() -> None:
    asked = scope(
        [(b"if-none-match", b"*")], raw_path=b"/v1/gradient", query_string=b"expression=1"
    )
    client = answered(serve(), asked, Client())
    assert (client.status, client.body, client.is_whole) == (304, b"", True)


def read_before_each_message(client: Client) -> list[int]:
    """Note how many pieces of its body were read when a client is sent something."""
    noted: list[int] = []

    async def send(message: Any) -> None:
        noted.append(client.read)
        await Client.send(client, message)

    client.send = send  # type: ignore[method-assign]
    return noted


def test_a_body_that_is_announced_too_large_is_refused_before_it_is_read() -> None:
    client = Client(b"x" * 10)
    read_before = read_before_each_message(client)
    answered(serve(Config(max_body_bytes=9)), posted(length=10), client)
    assert (client.problem["code"], client.status) == ("payload_too_large", 413)
    assert (client.problem["limit"], client.problem["actual"]) == (9, 10)
    assert set(read_before) == {0}
    assert client.read == 1  # then it is read past


def test_a_body_that_is_found_too_large_is_refused_at_once_and_read_past() -> None:
    client = Client(*[b"x" * 4] * 10)
    read_before = read_before_each_message(client)
    answered(serve(Config(max_body_bytes=9)), posted(), client)
    assert (client.problem["code"], client.problem["actual"]) == ("payload_too_large", None)
    assert set(read_before) == {3}  # twelve bytes are more than nine
    assert client.read == 10


@pytest.mark.parametrize("length", [len(BODY), None])
def test_a_body_of_just_the_limit_is_read(length: int | None) -> None:
    adapter = serve(Config(max_body_bytes=len(BODY)))
    client = answered(adapter, posted(length=length), Client(BODY))
    assert client.status == 200


def test_a_body_without_end_is_not_read_for_ever() -> None:
    client = Client(*[b"x" * 1_000] * 10_000)
    answered(serve(Config(max_body_bytes=1_000)), posted(), client)
    assert client.status == 413
    assert client.read < 200


def test_a_client_that_listens_before_it_has_sent_all_is_not_waited_for() -> None:
    client = Client(b"x" * 10, {"type": "http.request", "body": b"x", "more_body": True})
    client.arriving[-1]["more_body"] = True
    answered(serve(impatient(0.1, max_body_bytes=9)), posted(), client)  # which has a time limit
    assert client.status == 413


def test_a_body_that_stops_coming_is_refused_in_time() -> None:
    client = Client(BODY[:7])
    client.arriving[-1]["more_body"] = True
    started = time.monotonic()
    answered(serve(Config(read_seconds=1)), posted(length=len(BODY)), client)
    assert time.monotonic() - started > 0.9
    assert (client.status, client.problem["code"]) == (408, "request_timeout")
    assert client.problem["limit"] == 1
    assert client.headers["connection"] == "close"  # RFC 9110, section 15.5.9


def test_a_body_that_comes_drop_by_drop_has_no_more_time() -> None:
    client = Client(*[b" "] * 1_000, delay=0.02)
    seen: list[Environ] = []

    def application(environ: Environ, start_response: StartResponse) -> list[bytes]:
        seen.append(environ)
        start_response("408 Request Timeout", [("Content-Length", "0")])
        return [b""]

    answered(serve(impatient(0.2), application), posted(), client)
    assert client.status == 408
    assert client.read < 20
    [refused] = [value for name, value in seen[0].items() if isinstance(value, Exception)]
    assert getattr(refused, "code", None) == "request_timeout"


@pytest.mark.parametrize("length", [99, None])
def test_a_body_that_ends_too_early_is_a_problem(length: int | None) -> None:
    # So the server tells of a broken chunk, too, and then the reply does arrive.
    client = answered(serve(), posted(length=length), Client(BODY[:7], GONE))
    assert (client.status, client.problem["code"]) == (400, "malformed_request")


def test_a_client_that_goes_while_its_body_is_read_past_ends_quietly() -> None:
    client = answered(serve(Config(max_body_bytes=9)), posted(), Client(b"x" * 10, GONE))
    assert client.status == 413
