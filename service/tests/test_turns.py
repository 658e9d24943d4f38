"""Requests take turns: one small and one large; the address with the least CPU time is next."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from time import thread_time

import pytest

from engine_py.deadline import DeadlineExceeded
from service.errors import Overloaded
from service.tests.processes import HANG, eventually
from service.turns import SMALL_BYTES, SMALL_CHARACTERS, SMALL_TOKENS, Turn, Turns


@contextmanager
def large(turns: Turns, address: str, since: float = 0) -> Iterator[Turn]:
    with turns.turn(address, since) as turn:
        turn.grow()
        yield turn


def streamed(turns: Turns, address: str, made: Iterator[bytes]) -> Iterator[bytes]:
    with large(turns, address) as turn:
        pass
    return turn.pieces(made)


class Line:
    """Requests that wait in the order in which they are added, each in its own thread."""

    def __init__(self, turns: Turns) -> None:
        self.turns = turns
        self.done: list[str] = []
        self.refused: dict[str, Overloaded] = {}
        self.threads: list[Thread] = []

    def add(self, name: str, do: Callable[[Turn], None] = lambda _: None) -> None:
        """Let a large request called `name` wait; its address is the first letter."""
        waiting = self.turns.waiting + len(self.refused)

        def ask() -> None:
            try:
                with large(self.turns, name[0], len(self.threads)) as turn:
                    do(turn)
                    self.done.append(name)
            except Overloaded as refusal:
                self.refused[name] = refusal

        thread = Thread(target=ask)
        self.threads.append(thread)
        thread.start()
        assert eventually(lambda: self.turns.waiting + len(self.refused) == waiting + 1)

    def end(self) -> None:
        for thread in self.threads:
            thread.join(HANG)


@contextmanager
def line_behind(
    holder: str, most: int = 64, seconds: float = 3_600, compute_seconds: float = 3_600
) -> Iterator[tuple[Line, Turn]]:
    """Yield a line behind a request of `holder`, which computes until the block ends."""
    turns = Turns(most, seconds, compute_seconds)
    line = Line(turns)
    with large(turns, holder, 0) as turn:
        assert turns.large == 1
        yield line, turn
    line.end()
    assert (turns.large, turns.waiting) == (0, 0)


def compute(seconds: float) -> None:
    end = thread_time() + seconds
    while thread_time() < end:
        pass


def compute_to_the_next_check(turn: Turn) -> None:
    compute(0.02)  # more than a slice
    turn.check()


@pytest.mark.parametrize(
    ("asked", "done"), [("a1 a2 a3", "a3 a2 a1"), ("b1 b2 a1 b3", "b3 b2 b1 a1")]
)
def test_the_newest_request_of_the_address_that_used_least_is_next(asked: str, done: str) -> None:
    with line_behind("a") as (line, _):
        for name in asked.split():
            line.add(name)
        compute(0.1)  # so `a` has used more than `b`
    assert line.done == done.split()


def test_a_large_request_is_paused_for_an_address_that_has_used_less() -> None:
    with line_behind("a") as (line, turn):
        line.add("b1")
        compute_to_the_next_check(turn)
        assert line.done == ["b1"]  # and `a` continues


def test_a_large_request_is_not_paused_for_its_own_address() -> None:
    with line_behind("a") as (line, turn):
        line.add("a1")
        compute_to_the_next_check(turn)
        assert line.done == []


def test_at_most_two_large_requests_are_in_progress() -> None:
    with line_behind("a") as (line, turn):

        def let_c_ask(own: Turn) -> None:  # while `a` is paused
            line.add("c1")
            compute_to_the_next_check(own)
            assert line.done == []

        line.add("b1", let_c_ask)
        compute(0.2)  # so that `a` does not continue before the others have ended
        turn.check()
        assert line.done == ["b1", "c1"]


def test_long_requests_of_two_addresses_alternate() -> None:
    seen: list[str] = []

    def go_on(name: str, turn: Turn) -> None:
        for _ in range(20):
            compute_to_the_next_check(turn)
            seen.append(name)

    with line_behind("a") as (line, turn):
        line.add("b1", lambda own: go_on("b", own))
        go_on("a", turn)
    assert "a" in seen[: seen.index("b") + 10]
    assert "b" in seen[: seen.index("a") + 10]


@pytest.mark.parametrize(
    ("asked", "done", "limit", "whose"),
    [
        ("a1 a2 a3 a4 b1", "a4 a3 a2 b1", 3, "for one address"),
        ("a1 a2 b1 c1 d1", "a2 b1 c1 d1", 4, "in all"),
    ],
)
def test_a_full_queue_drops_the_oldest_request_of_the_address_with_most(
    asked: str, done: str, limit: int, whose: str
) -> None:
    with line_behind("holder", most=4) as (line, _):  # at most three of one address
        for name in asked.split():
            line.add(name)
    assert sorted(line.done) == sorted(done.split())
    found = line.refused["a1"]
    assert (found.data["limit"], found.data["actual"]) == (limit, limit + 1)
    assert found.message == (
        f"{limit} newer large requests wait, the maximum {whose}; wait a second and try again"
    )


def test_a_wait_ends_when_others_have_computed_for_the_seconds_allowed() -> None:
    with line_behind("a", seconds=0.01) as (line, turn):
        line.add("a1")
        compute_to_the_next_check(turn)
        assert eventually(lambda: "a1" in line.refused)
    found = line.refused["a1"]
    assert found.message == (
        "other large requests were computed for 0.01 s before it; wait a second and try again"
    )
    assert (found.data["limit"], found.data["actual"]) == (1, 2)


def test_a_wait_does_not_end_while_nothing_is_computed() -> None:
    with line_behind("a", seconds=0.01) as (line, turn):
        line.add("a1")
        Event().wait(0.05)  # much longer than the wait allows, but without CPU time
        turn.check()
        assert line.turns.waiting == 1
    assert line.done == ["a1"]


def test_a_streamed_reply_holds_a_turn_only_while_a_piece_is_computed() -> None:
    turns = Turns(64, 0, 3_600)
    seen = []

    def make() -> Iterator[bytes]:
        for piece in (b"1", b"2"):
            seen.append(turns.large)
            yield piece

    pieces = streamed(turns, "a", make())
    for piece in (b"1", b"2"):
        assert next(pieces) == piece
        with large(turns, "b"):  # does not wait
            pass
    assert list(pieces) == []
    assert seen == [1, 1]


def test_a_reply_in_progress_and_a_small_body_are_never_refused() -> None:
    turns = Turns(1, 0.01, 3_600)
    got: list[bytes] = []
    pieces = streamed(turns, "b", iter([b"1", b"2"]))
    assert next(pieces) == b"1"

    def grow() -> None:
        with turns.turn("c", 1) as own:
            own.weigh("+" * 1_000)
            got.append(b"3")

    threads = [Thread(target=grow), Thread(target=lambda: got.extend(pieces))]
    with large(turns, "a") as turn:
        for thread in threads:
            thread.start()
        assert eventually(lambda: turns.waiting == 2)
        compute_to_the_next_check(turn)
    for thread in threads:
        thread.join(HANG)
    assert sorted(got) == [b"2", b"3"]


@pytest.mark.parametrize(
    ("text", "is_slow", "computing"),
    [
        ("-" * (SMALL_TOKENS - 1) + "a", False, 0),
        ("-" * SMALL_TOKENS + "a", False, 1),
        ("a" * SMALL_BYTES, False, 0),  # one token
        ("x" * SMALL_CHARACTERS, True, 0),
        ("x" * (SMALL_CHARACTERS + 1), True, 1),
        (["-"] * SMALL_TOKENS, True, 0),  # not a text: refused without work
    ],
)
def test_the_program_of_a_small_body_can_make_it_large(
    text: object, computing: int, *, is_slow: bool
) -> None:
    turns = Turns(64, 1, 1)
    with turns.turn("a", 1) as turn:
        turn.weigh(text, is_slow=is_slow)
        assert turns.large == computing
    assert (turns.large, turns.waiting) == (0, 0)


def test_small_requests_are_computed_one_at_a_time() -> None:
    turns = Turns(64, 1, 1)
    inside: list[int] = []
    most: list[int] = []

    def ask(address: str) -> None:
        for _ in range(50):
            with turns.turn(address, 1):
                inside.append(1)
                compute(0.0002)
                most.append(len(inside))
                inside.pop()

    threads = [Thread(target=ask, args=(address,)) for address in "aabb"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(HANG)
    assert most == [1] * 200


def test_a_turn_ends_when_a_request_fails_or_its_deadline_passes() -> None:
    turns = Turns(64, 1, 0.01)
    with pytest.raises(ValueError, match="seven"), turns.turn("a", 1):
        int("seven")
    with pytest.raises(ValueError, match="seven"), large(turns, "a"):
        int("seven")
    with pytest.raises(DeadlineExceeded), large(turns, "a") as turn:
        compute_to_the_next_check(turn)
    with large(turns, "a"):  # does not wait
        assert turns.large == 1
    assert turns.large == 0


def test_a_refused_large_request_does_not_block_small_ones() -> None:
    with line_behind("a", seconds=0.01) as (line, turn):
        line.add("b1")
        line.add("b2")
        compute(0.1)
        turn.check()  # it may pause for a request of `b`, and then none is refused
    assert len(line.done) + len(line.refused) == 2
    with line.turns.turn("c", 1):  # does not wait for the refused ones
        pass


def test_the_past_usage_of_an_address_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("service.turns.monotonic", lambda: now[0])
    turns = Turns(64, 3_600, 3_600)
    with large(turns, "a"):
        compute(0.1)
    now[0] = 36_000.0  # ten hours later
    line = Line(turns)
    with large(turns, "b") as turn:
        line.add("a1")
        compute_to_the_next_check(turn)
        assert line.done == ["a1"]  # `b` was paused for it
    line.end()
