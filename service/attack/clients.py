"""How clients behave -> what they get of a server in some seconds."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from itertools import pairwise
from math import inf
from time import perf_counter
from typing import Any

from service.attack.bodies import LARGE, posted
from service.attack.crowd import Outcomes, again_and_again, at_once, percentile
from service.attack.plain import all_send
from service.attack.wire import Address, exchange

Run = Callable[[Address, float], Coroutine[Any, Any, Outcomes]]

_TIMES, _TRIES = 4, 3
"""What large requests may take beside costly ones of another address, as often as alone; and how
often that is tried, for others on the machine may be in the way."""

WITHIN = f"p99 within {_TIMES} times"


async def together(*runs: Coroutine[Any, Any, Outcomes]) -> Outcomes:
    """Let all run at the same time."""
    return sum(await asyncio.gather(*runs), Outcomes())


def beside(*runs: Run) -> Run:
    """Have all run at the same time."""
    return lambda address, seconds: together(*(run(address, seconds) for run in runs))


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


def reading(count: int, request: bytes, pace: float = 8_000, least: float = 0) -> Run:
    """Have some clients take their replies at so many bytes a second."""

    def run(address: Address, seconds: float) -> Coroutine[Any, Any, Outcomes]:
        client = partial(exchange, address, request, pace)
        return at_once(count, client, max(seconds, least))

    return run


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
