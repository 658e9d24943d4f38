"""Large requests wait for a place: of an address the newest first, addresses in turn."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread

import pytest

from service.compute.places import Places
from service.errors import Overloaded
from service.tests.processes import HANG, eventually


class Line:
    """Requests that wait, one thread each, in the order in which they are added."""

    def __init__(self, places: Places) -> None:
        self.places = places
        self.done: list[str] = []
        self.refused: dict[str, Overloaded] = {}
        self.threads: list[Thread] = []

    def add(self, name: str, address: str) -> None:
        waiting = self.places.waiting + len(self.refused)

        def ask() -> None:
            try:
                with self.places.place(address, len(self.threads)):
                    self.done.append(name)
            except Overloaded as refusal:
                self.refused[name] = refusal

        thread = Thread(target=ask)
        self.threads.append(thread)
        thread.start()
        assert eventually(lambda: self.places.waiting + len(self.refused) == waiting + 1)

    def end(self) -> None:
        for thread in self.threads:
            thread.join(HANG)


@contextmanager
def waiting_line(most: int = 64, seconds: int = 3_600) -> Iterator[Line]:
    """A line behind a request that holds the only place until the block ends."""
    places = Places(1, most, seconds)
    line = Line(places)
    with places.place("holder", 0):
        assert places.taken == 1
        yield line
    line.end()
    assert (places.taken, places.waiting) == (0, 0)


@pytest.mark.parametrize(
    ("asked", "done"), [("a1 a2 a3", "a3 a2 a1"), ("a1 a2 a3 b1 c1", "a3 b1 c1 a2 a1")]
)
def test_of_one_address_the_newest_request_is_first_and_addresses_take_turns(
    asked: str, done: str
) -> None:
    with waiting_line() as line:
        for name in asked.split():
            line.add(name, address=name[0])
    assert line.done == done.split()


@pytest.mark.parametrize(
    ("asked", "done", "limit", "whose"),
    [
        ("a1 a2 a3 a4 b1", "a4 b1 a3 a2", 3, "of one address"),
        ("a1 a2 b1 c1 d1", "a2 b1 c1 d1", 4, "in all"),
    ],
)
def test_where_as_many_wait_as_may_the_oldest_of_the_address_with_most_makes_room(
    asked: str, done: str, limit: int, whose: str
) -> None:
    with waiting_line(most=4) as line:  # three of one address
        for name in asked.split():
            line.add(name, address=name[0])
    assert line.done == done.split()
    told = line.refused["a1"]
    assert (told.data["limit"], told.data["actual"]) == (limit, limit + 1)
    assert told.message == (
        f"{limit} newer large requests wait, which is the most {whose}; wait a second and try again"
    )


def test_who_has_waited_long_enough_is_refused_with_what_is_true() -> None:
    places = Places(1, 64, 0)
    with places.place("a", 1), pytest.raises(Overloaded) as refused, places.place("b", 2):
        pass
    assert refused.value.message == (
        "no place was free for this large request within 0 s; wait a second and try again"
    )
    assert (refused.value.data["limit"], refused.value.data["actual"]) == (1, 2)
    assert (places.taken, places.waiting) == (0, 0)


def test_a_reply_holds_a_place_while_a_piece_is_made_and_none_while_it_is_taken() -> None:
    places = Places(1, 64, 0)
    seen = []

    def make() -> Iterator[bytes]:
        for piece in (b"1", b"2"):
            seen.append(places.taken)
            yield piece

    pieces = places.in_turns("a", 1, make())
    for piece in (b"1", b"2"):
        assert next(pieces) == piece
        with places.place("b", 2):  # which does not wait
            pass
    assert list(pieces) == []
    assert seen == [1, 1]


def test_a_reply_that_has_begun_is_never_refused() -> None:
    places = Places(1, 1, 0)
    pieces = places.in_turns("a", 1, iter([b"1", b"2"]))
    assert next(pieces) == b"1"
    got: list[bytes] = []
    taker = Thread(target=lambda: got.extend(pieces))
    with places.place("b", 2):
        taker.start()
        assert eventually(lambda: places.waiting == 1)
        with pytest.raises(Overloaded), places.place("a", 3):
            pass
    taker.join(HANG)
    assert got == [b"2"]


def test_a_place_is_given_back_where_a_request_fails() -> None:
    places = Places(1, 64, 0)

    failing = map(int, ["seven"])
    with pytest.raises(ValueError, match="seven"):
        next(places.in_turns("a", 1, failing))  # type: ignore[arg-type]
    assert places.taken == 0


def test_several_places_are_taken_at_once() -> None:
    places = Places(2, 64, 0)
    go_on, began = Event(), Event()

    def hold() -> None:
        with places.place("a", 1):
            began.set()
            go_on.wait(HANG)

    holder = Thread(target=hold)
    holder.start()
    began.wait(HANG)
    with places.place("a", 2), pytest.raises(Overloaded), places.place("b", 3):
        pass
    go_on.set()
    holder.join(HANG)
