"""A request as the server hands it to the adapter."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from service.tests.asgi_client import scope


class Call(NamedTuple):
    """A request as the server hands it on."""

    method: str
    path: bytes
    query: bytes = b""
    headers: tuple[tuple[bytes, bytes], ...] = ()
    body: bytes = b""
    pieces: int = 1

    def scope(self) -> dict[str, Any]:
        """Give what ASGI calls the connection."""
        return scope(
            [*self.headers], method=self.method, raw_path=self.path, query_string=self.query
        )

    def messages(self) -> Iterator[dict[str, Any]]:
        """Give the body in pieces."""
        size = max(1, -(-len(self.body) // self.pieces))
        for start in range(0, len(self.body) or 1, size):
            piece, more = self.body[start : start + size], start + size < len(self.body)
            yield {"type": "http.request", "body": piece, "more_body": more}
