"""How clients behave -> what they get of a server in some seconds."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from itertools import pairwise
from math import inf
from time import perf_counter
from typing import Any

from service.attack.bodies import LARGE, STREAMED, TWO_MEGABYTES, posted
from service.attack.crowd import Outcomes, again_and_again, at_once, percentile
from service.attack.plain import all_send
from service.attack.wire import Address, connected, exchange, read_reply

Run = Callable[[Address, float], Coroutine[Any, Any, Outcomes]]

_SLOW_PACE = 8_000
_HONEST_PACE = 100_000
"""Bytes a second: 65 s for the whole stream. At this pace a default socket of Linux, which counts
as writable when a third of its megabytes is free, takes nothing for more than ten seconds."""

_SILENT = 70

_TIMES, _TRIES = 4, 3
"""What large requests may take beside costly ones of another address, as often as alone; and how
often that is tried, for others on the machine may be in the way."""

WITHIN = f"p99 within {_TIMES} times"


async def together(*runs: Coroutine[Any, Any, Outcomes]) -> Outcomes:
    """Let all run at the same time."""
    return sum(await asyncio.gather(*runs), Outcomes())


def sending(count: int, request: bytes, *, addresses: int = 1, least: float = 0) -> Run:
    """Have a crowd send the same, of some addresses and for so many seconds at the least."""

    def run(address: Address, seconds: float) -> Coroutine[Any, Any, Outcomes]:
        each, end = count // addresses, max(seconds, least)
        crowds = (address.neighbour(number) for number in range(addresses))
        return together(*(all_send(each, crowd, request, end) for crowd in crowds))

    return run


def asking(count: int, *requests: bytes, pause: float = 0) -> Run:
    """Have some clients ask for the same again and again, and then for what is next."""

    async def run(address: Address, seconds: float) -> Outcomes:
        outcomes = Outcomes()
        for request in requests:
            client = partial(exchange, address, request)
            outcomes += await again_and_again(count, client, seconds / len(requests), pause)
        return outcomes

    return run


def reading(count: int, request: bytes) -> Run:
    """Have some clients take their replies at 8 kB/s."""
    return lambda address, seconds: at_once(
        count, partial(exchange, address, request, _SLOW_PACE), seconds
    )


async def silent_readers(address: Address, seconds: float) -> Outcomes:
    """Ask for replies of 2.2 MB and take none of them."""

    async def client() -> str:
        async with connected(address, is_slow=True) as (_, writer):
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            writer.write(posted("/v1/gradient", TWO_MEGABYTES))
            await asyncio.sleep(seconds)
        return "unread"

    return await at_once(_SILENT, client, seconds + 1)


async def honest_stream(address: Address, seconds: float) -> Outcomes:
    """Take a stream slowly to its end; `seconds` are its time at the least."""
    request = posted("/v1/gradients", STREAMED, headers="Accept: application/x-ndjson\r\n")

    async def client() -> str:
        async with connected(address, is_slow=True) as (reader, writer):
            writer.write(request)
            return await read_reply(reader, _HONEST_PACE)

    return await at_once(1, client, max(seconds, 120))


def neighbours_of(costly: Run) -> Run:
    """Ask for what is large, alone and then beside clients who ask for what is costly."""

    async def run(address: Address, seconds: float) -> Outcomes:
        times = inf
        for _ in range(_TRIES):
            if times > _TIMES:
                alone = await _p99_of_large(address.neighbour(1), seconds)
                beside = _p99_of_large(address.neighbour(1), seconds)
                p99, _ = await asyncio.gather(beside, costly(address, seconds))
                times = p99 / alone
        return Outcomes([WITHIN if times <= _TIMES else f"p99 {times:.0f} times as long"])

    return run


async def _p99_of_large(address: Address, seconds: float) -> float:
    request, end = posted("/v1/gradient", LARGE), perf_counter() + seconds
    times = [perf_counter()]
    while times[-1] < end:
        await exchange(address, request)
        times.append(perf_counter())
    return percentile([after - before for before, after in pairwise(times)], 99)
