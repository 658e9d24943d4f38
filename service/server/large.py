"""Large requests -> one child process that computes them, a piece of a reply at a time.

So the event loop answers small requests meanwhile, which threads would keep from it. The child
makes a piece when it is asked for it: a slow client costs one piece, and requests take turns.
"""

import asyncio
import pickle
import socket
import subprocess
import sys
import zlib
from contextlib import suppress
from itertools import count
from typing import Any

from service.config import Config
from service.errors import ComputeTimeout, Overloaded
from service.server.allocator import resident
from service.server.bridge import SLICE, Reply
from service.server.child import ANSWER, CLOSE, LENGTH, NEXT
from service.server.environ import Environ

_MARGIN = 1
"""Seconds that the child has, beyond those for a request, to see by itself that they are over."""

_SECONDS_TO_END = 4
"""Until a child is killed at a stop: it may still compute, for a client that has left."""

_HAS_ENDED = "the process that computes large requests has ended; try again"

_GROWTH = 8_000_000
"""Bytes: a child that has grown by more is replaced when it has nothing to do. Python gives little
back of what it held for the largest graph."""

Child = subprocess.Popen[bytes] | None


class LargeWork:
    """The child process, and what it is asked."""

    def __init__(self, config: Config, keeps: int | None = None) -> None:
        """Start the child; it is connected by the first request.

        Args:
            config: the limits.
            keeps: a file descriptor that the child holds until it ends.
        """
        self._seconds = config.compute_seconds
        self._kept = () if keeps is None else (keeps,)
        self._numbers = count()
        self._turn = asyncio.Lock()
        self._open = 0
        """Replies that have begun and not ended."""
        self._at_first = 0
        """Bytes that the child held before its first request."""
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None
        self._process: Child
        self._start()

    def _start(self) -> None:
        """Start a child. It ends with its standard input, so it never outlives this process."""
        self._process = self._streams = None
        self._socket, theirs = socket.socketpair()
        command = [sys.executable, "-m", "service.server.child"]
        with theirs, suppress(OSError):  # no process is left: the next request tries again
            self._process = subprocess.Popen(  # noqa: S603 - ours
                command, stdin=theirs.fileno(), pass_fds=self._kept
            )

    async def call(self, environ: Environ, body: bytes) -> Reply:
        """Have the child call the application.

        Raises:
            ComputeTimeout: there was no answer in time.
            Overloaded: the child ended, or none can be started; the request may be repeated.
        """
        number = next(self._numbers)
        texts = {name: text for name, text in environ.items() if isinstance(text, str)}
        status, headers, *first = await self._ask(ANSWER, number, texts, body)
        self._open += 1
        return Reply(status, headers, _RemotePieces(self, self._process, number, first))

    async def next_piece(self, process: Child, number: int) -> Any:
        """Give the next piece, and whether more may come. Raises ConnectionError: no child."""
        try:
            return await self._ask(NEXT, number, begun_by=process)
        except (ComputeTimeout, Overloaded):
            raise ConnectionError from None

    def let_go(self, process: Child, number: int, *, is_cut: bool) -> None:
        """Let go of a reply."""
        self._open -= 1
        if process is self._process and self._streams:
            self._streams[1].write(pickle.dumps((CLOSE, number, is_cut)))

    async def close(self) -> None:
        """Have the child end what it was told, which its metrics and log need, and wait for it."""
        if not self._process:
            return
        try:
            async with asyncio.timeout(_SECONDS_TO_END):
                reader, writer = self._streams or await self._connect()
                writer.write_eof()
                await reader.read()  # for whoever was cut, or the child would end at a write
                writer.close()
                await asyncio.to_thread(self._process.wait)
        except (TimeoutError, OSError, RuntimeError):  # the last: it was being closed
            self._process.kill()
            self._process.wait()

    async def _ask(self, *question: Any, begun_by: Child = None) -> Any:
        """Send one message and wait for its answer; one waits at a time, in order of arrival."""
        async with self._turn:
            if not self._process or self._process.poll() is not None:  # it ended by itself
                self._restart()
            if not self._process:
                message = "no process can be started that computes large requests; try again"
                raise Overloaded(message, limit=1, actual=1)
            if begun_by not in (None, self._process):
                raise Overloaded(_HAS_ENDED, limit=1, actual=1)
            try:
                async with asyncio.timeout(self._seconds + _MARGIN):
                    reader, writer = self._streams or await self._connect()
                    writer.write(pickle.dumps(question))
                    return await receive(reader)
            except TimeoutError:
                self._restart()
                raise ComputeTimeout.after(self._seconds) from None
            except (OSError, asyncio.IncompleteReadError):
                self._restart()
                raise Overloaded(_HAS_ENDED, limit=1, actual=1) from None

    async def renew(self) -> None:
        """Replace a child that has grown, unless it has something to do."""
        if self._open or self._turn.locked() or not self._streams or not self._process:
            return
        if resident(self._process.pid) > self._at_first + _GROWTH:
            async with self._turn:
                await self.close()
                self._restart()

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        self._streams = reader, writer = await asyncio.open_connection(sock=self._socket)
        [self._at_first] = await receive(reader)
        return reader, writer

    def _restart(self) -> None:
        if self._process:
            self._process.kill()
            self._process.wait()
        if self._streams:
            self._streams[1].transport.abort()
        else:
            self._socket.close()
        self._start()


async def receive(reader: asyncio.StreamReader) -> Any:
    """Read an answer of the child. Raises IncompleteReadError: it has gone."""
    length = int.from_bytes(await reader.readexactly(LENGTH))
    return pickle.loads(await reader.readexactly(length))  # noqa: S301 - of our own child


class _RemotePieces:
    """Pieces that the child makes, of which the first has come with the head.

    One may have megabytes, and a client may take a minute to receive it. They are compressed: those
    of all large replies together then take less memory than one uncompressed.
    """

    seconds = 0.0

    def __init__(self, work: LargeWork, process: Child, number: int, first: Any) -> None:
        self._work, self._process, self._number = work, process, number
        self._begin(*first)

    def _begin(self, packed: bytes, goes_on: bool) -> None:  # noqa: FBT001
        self._packed, self._goes_on, self._stream = packed, goes_on, zlib.decompressobj()

    @property
    def more(self) -> bool:
        return self._goes_on or not self._stream.eof

    async def take(self) -> bytes:
        if self._stream.eof:
            self._begin(*await self._work.next_piece(self._process, self._number))
        taken = self._stream.decompress(self._packed, SLICE)
        self._packed = self._stream.unconsumed_tail
        return taken

    def close(self, *, is_cut: bool) -> None:
        self._work.let_go(self._process, self._number, is_cut=is_cut)
