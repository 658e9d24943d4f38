"""The messages between a worker and its child: a kind, the number of a request, and bytes.

A piece of a reply may have megabytes, and a client may take a minute to receive it. Large pieces
are compressed: those of all large replies together then take less memory than one uncompressed.
"""

import asyncio
import struct
import zlib
from collections.abc import Iterator
from io import BufferedIOBase
from typing import NamedTuple

ANSWER, NEXT, CLOSE, CUT_OFF = b"A", b"N", b"C", b"X"
"""What the worker asks for."""

READY, HEAD, PIECE, PACKED = b"R", b"H", b"P", b"Z"
"""What the child tells."""

_START = struct.Struct(">cQQ")

_LEAST = 131_072
"""Bytes: what is smaller costs more time to pack than it saves memory."""

_LEVEL = 1
"""13 ms for two megabytes that take 190 ms to compute; the result is a twelfth of them."""

_SLICE = 16_384


class Frame(NamedTuple):
    """One message. The first of a child has the bytes that it holds in place of a number."""

    kind: bytes
    number: int
    content: bytes = b""

    @property
    def encoded(self) -> bytes:
        """The bytes that are sent."""
        return _START.pack(self.kind, self.number, len(self.content)) + self.content


def read_frame(stream: BufferedIOBase) -> Frame | None:
    """Read a frame of the worker; None where it has gone."""
    if len(start := stream.read(_START.size)) < _START.size:
        return None
    kind, number, size = _START.unpack(start)
    return Frame(kind, number, stream.read(size))


async def receive_frame(reader: asyncio.StreamReader) -> Frame:
    """Read a frame of the child. Raises IncompleteReadError: it has gone."""
    kind, number, size = _START.unpack(await reader.readexactly(_START.size))
    return Frame(kind, number, await reader.readexactly(size))


def pack(number: int, piece: bytes) -> Frame:
    """Give the frame of a piece; an empty one is the end of a reply."""
    if len(piece) < _LEAST:
        return Frame(PIECE, number, piece)
    return Frame(PACKED, number, zlib.compress(piece, _LEVEL))


def unpack(frame: Frame) -> Iterator[bytes]:
    """Give what is to be sent of a piece, slice by slice; each is made when it is taken."""
    rest = frame.content
    if frame.kind == PIECE:
        if rest:
            yield rest
        return
    stream = zlib.decompressobj()
    while not stream.eof:
        yield stream.decompress(rest, _SLICE)
        rest = stream.unconsumed_tail
