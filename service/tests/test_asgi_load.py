"""Many requests at once, and large ones beside small ones."""

import asyncio
import gc
from functools import partial
from wsgiref.types import StartResponse

import pytest

from service import Config
from service.errors import ComputeTimeout
from service.server.asgi import AsgiAdapter
from service.server.bridge import Reply, call_wsgi
from service.tests.asgi_client import (
    BODY,
    Client,
    Environ,
    answered,
    got,
    held,
    large,
    posted,
    serve,
    until,
)


class Computing:
    """A process for large requests that answers when it may."""

    def __init__(self) -> None:
        self.may_go = asyncio.Event()
        self.bodies: list[bytes] = []

    async def call(self, environ: Environ, body: bytes) -> Reply:
        self.bodies.append(body)
        await self.may_go.wait()
        return Reply(*call_wsgi(self.answer, environ, body))

    def answer(self, environ: Environ, start_response: StartResponse) -> list[bytes]:
        start_response("200 OK", [("Content-Length", "5")])
        return [b"large"]


def test_a_small_request_is_answered_while_a_large_one_is_computed() -> None:
    computing, slow, quick = Computing(), Client(b" " * 5_000), Client(BODY)
    adapter = serve(call_large=computing.call)

    async def run() -> None:
        task = asyncio.create_task(adapter(posted(length=5_000), slow.receive, slow.send))
        await until(lambda: computing.bodies != [])
        await adapter(posted(length=len(BODY)), quick.receive, quick.send)
        assert (quick.status, slow.sent) == (200, [])
        computing.may_go.set()
        await task

    asyncio.run(run())
    assert (slow.status, slow.body) == (200, b"large")
    assert held(adapter) == (0, 0, 0)


@pytest.mark.parametrize(
    ("asked", "body", "is_large"),
    [(posted(length=67), BODY, 0), (posted(), b"-" * 151, 1)],
)
def test_what_costs_much_is_computed_elsewhere(asked: Environ, body: bytes, is_large: int) -> None:
    computing = Computing()
    computing.may_go.set()
    client = answered(serve(call_large=computing.call), asked, Client(body))
    assert computing.bodies == [body] * is_large
    assert (client.body == b"large") is bool(is_large)


@pytest.mark.parametrize(
    ("concurrency", "places", "share"), [(64, 8, 6), (16, 2, 1), (1, 1, 1), (32, 4, 3)]
)
def test_of_the_requests_one_in_eight_may_be_large(
    concurrency: int, places: int, share: int
) -> None:
    computing, clients = Computing(), [Client(b" " * 5_000) for _ in range(places + 4)]
    adapter = serve(Config(max_concurrency=concurrency), call_large=computing.call)
    refused: list[Client] = []

    async def run() -> None:
        # The first address has its share, and the others what is left.
        for client, address in zip(clients, ["a"] * (share + 1) + ["b"] * 9, strict=False):
            asked = posted(length=5_000, client=(address, 1))
            seen = len(computing.bodies)
            task = asyncio.create_task(adapter(asked, client.receive, client.send))
            await until(partial(is_decided, computing, seen, client))
            if client.sent:
                refused.append(client)
            tasks.append(task)
        computing.may_go.set()
        await asyncio.gather(*tasks)

    tasks: list[asyncio.Task[None]] = []
    asyncio.run(run())
    assert clients[share] in refused
    assert len(clients) - len(refused) == places
    assert {client.problem["code"] for client in refused} <= {"overloaded"}
    assert {client.problem["limit"] for client in refused} <= {places, adapter.sending.limit}
    assert held(adapter) == (0, 0, 0)


def is_decided(computing: Computing, seen: int, client: Client) -> bool:
    return len(computing.bodies) > seen or client.sent != []


def test_a_request_that_takes_too_long_to_compute_is_a_problem() -> None:
    async def call(environ: Environ, body: bytes) -> Reply:
        raise ComputeTimeout.after(5)

    asked, client = large()
    answered(serve(call_large=call), asked, client)
    assert (client.status, client.problem["code"]) == (503, "compute_timeout")


@pytest.mark.parametrize("path", [b"/healthz", b"/readyz", b"/metrics"])
def test_probes_need_no_place(path: bytes) -> None:
    adapter, other = serve(Config(max_concurrency=1)), Client()
    assert adapter.sending.take("somebody")
    assert answered_beside(adapter, got(path), Client()).status == 200
    assert answered_beside(adapter, got(b"/v1/limits"), other).status == 503
    assert int(other.headers["retry-after"]) >= 1


def answered_beside(adapter: AsgiAdapter, asked: Environ, client: Client) -> Client:
    asyncio.run(adapter(asked, client.receive, client.send))
    return client


def test_thousands_of_late_bodies_let_other_requests_through() -> None:
    adapter, late = serve(Config(read_seconds=1)), [Client(b"x") for _ in range(190)]
    for client in late:
        client.arriving[-1]["more_body"] = True
    after: list[float] = []

    async def probe() -> None:
        loop = asyncio.get_running_loop()
        while not all(client.sent for client in late):
            started, client = loop.time(), Client()
            await adapter(got(), client.receive, client.send)
            await asyncio.sleep(0)
            after.append(loop.time() - started)
            await asyncio.sleep(0.005)

    async def run() -> None:
        asked = posted(length=9)
        await asyncio.gather(probe(), *(adapter({**asked}, c.receive, c.send) for c in late))

    asyncio.run(run())
    assert {client.status for client in late} == {408}
    assert len(after) > 30


def test_bytes_of_bodies_are_counted_and_refused_beyond_the_budget() -> None:
    adapter = serve(Config(max_body_bytes=1_000))  # 8,000 bytes, 6,000 of one address
    stalled = [Client(b"x" * 800) for _ in range(40)]
    for client in stalled:
        client.arriving[-1]["more_body"] = True
    small = Client(BODY)

    async def run() -> None:
        asked = posted(length=1_000)
        tasks = [asyncio.create_task(adapter({**asked}, c.receive, c.send)) for c in stalled]
        await until(lambda: sum(bool(client.sent) for client in stalled) == 33)
        assert adapter.bodies.budget.held == 5_600
        await adapter(posted(length=len(BODY)), small.receive, small.send)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(run())
    assert small.status == 200
    refused = [client for client in stalled if client.sent]
    assert {client.problem["code"] for client in refused} == {"overloaded"}
    assert {client.headers["connection"] for client in refused} == {"close"}
    assert held(adapter) == (0, 0, 0)


def test_bodies_that_are_waited_for_are_counted_and_refused_beyond_their_number() -> None:
    adapter = serve()
    stalled = [Client(b"x") for _ in range(400)]  # of 256, one address has three quarters
    for client in stalled:
        client.arriving[-1]["more_body"] = True
    same, other = Client(BODY), Client(BODY)

    async def run() -> None:
        asked = posted(length=9)
        tasks = [asyncio.create_task(adapter({**asked}, c.receive, c.send)) for c in stalled]
        await until(lambda: sum(bool(client.sent) for client in stalled) == 400 - 192)
        await adapter(posted(length=len(BODY)), same.receive, same.send)
        elsewhere = posted(length=len(BODY), client=("192.0.2.1", 1))
        await adapter(elsewhere, other.receive, other.send)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(run())
    assert (same.status, same.problem["code"]) == (503, "overloaded")
    assert "256 bodies are being sent" in same.problem["detail"]
    assert other.status == 200
    assert held(adapter) == (0, 0, 0)
    assert (adapter.bodies.waiting.held, adapter.bodies.lingering.held) == (0, 0)


def test_few_clients_that_were_refused_are_listened_to_further() -> None:
    adapter = serve(Config(max_body_bytes=9))
    refused = [Client(b"x" * 10, b"x") for _ in range(200)]  # of 128, 96 of one address
    for client in refused:
        client.arriving[-1]["more_body"] = True

    async def run() -> None:
        tasks = [asyncio.create_task(adapter(posted(), c.receive, c.send)) for c in refused]
        await until(lambda: sum(task.done() for task in tasks) == 200 - 96)
        assert {client.status for client in refused} == {413}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(run())
    assert adapter.bodies.lingering.held == 0


def test_a_refusal_leaves_the_garbage_collector_no_more_than_an_answer_does() -> None:
    # It would be found late, and thousands of refusals would fill the memory meanwhile.
    adapter = serve(Config(max_concurrency=1))
    left = {}
    for status in (200, 503):
        gc.collect()
        gc.disable()
        try:
            asyncio.run(answer_twenty(adapter, status))
            left[status] = gc.collect()
        finally:
            gc.enable()
        assert adapter.sending.take("somebody") is (status == 200)
    assert left[503] <= left[200] + 20


async def answer_twenty(adapter: AsgiAdapter, status: int) -> None:
    for _ in range(20):
        client = Client(BODY)
        await adapter(posted(length=len(BODY)), client.receive, client.send)
        assert client.status == status


def test_a_crowd_lets_a_probe_through() -> None:
    adapter = serve()
    crowd, probe = [Client(BODY) for _ in range(400)], Client()
    begun: list[int] = []

    async def run() -> None:
        asked = posted(length=len(BODY))
        tasks = [asyncio.create_task(adapter({**asked}, c.receive, c.send)) for c in crowd]
        await asyncio.create_task(adapter(got(), probe.receive, probe.send))
        begun.append(sum(bool(client.sent) for client in crowd))
        await asyncio.gather(*tasks)

    asyncio.run(run())
    assert {client.status for client in [*crowd, probe]} == {200}
    assert begun[0] < 40
