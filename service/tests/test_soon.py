"""A crowd of writes is one; a few, and what comes without a loop, are made at once."""

from collections.abc import Callable
from itertools import repeat
from typing import Any, cast

from service.observe.soon import Soon


class Loop:
    """An event loop on which the time that is waited for passes when the test says so."""

    def __init__(self) -> None:
        self.later: list[Callable[[], None]] = []

    def call_later(self, _seconds: float, function: Callable[[], None]) -> None:
        self.later.append(function)


class Written(list[int]):
    """What was written, after how many were asked for."""

    def __init__(self, loop: Loop | None = None) -> None:
        super().__init__()
        self.asked = 0
        self.soon = Soon(lambda: self.append(self.asked))
        if loop:
            self.soon.follow(cast("Any", loop))

    def ask(self, times: int) -> None:
        for _ in repeat(None, times):
            self.asked += 1
            self.soon.ask()


def test_without_a_loop_each_is_written_at_once() -> None:
    written = Written()
    written.ask(100)
    assert written == list(range(1, 101))


def test_of_a_crowd_the_rest_is_written_together_and_then_it_begins_anew() -> None:
    loop = Loop()
    written = Written(loop)
    for crowd in (1, 2):
        written.ask(100)
        first = 100 * (crowd - 1)
        assert written[-4:] == list(range(first + 1, first + 5))
        [write] = loop.later
        write()
        assert written[-1] == 100 * crowd
        loop.later.clear()
    written.ask(3)
    assert written[-3:] == [201, 202, 203]
    assert loop.later == []


def test_at_a_stop_nothing_is_left_and_nothing_is_put_off_any_more() -> None:
    written = Written(Loop())
    written.ask(100)
    written.soon.stop()
    written.ask(1)
    assert written[-2:] == [100, 101]
