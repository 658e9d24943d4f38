"""Attacks by number: bodies and headers that do not end, connections that say nothing."""

import asyncio

from service.attack.bodies import MAX_BODY, SMALL, posted
from service.attack.crowd import Outcomes
from service.attack.plain import all_send
from service.attack.wire import Address

_STALLED = 1_000
_ENDLESS = 500
_HEADER_BYTES = 400_000
_PAUSE = 1
"""Seconds until one whose connection was closed tries again."""

_UNFINISHED, _ADDRESSES = 10_200, 4
_LONG = f"X-Long: {'a' * 7_600}\r\n"
_END = b"\r\n\r\n"

_EXPIRING = 3_000
_IDLE = 5_000
_READ_SECONDS = 10
"""What a client has for its body, by default."""

_ALLOWANCE = 10


async def stalled_bodies(address: Address, seconds: float) -> Outcomes:
    """Send all but the last byte of the largest body, a thousand times."""
    request = posted("/v1/gradient", b" " * (MAX_BODY - 1), length=MAX_BODY)
    return await all_send(_STALLED, address, request, seconds)


async def endless_headers(address: Address, seconds: float) -> Outcomes:
    """Send a header that does not end, as long as the server takes it, and then try again."""
    request = b"GET /healthz HTTP/1.1\r\nHost: attack\r\nX-Endless: " + b"a" * _HEADER_BYTES
    return await all_send(_ENDLESS, address, request, seconds, _PAUSE)


async def unfinished_heads(address: Address, seconds: float) -> Outcomes:
    """Send heads but for their end, from several addresses."""
    head = posted("/v1/gradient", b"", headers=_LONG)[: -len(_END)]
    crowds = (
        all_send(_UNFINISHED // _ADDRESSES, address.neighbour(number), head, seconds)
        for number in range(_ADDRESSES)
    )
    return sum(await asyncio.gather(*crowds), Outcomes())


async def first_bytes(address: Address, seconds: float) -> Outcomes:
    """Send whole heads, and of their bodies the first byte."""
    request = posted("/v1/gradient", b"{", length=20, headers=_LONG)
    return await all_send(_UNFINISHED, address, request, seconds)


async def expiring_bodies(address: Address, seconds: float) -> Outcomes:
    """Stall so many bodies at once that their time is over at once."""
    request = posted("/v1/gradient", SMALL[:20], length=len(SMALL))
    return await all_send(_EXPIRING, address, request, max(seconds, _READ_SECONDS + _ALLOWANCE))


async def idle_connections(address: Address, seconds: float) -> Outcomes:
    """Connect and say nothing."""
    return await all_send(_IDLE, address, b"", seconds)
