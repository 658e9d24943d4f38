"""The process that computes large requests: what it answers, and what happens when it ends."""

import asyncio
import errno
import json
import os
import signal
import subprocess
import zlib
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

from service import Config
from service.bench.load import processor_seconds
from service.errors import ComputeTimeout, Overloaded
from service.server.allocator import resident
from service.server.bridge import Reply
from service.server.environ import Environ, make_environ
from service.server.large import LargeWork, _RemotePieces
from service.tests.client import BODY, scope
from service.tests.processes import eventually

PATIENT = 120
"""Seconds: on a busy machine a child takes longer to start than a request usually has."""

BATCH = json.dumps(
    {"requests": [{"expression": "-" * 300 + "a", "values": {"a": 1}}] * 50}
).encode()


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Iterator[LargeWork]:
    monkeypatch.setenv("GRADIENT_LOG_REQUESTS", "0")
    started = LargeWork(Config(compute_seconds=PATIENT))
    yield started
    if started._process:
        started._process.kill()
        started._process.wait()
    started._socket.close()


def pid_of(work: LargeWork) -> int:
    assert work._process
    return work._process.pid


def end(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


def asked(path: bytes, body: bytes) -> Environ:
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    return make_environ(scope(headers, method="POST", raw_path=path))


async def body_of(reply: Reply) -> bytes:
    pieces = []
    while reply.pieces.more:
        pieces.append(await reply.pieces.take())
    reply.pieces.close(is_cut=False)
    return b"".join(pieces)


def run(work: LargeWork, steps: Callable[[], Awaitable[None]]) -> None:
    async def all_steps() -> None:
        try:
            async with asyncio.timeout(PATIENT):
                await steps()
        finally:
            assert work._streams
            work._streams[1].transport.abort()
            await asyncio.sleep(0.01)

    asyncio.run(all_steps())


class Sends:
    """A child that has some pieces."""

    def __init__(self, *pieces: bytes) -> None:
        self.left = [zlib.compress(piece) for piece in pieces]

    async def next_piece(self, *_: object) -> tuple[bytes, bool]:
        return self.left.pop(0), bool(self.left)


SLICE = 16_384
LONG = json.dumps([{"id": k, "value": k / 7} for k in range(9_000)]).encode()


@pytest.mark.parametrize("size", [0, 1, *range(SLICE - 9, SLICE + 9), len(LONG)])
def test_pieces_are_sent_whole_in_slices_each_unpacked_when_it_is_taken(size: int) -> None:
    async def run() -> None:
        sends, slices = Sends(LONG[:size], LONG[:size]), list[bytes]()
        pieces = _RemotePieces(sends, None, 0, await sends.next_piece())  # type: ignore[arg-type]
        while pieces.more:
            slices.append(await pieces.take())
            assert len(pieces._packed) < len(LONG) / 4
        assert (b"".join(slices), sends.left) == (LONG[:size] * 2, [])
        assert max(map(len, slices)) <= SLICE

    asyncio.run(run())


def test_it_answers_as_the_application_does(work: LargeWork) -> None:
    async def steps() -> None:
        reply = await work.call(asked(b"/v1/gradient", BODY), BODY)
        assert (reply.status, dict(reply.headers)[b"content-type"]) == (200, b"application/json")
        content = json.loads(await body_of(reply))
        assert content["gradients"] == {"a": 10, "b": 10, "c": -1}

    run(work, steps)


def test_replies_are_made_in_turn_as_their_clients_take_them(work: LargeWork) -> None:
    async def steps() -> None:
        slow, quick = [await work.call(asked(b"/v1/gradients", BATCH), BATCH) for _ in range(2)]
        first = await slow.pieces.take()
        assert first
        assert len(json.loads(await body_of(quick))["results"]) == 50
        rest = await body_of(slow)
        assert len(json.loads(first + rest)["results"]) == 50

    run(work, steps)


def test_a_child_that_is_killed_is_replaced(work: LargeWork) -> None:
    async def steps() -> None:
        begun = await work.call(asked(b"/v1/gradients", BATCH), BATCH)
        first = pid_of(work)
        os.kill(first, signal.SIGSTOP)
        call = asyncio.create_task(work.call(asked(b"/v1/gradient", BODY), BODY))
        await asyncio.sleep(0.1)
        os.kill(first, signal.SIGKILL)
        with pytest.raises(Overloaded):
            await call
        assert pid_of(work) != first
        # But for the piece that had come with the head, what the other had begun is lost, and is
        # not mixed up with what the new one makes.
        assert await begun.pieces.take()
        with pytest.raises(ConnectionError):
            await body_of(begun)
        begun.pieces.close(is_cut=True)
        reply = await work.call(asked(b"/v1/gradient", BODY), BODY)
        assert json.loads(await body_of(reply))["result"] == -10

    run(work, steps)


def test_the_rest_of_a_reply_is_lost_with_its_child_and_costs_no_other(work: LargeWork) -> None:
    async def steps() -> None:
        begun = await work.call(asked(b"/v1/gradients", BATCH), BATCH)
        end(pid_of(work))
        assert await begun.pieces.take()
        with pytest.raises(ConnectionError):
            await body_of(begun)
        second = pid_of(work)
        await body_of(await work.call(asked(b"/v1/gradient", BODY), BODY))
        assert pid_of(work) == second

    run(work, steps)


def test_who_comes_after_an_idle_child_has_ended_is_answered(work: LargeWork) -> None:
    async def steps() -> None:
        await body_of(await work.call(asked(b"/v1/gradient", BODY), BODY))
        first = pid_of(work)
        end(first)
        reply = await work.call(asked(b"/v1/gradient", BODY), BODY)
        assert json.loads(await body_of(reply))["result"] == -10
        assert pid_of(work) != first

    run(work, steps)


def test_without_a_process_left_it_is_refused_until_there_is_one(
    work: LargeWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")

    async def steps() -> None:
        await body_of(await work.call(asked(b"/v1/gradient", BODY), BODY))
        first = pid_of(work)
        with monkeypatch.context() as patch:
            patch.setattr(subprocess, "Popen", fail)
            end(first)
            for _ in range(2):
                with pytest.raises(Overloaded):
                    await work.call(asked(b"/v1/gradient", BODY), BODY)
                await work.renew()
            await work.close()
        reply = await work.call(asked(b"/v1/gradient", BODY), BODY)
        assert json.loads(await body_of(reply))["result"] == -10

    run(work, steps)


def test_a_child_that_does_not_answer_in_time_is_replaced(work: LargeWork) -> None:
    async def steps() -> None:
        await work.call(asked(b"/v1/gradient", BODY), BODY)
        work._seconds = 0
        first = pid_of(work)
        os.kill(first, signal.SIGSTOP)
        with pytest.raises(ComputeTimeout):
            await work.call(asked(b"/v1/gradient", BODY), BODY)
        work._seconds = PATIENT
        assert pid_of(work) != first
        assert (await work.call(asked(b"/v1/gradient", BODY), BODY)).status == 200

    run(work, steps)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="Linux tells what was computed")
def test_a_client_that_leaves_costs_one_piece(work: LargeWork) -> None:
    one = {"expression": "+".join("a" * 1_000), "values": {"a": 1}}
    batch = json.dumps({"requests": [one] * 50}).encode()  # many ticks of the processor's clock

    async def steps() -> None:
        pid = pid_of(work)
        await body_of(await work.call(asked(b"/v1/gradient", BODY), BODY))  # it has started
        started = processor_seconds(pid)
        await body_of(await work.call(asked(b"/v1/gradients", batch), batch))
        whole = processor_seconds(pid) - started
        begun = await work.call(asked(b"/v1/gradients", batch), batch)
        await begun.pieces.take()
        begun.pieces.close(is_cut=True)
        reply = await work.call(asked(b"/v1/gradient", BODY), BODY)
        assert reply.status == 200
        assert processor_seconds(pid) - started - whole < whole / 4

    run(work, steps)


@pytest.fixture
def grows_on_a_signal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Have each child that starts take 20 MB at SIGUSR1, and keep them."""
    (tmp_path / "sitecustomize.py").write_text(
        "import signal\n"
        "held = []\n"
        "signal.signal(signal.SIGUSR1, lambda *_: held.append(b'x' * 20_000_000))\n"
    )
    found = filter(None, (str(tmp_path), os.environ.get("PYTHONPATH")))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(found))


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="Linux tells what is held")
def test_a_child_that_has_grown_is_replaced_when_it_has_nothing_to_do(
    grows_on_a_signal: None, work: LargeWork
) -> None:
    async def steps() -> None:
        await body_of(await work.call(asked(b"/v1/gradient", BODY), BODY))
        first = pid_of(work)
        await work.renew()
        assert pid_of(work) == first  # it holds little more than at first
        reply = await work.call(asked(b"/v1/gradients", BATCH), BATCH)
        os.kill(first, signal.SIGUSR1)
        assert eventually(lambda: resident(first) > work._at_first + 20_000_000)
        await work.renew()
        assert pid_of(work) == first  # somebody takes a reply
        assert len(json.loads(await body_of(reply))["results"]) == 50
        await work.renew()
        assert pid_of(work) != first
        reply = await work.call(asked(b"/v1/gradient", BODY), BODY)
        assert json.loads(await body_of(reply))["result"] == -10

    run(work, steps)
