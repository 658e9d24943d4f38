"""A server under attack -> its memory, its probes and what a good client gets, while it lasts."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from errno import EADDRNOTAVAIL
from functools import partial
from statistics import median
from threading import Event
from time import perf_counter

from service.attack.bodies import SMALL, got, posted
from service.attack.target import Target, waited
from service.attack.wire import Address, Streams, connected, exchange, read_reply

_PROBES = ("/healthz", "/readyz", "/metrics")
_EVERY = 0.1
_EVERY_REQUEST = 0.02
NOT_TRIED = "not tried"
"""The outcome where the attackers have all ports of an address that is the observer's, too."""

_PATIENCE = 30.0
"""Seconds until a probe, or a good client, gives up; a bound on its time is passed long before."""


class Observed:
    """What was seen; memory in bytes, times in seconds without those of `waited`."""

    def __init__(self, serving: int | None = None) -> None:
        self.serving = serving
        self.resident: list[int] = []
        self.probes: Counter[str] = Counter()
        self.replies: Counter[str] = Counter()
        self.probe_seconds: list[float] = []
        self.seconds: list[float] = []

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
    seen, over = Observed(target.serving()), Event()
    tasks = [asyncio.create_task(_watch_memory(target, seen, over))]
    tasks += [asyncio.create_task(_probe(target.address, path, seen, over)) for path in _PROBES]
    tasks.append(asyncio.create_task(_be_good(target.address, seen, over)))
    try:
        yield seen
    finally:
        over.set()
        await asyncio.gather(*tasks)


async def _watch_memory(target: Target, seen: Observed, over: Event) -> None:
    while not over.is_set():
        resident = target.resident()
        if resident is not None:
            seen.resident.append(resident)
        await asyncio.sleep(_EVERY)


async def _probe(address: Address, path: str, seen: Observed, over: Event) -> None:
    """Ask on a new connection each time, as an orchestrator does."""
    ask = partial(exchange, address, got(path))
    while not over.is_set():
        label, seconds = await _timed(seen.serving, ask)
        seen.probes[label] += 1
        seen.probe_seconds.append(seconds)
        await asyncio.sleep(max(0.0, _EVERY - seconds))


async def _be_good(address: Address, seen: Observed, over: Event) -> None:
    """Send small requests on one connection, and connect again where it is lost."""
    while not over.is_set():
        try:
            async with connected(address) as streams:
                await _ask_until_lost(streams, seen, over)
        except OSError as fault:
            seen.replies[type(fault).__name__] += 1
            await asyncio.sleep(_EVERY)


async def _ask_until_lost(streams: Streams, seen: Observed, over: Event) -> None:
    reader, writer = streams
    request, label = posted("/v1/gradient", SMALL), "200"

    async def ask() -> str:
        writer.write(request)
        return (await read_reply(reader)).label

    while label == "200" and not over.is_set():
        label, seconds = await _timed(seen.serving, ask)
        seen.replies[label] += 1
        seen.seconds.append(seconds)
        await asyncio.sleep(_EVERY_REQUEST)


async def _timed(serving: int | None, ask: Callable[[], Awaitable[str]]) -> tuple[str, float]:
    started, before = perf_counter(), waited(serving)
    try:
        async with asyncio.timeout(_PATIENCE):
            label = await ask()
    except TimeoutError:
        label = "late"
    except OSError as fault:
        label = NOT_TRIED if fault.errno == EADDRNOTAVAIL else type(fault).__name__
    except asyncio.IncompleteReadError:
        label = "closed"
    seconds = perf_counter() - started
    waits = (now - then for now, then in zip(waited(serving), before, strict=True))
    return label, seconds - max(0.0, *waits)
