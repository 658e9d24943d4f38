"""Clients that take large replies slowly, or not at all, and one that is slow but honest."""

import asyncio
from functools import partial

from service.attack.bodies import LINES, REFUSED, STREAMED, TWO_MEGABYTES, posted
from service.attack.crowd import Outcomes, at_once
from service.attack.wire import Address, connected, exchange, read_reply
from service.attack.work import largest_batches

_SLOW, _FEW = 90, 7
_SLOW_PACE = 8_000
_SILENT = 70
_HONEST_PACE = 100_000
"""Bytes a second: 65 s for the whole stream. At this pace a default socket of Linux, which counts
as writable when a third of its megabytes is free, takes nothing for more than ten seconds."""


async def slow_readers(address: Address, seconds: float) -> Outcomes:
    """Take replies of 2.2 MB at 8 kB/s."""
    request = posted("/v1/gradient", TWO_MEGABYTES)
    return await at_once(_SLOW, partial(exchange, address, request, _SLOW_PACE), seconds)


async def readers_of_problems(address: Address, seconds: float) -> Outcomes:
    """Take the replies to batches of what is refused at 8 kB/s, while others ask for much."""
    request = posted("/v1/gradients", REFUSED)
    readers = at_once(_FEW, partial(exchange, address, request, _SLOW_PACE), seconds)
    return sum(await asyncio.gather(readers, largest_batches(address, seconds)), Outcomes())


async def silent_readers(address: Address, seconds: float) -> Outcomes:
    """Ask for replies of 2.2 MB and take none of them."""
    request = posted("/v1/gradient", TWO_MEGABYTES)

    async def client() -> str:
        async with connected(address, is_slow=True) as (_, writer):
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            writer.write(request)
            await asyncio.sleep(seconds)
        return "unread"

    return await at_once(_SILENT, client, seconds + 1)


async def honest_stream(address: Address, seconds: float) -> Outcomes:
    """Take a stream slowly to its end; `seconds` are its time at the least."""
    request = posted("/v1/gradients", STREAMED, headers="Accept: application/x-ndjson\r\n")

    async def client() -> str:
        async with connected(address, is_slow=True) as (reader, writer):
            writer.write(request)
            reply = await read_reply(reader, _HONEST_PACE)
        return f"{reply.label}, {reply.lines} of {LINES} lines"

    return await at_once(1, client, max(seconds, 120))
