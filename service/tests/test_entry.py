"""Many requests at once, and large ones beside small ones."""

import asyncio
import gc
from itertools import pairwise
from math import inf
from wsgiref.types import StartResponse

import pytest

from service import Config
from service.attack.bodies import posted
from service.errors import ComputeTimeout
from service.server.bridge import Reply, call_wsgi
from service.server.entry import Entry
from service.tests.client import (
    BODY,
    LARGE,
    POSTED,
    Client,
    Environ,
    answered,
    got,
    held,
    serve,
    until,
    without_waiting,
)

PROBES = ["/healthz", "/readyz", "/metrics"]
PARSED = 50
"""Pieces in one turn of the loop."""


class Computing:
    """A process for large requests that answers when it may."""

    def __init__(self, *, may_go: bool = False) -> None:
        self.may_go = asyncio.Event()
        if may_go:
            self.may_go.set()
        self.bodies: list[bytes] = []

    async def call(self, environ: Environ, body: bytes) -> Reply:
        self.bodies.append(body)
        await self.may_go.wait()
        return Reply(*call_wsgi(self.answer, environ, body))

    def answer(self, environ: Environ, start_response: StartResponse) -> list[bytes]:
        start_response("200 OK", [("Content-Length", "5")])
        return [b"large"]


def test_a_small_request_is_answered_while_a_large_one_is_computed() -> None:
    async def run() -> None:
        computing = Computing()
        entry = serve(call_large=computing.call)
        slow, quick = Client(entry).send(LARGE), Client(entry).send(POSTED)
        await until(lambda: quick.written != [])
        assert (quick.statuses, slow.written) == ([200], [])
        assert held(entry)[:2] == (1, 1)
        computing.may_go.set()
        await slow.rest()
        assert (slow.reply.status, slow.reply.body) == (200, b"large")
        assert held(entry)[:2] == (0, 0)

    without_waiting(run())


@pytest.mark.parametrize(("body", "is_large"), [(BODY, False), (b"-" * 151, True)])
def test_what_costs_much_is_computed_elsewhere(body: bytes, *, is_large: bool) -> None:
    computing = Computing(may_go=True)
    client = answered(serve(call_large=computing.call), posted("/v1/gradient", body))
    assert computing.bodies == [body] * is_large
    assert (client.reply.body == b"large") is is_large


@pytest.mark.parametrize(
    ("concurrency", "places", "share"), [(64, 8, 6), (16, 2, 1), (1, 1, 1), (32, 4, 3)]
)
def test_of_the_requests_one_in_eight_may_be_large(
    concurrency: int, places: int, share: int
) -> None:
    async def run() -> None:
        computing = Computing()
        entry = serve(Config(max_concurrency=concurrency), call_large=computing.call)
        clients = list[Client]()
        # The first address has its share, and the others what is left.
        for address in ["a"] * (share + 1) + ["b"] * (places + 3 - share):
            clients.append(Client(entry, address).send(LARGE))
            await asyncio.sleep(0.01)
        refused = [client for client in clients if client.written]
        assert clients[share] in refused
        assert len(clients) - len(refused) == len(computing.bodies) == places
        problems = [client.reply.problem for client in refused]
        assert {problem["code"] for problem in problems} == {"overloaded"}
        assert {problem["limit"] for problem in problems} <= {places, entry.sending.limit}
        computing.may_go.set()
        await asyncio.sleep(0.01)
        assert [client.statuses for client in clients if client not in refused] == [[200]] * places
        assert held(entry)[:2] == (0, 0)

    without_waiting(run())


def test_a_request_that_takes_too_long_to_compute_is_a_problem() -> None:
    async def call(environ: Environ, body: bytes) -> Reply:
        raise ComputeTimeout.after(5)

    reply = answered(serve(call_large=call), LARGE).reply
    assert (reply.status, reply.problem["code"]) == (503, "compute_timeout")


def test_who_leaves_a_large_request_leaves_its_place_when_it_is_computed() -> None:
    async def run() -> None:
        computing = Computing()
        entry = serve(call_large=computing.call)
        client = Client(entry).send(LARGE)
        await until(lambda: computing.bodies != [])
        client.leave()
        assert held(entry) == (1, 1, 0)
        computing.may_go.set()
        await asyncio.sleep(0.01)
        assert held(entry) == (0, 0, 0)

    without_waiting(run())


def test_a_reply_to_a_connection_that_ends_meanwhile_ends_quietly(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def run() -> None:
        computing = Computing()
        entry = serve(call_large=computing.call)
        client = Client(entry).send(LARGE)
        await until(lambda: computing.bodies != [])
        computing.may_go.set()
        client.abort()  # and the connection is lost in the next turn of the loop
        await asyncio.sleep(0.01)
        assert held(entry) == (0, 0, 0)

    without_waiting(run())
    gc.collect()  # which tells of exceptions that nobody took
    assert caplog.records == []


@pytest.mark.parametrize("count", [1, 2])
def test_who_leaves_before_its_turn_costs_nothing(count: int) -> None:
    asked = list[Environ]()

    def application(environ: Environ, start_response: StartResponse) -> list[bytes]:
        asked.append(environ)
        start_response("200 OK", [("Content-Length", "0")])
        return []

    async def run() -> None:
        entry = serve(application=application)
        Client(entry).send(POSTED * count).leave()
        await asyncio.sleep(1)
        assert (asked, held(entry)) == ([], (0, 0, 0))
        assert (await Client(entry).send(POSTED).rest()).statuses == [200]

    without_waiting(run())
    assert len(asked) == 1


def test_a_stop_that_takes_too_long_cancels_quietly(caplog: pytest.LogCaptureFixture) -> None:
    async def run() -> None:
        computing = Computing()
        entry = serve(call_large=computing.call)
        client = Client(entry).send(LARGE)
        await until(lambda: computing.bodies != [])
        for task in client.tasks:
            task.cancel()
        await client.rest()
        assert (held(entry)[:2], client.statuses[1:]) == ((0, 0), [])

    without_waiting(run())
    assert [each for each in caplog.records if each.name != "uvicorn.error"] == []


@pytest.mark.parametrize("path", PROBES)
def test_probes_need_no_place(path: str) -> None:
    async def run() -> None:
        entry = serve(Config(max_concurrency=1))
        assert entry.sending.take("somebody")
        assert (await Client(entry).send(got(path)).rest()).statuses == [200]
        other = await Client(entry).send(got("/v1/limits")).rest()
        assert (other.reply.status, other.reply.problem["code"]) == (503, "overloaded")
        assert int(other.reply.headers["retry-after"]) >= 1
        assert other.reply.headers.get("connection") is None

    without_waiting(run())


def test_who_does_not_take_a_reply_has_a_place_until_it_is_let_go() -> None:
    async def run() -> None:
        entry = serve(Config(max_concurrency=1))
        slow = Client(entry, takes=[inf]).send(POSTED)
        await asyncio.sleep(1)
        assert (await Client(entry).send(POSTED).rest()).statuses == [503]
        await asyncio.sleep(30)
        assert slow.is_closing()
        assert (await Client(entry).send(POSTED).rest()).statuses == [200]

    without_waiting(run())


@pytest.mark.parametrize("path", PROBES)
def test_a_crowd_lets_a_probe_through(path: str) -> None:
    async def run() -> None:
        entry = serve()
        crowd = [Client(entry, str(n)).send(POSTED) for n in range(700)]
        assert (await Client(entry).send(got(path)).rest()).statuses == [200]
        assert sum(bool(client.written) for client in crowd) < 100
        for client in crowd:
            assert (await client.rest()).statuses == [200]

    without_waiting(run())


def test_what_a_crowd_sends_is_parsed_in_turns_and_none_of_it_is_lost() -> None:
    async def run() -> None:
        entry = serve()
        crowd = [Client(entry, "crowd").send(POSTED) for _ in range(10 * PARSED)]
        stopped, ended = Client(entry, "crowd").send(POSTED), Client(entry, "crowd")
        ended.send(POSTED, b"")
        gone, other = Client(entry, "crowd").send(POSTED), Client(entry).send(POSTED)
        unparsed = [bool(each.connection._unparsed) for each in crowd]
        assert unparsed == [False] * PARSED + [True] * 9 * PARSED
        stopped.connection.shutdown()
        gone.leave()
        assert (await other.rest()).statuses == [200]
        assert any(each.connection._unparsed for each in crowd)
        for each in (*crowd, stopped, ended):
            assert (await each.rest()).statuses == [200]

    without_waiting(run())


def test_many_late_bodies_let_other_requests_through() -> None:
    async def run() -> None:
        entry = serve(Config(read_seconds=1))
        late = [Client(entry, str(n)).send(POSTED[:-7]) for n in range(1_000)]
        counts = [0]
        while counts[-1] < len(late):
            await asyncio.sleep(0 if counts[-1] else 0.001)
            assert (await Client(entry).send(got("/healthz")).rest()).statuses == [200]
            counts.append(sum(bool(client.written) for client in late))
        assert max(after - before for before, after in pairwise(counts)) < 100
        assert {client.reply.status for client in late} == {408}

    without_waiting(run())


def test_a_refusal_leaves_the_garbage_collector_no_more_than_an_answer_does() -> None:
    # It would be found late, and thousands of refusals would fill the memory meanwhile.
    async def left(entry: Entry, status: int) -> int:
        client = Client(entry)
        gc.collect()
        gc.disable()
        try:
            for _ in range(20):
                client.written.clear()
                assert (await client.send(POSTED).rest()).statuses == [status]
            return gc.collect()
        finally:
            gc.enable()

    entry = serve(Config(max_concurrency=1))
    answers = without_waiting(left(entry, 200))
    assert entry.sending.take("somebody")
    assert without_waiting(left(entry, 503)) <= answers + 20
