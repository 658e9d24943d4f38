"""Address and bytes -> a connection, and what came back on it, taken at a given pace.

Sockets and a reader of its own instead of an HTTP client: such a client would send nothing broken,
and would take a reply as fast as it comes.
"""

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import NamedTuple

from httptools import HttpResponseParser

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]

_PIECE, _AHEAD = 4_096, 65_536
"""Bytes that are taken at a time, and that are read before."""

_RECEIVE_BUFFER = 16_384
"""Of a slow reader, in bytes: the default would take megabytes off the server's hands."""

_BIND_ADDRESS_NO_PORT = 24
"""Of Linux' ip(7); without it thousands of ports that were closed a moment ago stay taken."""


class Address(NamedTuple):
    """Where a server listens, and the address that a client has there."""

    host: str
    port: int
    client: str | None = None

    def neighbour(self, number: int) -> "Address":
        """Give the address of another client, where clients can have more than one."""
        if not self.client:
            return self
        net, _, host = self.client.rpartition(".")
        return self._replace(client=f"{net}.{int(host) + number}")


def unconnected(address: Address) -> socket.socket:
    """Give a socket that waits for nothing, of the client's address."""
    plain = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    plain.settimeout(0)
    if address.client:
        with suppress(OSError):  # Linux' own: the port is chosen later, for this server alone
            plain.setsockopt(socket.IPPROTO_IP, _BIND_ADDRESS_NO_PORT, 1)
        plain.bind((address.client, 0))
    return plain


@asynccontextmanager
async def connected(address: Address, *, is_slow: bool = False) -> AsyncIterator[Streams]:
    """Connect; a slow client's kernel holds no more than it has to."""
    plain = unconnected(address)
    if is_slow:
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER)
    try:
        loop = asyncio.get_running_loop()
        await loop.sock_connect(plain, (address.host, address.port))
        ahead = _PIECE if is_slow else _AHEAD
        reader, writer = await asyncio.open_connection(sock=plain, limit=ahead)
    except BaseException:
        plain.close()
        raise
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def exchange(address: Address, request: bytes, pace: float = 0.0) -> str:
    """Send a request on a connection of its own, and read the reply."""
    async with connected(address, is_slow=pace > 0) as (reader, writer):
        writer.write(request)
        return await read_reply(reader, pace)


class _Reply:
    """What of a reply has been parsed."""

    begins = is_whole = False

    def on_headers_complete(self) -> None:
        self.begins = True

    def on_message_complete(self) -> None:
        self.is_whole = True


async def read_reply(reader: asyncio.StreamReader, pace: float = 0.0) -> str:
    """Read one reply, at so many bytes a second; at 0 as fast as it comes.

    Returns:
        The status, and whether the reply was cut.

    Raises:
        ConnectionError: the connection was reset before there was a status.
        asyncio.IncompleteReadError: it was closed before there was a status.
    """
    reply = _Reply()
    parser = HttpResponseParser(reply)
    try:
        while not reply.is_whole and (piece := await reader.read(_PIECE if pace else _AHEAD)):
            parser.feed_data(piece)
            if pace:
                await asyncio.sleep(len(piece) / pace)
    except ConnectionError:
        if not reply.begins:
            raise
    if not reply.begins:
        raise asyncio.IncompleteReadError(b"", None)
    return f"{parser.get_status_code()}" + " cut" * (not reply.is_whole)
