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
        self._paid_at: dict[str, float] = {}
        """By address: when it will have paid back all."""

    def add(self, address: str, seconds: float) -> None:
        """Note what a request took of the event loop's time."""
        if seconds > _FREE:
            begins = max(monotonic(), self._paid_at.get(address, 0.0))
            self._paid_at[address] = begins + (seconds - _FREE) / _PAID
            if len(self._paid_at) > _MOST:
                del self._paid_at[next(iter(self._paid_at))]

    def owes(self, address: str) -> bool:
        """Say whether an address owes more than it may."""
        return self._paid_at.get(address, 0.0) - monotonic() > _ALLOWED / _PAID
