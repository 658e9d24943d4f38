"""A limit -> who holds how much of it; one client address never holds all."""

from service.errors import Overloaded

_SHARE = 3, 4
"""What one address may hold of the whole, as a fraction. Behind a proxy all have the proxy's."""


class Budget:
    """Bytes, or places, that a process has for one purpose."""

    def __init__(self, limit: int, what: str) -> None:
        """Take how much there is, and what the error for a client says of it."""
        part, whole = _SHARE
        self.limit, self._what = limit, what
        self.share = max(1, limit * part // whole)
        self.held = 0
        self._by_address: dict[str, int] = {}

    def take(self, address: str, count: int = 1) -> bool:
        """Hold so much more, if that leaves the limit and the address's share unpassed."""
        if self.held + count > self.limit or not self.has_share(address, count):
            return False
        self.held += count
        self._by_address[address] = self.held_by(address) + count
        return True

    def has_share(self, address: str, count: int) -> bool:
        """Say whether an address may hold so much more, if there is so much."""
        return self.held_by(address) + count <= self.share

    def held_by(self, address: str) -> int:
        """Tell what an address holds."""
        return self._by_address.get(address, 0)

    def give_back(self, address: str, count: int = 1) -> None:
        """Hold so much less."""
        self.held -= count
        if left := self._by_address[address] - count:
            self._by_address[address] = left
        else:
            del self._by_address[address]

    def too_much(self) -> Overloaded:
        """Give the error for a client that does not get what it needs."""
        message = f"{self.limit} {self._what}, no more at once, {self.share} of one address"
        message += "; wait a second and try again"
        return Overloaded(message, limit=self.limit, actual=self.held + 1)
