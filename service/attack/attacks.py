"""The attacks by name, each with what is asked of a server beside the bounds of all."""

import asyncio
from typing import NamedTuple

from service.attack.bodies import (
    AMPLIFIED,
    EXPONENTIALS,
    LARGEST,
    MAX_BODY,
    REFUSED,
    SMALL,
    STRANGE,
    STREAMED,
    THIRTY_KILOBYTES,
    TWO_MEGABYTES,
    posted,
)
from service.attack.clients import (
    WITHIN,
    Run,
    asking,
    beside,
    neighbours_of,
    reading,
    sending,
    together,
)
from service.attack.crowd import PENDING, Outcomes
from service.attack.soak import soak
from service.attack.wire import Address


class Attack(NamedTuple):
    """Clients that attack a server for some seconds, and the outcomes they may see, if not any.

    Beside them 99 of 100 small requests may take as many seconds, if that is more than else.
    """

    run: Run
    outcomes: frozenset[str] | None = None
    p99: float = 0.0


_CROWD = 0.1
"""Thousands connect or send in one moment, and a small request stands behind all of them."""

_ANSWERED = frozenset(("200", "503", PENDING))
_LONG = f"X-Long: {'a' * 7_600}\r\n"

_STALLED = posted("/v1/gradient", b" " * (MAX_BODY - 1), length=MAX_BODY)
_ENDLESS = b"GET /healthz HTTP/1.1\r\nHost: attack\r\nX-Endless: " + b"a" * 100_000
_UNFINISHED = posted("/v1/gradient", b"", headers=_LONG).removesuffix(b"\r\n\r\n")
_FIRST_BYTE = posted("/v1/gradient", b"{", length=20, headers=_LONG)
_EXPIRING = posted("/v1/gradient", SMALL[:20], length=len(SMALL))
_PROGRAM = posted("/v1/gradient", TWO_MEGABYTES)
_SMALL_PROGRAM = posted("/v1/gradient", THIRTY_KILOBYTES)

_STREAM = posted("/v1/gradients", STREAMED, headers="Accept: application/x-ndjson\r\n")

_HONEST_PACE, _HONEST_SECONDS = 100_000, 120
"""Bytes a second: 65 s for the whole stream. At this pace a default socket of Linux, which counts
as writable when a third of its megabytes is free, takes nothing for more than ten seconds."""

_UNTIL_LATE = 20
"""Seconds: twice what a client has for its body, by default."""

_largest = asking(4, posted("/v1/gradients", LARGEST))
_problems = reading(7, posted("/v1/gradients", REFUSED))
_strange = asking(3, *(posted(path, body, headers=headers) for path, body, headers in STRANGE))


TIMED = "costly neighbours"
"""What it tells is a ratio of times."""

SINGLE: dict[str, Attack] = {
    "batches": Attack(asking(8, posted("/v1/gradients", AMPLIFIED)), _ANSWERED),
    "stalled bodies": Attack(sending(1_000, _STALLED)),
    "endless headers": Attack(asking(500, _ENDLESS, pause=1)),
    "unfinished heads": Attack(sending(10_200, _UNFINISHED, addresses=4), p99=_CROWD),
    "first bytes": Attack(sending(10_200, _FIRST_BYTE), p99=_CROWD),
    "slow readers": Attack(reading(90, _PROGRAM)),
    "problem readers": Attack(beside(_problems, _largest), _ANSWERED),
    "silent readers": Attack(reading(70, _PROGRAM, pace=1)),
    "unread replies": Attack(reading(1_000, _SMALL_PROGRAM, pace=1), p99=_CROWD),
    "honest stream": Attack(
        reading(1, _STREAM, _HONEST_PACE, _HONEST_SECONDS), frozenset(("200",))
    ),
    "costly bodies": Attack(asking(4, _PROGRAM, posted("/v1/gradient", EXPONENTIALS)), _ANSWERED),
    "strange requests": Attack(_strange, _ANSWERED | {"406", "422"}),
    TIMED: Attack(neighbours_of(_strange), frozenset((WITHIN,))),
    "largest batches": Attack(_largest, _ANSWERED),
    "expiring bodies": Attack(
        sending(3_000, _EXPIRING, least=_UNTIL_LATE), frozenset(("408", "503")), p99=_CROWD
    ),
    "idle connections": Attack(sending(5_000, b""), p99=_CROWD),
}


HONEST = ("honest stream", TIMED)
"""Not attacks alone: what honest clients get is told, too, and they take their time."""

_APART = 0.25
"""Seconds from the beginning of one attack to that of the next: their ten thousand connections
are open together, but nobody's network brings them in one moment."""


async def _all_at_once(address: Address, seconds: float) -> Outcomes:
    async def begin(number: int, attack: Attack) -> Outcomes:
        await asyncio.sleep(number * _APART)
        return await attack.run(address, seconds)

    attackers = [each for name, each in SINGLE.items() if name not in HONEST]
    return await together(*(begin(*each) for each in enumerate(attackers)))


SOAK = "soak"
ATTACKS = {**SINGLE, "all at once": Attack(_all_at_once, p99=_CROWD), SOAK: Attack(soak)}
