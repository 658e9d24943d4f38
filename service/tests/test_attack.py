"""The tool that attacks a server sees what the server does wrong, and which bound it passes."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from threading import Event, Thread

import pytest

from service.attack import clients, plain
from service.attack.accounts import unaccounted
from service.attack.attacks import ATTACKS
from service.attack.crowd import PENDING, again_and_again, at_once, percentile
from service.attack.measure import (
    MEGABYTE,
    SHARED,
    Bounds,
    Row,
    measure,
)
from service.attack.observer import Observed, observed
from service.attack.plain import all_send
from service.attack.target import Target, family, started, waited
from service.attack.wire import Address, exchange
from service.tests import blocking
from service.tests.client import until
from service.tests.processes import ROOT, eventually

OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
CHUNKS = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\na\n\r\n3\r\nbc\n\r\n"


@contextmanager
def answering(reply: bytes, *, resets: bool = False) -> Iterator[Address]:
    """A server that says the same to everyone, whatever is sent."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=100)
    ends = Event()

    def serve() -> None:
        while True:
            connection, _ = listening.accept()
            if ends.is_set():
                connection.close()
                return
            with connection:
                connection.recv(65_536)
                connection.sendall(reply)
                if resets:  # close at once, what is unsent forgotten
                    linger = b"\x01\x00\x00\x00\x00\x00\x00\x00"
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)

    thread = Thread(target=serve)
    thread.start()
    address = Address("127.0.0.1", listening.getsockname()[1])
    try:
        yield address
    finally:
        ends.set()
        socket.create_connection(address[:2]).close()
        thread.join()
        listening.close()


def outcome(address: Address, request: bytes) -> str:
    [only] = asyncio.run(at_once(1, partial(exchange, address, request), 5))
    return only


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        (OK, "200"),
        (OK[:-1], "200 cut"),
        (CHUNKS + b"0\r\n\r\n", "200"),
        (CHUNKS, "200 cut"),
        (CHUNKS[:-3], "200 cut"),
        (b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n", "503"),
        (b"HTTP/1.1 200 OK\r\nContent-", "closed"),
        (b"", "closed"),
    ],
)
def test_a_reply_has_the_label_of_its_status_and_of_its_end(reply: bytes, label: str) -> None:
    with answering(reply) as address:
        assert outcome(address, b"GET / HTTP/1.1\r\n\r\n") == label


def test_a_reset_is_told_from_a_close() -> None:
    with answering(b"", resets=True) as address:
        assert outcome(address, b"x") == "reset"


def test_a_slow_client_is_slow() -> None:
    reply = b"HTTP/1.1 200 OK\r\nContent-Length: 8000\r\n\r\n" + b"x" * 8_000
    with answering(reply) as address:
        started = time.monotonic()
        assert asyncio.run(exchange(address, b"x", pace=20_000)) == "200"
    assert time.monotonic() - started > 0.35


def test_who_waits_at_the_end_is_counted() -> None:
    async def client() -> str:
        await asyncio.sleep(10)
        raise AssertionError

    assert asyncio.run(at_once(3, client, 0.05)) == {PENDING: 3}


def test_some_clients_start_anew_until_the_end() -> None:
    async def client() -> str:
        await asyncio.sleep(0.01)
        return "200"

    outcomes = asyncio.run(again_and_again(2, client, 0.2))
    assert outcomes[PENDING] == 2
    assert 4 <= outcomes["200"] <= 40


@pytest.mark.parametrize(
    ("reply", "outcome"), [(OK, "200"), (b"HTTP/1.1 408 Late\r\n\r\n", "408"), (b"", "closed")]
)
def test_each_of_a_crowd_has_the_status_that_it_got(reply: bytes, outcome: str) -> None:
    with answering(reply) as address:
        assert asyncio.run(all_send(20, address, b"x", 5)) == {outcome: 20}


def test_a_crowd_sends_all_of_what_is_too_long_for_one_buffer() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        address = Address("127.0.0.1", listening.getsockname()[1])
        with ThreadPoolExecutor() as pool:
            crowd = pool.submit(asyncio.run, all_send(1, address, b"x" * 9_000_000, 5))
            connection, _ = listening.accept()
            with connection, connection.makefile("rb") as stream:
                assert len(stream.read(9_000_000)) == 9_000_000
            assert crowd.result() == {"closed": 1}


def test_a_crowd_sends_no_faster_than_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "_PACE", 1_000_000)
    started = time.monotonic()
    with answering(OK) as address:
        asyncio.run(all_send(8, address, b"x" * 50_000, 5))
    assert time.monotonic() - started > 0.3


def test_a_crowd_is_connected_before_one_of_it_sends_and_who_waits_at_the_end_is_counted() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=100) as listening:
        address = Address("127.0.0.1", listening.getsockname()[1])
        with ThreadPoolExecutor() as pool:
            crowd = pool.submit(asyncio.run, all_send(50, address, b"x", 1))
            first, _ = listening.accept()
            with first:
                first.recv(1)
                listening.settimeout(0)
                others = [listening.accept()[0] for _ in range(49)]
            assert crowd.result() == {"closed": 1, PENDING: 49}
        for each in others:
            each.close()


def test_a_crowd_that_nobody_listens_to_is_refused() -> None:
    assert asyncio.run(all_send(3, Address("127.0.0.1", 9), b"x", 5)) == {"refused": 3}


@pytest.mark.parametrize(
    ("seconds", "outcome"),
    [
        ((1, 4), "p99 within 4 times"),
        ((1, 40, 1, 4), "p99 within 4 times"),
        ((1, 40, 1, 41, 1, 42), "p99 42 times as long"),
    ],
)
def test_large_requests_may_be_four_times_as_slow_beside_others_once_in_three_tries(
    seconds: tuple[int, ...], outcome: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = iter(seconds)

    async def p99(*_: object) -> int:
        return next(left)

    monkeypatch.setattr(clients, "_p99_of_large", p99)
    nobody = Address("127.0.0.1", 9)
    run = clients.neighbours_of(clients.asking(3, b"x"))
    assert asyncio.run(run(nobody, 0.01)) == {outcome: 1}
    assert list(left) == []


def test_the_observer_sees_memory_probes_and_replies() -> None:
    async def watch(address: Address) -> Observed:
        async with observed(Target(address, None)) as seen:
            await asyncio.sleep(0.5)
        return seen

    with answering(OK) as address:
        seen = asyncio.run(watch(address))
    assert set(seen.probes.outcomes) == {"200"}
    assert seen.probes.outcomes.total() >= 6
    assert seen.small.outcomes["200"] >= 1
    assert seen.peak is None


def test_what_was_asked_before_the_end_is_seen_to_its_answer() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        await asyncio.sleep(0.5)
        writer.write(OK)
        writer.close()

    async def watch() -> Observed:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        port = server.sockets[0].getsockname()[1]
        async with server, observed(Target(Address("127.0.0.1", port), None)) as seen:
            await asyncio.sleep(0.1)
        return seen

    seen = asyncio.run(watch())
    assert seen.probes.outcomes == {"200": 3}
    assert min(seen.probes.seconds) > 0.4


@pytest.mark.skipif(not family(1), reason="/proc is Linux'")
def test_the_memory_of_children_counts() -> None:
    hold = "import sys; held = bytearray(b'x' * 50_000_000); print(flush=True); sys.stdin.read()"
    nested = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {hold!r}])"
    with subprocess.Popen(
        [sys.executable, "-c", nested], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout
        process.stdout.readline()
        resident = Target(Address("", 0), process.pid).resident()
        process.communicate(b"")
    assert resident is not None
    assert 50 * MEGABYTE < resident < 150 * MEGABYTE


@pytest.mark.skipif(not family(1), reason="/proc is Linux'")
def test_who_shares_a_processor_waits_for_it_and_who_sleeps_does_not() -> None:
    own = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})"
    busy = [sys.executable, "-c", f"{own}\nwhile True: pass"]
    with (
        subprocess.Popen(busy) as one,
        subprocess.Popen(busy) as other,
        subprocess.Popen(["sleep", "60"]) as sleeper,
    ):
        time.sleep(1)
        shared, slept = waited(one.pid)[0], waited(sleeper.pid)[0]
        for process in (one, other, sleeper):
            process.kill()
    assert slept < 0.1 < shared
    assert waited(one.pid) == waited(None) == (0, 0)


@pytest.mark.skipif(not family(1), reason="/proc is Linux'")
def test_what_serves_is_the_last_process_that_has_not_a_lower_priority() -> None:
    script = "sleep 60 & nice -n 5 sleep 60 & wait"
    with subprocess.Popen(["sh", "-c", script], start_new_session=True) as process:
        target = Target(Address("", 0), process.pid)
        assert eventually(lambda: len(family(process.pid)) == 3)
        assert eventually(lambda: target.serving() == family(process.pid)[1])
        os.killpg(process.pid, signal.SIGKILL)
    assert target._replace(pid=None).serving() is None


def row(name: str = "batches", **changes: object) -> Row:
    """A row whose every figure is just within its bound."""
    seen = Observed()
    seen.resident = [200 * MEGABYTE]
    for asked, seconds in ((seen.probes, 0.1), (seen.small, 0.025)):
        asked.outcomes, asked.seconds = Counter({"200": 9}), [seconds] * 9
    for field, change in changes.items():
        *whose, what = field.split("_")
        setattr(getattr(seen, *whose) if whose else seen, what, change)
    return Row(name, 80 * MEGABYTE, 100 * MEGABYTE, seen, Counter({"200": 4, "503": 4}), [])


def test_a_row_within_all_bounds_has_no_fault() -> None:
    assert row().faults(Bounds()) == []


@pytest.mark.parametrize(
    ("passed", "fault"),
    [
        (row(resident=[1, 201 * MEGABYTE, 1]), "201.0 MB at the peak, at most 200"),
        (row()._replace(after=101 * MEGABYTE), "21.0 MB kept, at most 20"),
        (row(probes_outcomes=Counter({"200": 9, "503": 1})), "probes: 1 x 503"),
        (row(probes_outcomes=Counter({"late": 2})), "probes: 2 x late"),
        (row(probes_outcomes=Counter({"not tried": 2})), "no probe was answered"),
        (row(small_outcomes=Counter({"reset": 2})), "good client: 2 x reset"),
        (row(probes_seconds=[0.01, 0.11]), "110.0 ms for a probe, at most 100"),
        (row(small_seconds=[0.001] * 98 + [0.026] * 2), "26.0 ms at p99, at most 25"),
        (row()._replace(outcomes=Counter({"reset": 7})), "7 x reset"),
        (
            row(resident=[MEGABYTE] * 1_600 + [12 * MEGABYTE] * 200),
            "11.0 MB since the first minute, at most 10",
        ),
        (row()._replace(unaccounted=["x"]), "x"),
    ],
)
def test_every_bound_that_is_passed_is_a_fault(passed: Row, fault: str) -> None:
    assert fault in passed.faults(Bounds())


def test_beside_a_crowd_a_small_request_may_take_as_long_as_a_probe_and_nothing_else_changes() -> (
    None
):
    crowds = {"expiring bodies", "idle connections", "unfinished heads", "first bytes"}
    crowds |= {"unread replies", "all at once"}
    slow = {name: str(row(name, small_seconds=[0.1] * 9).faults(Bounds())) for name in ATTACKS}
    assert {name for name, faults in slow.items() if "p99" not in faults} == crowds
    slower = row("all at once", small_seconds=[0.11] * 9)
    assert slower.faults(Bounds()) == ["110.0 ms at p99, at most 100"]
    assert slower.faults(SHARED) == []


def test_on_a_shared_machine_the_peak_stays_below_the_memory_of_a_container() -> None:
    assert Bounds().peak < SHARED.peak < 256 * MEGABYTE


def test_a_server_that_keeps_its_event_loop_from_probes_is_seen() -> None:
    with started("service.tests.blocking") as target:
        seen = asyncio.run(measure(target, "idle connections", 1, 0))
    assert max(seen.seen.probes.seconds) > blocking.SECONDS / 2
    assert any("ms for a probe" in fault for fault in seen.faults(Bounds()))


@pytest.mark.skipif(not family(1), reason="/proc is Linux'")
def test_attackers_leave_the_processors_to_the_server_and_end_with_what_measures() -> None:
    def attackers() -> list[int]:
        return [pid for pid in family(os.getpid()) if os.getsid(pid) != os.getsid(0)]

    async def watch() -> list[int]:
        silent = Target(Address("127.0.0.1", 9), None)
        measuring = asyncio.create_task(measure(silent, "batches", 60, 0))
        await until(lambda: attackers() != [])
        priorities = [os.getpriority(os.PRIO_PROCESS, pid) for pid in attackers()]
        measuring.cancel()
        await asyncio.gather(measuring, return_exceptions=True)
        return priorities

    lowest = 19
    assert asyncio.run(watch()) == [min(os.getpriority(os.PRIO_PROCESS, 0) + 10, lowest)]
    assert attackers() == []


def test_memory_that_grows_after_a_minute_is_a_fault() -> None:
    grows = [MEGABYTE * second // 10 for second in range(60 * 10, 75 * 10)]
    seen = Observed()
    seen.resident = [MEGABYTE] * 600 + [each * 20 // 75 for each in grows]
    assert seen.growth(60) == pytest.approx(3.6 * MEGABYTE, rel=0.1)
    assert seen.growth(100) == 0


def test_percentiles() -> None:
    samples = [float(number) for number in range(100)]
    assert (percentile(samples, 50), percentile(samples, 99)) == (50, 99)
    assert percentile([3.0], 99) == 3
    assert percentile([], 50) == 0


@pytest.mark.parametrize(
    ("rise", "clients", "faults"),
    [
        ({"200": 5}, {"200": 5}, []),
        ({"200": 6}, {"200": 4, "200 cut": 1, "aborted": 1}, []),
        ({"200": 4}, {"200": 4, "200 cut": 1}, ["5 clients got 200, which was counted 4 times"]),
        ({}, {"503": 1}, ["1 clients got 503, which was counted 0 times"]),
        ({"200": 9}, {"200": 4}, ["9 replies were counted, of at most 5 requests"]),
    ],
)
def test_every_reply_is_accounted_for(
    rise: dict[str, int], clients: dict[str, int], faults: list[str]
) -> None:
    before = Counter({"200": 3, "404": 1})
    assert unaccounted(before, before + Counter(rise), Counter(clients)) == faults


@pytest.mark.thorough
@pytest.mark.skipif(not family(1), reason="memory is read from Linux' /proc")
def test_the_service_keeps_its_bounds_under_some_attacks_for_a_moment() -> None:
    attacks = ("endless headers", "idle connections", "batches")
    options = ["--robust", "--seconds=1", "--only", *attacks]
    argv = [sys.executable, "-m", "service.attack", *options]
    done = subprocess.run(argv, check=False, capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert all(attack in done.stdout for attack in attacks)
    assert done.stdout.endswith("no bound was passed\n")
