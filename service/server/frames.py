"""What a worker and its child tell each other: messages, and the pieces of replies in them.

A piece of a reply may have megabytes, and a client may take a minute to receive it. Pieces are
compressed: those of all large replies together then take less memory than one uncompressed.
"""

import asyncio
import pickle
import zlib
from typing import Any

from service.server.bridge import SLICE

_LENGTH = 8
"""Bytes before a message that tell how many it has."""

_LEVEL = 1
"""13 ms for two megabytes that take 190 ms to compute; the result is a twelfth of them."""

ANSWER, NEXT, CLOSE = "answer", "next", "close"
"""What the worker asks for, with the number of the request."""


def encode(*message: Any) -> bytes:
    """Give the bytes of a message, which `receive` reads."""
    content = pickle.dumps(message)
    return len(content).to_bytes(_LENGTH) + content


async def receive(reader: asyncio.StreamReader) -> Any:
    """Read a message. Raises IncompleteReadError: who sends it has gone."""
    length = int.from_bytes(await reader.readexactly(_LENGTH))
    return pickle.loads(await reader.readexactly(length))  # noqa: S301 - of our own child


def pack(piece: bytes) -> bytes:
    """Compress a piece."""
    return zlib.compress(piece, _LEVEL)


class Packed:
    """A piece of which slices are taken; each is made when it is."""

    def __init__(self, packed: bytes) -> None:
        """Take what `pack` gave."""
        self._rest, self._stream = packed, zlib.decompressobj()

    @property
    def more(self) -> bool:
        """Whether there is another slice, which may be empty."""
        return not self._stream.eof

    def take(self) -> bytes:
        """Give the next slice."""
        taken = self._stream.decompress(self._rest, SLICE)
        self._rest = self._stream.unconsumed_tail
        return taken
