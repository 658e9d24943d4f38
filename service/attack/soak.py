"""Good, bad, slow and aborting clients, mixed, for as long as it is asked."""

import asyncio
from functools import partial

from service.attack.bodies import HONEST, SMALL, TWO_MEGABYTES, posted
from service.attack.clients import together
from service.attack.crowd import Client, Outcomes, again_and_again
from service.attack.wire import Address, connected, exchange

_SLOW_PACE = 100_000
_PAUSE = 0.1


async def soak(address: Address, seconds: float) -> Outcomes:
    """Let some clients of each kind go on; each pauses between its requests."""
    ask = partial(exchange, address)
    kinds: tuple[tuple[int, Client], ...] = (
        (4, partial(ask, posted("/v1/gradient", SMALL))),
        (1, partial(ask, posted("/v1/gradients", HONEST))),
        (2, partial(ask, posted("/v1/gradient", b"{"))),
        (2, partial(ask, posted("/v1/gradient", b'{"expression": "a ^ 2", "values": {}}'))),
        (2, partial(ask, posted("/v1/gradient", TWO_MEGABYTES), _SLOW_PACE)),
        (2, partial(_abort_body, address)),
        (2, partial(_abort_reply, address)),
        (1, partial(ask, b"GET /healthz HTTP/1.1\r\nHost: a/b@c\r\n\r\n")),
    )
    runs = (again_and_again(count, client, seconds, _PAUSE) for count, client in kinds)
    return await together(*runs)


async def _abort_body(address: Address) -> str:
    async with connected(address) as (_, writer):
        writer.write(posted("/v1/gradient", SMALL[:20], length=len(SMALL)))
        await asyncio.sleep(_PAUSE)
    return "aborted its body"


async def _abort_reply(address: Address) -> str:
    async with connected(address, is_slow=True) as (reader, writer):
        writer.write(posted("/v1/gradient", TWO_MEGABYTES))
        await reader.read(1)
    return "aborted its reply"
