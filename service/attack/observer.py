"""A server under attack -> its memory, its probes and what a good client gets, while it lasts."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from statistics import median
from threading import Event
from time import perf_counter

from service.attack.bodies import SMALL, got, posted
from service.attack.crowd import Outcomes, outcome_of
from service.attack.target import Target, waited
from service.attack.wire import Address, connected, exchange, read_reply

_PROBES = ("/healthz", "/readyz", "/metrics")
_EVERY = 0.1
_EVERY_REQUEST = 0.02
_PATIENCE = 30.0
"""Seconds until a probe, or a good client, gives up; a bound on its time is passed long before."""


class Asked:
    """What clients got that ask every so many seconds, and how long it took without `waited`."""

    def __init__(self, every: float) -> None:
        self.every, self.outcomes, self.seconds = every, Outcomes(), list[float]()


class Observed:
    """What was seen; memory in bytes."""

    def __init__(self) -> None:
        self.resident: list[int] = []
        self.probes, self.small = Asked(_EVERY), Asked(_EVERY_REQUEST)

    @property
    def peak(self) -> int | None:
        """The most that was held; None where nothing tells."""
        return max(self.resident, default=None)

    def growth(self, settled: float) -> int:
        """Tell how much more was held at the end than after so many seconds: medians of a tenth."""
        later = self.resident[int(settled / _EVERY) :]
        tenth = len(later) // 10
        return int(median(later[-tenth:]) - median(later[:tenth])) if tenth else 0


@asynccontextmanager
async def observed(target: Target) -> AsyncIterator[Observed]:
    """Observe until the block ends, and until what was asked before is answered."""
    seen, over, serving = Observed(), Event(), target.serving()
    clients = [(seen.probes, partial(_anew, target.address, got(path))) for path in _PROBES]
    small = partial(_on_one, target.address, posted("/v1/gradient", SMALL))
    async with asyncio.TaskGroup() as group:
        group.create_task(_watch_memory(target, seen, over))
        for asked, client in (*clients, (seen.small, small)):
            group.create_task(_ask(asked, client, serving, over))
        try:
            yield seen
        finally:
            over.set()


async def _watch_memory(target: Target, seen: Observed, over: Event) -> None:
    while not over.is_set():
        resident = target.resident()
        if resident is not None:
            seen.resident.append(resident)
        await asyncio.sleep(_EVERY)


async def _anew(address: Address, request: bytes) -> AsyncIterator[str]:
    """Ask on a new connection each time, as an orchestrator does."""
    while True:
        yield await exchange(address, request)


async def _on_one(address: Address, request: bytes) -> AsyncIterator[str]:
    """Ask on one connection, until it is lost."""
    async with connected(address) as (reader, writer):
        while True:
            writer.write(request)
            yield await read_reply(reader)


async def _ask(
    asked: Asked, client: Callable[[], AsyncIterator[str]], serving: int | None, over: Event
) -> None:
    replies = client()
    while not over.is_set():
        started, before = perf_counter(), waited(serving)
        try:
            async with asyncio.timeout(_PATIENCE):
                label = await anext(replies)
        except (OSError, asyncio.IncompleteReadError) as fault:
            label, replies = outcome_of(fault), client()
        seconds = perf_counter() - started
        waits = (now - then for now, then in zip(waited(serving), before, strict=True))
        asked.outcomes[label] += 1
        asked.seconds.append(seconds - max(0.0, *waits))
        await asyncio.sleep(max(asked.every - seconds, asked.every / 10))
