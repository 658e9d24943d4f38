"""A client -> many of them at once for some seconds, and how often each outcome was seen."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable

Client = Callable[[], Awaitable[str]]
Outcomes = Counter[str]

NOT_TRIED = "not tried"
"""The outcome where no file or port is left: the attackers' own bound."""

_OUTCOMES = {
    ConnectionRefusedError: "refused",
    ConnectionError: "reset",
    asyncio.IncompleteReadError: "closed",
    TimeoutError: "late",
}

PENDING = "waiting"
"""The outcome of a client that neither got a reply nor lost its connection in time."""


async def at_once(count: int, client: Client, seconds: float) -> Outcomes:
    """Let each of many clients have one try."""
    tasks = [asyncio.create_task(_outcome(client)) for _ in range(count)]
    done, pending = await asyncio.wait(tasks, timeout=seconds)
    for task in pending:
        task.cancel()
    await asyncio.gather(*pending, return_exceptions=True)
    return Counter([task.result() for task in done] + [PENDING] * len(pending))


async def again_and_again(count: int, client: Client, seconds: float, pause: float = 0) -> Outcomes:
    """Let each of some clients start anew when it is done, after a pause."""
    outcomes: Outcomes = Counter()

    async def repeat() -> str:
        while True:
            outcomes[await _outcome(client)] += 1
            await asyncio.sleep(pause)

    return await at_once(count, repeat, seconds) + outcomes


async def _outcome(client: Client) -> str:
    try:
        return await client()
    except (OSError, asyncio.IncompleteReadError) as fault:
        return outcome_of(fault)


def outcome_of(fault: Exception) -> str:
    """Name what became of a connection."""
    return next((name for kind, name in _OUTCOMES.items() if isinstance(fault, kind)), NOT_TRIED)


def percentile(samples: list[float], percent: int) -> float:
    """Give the sample that so many percent do not exceed; 0 where there are none."""
    ranked = sorted(samples) or [0.0]
    return ranked[min(len(ranked) * percent // 100, len(ranked) - 1)]
