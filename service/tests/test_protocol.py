"""One connection: what its client sends, in which pieces, how late, and what it gets for it."""

import asyncio
import gc
import json
import weakref
from collections.abc import Iterator
from math import inf
from wsgiref.types import StartResponse

import pytest

from service import Config
from service.attack.bodies import posted
from service.server.entry import Entry
from service.server.protocol import Connection
from service.tests.client import (
    BODY,
    POSTED,
    Client,
    Environ,
    answered,
    chunked,
    got,
    held,
    serve,
    without_waiting,
)

HEAD = POSTED[: -len(BODY)]
GRADIENTS = {"a": 10, "b": 10, "c": -1}
SHORT = Config(max_body_bytes=9)
HEAD_BYTES, HEADERS, AHEAD, READ_PAST = 8_192, 100, 16, 64


def cut(request: bytes, size: int) -> list[bytes]:
    return [request[start : start + size] for start in range(0, len(request), size)]


def long_head(size: int) -> bytes:
    head = got("/healthz", "X-Long: ")
    return head.replace(b"Long: ", b"Long: " + b"a" * (size - len(head)))


@pytest.mark.parametrize("size", [1, 7, 100, 10_000])
@pytest.mark.parametrize("request_", [POSTED, b"".join(chunked(BODY[:9], BODY[9:]))])
def test_a_request_is_read_whole_however_it_comes(request_: bytes, size: int) -> None:
    reply = answered(serve(), *cut(request_, size)).reply
    assert (reply.status, json.loads(reply.body)["gradients"]) == (200, GRADIENTS)
    assert int(reply.headers["content-length"]) == len(reply.body)


@pytest.mark.parametrize("moment", [10, len(HEAD), len(POSTED) - 1])
def test_a_request_begins_when_it_is_whole(moment: int) -> None:
    async def run() -> None:
        client = Client(serve()).send(POSTED[:moment])
        await asyncio.sleep(5)
        assert (client.is_answered, client.written) == (False, [])
        assert (await client.send(POSTED[moment:]).rest()).statuses == [200]

    without_waiting(run())


def test_what_is_not_modified_and_what_is_asked_by_head_have_no_body() -> None:
    asked = got("/v1/gradient?expression=1", "If-None-Match: *")
    assert answered(serve(), asked).written[-1].endswith(b"\r\n\r\n")
    for headers, status in ([], 200), (["Host: y"], 400), (["a b: c"], 400):
        client = answered(serve(), got("/healthz", *headers, method="HEAD"))
        assert b" %d " % status in client.written[0]
        assert b"".join(client.written).endswith(b"\r\n\r\n")


# Bodies that are too large, or do not come.


def test_a_body_that_is_announced_too_large_is_refused_before_it_comes_and_read_past() -> None:
    for body in (), (b"x" * 10,), (b"x" * 5, b"x" * 5, POSTED):
        request = posted("/v1/gradient", b"", length=10, headers="Expect: 100-continue\r\n")
        client = answered(serve(SHORT), request, *body)
        assert client.written[0].startswith(b"HTTP/1.1 413 ")
        assert client.reply.problem["code"] == "payload_too_large"
        assert (client.reply.problem["limit"], client.reply.problem["actual"]) == (9, 10)
        assert client.reply.headers["connection"] == "close"


def test_a_body_that_is_found_too_large_is_refused_at_once_and_read_past() -> None:
    async def run() -> None:
        client = Client(serve(SHORT), stays=True)
        *pieces, rest, end = chunked(*[b"x" * 4] * 4)
        await client.send(*pieces).rest()  # twelve bytes are more than nine
        assert client.reply.problem["code"] == "payload_too_large"
        assert (client.reply.problem["limit"], client.reply.problem["actual"]) == (9, None)
        assert (client.is_ended, client.is_closing()) == (True, False)
        client.send(rest, end, b"")
        assert client.is_closing()
        assert client.statuses == [413]

    without_waiting(run())


@pytest.mark.parametrize("pieces", [[POSTED], chunked(BODY)])
def test_a_body_of_just_the_limit_is_read(pieces: list[bytes]) -> None:
    assert answered(serve(Config(max_body_bytes=len(BODY))), *pieces).statuses == [200]


def test_a_body_without_end_is_not_read_for_ever() -> None:
    async def run() -> None:
        client = await Client(serve(SHORT), stays=True).send(*chunked(b"x" * 10)[:-1]).rest()
        client.send(b"x" * 9 * READ_PAST)
        assert not client.is_closing()
        client.send(b"x")
        assert client.is_closing()
        slow = await Client(serve(SHORT), stays=True).send(*chunked(b"x" * 10)[:-1]).rest()
        await asyncio.sleep(9)
        slow.send(b"x")
        assert not slow.is_closing()
        await asyncio.sleep(1.5)
        assert slow.is_closing()

    without_waiting(run())


@pytest.mark.parametrize("pause", [0.5, 60])
def test_a_body_that_does_not_come_in_time_is_a_problem(pause: float) -> None:
    async def run() -> None:
        client = Client(serve(Config(read_seconds=2))).send(HEAD)
        for byte in BODY:
            client.send(bytes([byte]))
            await asyncio.sleep(pause)
        reply = client.reply
        assert (reply.status, reply.problem["code"]) == (408, "request_timeout")
        assert (reply.problem["limit"], reply.headers["connection"]) == (2, "close")

    without_waiting(run())


def test_a_head_and_a_body_have_the_same_seconds_each() -> None:
    async def run() -> None:
        client = Client(serve(Config(read_seconds=2)))
        for piece in (HEAD, BODY) * 2:
            await asyncio.sleep(1.9)
            assert not client.is_closing()
            client.send(piece)
            await asyncio.sleep(0.001)
        assert (await client.rest()).statuses == [200] * 2

    without_waiting(run())


@pytest.mark.parametrize("before", [b"", POSTED])
@pytest.mark.parametrize("start", [b"", HEAD[:8], b"\r\n" * 4])
def test_a_head_that_is_late_ends_its_connection_without_a_word(
    before: bytes, start: bytes
) -> None:
    async def run() -> None:
        entry = serve(Config(read_seconds=2))
        client = Client(entry).send(*[before] * bool(before))
        await asyncio.sleep(0.1)
        for moment in range(8):
            assert not client.is_closing()
            client.send(*cut(start[moment : moment + 1], 1))
            await asyncio.sleep(0.2)
        await asyncio.sleep(0.6)
        assert client.is_closing()
        assert len(client.statuses) == bool(before)
        assert held(entry) == (0, 0, 0)

    without_waiting(run())


# Clients that stop sending, or leave.


@pytest.mark.parametrize(
    ("requests", "statuses"),
    [
        ([POSTED], [200]),
        ([POSTED * 3], [200] * 3),
        ([POSTED + HEAD[:20]], [200]),
        ([HEAD + BODY[:7]], [400]),
        ([POSTED + HEAD + BODY[:7]], [200, 400]),
        (chunked(BODY[:7])[:-1], [400]),
        ([b"garbage\r\n\r\n"], [400]),
        ([HEAD[:20]], []),
        ([], []),
    ],
)
def test_a_client_that_stops_sending_gets_what_it_asked_for(
    requests: list[bytes], statuses: list[int]
) -> None:
    async def run() -> None:
        client = Client(serve()).send(*requests, b"")
        await client.rest()
        assert client.statuses == statuses
        assert client.is_closing()
        if statuses:
            last = client.replies[-1]
            assert last.headers["connection"] == "close"
            assert last.status == 200 or last.problem["code"] == "malformed_request"

    without_waiting(run())


@pytest.mark.parametrize("request_", [POSTED, POSTED * 2, HEAD, HEAD[:20], b"\0", b""])
@pytest.mark.parametrize("turns", [0, 1, 2, 3])
def test_a_client_that_leaves_ends_quietly(
    request_: bytes, turns: int, caplog: pytest.LogCaptureFixture
) -> None:
    entry = serve()

    async def run() -> None:
        client = Client(entry).send(*[request_] * bool(request_))
        for _ in range(turns):
            await asyncio.sleep(0)
        client.leave()
        await asyncio.sleep(60)
        assert held(entry) == (0, 0, 0)

    without_waiting(run())
    assert caplog.records == []


def test_a_connection_that_has_ended_leaves_the_garbage_collector_nothing() -> None:
    async def run() -> list[object]:
        entry, left = serve(), list[weakref.ref[Connection]]()
        for request in (got("/healthz"), POSTED, b"\0", HEAD[:9], HEAD):
            client = Client(entry, stays=True).send(request)
            await asyncio.sleep(0.1)
            left.append(weakref.ref(client.connection))
            client.leave()
            del client
        await asyncio.sleep(60)
        return [each() for each in left]

    gc.disable()
    try:
        assert without_waiting(run()) == [None] * 5
    finally:
        gc.enable()


@pytest.mark.parametrize("headers", [[], ["Connection: close"]])
@pytest.mark.parametrize(
    ("path", "taken"), [("/v1/limits", 0), ("/v1/limits", 1), ("/", 0), ("/", 2), ("/", 3)]
)
def test_a_client_that_does_not_take_its_reply_is_let_go(
    headers: list[str], path: str, taken: int
) -> None:
    async def run() -> None:
        entry = serve(application=in_pieces if path == "/" else None)
        client = Client(entry, takes=[*[0] * taken, inf]).send(got(path, *headers))
        await asyncio.sleep(29)
        assert held(entry)[2] > 0
        await asyncio.sleep(2)
        assert client.is_closing()
        assert held(entry) == (0, 0, 0)

    without_waiting(run())


def test_the_end_of_a_reply_is_waited_for_as_long_as_the_rest_of_it() -> None:
    """A kernel may take nothing for ten seconds of a client that reads steadily."""

    async def run() -> tuple[bool, bool]:
        client = Client(serve(application=in_pieces), takes=[0, 0, 0, 25]).send(got("/"))
        await asyncio.sleep(26)
        taken = not client.is_closing()
        await asyncio.sleep(11)
        return taken, client.is_closing()

    assert without_waiting(run()) == (True, True)


# What is not HTTP, or too much of it.


@pytest.mark.parametrize("size", [100, 4_096, 20_000])
def test_a_head_has_at_most_eight_kilobytes(size: int) -> None:
    assert answered(serve(), *cut(long_head(HEAD_BYTES), size)).statuses == [200]
    assert answered(serve(), *cut(POSTED + long_head(HEAD_BYTES), size)).statuses == [200, 200]
    client = answered(serve(), *cut(long_head(20_000), size))
    assert (client.reply.status, client.is_ended) == (400, True)
    assert "at most 8192 bytes" in client.reply.problem["detail"]


def test_trailers_are_no_headers_and_have_as_many_bytes() -> None:
    request = chunked(BODY)[:-1]
    trailers = b"0\r\nHost: other\r\nAccept: text/html\r\n\r\n"
    assert answered(serve(), *request, trailers).statuses == [200]
    endless = b"0\r\nX-Endless: " + b"a" * 20_000
    client = answered(serve(), *request, *cut(endless, 1_000))
    assert client.reply.problem["code"] == "malformed_request"
    extended = b"1;a=" + b"a" * 20_000
    assert answered(serve(), *request, extended).statuses == [400]


def test_a_request_has_at_most_a_hundred_headers() -> None:
    names = [f"X-{number}: 1" for number in range(HEADERS)]
    assert answered(serve(), got("/healthz", *names[1:])).statuses == [200]
    reply = answered(serve(), got("/healthz", *names)).reply
    assert (reply.status, reply.headers["connection"]) == (400, "close")
    assert "at most 100 headers" in reply.problem["detail"]


GARBAGE = [
    b"\0",
    b"\x16\x03\x01\x02\x00\x01\x00",  # TLS
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"GET /healthz HTTP/9.9\r\n\r\n",
    b"GET /healthz HTTP/1.1\r\nHost : x\r\n\r\n",
    b"GET /healthz HTTP/1.1\r\nHost: x\r\n folded: y\r\n\r\n",
    posted("/v1/gradient", BODY, headers="Transfer-Encoding: chunked\r\n"),
    posted("/v1/gradient", BODY, headers="Content-Length: 1\r\n"),
    posted("/v1/gradient", BODY, headers="Content-Length: -1\r\n"),
    chunked(BODY)[0] + b"zz\r\n",
    chunked(BODY)[0] + b"2\r\nabc\r\n",
]


@pytest.mark.parametrize("garbage", GARBAGE)
@pytest.mark.parametrize("before", [[], [POSTED], [POSTED, got("/healthz")]])
@pytest.mark.parametrize("after", [b"", b"\0" * 9_000, POSTED * 2, got("/healthz", "Host: y")])
def test_what_is_not_http_is_a_problem_in_its_turn_and_the_last(
    garbage: bytes, before: list[bytes], after: bytes
) -> None:
    client = answered(serve(), b"".join(before) + garbage + after, *[after] * bool(after))
    *first, last = client.replies
    assert [reply.status for reply in first] == [200] * len(before)
    assert (last.status, last.problem["code"]) == (400, "malformed_request")
    assert last.headers["connection"] == "close"
    assert client.is_ended


def test_another_protocol_that_is_offered_is_not_spoken() -> None:
    offer = got("/healthz", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c")
    assert answered(serve(), offer * 2 + POSTED).statuses == [200] * 3
    websocket = got("/healthz", "Connection: Upgrade", "Upgrade: websocket")
    assert answered(serve(), websocket, POSTED).statuses == [200, 200]
    offering = posted("/v1/gradient", BODY, headers="Connection: upgrade\r\nUpgrade: h2c\r\n")
    assert answered(serve(), offering).statuses == [200]
    for target, status in (("x:80", 400), ("/healthz", 405)):
        client = answered(serve(), got(target, method="CONNECT") + POSTED, POSTED)
        assert (client.statuses, client.is_ended) == ([status], True)


@pytest.mark.parametrize("origin", ["http://x", "HTTPS://x:80", "http://x?"])
def test_a_target_may_begin_with_an_origin(origin: str) -> None:
    path = "" if origin.endswith("?") else "/v1/gradient?"
    client = answered(serve(), got(f"{origin}{path}expression=1"))
    assert client.statuses == [200 if path else answered(serve(), got("/")).reply.status]


# Requests one after the other.


def test_requests_that_are_sent_ahead_are_answered_in_order() -> None:
    targets = ["/v1/limits", "/healthz", "/nowhere", "/v1/gradient", "/healthz"]
    statuses = [200, 200, 404, 422, 200]
    requests = b"".join(map(got, targets))
    for size in (1, 50, 10_000):
        assert answered(serve(), *cut(requests, size)).statuses == statuses


def test_so_many_requests_are_sent_ahead_of_replies_and_no_more() -> None:
    assert answered(serve(), POSTED * (1 + AHEAD)).statuses == [200] * (1 + AHEAD)
    for more in (1, 50):
        client = answered(serve(), POSTED * (1 + AHEAD + more))
        assert client.statuses == [200] * (1 + AHEAD) + [400]
        assert "at most 16 requests" in client.replies[-1].problem["detail"]


def test_while_requests_wait_no_more_is_read() -> None:
    async def run() -> None:
        client = Client(serve()).send(*[POSTED] * 100)
        assert len(client.unread) == 99
        await client.rest()
        assert client.statuses == [200] * 100

    without_waiting(run())


def test_what_is_held_of_a_request_is_counted_while_the_one_before_is_answered() -> None:
    async def run() -> None:
        entry = serve()
        client = Client(entry)
        alone = held(entry)[2]
        head = posted("/v1/gradient", b"", length=200_000)
        await client.send(POSTED + head + b"x" * 100_000).rest()
        assert client.statuses == [200]
        assert held(entry)[2] >= alone + 100_000
        client.send(b" " * 100_000)
        assert (await client.rest()).statuses[1:] in ([], [400])
        await asyncio.sleep(1)
        assert (client.statuses, held(entry)[2]) == ([200, 400], alone)

    without_waiting(run())


def test_a_connection_is_kept_or_closed_as_its_client_wants() -> None:
    async def run() -> None:
        client = Client(serve())
        for _ in range(3):
            await client.send(POSTED).rest()
            assert not client.is_closing()
        await client.send(got("/healthz", "Connection: close")).rest()
        assert client.is_closing()
        assert [reply.headers.get("connection") for reply in client.replies] == [None] * 3 + [
            "close"
        ]

    without_waiting(run())


def in_pieces(environ: Environ, start_response: StartResponse) -> Iterator[bytes]:
    start_response("200 OK", [("Content-Type", "text/plain")])
    return iter([b"ab", b"c"])


def test_http_1_0_is_answered_without_chunks_and_closed() -> None:
    for pieces in ([got("/", version="1.0")], [b"GET / HTTP/1.0\r\n\r\n"]):
        client = answered(serve(application=in_pieces), *pieces)
        assert b"".join(client.written).endswith(b"connection: close\r\n\r\nabc")
        assert client.is_ended
    new = answered(serve(application=in_pieces), got("/"))
    assert (new.reply.body, new.reply.headers["transfer-encoding"]) == (b"abc", "chunked")
    kept = got("/v1/limits", "Connection: keep-alive", version="1.0")
    assert answered(serve(), kept).reply.headers["connection"] == "close"


def test_who_expects_it_is_told_to_go_on_where_its_body_is_read() -> None:
    async def run() -> None:
        head = posted("/v1/gradient", b"", length=len(BODY), headers="Expect: 100-continue\r\n")
        client = Client(serve()).send(head)
        assert client.written == [b"HTTP/1.1 100 Continue\r\n\r\n"]
        assert (await client.send(BODY).rest()).statuses == [200]
        old = Client(serve()).send(head.replace(b"HTTP/1.1", b"HTTP/1.0"), BODY)
        assert (await old.rest()).written[0].startswith(b"HTTP/1.1 200 ")

    without_waiting(run())


# A stop.


def stopped(entry: Entry, *before: bytes, after: bytes = b"", rests: bool = False) -> Client:
    async def run() -> Client:
        client = Client(entry, stays=True).send(*before)
        if rests:
            await client.rest()
        client.connection.shutdown()
        client.send(*[after] * bool(after))
        await client.rest()
        await asyncio.sleep(0)
        assert client.is_closing()
        assert held(entry) == (0, 0, 0)
        return client

    return without_waiting(run())


@pytest.mark.parametrize("before", [[], [HEAD[:20]]])
def test_a_stop_closes_a_connection_on_which_nothing_has_begun(before: list[bytes]) -> None:
    assert stopped(serve(), *before).written == []


def test_a_stop_closes_a_connection_that_waits_or_was_refused() -> None:
    assert stopped(serve(), POSTED, rests=True).statuses == [200]
    assert stopped(serve(SHORT), HEAD + BODY[:20], rests=True).statuses == [413]
    assert stopped(serve(), b"\0", rests=True).statuses == [400]


@pytest.mark.parametrize(
    ("before", "after", "count"),
    [(POSTED, b"", 1), (POSTED * 3, b"", 3), (HEAD, BODY, 1), (POSTED + HEAD, BODY, 2)],
)
def test_a_stop_waits_for_what_has_begun(before: bytes, after: bytes, count: int) -> None:
    client = stopped(serve(), before, after=after)
    assert client.statuses == [200] * count
    assert client.replies[-1].headers["connection"] == "close"
