"""The attacks by name, each with what is asked of a server beside the bounds of all."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple

from service.attack.bodies import LINES
from service.attack.connections import (
    endless_headers,
    expiring_bodies,
    first_bytes,
    idle_connections,
    stalled_bodies,
    unfinished_heads,
)
from service.attack.crowd import PENDING, Outcomes
from service.attack.readers import honest_stream, readers_of_problems, silent_readers, slow_readers
from service.attack.soak import soak
from service.attack.wire import Address
from service.attack.work import (
    WITHIN,
    batches,
    costly_bodies,
    costly_neighbours,
    largest_batches,
    strange_requests,
)


class Attack(NamedTuple):
    """Clients that attack a server for some seconds, and the outcomes they may see, if not any.

    Of a crowd thousands connect or send in one moment; a small request stands behind all of them.
    """

    run: Callable[[Address, float], Coroutine[Any, Any, Outcomes]]
    outcomes: frozenset[str] | None = None
    is_crowd: bool = False


_ANSWERED = frozenset(("200", "503", PENDING))

TIMED = "costly neighbours"
"""What it tells is a ratio of times."""

SINGLE: dict[str, Attack] = {
    "batches": Attack(batches, _ANSWERED),
    "stalled bodies": Attack(stalled_bodies),
    "endless headers": Attack(endless_headers),
    "unfinished heads": Attack(unfinished_heads, is_crowd=True),
    "first bytes": Attack(first_bytes, is_crowd=True),
    "slow readers": Attack(slow_readers),
    "problem readers": Attack(readers_of_problems, _ANSWERED),
    "silent readers": Attack(silent_readers),
    "honest stream": Attack(honest_stream, frozenset((f"200, {LINES} of {LINES} lines",))),
    "costly bodies": Attack(costly_bodies, _ANSWERED),
    "strange requests": Attack(strange_requests, _ANSWERED | {"406", "422"}),
    TIMED: Attack(costly_neighbours, frozenset((WITHIN,))),
    "largest batches": Attack(largest_batches, _ANSWERED),
    "expiring bodies": Attack(expiring_bodies, frozenset(("408", "503")), is_crowd=True),
    "idle connections": Attack(idle_connections, is_crowd=True),
}


HONEST = ("honest stream", TIMED)
"""Not attacks alone: what honest clients get is told, too, and they take their time."""

_ROUND = 20
"""Seconds; many attackers try once, so for longer attacks they come again."""


_APART = 0.25
"""Seconds from the beginning of one attack to that of the next: their ten thousand connections
are open together, but nobody's network brings them in one moment."""


async def _all_at_once(address: Address, seconds: float) -> Outcomes:
    loop = asyncio.get_running_loop()
    end, outcomes = loop.time() + seconds, Outcomes()
    attackers = [each for name, each in SINGLE.items() if name not in HONEST]
    while (left := end - loop.time()) > 0:
        runs = (
            _after(number * _APART, each, address, min(left, _ROUND))
            for number, each in enumerate(attackers)
        )
        outcomes += sum(await asyncio.gather(*runs), Outcomes())
    return outcomes


async def _after(pause: float, attack: Attack, address: Address, seconds: float) -> Outcomes:
    await asyncio.sleep(pause)
    return await attack.run(address, seconds)


SOAK = "soak"
ATTACKS = {**SINGLE, "all at once": Attack(_all_at_once, is_crowd=True), SOAK: Attack(soak)}
