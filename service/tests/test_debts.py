"""Who takes the event loop for long has its next requests computed elsewhere."""

import time
from collections.abc import Iterator
from wsgiref.types import StartResponse

import pytest

from service.server import debts as server_debts
from service.server.debts import Debts
from service.tests.client import POSTED, Client, Environ, serve, without_waiting
from service.tests.test_entry import Computing

MOST = 10_000


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr(server_debts, "monotonic", lambda: now[0])
    return now


def test_a_debt_is_what_requests_took_beyond_a_millisecond_and_is_paid_back(
    clock: list[float],
) -> None:
    debts = Debts()
    for _ in range(1_000):
        debts.add("small", 0.001)
    debts.add("large", 0.05)
    assert not debts.owes("small")
    assert not debts.owes("large")  # 49 ms
    debts.add("large", 0.004)
    assert debts.owes("large")  # 52 ms, of which a tenth of the time is paid
    clock[0] += 0.03
    assert not debts.owes("large")
    clock[0] += 60
    debts.add("large", 0.05)
    assert not debts.owes("large")


def test_no_more_debts_are_kept_than_memory_allows(clock: list[float]) -> None:
    debts = Debts()
    for number in range(MOST + 1):
        debts.add(str(number), 0.2)
    assert not debts.owes("0")
    assert debts.owes("1")
    assert debts.owes(str(MOST))


def after(seconds: float) -> bytes:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass
    return b"here"


def slow_at_once(environ: Environ, start_response: StartResponse) -> list[bytes]:
    start_response("200 OK", [])
    return [after(0.06)]


def slow_in_pieces(environ: Environ, start_response: StartResponse) -> Iterator[bytes]:
    start_response("200 OK", [])
    return (after(0.01) for _ in range(6))


@pytest.mark.parametrize("application", [slow_at_once, slow_in_pieces])
def test_who_owes_is_answered_elsewhere_and_nobody_else(application: object) -> None:
    computing = Computing(may_go=True)
    entry = serve(application=application, call_large=computing.call)  # type: ignore[arg-type]

    async def run() -> None:
        for address, elsewhere in [("a", False), ("a", True), ("b", False), ("b", True)]:
            client = await Client(entry, address).send(POSTED).rest()
            assert (client.reply.body == b"large") is elsewhere

    without_waiting(run())
