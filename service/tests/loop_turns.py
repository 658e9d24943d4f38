"""A count that grows -> the most by which it grows in one turn of the event loop."""

import asyncio
from collections.abc import Callable
from itertools import pairwise


async def most_in_one_turn(count: Callable[[], int], end: int) -> int:
    """Look at the count after each turn, from 0 on, until it has reached the end."""
    counts = [0]
    while counts[-1] < end:
        await asyncio.sleep(0)
        counts.append(count())
    return max(after - before for before, after in pairwise(counts))
