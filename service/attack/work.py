"""Attacks that make a server compute: large replies, small bodies that cost much, batches."""

import asyncio
from functools import partial
from itertools import pairwise
from math import inf
from time import perf_counter

from service.attack.bodies import (
    AMPLIFIED,
    EXPONENTIALS,
    LARGE,
    LARGEST,
    STRANGE,
    TWO_MEGABYTES,
    posted,
)
from service.attack.crowd import Outcomes, again_and_again, percentile
from service.attack.wire import Address, exchange

_BATCHES = 8
_COSTLY = 4
_STRANGE = 3
_LARGEST = 4
_TIMES, _TRIES = 4, 3
"""What large requests may take beside costly ones of another address, as often as alone; and how
often that is tried, for others on the machine may be in the way."""

WITHIN = f"p99 within {_TIMES} times"


async def batches(address: Address, seconds: float) -> Outcomes:
    """Ask for replies of 35.7 MB, eight at once."""
    request = posted("/v1/gradients", AMPLIFIED)
    return await again_and_again(_BATCHES, partial(exchange, address, request), seconds)


async def costly_bodies(address: Address, seconds: float) -> Outcomes:
    """Send bodies under 4 kB of thousands of nodes, or of hundreds of exponentials."""
    half = [posted("/v1/gradient", body) for body in (TWO_MEGABYTES, EXPONENTIALS)]
    return await _each(half, _COSTLY, address, seconds)


async def strange_requests(address: Address, seconds: float) -> Outcomes:
    """Send what is short and no program, three at once."""
    requests = [posted(path, body, headers=headers) for path, body, headers in STRANGE]
    return await _each(requests, _STRANGE, address, seconds)


async def _each(requests: list[bytes], count: int, address: Address, seconds: float) -> Outcomes:
    outcomes: Outcomes = Outcomes()
    for request in requests:
        client = partial(exchange, address, request)
        outcomes += await again_and_again(count, client, seconds / len(requests))
    return outcomes


async def largest_batches(address: Address, seconds: float) -> Outcomes:
    """Send batches of nearly 100,000 nodes that need bits, four at once."""
    request = posted("/v1/gradients", LARGEST)
    return await again_and_again(_LARGEST, partial(exchange, address, request), seconds)


async def costly_neighbours(address: Address, seconds: float) -> Outcomes:
    """Ask for what is large, alone and then beside three clients who send what is costly."""
    times = inf
    for _ in range(_TRIES):
        if times > _TIMES:
            alone = await _p99_of_large(address.neighbour(1), seconds)
            beside = _p99_of_large(address.neighbour(1), seconds)
            p99, _ = await asyncio.gather(beside, strange_requests(address, seconds))
            times = p99 / alone
    return Outcomes([WITHIN if times <= _TIMES else f"p99 {times:.0f} times as long"])


async def _p99_of_large(address: Address, seconds: float) -> float:
    request, end = posted("/v1/gradient", LARGE), perf_counter() + seconds
    times = [perf_counter()]
    while times[-1] < end:
        await exchange(address, request)
        times.append(perf_counter())
    return percentile([after - before for before, after in pairwise(times)], 99)
