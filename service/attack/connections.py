"""Attacks by number: thousands of bodies that expire together, thousands of idle connections."""

import asyncio
from functools import partial

from service.attack.bodies import SMALL, posted
from service.attack.crowd import Outcomes, at_once
from service.attack.wire import Address, connected, exchange

_EXPIRING = 3_000
_IDLE = 5_000
_READ_SECONDS = 10
"""What a client has for its body, by default."""

_ALLOWANCE = 10


async def expiring_bodies(address: Address, seconds: float) -> Outcomes:
    """Stall so many bodies at once that their time is over at once."""
    request = posted("/v1/gradient", SMALL[:20], length=len(SMALL))
    client = partial(exchange, address, request)
    return await at_once(_EXPIRING, client, max(seconds, _READ_SECONDS + _ALLOWANCE))


async def idle_connections(address: Address, seconds: float) -> Outcomes:
    """Connect and say nothing."""

    async def client() -> str:
        async with connected(address) as (reader, _):
            await asyncio.wait_for(reader.read(1), seconds)
        return "closed"

    return await at_once(_IDLE, client, seconds)
