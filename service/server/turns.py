"""Many requests that come, or are refused, at once -> one after another, all else between them."""

import asyncio

_AT_ONCE = 16
"""So many requests that come together are begun together, in some milliseconds."""


class Turns:
    """Who waits here leaves the event loop to probes, and to requests that can go on."""

    def __init__(self) -> None:
        """Begin without a crowd."""
        self._turn, self._arrived = asyncio.Lock(), 0

    def is_crowded(self) -> bool:
        """Count a request that came; say whether many did since the loop last looked around."""
        if not self._arrived:
            asyncio.get_running_loop().call_soon(self._look_around)
        self._arrived += 1
        return self._arrived > _AT_ONCE

    def _look_around(self) -> None:
        self._arrived = 0

    async def give_way(self) -> None:
        """Let all that can go on do so, one of those who give way after the other."""
        async with self._turn:
            await asyncio.sleep(0)
