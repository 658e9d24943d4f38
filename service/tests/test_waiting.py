"""Bytes that connections hold, and clients that are waited for: who goes when, and who first."""

import asyncio
import socket
from unittest.mock import Mock
from wsgiref.types import StartResponse

import pytest

from service.attack.bodies import posted
from service.server import entry as server_entry
from service.server.waiting import Waiting
from service.tests.client import (
    BODY,
    POSTED,
    Client,
    Environ,
    got,
    held,
    serve,
    without_waiting,
)
from service.tests.loop_turns import most_in_one_turn

SECONDS = 4
CONNECTION = 6_800
HALF = POSTED[:-7]


class Late:
    """One who notes when it is ended, and how."""

    def __init__(self, address: str = "a") -> None:
        self.address, self.held = address, 0
        self.ends: list[tuple[str, float]] = []

    def expire(self) -> None:
        self.ends.append(("late", asyncio.get_running_loop().time()))

    def make_room(self) -> None:
        self.ends.append(("out", asyncio.get_running_loop().time()))


def test_each_has_the_same_seconds_from_when_it_began_or_began_anew() -> None:
    async def run() -> None:
        waiting, clients = Waiting(100, SECONDS), [Late() for _ in range(4)]
        for second, client in enumerate(clients):
            await asyncio.sleep(1)
            waiting.begin(client)
            if second == 2:
                waiting.begin(clients[0])
        waiting.end(clients[1])
        waiting.end(Late())
        await asyncio.sleep(60)
        ends = [client.ends for client in clients]
        assert [len(each) for each in ends] == [1, 0, 1, 1]
        for [(how, when)], began in zip(ends[:1] + ends[2:], (3, 3, 4), strict=True):
            assert how == "late"
            assert began + SECONDS <= when <= began + SECONDS * 1.05
        waiting.begin(clients[1])  # when nobody was watched any more
        await asyncio.sleep(SECONDS * 1.05)
        assert len(clients[1].ends) == 1

    without_waiting(run())


def test_many_that_are_late_together_are_ended_in_several_turns_of_the_loop_in_order() -> None:
    async def run() -> int:
        waiting, clients = Waiting(100, 0.05), [Late() for _ in range(300)]
        ended = list[Late]()
        for client in clients:
            client.expire = lambda client=client: ended.append(client)  # type: ignore[method-assign, misc]
            waiting.begin(client)
        most = await most_in_one_turn(lambda: len(ended), len(clients))
        assert ended == clients
        return most

    assert asyncio.run(run()) <= 32


def holding(waiting: Waiting, *pairs: tuple[str, int]) -> list[Late]:
    """Have so many wait, of an address each, who hold so much."""
    clients = [Late(address) for address, _ in pairs]
    for client, (_, size) in zip(clients, pairs, strict=True):
        assert waiting.hold(client, size)
        waiting.begin(client)
    return clients


def out(clients: list[Late]) -> list[int]:
    return [number for number, client in enumerate(clients) if client.ends]


def test_who_has_waited_longest_of_the_address_that_holds_most_makes_room() -> None:
    async def run() -> None:
        waiting = Waiting(100, SECONDS)
        clients = holding(waiting, ("b", 20), ("a", 10), ("a", 30), ("c", 20), ("a", 10))
        assert waiting.hold(Late("d"), 10)  # there are ten left
        assert out(clients) == []
        assert waiting.hold(Late("d"), 1)
        assert (out(clients), clients[1].held) == ([1], 0)
        assert waiting.hold(Late("d"), 30)  # nine, and thirty of the next
        assert out(clients) == [1, 2]
        assert waiting.budget.held == 91
        assert waiting.hold(Late("d"), 20)
        assert out(clients) == [0, 1, 2]  # of those that hold as much the first

    without_waiting(run())


def test_who_comes_from_an_address_that_holds_its_share_takes_the_place_of_its_own() -> None:
    async def run() -> None:
        waiting = Waiting(100, SECONDS)
        clients = holding(waiting, ("b", 5), ("a", 30), ("a", 45), ("b", 5))
        assert waiting.hold(Late("a"), 10)
        assert out(clients) == [1]
        assert waiting.budget.held_by("a") == 55
        assert waiting.hold(clients[2], 20)  # never in its own place
        assert not waiting.hold(clients[2], 1)
        assert out(clients) == [1]
        assert waiting.hold(Late("c"), 5)

    without_waiting(run())


def test_who_is_not_waited_for_makes_no_room() -> None:
    async def run() -> None:
        waiting = Waiting(100, SECONDS)
        [client] = holding(waiting, ("a", 75))
        [other] = holding(waiting, ("b", 25))
        waiting.end(client)
        waiting.end(other)
        assert not waiting.hold(Late("c"), 1)
        waiting.release(client, 70)
        assert waiting.hold(Late("c"), 5)
        for each in (client, client, other):
            waiting.release(each)
        assert (waiting.budget.held, out([client, other])) == (5, [])

    without_waiting(run())


# With connections.


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Room for eight connections, and six of one address."""
    monkeypatch.setattr(server_entry, "_BYTES", CONNECTION * 8 + 4_000)


def test_connections_that_say_nothing_make_room_for_others() -> None:
    async def run() -> None:
        entry = serve()
        idle = [Client(entry, "a") for _ in range(7)]
        await asyncio.sleep(0)
        assert [client.is_closing() for client in idle] == [True] + [False] * 6
        others = [Client(entry, "b").send(POSTED) for _ in range(3)]
        await asyncio.sleep(0.1)
        assert [client.statuses for client in others] == [[200]] * 3
        assert sum(client.is_closing() for client in idle) == 2
        for client in (*idle[2:], *others):
            client.leave()
        assert held(entry) == (0, 0, 0)

    without_waiting(run())


def test_a_request_that_has_begun_to_come_is_refused_for_others_with_a_reason() -> None:
    async def run() -> None:
        entry = serve()
        half, head = Client(entry, "a").send(HALF), Client(entry, "a").send(HALF[:20])
        others = [Client(entry, "b") for _ in range(6)]
        assert [head.is_closing(), half.is_closing()] == [False, False]
        assert (await Client(entry, "c").send(POSTED).rest()).statuses == [200]
        gone = [client for client in others if client.is_closing()]
        assert gone == others[: len(gone)] != []
        for client in others:
            client.leave()
        more = [Client(entry, "a") for _ in range(6)]
        await half.rest()
        assert half.reply.status == 503
        assert half.reply.problem["code"] == "overloaded"
        assert "bytes of requests are held" in half.reply.problem["detail"]
        assert (half.reply.headers["connection"], half.is_ended) == ("close", True)
        assert (head.statuses, head.is_closing()) == ([], True)
        assert not more[-1].is_closing()

    without_waiting(run())


def test_a_body_for_which_there_is_no_room_is_refused_and_nothing_of_it_kept() -> None:
    async def run() -> None:
        entry = serve()
        large = b" " * 60_000
        alone = Client(entry, "a", stays=True)
        alone.send(posted("/v1/gradient", b"", length=len(large)), large)
        assert (await alone.rest()).reply.problem["code"] == "overloaded"
        assert (alone.reply.status, held(entry)[2]) == (503, CONNECTION)
        ahead = Client(entry, "b").send(POSTED[:-1], POSTED[-1:] + large)
        assert (await ahead.rest()).statuses == [503]
        behind = Client(entry, "b").send(POSTED + POSTED, large)
        assert (await behind.rest()).statuses == [200, 200, 503]

    without_waiting(run())


def test_who_finds_no_room_and_has_not_begun_is_closed_and_not_answered() -> None:
    asked = list[object]()

    async def run() -> None:
        entry = serve()
        entry.begin = lambda *call: asked.append(call)  # type: ignore[method-assign]
        busy = [Client(entry, "a").send(POSTED) for _ in range(6)]
        assert len(asked) == 6
        newcomer = Client(entry, "a").send(POSTED)
        assert newcomer.is_closing()
        busy[0].leave()
        late = Client(entry, "a").send(b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 800)
        assert late.is_closing()
        assert len(asked) == 6
        for client in busy[1:]:
            client.leave()
        await asyncio.sleep(0)
        assert held(entry) == (0, 0, 0)

    without_waiting(run())


def replies(environ: Environ, start_response: StartResponse) -> list[bytes]:
    """Answer with as many bytes as the path says."""
    start_response("200 OK", [("Content-Type", "text/plain")])
    return [b"x" * int(environ["PATH_INFO"][1:])]


def test_a_reply_is_counted_until_its_client_asks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_entry, "_BYTES", 1_000_000)

    async def run() -> None:
        entry = serve(application=replies)
        client = Client(entry)
        for size, counted in ((4_096, 0), (4_097, 8_194), (60_000, 120_000), (300_000, 200_000)):
            await client.send(got(f"/{size}")).rest()
            assert held(entry)[2] == CONNECTION + counted
        await client.send(got("/1")).rest()
        assert held(entry)[2] == CONNECTION
        client.leave()
        assert held(entry) == (0, 0, 0)

    without_waiting(run())


@pytest.mark.parametrize("headers", [[], ["Connection: close"]])
def test_who_takes_no_reply_makes_room_with_all_that_the_kernel_holds(headers: list[str]) -> None:
    async def run() -> None:
        entry = serve(application=replies)
        clients = [Client(entry, name, stays=True) for name in "aab"]
        for client in clients:
            client._extra["socket"] = client.end = Mock()  # type: ignore[attr-defined]
            await client.send(got("/10000", *headers)).rest()
        assert [client.is_closing() for client in clients] == [True, False, False]
        first, second, _ = (client.end.setsockopt for client in clients)  # type: ignore[attr-defined]
        first.assert_called_once_with(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0" + bytes(4))
        second.assert_not_called()
        await asyncio.sleep(29)
        assert not clients[1].is_closing()
        await asyncio.sleep(2)
        assert [client.is_closing() for client in clients] == [True] * 3
        second.assert_called_once()

    without_waiting(run())


def test_what_is_read_past_is_held_by_nobody_and_ends_where_there_is_no_room() -> None:
    async def run() -> None:
        entry = serve()
        refused = await Client(entry, "a", stays=True).send(b"\0", BODY * 500).rest()
        assert (refused.statuses, held(entry)[2]) == ([400], CONNECTION)
        for _ in range(6):
            assert not refused.is_closing()
            Client(entry, "a")
        assert refused.is_closing()

    without_waiting(run())
