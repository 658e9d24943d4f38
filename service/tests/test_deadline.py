import asyncio
import time
from collections.abc import Coroutine
from typing import Any

import pytest

from service.server.deadline import Deadline
from service.tests.loop_turns import most_in_one_turn

SECONDS = 0.4


async def sleep(seconds: float, result: str) -> str:
    await asyncio.sleep(seconds)
    return result


def outcomes(*works: Coroutine[Any, Any, str]) -> tuple[list[str], float]:
    """Give each one's result, or its exception's name, and the seconds that all took."""

    async def wait_for_all() -> list[Any]:
        deadline = Deadline(SECONDS)
        tasks = [asyncio.create_task(deadline.wait(work)) for work in works]
        return await asyncio.gather(*tasks, return_exceptions=True)

    started = time.monotonic()
    found = asyncio.run(wait_for_all())
    names = [each if isinstance(each, str) else type(each).__name__ for each in found]
    return names, time.monotonic() - started


def test_what_is_in_time_is_given_and_what_is_late_is_a_timeout() -> None:
    works = [sleep(0, "a"), sleep(60, "b"), sleep(0.1, "c"), sleep(60, "d")]
    found, took = outcomes(*works)
    assert found == ["a", "TimeoutError", "c", "TimeoutError"]
    assert SECONDS <= took < 10


def test_a_task_that_begins_later_is_late_later_and_one_may_wait_again() -> None:
    async def run() -> tuple[float, float]:
        deadline = Deadline(SECONDS)
        first = asyncio.create_task(deadline.wait(sleep(60, "")))
        await asyncio.sleep(SECONDS / 2)
        began = time.monotonic()
        with pytest.raises(TimeoutError):
            await deadline.wait(sleep(60, ""))
        second = time.monotonic() - began
        with pytest.raises(TimeoutError):
            await first
        assert await deadline.wait(sleep(SECONDS / 4, "again")) == "again"
        began = time.monotonic()
        with pytest.raises(TimeoutError):
            await deadline.wait(sleep(60, ""))
        return second, time.monotonic() - began

    assert all(SECONDS <= took < 10 for took in asyncio.run(run()))


def test_an_exception_comes_through_and_so_does_being_cancelled_by_somebody_else() -> None:
    async def fail() -> str:
        raise KeyError

    async def run() -> None:
        deadline = Deadline(SECONDS)
        with pytest.raises(KeyError):
            await deadline.wait(fail())
        task = asyncio.create_task(deadline.wait(sleep(60, "")))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())


def test_a_task_that_was_late_is_not_cancelled_any_more() -> None:
    async def run() -> int:
        with pytest.raises(TimeoutError):
            await Deadline(SECONDS).wait(sleep(60, ""))
        await asyncio.sleep(0.01)  # would raise
        task = asyncio.current_task()
        assert task
        return task.cancelling()

    assert asyncio.run(run()) == 0


def test_many_that_are_late_together_are_ended_in_several_turns_of_the_loop() -> None:
    ended = list[int]()

    async def wait(number: int, deadline: Deadline) -> None:
        with pytest.raises(TimeoutError):
            await deadline.wait(sleep(60, ""))
        ended.append(number)

    async def run() -> int:
        deadline = Deadline(0.05)
        tasks = [asyncio.create_task(wait(number, deadline)) for number in range(300)]
        return await most_in_one_turn(lambda: len(ended), len(tasks))

    assert asyncio.run(run()) <= 32
    assert ended == list(range(300))
