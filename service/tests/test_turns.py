"""Many requests at once are begun a few at a time, and not more wait than memory allows."""

import asyncio
import time

import pytest

from service import Config
from service.server import turns as server_turns
from service.server import worker
from service.server.asgi import AsgiAdapter
from service.server.turns import Turns
from service.tests.asgi_client import BODY, Client, got, posted, serve
from service.tests.loop_turns import most_in_one_turn

CROWD, BEGUN, REFUSED = 32, 4, 8
MOST, MOST_REFUSED = 512, 2_048


def test_so_many_go_on_in_one_turn_of_the_loop_in_order_of_arrival() -> None:
    turns, gone = Turns(), list[int]()

    async def wait(number: int) -> None:
        await turns.wait(str(number))
        gone.append(number)

    async def run() -> int:
        tasks = [asyncio.create_task(wait(number)) for number in range(200)]
        return await most_in_one_turn(lambda: len(gone), len(tasks))

    assert asyncio.run(run()) == BEGUN
    assert gone == list(range(200))


def test_one_whose_client_has_left_holds_up_nobody() -> None:
    turns = Turns()

    async def run() -> None:
        left, other = (asyncio.create_task(turns.wait("a")) for _ in range(2))
        await asyncio.sleep(0)
        left.cancel()
        async with asyncio.timeout(5):
            await other

    asyncio.run(run())


def crowd(adapter: AsgiAdapter, count: int) -> list[Client]:
    """Let so many send the start of a body at once, and a probe come last."""
    clients = [Client(BODY[:7]) for _ in range(count)] + [Client()]
    for client in clients[:-1]:
        client.arriving[-1]["more_body"] = True
    asked = [posted(length=len(BODY), client=(f"{n}", 1)) for n in range(count)] + [got()]

    async def run() -> None:
        calls = [adapter(a, c.receive, c.send) for a, c in zip(asked, clients, strict=True)]
        await asyncio.gather(*calls)

    asyncio.run(run())
    return clients


def test_who_can_not_wait_for_a_turn_is_refused_and_a_probe_is_answered() -> None:
    *clients, probe = crowd(serve(Config(read_seconds=1)), 1_000)
    assert probe.status == 200
    refused = [client for client in clients if client.status == 503]
    waited = [client for client in refused if client.problem["limit"] == MOST]
    assert len(waited) == 1_000 - CROWD - MOST
    assert all(client.headers["retry-after"] == "1" for client in refused)
    # All others were begun: as many bodies as are waited for were late, and the rest too many.
    statuses = [client.status for client in clients]
    assert (statuses.count(408), statuses.count(503)) == (256, 1_000 - 256)


def test_a_crowd_of_one_address_leaves_turns_to_others() -> None:
    turns = Turns()

    async def run() -> None:
        crowd = [asyncio.create_task(turns.wait("a")) for _ in range(MOST)]
        await asyncio.sleep(0)
        assert await turns.wait("b")
        assert await asyncio.gather(*crowd) == [True] * 384 + [False] * 128
        assert await turns.wait("a")

    asyncio.run(run())


def test_one_of_another_address_goes_on_with_the_next_of_a_crowd() -> None:
    turns, gone = Turns(), list[str]()

    async def wait(address: str) -> None:
        await turns.wait(address)
        gone.append(address)

    async def run() -> None:
        await asyncio.gather(*(wait("crowd") for _ in range(300)), wait("other"))

    asyncio.run(run())
    assert gone.index("other") < BEGUN
    assert gone.count("crowd") == 300


def test_who_is_refused_does_not_wait_for_those_who_are_begun() -> None:
    turns, gone = Turns(), list[bool]()

    async def wait() -> None:
        gone.append(await turns.wait("a"))

    async def run() -> None:
        await asyncio.gather(*(wait() for _ in range(600)))

    asyncio.run(run())
    assert (gone.count(True), gone.count(False)) == (384, 600 - 384)
    last = len(gone) - gone[::-1].index(False)
    assert gone[:last].count(True) <= 28 * BEGUN  # for 216 are refused in 27 turns


def test_who_waits_to_be_refused_keeps_nothing_that_is_long() -> None:
    adapter, asked = serve(), posted(length=len(BODY), client=("one", 1))
    asked["headers"] = [*asked["headers"], (b"x-long", b"a" * 7_000), (b"accept", b"text/html")]
    asked |= {"query_string": b"b" * 1_000, "raw_path": b"/" + b"c" * 1_000}
    scopes = [{**asked} for _ in range(600)]

    async def run() -> None:
        tasks = []
        for each in scopes:
            client = Client(BODY)
            tasks.append(asyncio.create_task(adapter(each, client.receive, client.send)))
        await asyncio.sleep(0)
        waits = [each for each in scopes if each and len(str(each)) < 2_000]
        assert len(waits) == 600 - CROWD - 384
        assert all((b"accept", b"text/html") in each["headers"] for each in waits)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(run())


def test_not_more_wait_for_their_refusal_than_memory_allows() -> None:
    turns = Turns()

    async def run() -> int:
        tasks = [asyncio.create_task(turns.wait("a")) for _ in range(384 + MOST_REFUSED + 10)]
        await asyncio.sleep(0)
        at_once = sum(task.done() for task in tasks)
        for task in tasks:
            task.cancel()
        return at_once

    assert asyncio.run(run()) == 10


def test_a_crowd_is_refused_in_many_turns_of_the_loop_with_a_rest_between() -> None:
    """Else a probe that comes while thousands are refused waits for all of them."""
    adapter = serve(Config())
    clients = [Client(BODY[:7]) for _ in range(2_400)]
    asked = posted(length=len(BODY), client=("one", 1))
    for client in clients:
        client.arriving[-1]["more_body"] = True

    async def run() -> int:
        calls = [adapter({**asked}, c.receive, c.send) for c in clients]
        tasks = [asyncio.create_task(call) for call in calls]
        most = await most_in_one_turn(
            lambda: sum(bool(client.sent) for client in clients), len(clients) - 384 - CROWD
        )
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return most

    assert asyncio.run(run()) <= REFUSED + 2 * CROWD


def gone_before_a_rest(turns: Turns, *, comes: int = 0, each_takes: float = 0) -> list[bool]:
    """Let 700 of one address wait, while others come; give who goes on before the first rest."""
    gone = list[bool]()

    async def wait() -> None:
        gone.append(await turns.wait("a"))
        for _ in range(comes):
            turns.is_crowded()
        time.sleep(each_takes)  # noqa: ASYNC251 - its work

    async def run() -> list[bool]:
        tasks = [asyncio.create_task(wait()) for _ in range(700)]
        for _ in range(1_000):
            await asyncio.sleep(0)
        seen = [*gone]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return seen

    return asyncio.run(run())


def test_while_the_crowd_still_comes_only_a_few_go_on_before_a_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Thousands that come have to be handed over first: probes are among them."""
    monkeypatch.setattr(server_turns, "_REST", 60)
    monkeypatch.setattr(server_turns, "_SLICE", 60)
    assert len(gone_before_a_rest(Turns(), comes=1)) == BEGUN + REFUSED
    assert len(gone_before_a_rest(Turns())) == 700


def test_after_two_milliseconds_there_is_a_rest_however_few_have_gone_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A request that comes meanwhile waits no longer, whatever the others cost."""
    monkeypatch.setattr(server_turns, "_REST", 60)
    assert len(gone_before_a_rest(Turns(), each_takes=0.002)) == BEGUN + REFUSED


def test_the_rest_begins_when_those_who_were_let_go_have_gone_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else their work would take all of it."""
    monkeypatch.setattr(server_turns, "_REST", 0.02)
    turns, ended = Turns(), list[float]()
    begun = list[float]()

    async def wait() -> None:
        await turns.wait("a")
        begun.append(time.monotonic())
        time.sleep(0.002)  # noqa: ASYNC251 - its work
        ended.append(time.monotonic())

    async def run() -> None:
        await asyncio.gather(*(wait() for _ in range(BEGUN + 1)))

    asyncio.run(run())
    assert begun[BEGUN] - ended[BEGUN - 1] >= 0.019


def test_memory_is_not_tidied_while_a_crowd_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """To look at all objects of thousands of requests keeps the event loop too long."""
    turns, tidied = Turns(), list[bool]()
    monkeypatch.setattr(worker, "_SECONDS_TO_TIDY", 0)
    monkeypatch.setattr(worker, "trim", lambda: tidied.append(turns.goes_on))

    class Work:
        async def renew(self) -> None: ...

    async def run() -> None:
        crowd = asyncio.gather(*(turns.wait("a") for _ in range(300)))
        await asyncio.sleep(0)
        assert turns.goes_on
        tidying = asyncio.create_task(worker._tidy(Work(), turns))  # type: ignore[arg-type]
        await crowd
        await asyncio.sleep(0.05)
        tidying.cancel()

    asyncio.run(run())
    assert set(tidied) == {False}
