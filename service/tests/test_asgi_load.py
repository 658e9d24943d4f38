"""Many requests at once, and large ones beside small ones."""

import asyncio
from threading import Event, get_ident
from wsgiref.types import StartResponse

import pytest

from service import Config
from service.tests.asgi_client import (
    Client,
    Environ,
    answered,
    got,
    large,
    posted,
    scope,
    serve,
    until,
)


def test_more_small_requests_than_allowed_are_told_to_come_back() -> None:
    adapter, clients = serve(Config(max_concurrency=2)), [Client() for _ in range(10)]

    async def run() -> None:
        await asyncio.gather(*(adapter(got(), each.receive, each.send) for each in clients))

    asyncio.run(run())
    statuses = sorted(client.status for client in clients)
    assert statuses == [200] * 2 + [503] * 8
    refused = next(client for client in clients if client.status == 503)
    assert refused.problem["code"] == "overloaded"
    assert refused.problem["limit"] == 2
    assert refused.problem["actual"] > 2
    assert int(refused.headers["retry-after"]) >= 1
    assert adapter.active == 0
    assert answered(adapter, got(), Client()).status == 200


class Blocking:
    """An application whose large requests last until they may go."""

    def __init__(self) -> None:
        self.may_go = Event()
        self.inside = 0
        self.threads: list[int] = []

    def __call__(self, environ: Environ, start_response: StartResponse) -> list[bytes]:
        faults = [value for value in environ.values() if isinstance(value, Exception)]
        if faults:
            start_response("503 Service Unavailable", [("Content-Length", "0")])
            return [b""]
        self.threads.append(get_ident())
        if len(environ["wsgi.input"].read()) > 4_096 or "svg" in environ["QUERY_STRING"]:
            self.inside += 1
            assert self.may_go.wait(5)
        start_response("200 OK", [("Content-Length", "2")])
        return [b"ok"]


def test_a_small_request_is_answered_while_a_large_one_is_computed() -> None:
    application, slow, quick = Blocking(), Client(b" " * 5_000), Client()
    adapter = serve(None, application)

    async def run() -> None:
        task = asyncio.create_task(adapter(posted(length=5_000), slow.receive, slow.send))
        await until(lambda: application.inside == 1)
        async with asyncio.timeout(5):
            await adapter(got(), quick.receive, quick.send)
        assert (quick.status, slow.sent) == (200, [])
        application.may_go.set()
        await task

    asyncio.run(run())
    assert (slow.status, slow.body) == (200, b"ok")
    in_thread, on_loop = application.threads
    assert on_loop == get_ident() != in_thread


@pytest.mark.parametrize(
    "asked",
    [
        got(query=b"expression=" + b"1" * 5_000),
        got(query=b"expression=1&format=svg"),
        scope([(b"accept", b"image/svg+xml,image/*")]),
    ],
)
def test_a_long_query_and_a_picture_are_large_too(asked: Environ) -> None:
    application = Blocking()
    application.may_go.set()
    answered(serve(None, application), asked, Client())
    assert application.threads != [get_ident()]


@pytest.mark.parametrize(("concurrency", "most"), [(16, 2), (1, 1), (9, 1), (64, 8)])
def test_of_the_requests_one_in_eight_may_be_large(concurrency: int, most: int) -> None:
    application = Blocking()
    adapter = serve(Config(max_concurrency=max(concurrency, 2)), application)
    adapter.most_large = serve(Config(max_concurrency=concurrency)).most_large
    asked = [large() for _ in range(most + 1)]
    small = Client()

    async def run() -> None:
        tasks = [
            asyncio.create_task(adapter(each, client.receive, client.send))
            for each, client in asked[:-1]
        ]
        await until(lambda: application.inside == min(most, 4))
        (last, client) = asked[-1]
        await adapter(last, client.receive, client.send)
        assert client.status == 503
        if most + 1 <= adapter.config.max_concurrency:
            await adapter(got(), small.receive, small.send)
        application.may_go.set()
        await asyncio.gather(*tasks)

    asyncio.run(run())
    assert [client.status for _, client in asked] == [200] * most + [503]
    assert (adapter.active, adapter.large) == (0, 0)


def test_a_large_request_too_many_is_told_to_come_back() -> None:
    adapter, asked = serve(Config(max_concurrency=16)), [large() for _ in range(3)]

    async def run() -> None:
        await asyncio.gather(*(adapter(each, c.receive, c.send) for each, c in asked))

    asyncio.run(run())
    # The body is blank: whoever is let in is told that it is not JSON.
    refused = [client for _, client in asked if client.status != 400]
    assert [client.problem["code"] for client in refused] == ["overloaded"]
    assert (refused[0].problem["limit"], refused[0].problem["actual"]) == (2, 3)
    assert int(refused[0].headers["retry-after"]) >= 1
