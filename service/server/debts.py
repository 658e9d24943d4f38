"""The event loop's time -> who took more of it than small requests do, and has not paid it back.

An estimate of what a request costs is wrong now and then. Who is found to cost much has its next
requests computed elsewhere, whatever their estimate says.
"""

from time import monotonic

_FREE = 0.001
"""Seconds of the loop's time for each request; a small one takes a third of that."""

_ALLOWED = 0.05
"""Seconds that an address may owe before its requests are large."""

_PAID = 0.1
"""Seconds that an address pays back in one second."""

_MOST = 10_000
"""So many owe at most; who began first is forgiven."""


class Debts:
    """What each address owes."""

    def __init__(self) -> None:
        """Begin without debts."""
        self._owed: dict[str, tuple[float, float]] = {}
        """By address: seconds, and when it owed them."""

    def add(self, address: str, seconds: float) -> None:
        """Note what a request took of the event loop's time."""
        if seconds > _FREE:
            self._owed[address] = self._left(address) + seconds - _FREE, monotonic()
            if len(self._owed) > _MOST:
                del self._owed[next(iter(self._owed))]

    def owes(self, address: str) -> bool:
        """Say whether an address owes more than it may."""
        return address in self._owed and self._left(address) > _ALLOWED

    def _left(self, address: str) -> float:
        seconds, since = self._owed.get(address, (0.0, 0.0))
        return max(0.0, seconds - (monotonic() - since) * _PAID)
