"""Many requests at once are begun a few at a time."""

import asyncio
from collections.abc import Coroutine
from functools import partial
from typing import Any

import pytest

from service.server import worker
from service.server.turns import REQUEST, Turns
from service.tests.client import without_waiting
from service.tests.loop_turns import most_in_one_turn

BEGUN = 4


class Crowd:
    """Requests, by what each is called, in the order in which they are begun."""

    def __init__(self) -> None:
        self.turns = Turns()
        self.begun = list[str]()

    def ask(self, *addresses: str) -> None:
        for each in addresses:
            self.turns.add(each, REQUEST, partial(self.begun.append, each))

    def run(self, coroutine: Coroutine[Any, Any, int]) -> int:
        return without_waiting(coroutine)


def test_so_many_are_begun_in_one_turn_of_the_loop_in_order_of_arrival() -> None:
    crowd, names = Crowd(), [str(number) for number in range(200)]

    async def run() -> int:
        crowd.ask(*names)
        assert len(crowd.begun) == BEGUN
        return await most_in_one_turn(lambda: len(crowd.begun) - BEGUN, len(names) - BEGUN)

    assert crowd.run(run()) == BEGUN
    assert crowd.begun == names


def test_one_of_another_address_is_begun_with_the_next_of_a_crowd() -> None:
    crowd = Crowd()

    async def run() -> int:
        crowd.ask(*["crowd"] * 300, "other", "other")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return crowd.begun[: 2 * BEGUN].count("other")

    assert crowd.run(run()) == 2


def test_while_thousands_are_connected_the_worker_tidies_up_once_in_a_minute(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """To look at all that they hold keeps the event loop too long."""
    connections, tidied, renewed = set(range(500)), list[int](), list[int]()
    monkeypatch.setattr(worker, "_SECONDS_TO_TIDY", 1)
    monkeypatch.setattr(worker, "trim", lambda: tidied.append(len(connections)))

    class Work:
        async def renew(self) -> None:
            renewed.append(len(connections))

    async def run() -> None:
        tidying = asyncio.create_task(worker._tidy(Work(), connections))  # type: ignore[arg-type]
        await asyncio.sleep(3.5)
        assert (tidied, renewed) == ([], [500] * 3)
        await asyncio.sleep(27)
        assert tidied == [500]
        connections.pop()
        await asyncio.sleep(1)
        tidying.cancel()

    without_waiting(run())
    assert tidied == [500, 499]
