"""Replies as they are sent: at once, piece by piece, not to the end."""

import asyncio
from collections.abc import Iterable, Iterator
from itertools import repeat
from math import inf
from socket import SO_LINGER, SOL_SOCKET
from unittest.mock import Mock
from wsgiref.types import StartResponse
from wsgiref.validate import validator

import pytest

from service import Config
from service.attack.bodies import posted
from service.observe.observation import CUT
from service.server.entry import Entry
from service.tests.client import (
    LARGE,
    Client,
    Environ,
    answered,
    got,
    held,
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
        self.cut: list[bool] = []

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        piece = next(self.pieces)
        self.made += 1
        return piece

    def close(self) -> None:
        self.closed += 1


SECONDS = 1
"""`read_seconds`."""

ASKED = got("/x")


def streaming(pieces: Iterable[bytes], *headers: tuple[str, str]) -> tuple[Entry, Stream]:
    stream = Stream(pieces)

    def application(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        environ[CUT] = lambda: stream.cut.append(True)
        start_response("200 OK", [("Content-Type", "text/plain"), *headers])
        return stream

    return serve(Config(read_seconds=SECONDS), application), stream


def test_a_stream_is_sent_piece_by_piece_and_closed_once() -> None:
    entry, stream = streaming([b"a", b"", b"bc"])
    client = answered(entry, ASKED)
    assert (client.reply.status, client.reply.body, client.reply.is_whole) == (200, b"abc", True)
    assert client.written[1:] == [b"1\r\na\r\n", b"2\r\nbc\r\n", b"0\r\n\r\n"]
    assert (stream.closed, stream.cut) == (1, [])


def test_a_piece_is_made_when_the_one_before_has_been_taken() -> None:
    entry, stream = streaming([b"a"] * 5)

    async def run() -> None:
        client = Client(entry, takes=repeat(1)).send(ASKED)
        for count in range(6):
            await asyncio.sleep(0.5)
            assert (len(client.written), stream.made) == (count + 1, min(count + 1, 5))
            await asyncio.sleep(0.5)
        assert (await client.rest()).reply.is_whole

    without_waiting(run())


@pytest.mark.parametrize("headers", [[], [("Content-Length", "102400")]])
def test_a_large_piece_is_sent_in_small_ones(headers: list[tuple[str, str]]) -> None:
    whole = bytes(range(256)) * 400
    entry, stream = streaming([whole], *headers)
    client = answered(entry, ASKED)
    assert (client.reply.body, client.reply.is_whole, stream.closed) == (whole, True, 1)
    assert max(map(len, client.written)) <= 16_384 + len(b"4000\r\n\r\n")


def taken_by(entry: Entry, takes: Iterable[float]) -> Client:
    """Have a client take a reply at its own pace, until it has all or is let go."""

    async def run() -> Client:
        client = await Client(entry, takes=takes).send(ASKED).rest()
        await asyncio.sleep(0)
        assert held(entry)[:2] == (0, 0)
        return client

    return without_waiting(run())


def test_a_client_that_stops_reading_is_given_up_and_the_stream_closed() -> None:
    entry, stream = streaming(b"a" for _ in iter(int, 1))  # without end
    client = taken_by(entry, [0, 0, inf])
    assert not client.reply.is_whole  # or a cut reply would pass for a whole one
    assert (stream.closed, stream.cut, held(entry)) == (1, [True], (0, 0, 0))


def test_what_is_left_of_a_reply_that_is_cut_is_forgotten_by_the_kernel_too() -> None:
    entry, _ = streaming(b"a" for _ in iter(int, 1))  # without end
    end = Mock()

    async def run() -> None:
        client = Client(entry, takes=[0, 0, inf])
        client._extra["socket"] = end  # type: ignore[attr-defined]
        assert not (await client.send(ASKED).rest()).reply.is_whole

    without_waiting(run())
    end.setsockopt.assert_called_once_with(SOL_SOCKET, SO_LINGER, b"\1\0\0\0" + bytes(4))


def test_a_client_that_reads_slowly_is_served_to_the_end() -> None:
    entry, stream = streaming([b"a"] * 10)
    client = taken_by(entry, repeat(SECONDS / 2))  # ten times that is more than three for one
    assert (client.reply.body, client.reply.is_whole, stream.closed) == (b"a" * 10, True, 1)


def test_a_client_that_is_never_done_is_given_up_though_it_takes_each_piece_in_time() -> None:
    entry, stream = streaming([b"x"] * 1_000)
    client = taken_by(entry, repeat(0.8))
    assert len(client.reply.body) == 74  # they and the head were taken within a minute
    assert (client.reply.is_whole, stream.closed) == (False, 1)


def test_a_stream_stops_when_its_client_leaves() -> None:
    entry, stream = streaming(b"a" for _ in iter(int, 1))  # without end

    async def run() -> None:
        client = Client(entry, takes=repeat(0.01)).send(ASKED, ASKED)  # the next is read, too
        await until(lambda: stream.made > 9)
        client.leave()
        await until(lambda: stream.closed == 1)
        assert (stream.cut, stream.made < 99, client.reply.is_whole) == ([True], True, False)
        stalled = Client(entry, takes=[0, inf]).send(ASKED)
        await until(lambda: len(stalled.written) > 1)
        stalled.leave()
        await asyncio.sleep(0.01)
        assert (stream.closed, held(entry)) == (2, (0, 0, 0))

    without_waiting(run())


def test_a_stop_cuts_a_stream() -> None:
    entry, stream = streaming(b"a" for _ in iter(int, 1))  # without end

    async def run() -> None:
        client = Client(entry, takes=[0, 0, inf]).send(ASKED)
        await until(lambda: len(client.written) > 2)
        for task in client.tasks:
            task.cancel()
        await client.rest()
        assert (stream.closed, stream.cut, client.reply.is_whole) == (1, [True], False)

    without_waiting(run())


@pytest.mark.parametrize("headers", [[], [("Content-Length", "3")]])
def test_a_stream_that_fails_is_closed_and_never_looks_whole(
    headers: list[tuple[str, str]],
) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"a"
        raise LookupError("secret of the house")

    entry, stream = streaming(pieces(), *headers)
    client = answered(entry, ASKED)
    expected = (500, True) if headers else (200, False)  # what has a length is made at once
    assert (client.reply.status, client.reply.is_whole) == expected
    assert (stream.closed, client.is_closing()) == (1, True)


def test_an_application_that_fails_leaves_nothing_behind() -> None:
    def application(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        raise LookupError

    for asked in (ASKED, LARGE):
        assert answered(serve(None, application), asked).statuses == [500]


@pytest.mark.parametrize("pieces", [[], [b""], [b"ab"], [b"a", b"b"], [b"a" * 20_000, b"b"]])
@pytest.mark.parametrize("has_length", [True, False])
def test_a_reply_may_be_any_list(pieces: list[bytes], has_length: bool) -> None:  # noqa: FBT001
    whole = b"".join(pieces)

    def application(environ: Environ, start_response: StartResponse) -> list[bytes]:
        length = [("Content-Length", str(len(whole)))] if has_length else []
        start_response("200 OK", [("Content-Type", "text/plain"), *length])
        return pieces

    reply = answered(serve(None, application), ASKED).reply
    assert (reply.status, reply.body, reply.is_whole) == (200, whole, True)


def test_the_server_keeps_to_pep_3333() -> None:
    """wsgiref's validator asserts what a server and an application owe each other."""

    def application(environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        body = environ["wsgi.input"].read(99_999)
        start_response("200 OK", [("Content-Type", "text/plain")])
        return iter([body, b"!"])

    for length in (3, 5_000):
        body = b"x" * length
        reply = answered(serve(None, validator(application)), posted("/x", body)).reply
        assert (reply.status, reply.body, reply.is_whole) == (200, body + b"!", True)
