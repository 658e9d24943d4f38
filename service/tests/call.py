"""A request as its client means it."""

from collections.abc import Iterator
from typing import NamedTuple

_LENGTH, _CODING = b"content-length", b"transfer-encoding"


class Call(NamedTuple):
    """A request, and how many pieces its body is sent in; its length is told unless headers do."""

    method: str
    path: bytes
    query: bytes = b""
    headers: tuple[tuple[bytes, bytes], ...] = ()
    body: bytes = b""
    pieces: int = 1

    def encoded(self) -> Iterator[bytes]:
        """Give its bytes: the head, the pieces of the body, the end of those that are chunks."""
        target = self.path + b"?" * bool(self.query) + self.query
        headers = self.headers
        if self.body and not {_LENGTH, _CODING} & {name for name, _ in headers}:
            headers += ((_LENGTH, b"%d" % len(self.body)),)
        lines = b"".join(b"%s: %s\r\n" % pair for pair in headers)
        yield b"%s %s HTTP/1.1\r\n%s\r\n" % (self.method.encode(), target, lines)
        is_chunked = (_CODING, b"chunked") in self.headers
        size = max(1, -(-len(self.body) // self.pieces))
        for start in range(0, len(self.body), size):
            piece = self.body[start : start + size]
            yield b"%x\r\n%s\r\n" % (len(piece), piece) if is_chunked else piece
        if is_chunked:
            yield b"0\r\n\r\n"
