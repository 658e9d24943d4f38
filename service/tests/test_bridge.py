"""Replies as they are sent: at once, piece by piece, not to the end."""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any
from wsgiref.types import StartResponse
from wsgiref.validate import validator

import pytest

import service.server.send
from service import Config
from service.observe.observation import CUT
from service.server.asgi import AsgiAdapter
from service.tests.asgi_client import (
    GONE,
    Client,
    Environ,
    answered,
    got,
    held,
    impatient,
    large,
    posted,
    serve,
    until,
    without_waiting,
)


class Stream:
    """What an application returns that makes its reply piece by piece."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self.pieces = iter(pieces)
        self.made = 0
        self.closed = 0

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        piece = next(self.pieces)
        self.made += 1
        return piece

    def close(self) -> None:
        self.closed += 1


def streaming(pieces: Iterable[bytes], *headers: tuple[str, str]) -> tuple[AsgiAdapter, Stream]:
    stream = Stream(pieces)

    def application(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        start_response("200 OK", [("Content-Type", "text/plain"), *headers])
        return stream

    return serve(impatient(0.1), application), stream


def test_a_stream_is_sent_piece_by_piece_and_closed_once() -> None:
    adapter, stream = streaming([b"a", b"", b"bc"])
    client = answered(adapter, got(), Client())
    assert (client.status, client.body, client.is_whole) == (200, b"abc", True)
    bodies = [message.get("body") for message in client.sent[1:]]
    assert [body for body in bodies if body] == [b"a", b"bc"]
    assert stream.closed == 1


def test_a_piece_is_made_when_the_one_before_has_been_taken() -> None:
    adapter, stream = streaming([b"a"] * 5)
    made: list[int] = []

    async def send(message: Any) -> None:
        made.append(stream.made)

    async def run() -> None:
        await adapter(got(), Client().receive, send)

    asyncio.run(run())
    assert made == [0, 1, 2, 3, 4, 5, 5]  # the start, five pieces, the end


@pytest.mark.parametrize("headers", [[], [("Content-Length", "102400")]])
def test_a_large_piece_is_sent_in_small_ones(headers: list[tuple[str, str]]) -> None:
    whole = bytes(range(256)) * 400
    adapter, stream = streaming([whole], *headers)
    client = answered(adapter, got(), Client())
    assert (client.body, client.is_whole, stream.closed) == (whole, True, 1)
    assert max(len(message.get("body", b"")) for message in client.sent[1:]) <= 16_384


def test_a_client_that_stops_reading_is_given_up_and_the_stream_closed() -> None:
    adapter, stream = streaming(b"a" for _ in iter(int, 1))  # without end

    async def run() -> Client:
        client = Client()

        async def send(message: Any) -> None:
            await Client.send(client, message)
            if len(client.sent) == 3:
                await asyncio.Event().wait()  # it takes no more

        async with asyncio.timeout(5):
            await adapter(got(), client.receive, send)
        return client

    client = asyncio.run(run())
    assert not client.is_whole  # or a cut reply would pass for a whole one
    assert (stream.closed, held(adapter)) == (1, (0, 0, 0))


def test_a_client_that_reads_slowly_is_served_to_the_end() -> None:
    adapter, stream = streaming([b"a"] * 10)
    client = Client()

    async def send(message: Any) -> None:
        await client.send(message)
        await asyncio.sleep(0.05)  # ten times that is more than the 0.3 s for one

    without_waiting(adapter(got(), client.receive, send))
    assert (client.body, client.is_whole, stream.closed) == (b"a" * 10, True, 1)
    assert held(adapter) == (0, 0, 0)


def test_a_client_that_reads_drop_by_drop_is_given_up_in_the_end() -> None:
    # Each byte is taken in time, but all together are taken at less than the least pace.
    adapter, stream = streaming([b"x"] * 1_000)
    adapter = AsgiAdapter(adapter.application, impatient(0.05))
    client = Client()

    async def send(message: Any) -> None:
        await client.send(message)
        await asyncio.sleep(0.04)

    without_waiting(adapter(got(), client.receive, send))
    assert len(client.body) == 8  # 7 were taken within the 0.3 s of grace
    assert not client.is_whole
    assert stream.closed == 1


def test_a_slow_client_that_keeps_the_least_pace_gets_all() -> None:
    # A kernel takes a third of its buffer at once, and nothing for a long time before.
    adapter, _ = streaming([b"x" * 16_384] * 4)
    adapter = AsgiAdapter(adapter.application, impatient(0.2))
    client = Client()

    async def send(message: Any) -> None:
        await client.send(message)
        await asyncio.sleep(0.35)  # altogether more than the 1.2 s of grace

    without_waiting(adapter(got(), client.receive, send))
    assert client.is_whole


def test_a_client_that_is_never_done_is_given_up_however_much_it_takes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Each piece in time, and far more than the least pace; but the time for all of them is over.
    monkeypatch.setattr(service.server.send, "_IN_ALL", 0.1)  # of ten seconds
    adapter, stream = streaming([b"x" * 16_384] * 200)
    adapter = AsgiAdapter(adapter.application, impatient(10))
    client = Client()

    async def send(message: Any) -> None:
        await client.send(message)
        await asyncio.sleep(0.03)

    without_waiting(adapter(got(), client.receive, send))
    assert len(client.body) == 34 * 16_384  # 33 were taken within a second
    assert not client.is_whole
    assert stream.closed == 1


def test_a_stream_stops_when_its_client_leaves() -> None:
    adapter, stream = streaming(b"a" for _ in iter(int, 1))  # without end
    client = Client({"type": "http.request", "body": b"", "more_body": False}, GONE)
    cut: list[bool] = []

    def application(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        environ[CUT] = lambda: cut.append(True)
        return adapter.application(environ, start_response)

    answered(serve(None, application), got(), client)
    assert (stream.closed, cut, client.is_whole) == (1, [True], False)


def test_a_slow_reader_takes_a_place_and_gives_it_back() -> None:
    stream = Stream([b"a"] * 3)

    def application(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        if any(isinstance(value, Exception) for value in environ.values()):
            start_response("503 Service Unavailable", [("Content-Length", "0")])
            return [b""]
        start_response("200 OK", [])
        return stream

    adapter = serve(Config(max_concurrency=1), application)

    async def run() -> list[int]:
        slow, other, later = Client(takes=asyncio.Event()), Client(), Client()
        task = asyncio.create_task(adapter(got(b"/x"), slow.receive, slow.send))
        await until(lambda: len(slow.sent) == 1)
        await adapter(got(b"/x"), other.receive, other.send)
        assert slow.takes
        slow.takes.set()
        await task
        await adapter(got(b"/x"), later.receive, later.send)
        return [slow.status, other.status, later.status]

    assert asyncio.run(run()) == [200, 503, 200]


@pytest.mark.parametrize("fault", [OSError, RuntimeError, asyncio.CancelledError])
@pytest.mark.parametrize("moment", ["http.response.start", "http.response.body"])
def test_a_stream_is_closed_where_the_client_breaks_off(
    fault: type[BaseException], moment: str
) -> None:
    # ASGI: what is sent to a client that has gone may raise OSError. PEP 3333: close() is called
    # however a request ends.
    adapter, stream = streaming([b"a"] * 3)
    client = Client()

    async def send(message: Any) -> None:
        if message["type"] == moment:
            raise fault

    client.send = send  # type: ignore[method-assign]
    with suppress(fault):
        answered(adapter, got(), client)
    assert stream.closed == 1


@pytest.mark.parametrize("headers", [[], [("Content-Length", "3")]])
def test_a_stream_that_fails_is_closed_and_never_looks_whole(
    headers: list[tuple[str, str]],
) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"a"
        raise LookupError("secret of the house")

    adapter, stream = streaming(pieces(), *headers)
    client = Client()
    with pytest.raises(LookupError):
        answered(adapter, got(), client)
    assert not client.is_whole
    assert stream.closed == 1


def test_an_application_that_fails_leaves_nothing_behind() -> None:
    def application(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        raise LookupError

    adapter = serve(None, application)
    for asked, client in ((got(), Client()), large()):
        with pytest.raises(LookupError):  # the server answers 500 and logs it
            answered(adapter, asked, client)
        assert client.sent == []


@pytest.mark.parametrize("pieces", [[], [b""], [b"ab"], [b"a", b"b"], [b"a" * 20_000, b"b"]])
@pytest.mark.parametrize("has_length", [True, False])
def test_a_reply_may_be_any_list(pieces: list[bytes], has_length: bool) -> None:  # noqa: FBT001
    whole = b"".join(pieces)

    def application(environ: Environ, start_response: StartResponse) -> list[bytes]:
        length = [("Content-Length", str(len(whole)))] if has_length else []
        start_response("200 OK", [("Content-Type", "text/plain"), *length])
        return pieces

    client = answered(serve(None, application), got(), Client())
    assert (client.status, client.body, client.is_whole) == (200, whole, True)


def test_the_adapter_keeps_to_pep_3333() -> None:
    """wsgiref's validator asserts what a server and an application owe each other."""

    def application(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        body = environ["wsgi.input"].read(99_999)
        start_response("200 OK", [("Content-Type", "text/plain")])
        return iter([body, b"!"])

    adapter = serve(None, validator(application))
    for length in (3, 5_000):
        client = answered(adapter, posted(length=length), Client(b"x" * length))
        assert (client.status, client.body, client.is_whole) == (200, b"x" * length + b"!", True)
