"""A target and an attack -> what was measured, and which bounds were passed."""

import asyncio
import os
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from resource import RLIMIT_NOFILE, getrlimit, setrlimit
from typing import NamedTuple

import uvloop

from service.attack.accounts import counted, unaccounted
from service.attack.attacks import ATTACKS, SOAK
from service.attack.crowd import NOT_TRIED, Outcomes, percentile
from service.attack.observer import Asked, Observed, observed
from service.attack.target import Target
from service.attack.wire import Address

MEGABYTE = 1_000_000
_SETTLED = 60
_NICENESS = 10
_SESSION_NICENESS = 5
"""A third of the server's share; with a tenth attackers are too slow to connect by thousands."""

_GLANCE = 0.5
"""Seconds."""


class Bounds(NamedTuple):
    """What a server keeps under each attack; times in seconds, memory in bytes."""

    peak: int = 200 * MEGABYTE
    growth: int = 20 * MEGABYTE
    """How much more than at rest is held when the attackers have gone."""
    drift: int = 10 * MEGABYTE
    """How much more is held at the end of a soak than after its first minute."""
    probe: float = 0.1
    p99: float = 0.025


SHARED = Bounds(peak=230 * MEGABYTE, growth=30 * MEGABYTE, probe=2.0, p99=2.0)
"""Bounds where others use the processors, too: there probes and requests wait longer, more of them
at once, and so does what would give memory back. A container has 256 MB."""


class Row(NamedTuple):
    """One attack."""

    name: str
    rest: int | None
    after: int | None
    seen: Observed
    outcomes: Outcomes
    unaccounted: list[str]

    def faults(self, bounds: Bounds) -> list[str]:
        """Give each bound that was passed."""
        attack, seen = ATTACKS[self.name], self.seen
        others = [label for label in self.outcomes if label not in (attack.outcomes or (label,))]
        p99 = max(bounds.p99, attack.p99)
        figures = (
            ("MB at the peak", MEGABYTE, seen.peak or 0, bounds.peak),
            ("MB kept", MEGABYTE, (self.after or 0) - (self.rest or 0), bounds.growth),
            ("MB since the first minute", MEGABYTE, seen.growth(_SETTLED), bounds.drift),
            ("ms for a probe", 1e-3, max(seen.probes.seconds, default=0), bounds.probe),
            ("ms at p99", 1e-3, percentile(seen.small.seconds, 99), p99),
        )
        return [
            *self.unaccounted,
            *(
                f"{figure / unit:.1f} {what}, at most {most / unit:.0f}"
                for what, unit, figure, most in figures
                if figure > most
            ),
            *([] if seen.probes.outcomes["200"] else ["no probe was answered"]),
            *(f"probes: {count} x {label}" for label, count in _others(seen.probes)),
            *(f"good client: {count} x {label}" for label, count in _others(seen.small)),
            *(f"{self.outcomes[label]} x {label}" for label in others),
        ]


def _others(asked: Asked) -> list[tuple[str, int]]:
    outcomes = asked.outcomes.items()
    return [(label, count) for label, count in outcomes if label not in ("200", NOT_TRIED)]


async def measure(target: Target, name: str, seconds: float, pause: float) -> Row:
    """Attack from another process, so that the observer is not slowed down by the attackers."""
    rest = target.resident()
    before = counted(target.address) if name == SOAK else None
    async with observed(target) as seen:
        outcomes = await _attacked(name, target.attacked, seconds)
    after = await _settled(target, rest, pause)
    faults = []
    if before is not None:
        clients = outcomes + seen.probes.outcomes + seen.small.outcomes
        faults = unaccounted(before, counted(target.address), clients)
    return Row(name, rest, after, seen, outcomes, faults)


async def _settled(target: Target, rest: int | None, seconds: float) -> int | None:
    """Wait until the server holds as much as it may at rest, but no longer than so many seconds."""
    end = asyncio.get_running_loop().time() + seconds
    while asyncio.get_running_loop().time() < end:
        await asyncio.sleep(_GLANCE)
        resident = target.resident()
        if rest is None or resident is None or resident <= rest + Bounds().growth:
            break
    return target.resident()


async def _attacked(name: str, address: Address, seconds: float) -> Outcomes:
    """Have a process attack; it ends with this, however this ends."""
    spawning = get_context("spawn")
    results, sending = spawning.Pipe(duplex=False)
    process = spawning.Process(target=attack, args=(sending, name, address, seconds), daemon=True)
    process.start()
    sending.close()
    try:
        outcomes: Outcomes = await asyncio.to_thread(results.recv)
        return outcomes
    finally:
        process.kill()
        process.join()


def attack(sending: Connection, name: str, address: Address, seconds: float) -> None:
    """Run one attack to its end, and send its outcomes. Each connection takes a file."""
    _give_way()
    _, most = getrlimit(RLIMIT_NOFILE)
    setrlimit(RLIMIT_NOFILE, (most, most))
    sending.send(uvloop.run(ATTACKS[name].run(address, seconds)))


def _give_way() -> None:
    """Leave the processors to the server and the observer: real attackers use other ones.

    Linux may share processors among sessions first (sched(7), autogroup), where a process's
    niceness counts within its own session alone. So there is a session of attackers, with a low
    priority. To keep them on one processor, at the same priority, took the server more time.
    """
    os.nice(_NICENESS)
    with suppress(OSError):
        os.setsid()
        Path("/proc/self/autogroup").write_text(f"{_SESSION_NICENESS}")
