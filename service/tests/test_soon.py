"""A crowd of writes is one; a few, and what comes without a loop, are made at once."""

import asyncio
from itertools import repeat

from service.observe.soon import Soon


class Written(list[int]):
    """What was written, after how many were asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0
        self.soon = Soon(lambda: self.append(self.asked))

    def ask(self, times: int) -> None:
        for _ in repeat(None, times):
            self.asked += 1
            self.soon.ask()


def test_without_a_loop_each_is_written_at_once() -> None:
    written = Written()
    written.ask(100)
    assert written == list(range(1, 101))


def test_of_a_crowd_the_rest_is_written_together_and_then_it_begins_anew() -> None:
    async def run() -> Written:
        written = Written()
        written.soon.follow(asyncio.get_running_loop())
        for _ in range(2):
            written.ask(100)
            assert len(written) < 20
            await asyncio.sleep(0.2)
            assert written[-1] == 100
            written.clear()
            written.asked = 0
        written.ask(3)
        return written

    assert asyncio.run(run()) == [1, 2, 3]


def test_at_a_stop_nothing_is_left_and_nothing_is_put_off_any_more() -> None:
    async def run() -> Written:
        written = Written()
        written.soon.follow(asyncio.get_running_loop())
        written.ask(100)
        written.soon.stop()
        written.ask(1)
        return written

    assert asyncio.run(run())[-2:] == [100, 101]
