"""The bytes of one connection -> requests, which begin when they are whole, and their replies.

uvicorn's protocol frames requests and replies. It leaves to a proxy what is here: bounds of bytes
and seconds for what a client has to send, a problem for what is not HTTP, and patience with clients
that listen only when they have sent all, or that close their sending side before they listen.
"""

import asyncio
import re
import socket
import struct
from contextlib import suppress
from functools import partial
from typing import Any

from httptools import HttpParserError, HttpParserUpgrade
from uvicorn import Config
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from engine_py import GradientError
from service.errors import REFUSAL, MalformedRequest, RequestTimeout
from service.server.entry import Entry
from service.server.malformed import find_fault
from service.server.turns import PIECE

_CONNECTION = 6_800
"""Bytes that a connection holds before anything comes: one address can have 3,000 of them."""

_HEAD_BYTES, _FIELDS = 8_192, 100
"""Of a request line and headers; headers of a request."""

_PIECE = 4_096
"""Bytes that are parsed before the bounds are looked at."""

_TAKEN, _UNTAKEN = 4_096, 200_000
"""Bytes of a reply that need not be counted, and that the kernel and the transport hold at most of
one that its client has not taken: twice as many as there are."""

_PIPELINED = 16
"""Requests of a client that has not awaited their replies."""

_ORIGIN = re.compile(rb"\Ahttps?://[^/?]*/?", re.IGNORECASE)
"""Before the path, in requests to a proxy; RFC 9112 section 3.2.2 has servers take it, too."""

_STALL, _LONGEST = 3, 60
"""Times `read_seconds`: until a client that takes nothing is left, and until a reply is cut off
whose client is still not done."""

_READ_PAST = 64
"""So many times the largest body is read past, for clients that listen when they have spoken."""


class Cycle(RequestResponseCycle):
    """A request and its reply."""

    is_old = False
    """Whether it is of HTTP/1.0, which knows no chunks: where the connection ends, a reply does."""

    ends = 0.0
    """When it is cut off, by the loop's time, once its client has been waited for."""

    is_last = False
    """Whether the connection ends when its client has taken it. Until then what comes after it is
    read past: a client may listen only when it has sent all."""

    sent = 0
    """Bytes of its body."""

    async def run_asgi(self, app: Any) -> None:
        """Answer it; a reply that is cut ends at once, whatever its client has not taken."""
        self.read_seconds = app.config.read_seconds
        await super().run_asgi(app)
        if not self.response_complete:
            _reset(self.transport)

    async def send(self, message: Any) -> None:
        """Send a part of the reply, when what was sent before is taken.

        Raises:
            ConnectionError: the client has left.
            TimeoutError: it takes nothing, or takes too long for all of it.
        """
        if self.disconnected or self.transport.is_closing():
            self.disconnected = True
            raise ConnectionError
        self.is_last |= not self.keep_alive
        if self.is_last:  # the head says that the connection closes; the protocol closes it
            self.keep_alive = message["type"] == "http.response.body"
        self.sent += len(message.get("body", b""))
        if self.flow.write_paused:
            now = asyncio.get_running_loop().time()
            self.ends = self.ends or now + _LONGEST * self.read_seconds
            async with asyncio.timeout_at(min(now + _STALL * self.read_seconds, self.ends)):
                await self.flow.drain()
        if self.is_old:
            self.chunked_encoding = False
            self.expected_content_length = len(message.get("body", b""))
        await super().send(message)


class Connection(HttpToolsProtocol):
    """One connection of a client."""

    scope: Any
    cycle: Any
    pipeline: Any

    def __init__(self, *arguments: Any, **options: Any) -> None:
        """Take what uvicorn gives a protocol; its application is the entry."""
        super().__init__(*arguments, **options)
        self.entry: Entry = self.app
        self.address, self.held = "", 0
        self._answering: Any = None
        self._unparsed = b""
        self._in_head = self._in_body = self._is_over = self._stops = False
        self._patience = self._untaken = 0
        """How often the end of a reply is waited for still, and what is counted of it."""
        self._read = 0
        """Bytes, in pieces, since a head, a part of a body or all of it ended; or read past."""

    def connection_made(self, transport: Any) -> None:
        """Wait for the first request."""
        super().connection_made(transport)
        self.address = self.client[0] if self.client else "unknown"
        if self.entry.waiting.hold(self, _CONNECTION):
            self.entry.waiting.begin(self)
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing."""
        self.entry.waiting.end(self)
        self.entry.waiting.release(self)
        self.cycle = self._answering or self.cycle  # which is to hear of it
        super().connection_lost(exc)
        self.cycle = self.scope = None  # which know this: only the collector would find them

    def eof_received(self) -> bool:  # type: ignore[override]
        """Keep the connection for a reply: a client may stop sending before it listens."""
        self._parse_all()
        if self._in_body and not self._is_over:
            self._refuse(MalformedRequest("the request ends too early"))
        if self._answering:
            self.cycle.is_last = True
        return self._answering is not None

    def data_received(self, data: bytes) -> None:
        """Have it parsed, as far as the bounds allow, when it is its turn."""
        if self._is_over:
            self._read_past(len(data))
            return
        if not self.entry.waiting.hold(self, len(data)):
            self.make_room()
        self._unparsed += data
        if len(self._unparsed) == len(data):
            self.entry.parsing.add(self.address, PIECE, self._parse_all)

    def _parse_all(self) -> None:
        data, self._unparsed = self._unparsed, b""
        pieces = (data[place : place + _PIECE] for place in range(0, len(data), _PIECE))
        if all(map(self._parse, pieces)) and self._answering:
            self.flow.pause_reading()

    def _parse(self, piece: bytes) -> bool:
        """Parse a part; False where no more is read."""
        if self._is_over or self.transport.is_closing():
            return False
        self._read += len(piece)
        try:
            self.parser.feed_data(piece)
        except HttpParserUpgrade as wish:  # for another protocol; RFC 9110 lets it be ignored
            return self._parse(self._unoffered() + piece[wish.args[0] :])
        except HttpParserError as fault:
            self._refuse(MalformedRequest(f"this is not HTTP: {fault.__context__ or fault}"))
        if self._read > _HEAD_BYTES:
            message = f"a request line and headers have at most {_HEAD_BYTES} bytes"
            self._refuse(MalformedRequest(message))
        return True

    def _read_past(self, size: int) -> None:
        self._read += size
        if self._read > _READ_PAST * self.entry.config.max_body_bytes:
            self.transport.abort()

    # What the parser calls.

    def on_message_begin(self) -> None:
        """Begin a head: the client has taken the reply to what it sent before."""
        self._in_head, self._untaken = True, 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header."""
        if self._in_body:
            return  # a trailer, which is none of the headers that have been looked at
        super().on_header(name, value)
        if len(self.headers) > _FIELDS:
            raise ValueError(f"a request has at most {_FIELDS} headers")

    def on_headers_complete(self) -> None:
        """Refuse the request by its head, or wait for its body. After CONNECT there is no other."""
        if self._is_over or self._is_offer():
            return
        if len(self.pipeline) >= _PIPELINED:
            raise ValueError(f"at most {_PIPELINED} requests are sent ahead of replies")
        self._in_head, self._in_body, self._read = False, True, 0
        path, _, query = _ORIGIN.sub(b"/", self.url).partition(b"?")
        self.scope["method"] = self.parser.get_method().decode("latin-1")
        self.scope["http_version"] = self.parser.get_http_version()
        self.scope["raw_path"], self.scope["query_string"] = path, query
        self.cycle = self._make_cycle()
        announced = int(dict(self.headers).get(b"content-length", 0))  # the parser has checked it
        if fault := find_fault(self.scope):
            self._refuse(fault)
        elif self.parser.should_upgrade() or announced > self.entry.config.max_body_bytes:
            self._end_with(self.cycle)
        elif not self._answering:
            self.entry.waiting.begin(self)  # anew, for the body
            if self.expect_100_continue and not self.cycle.is_old:
                self.transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def on_body(self, body: bytes) -> None:
        """Take a part of a body; the application is shown that it is too large."""
        self._read = 0
        if not self._is_over:
            self.cycle.body += body
            if len(self.cycle.body) > self.entry.config.max_body_bytes:
                self._end_with(self.cycle)

    def on_message_complete(self) -> None:
        """Begin with the request."""
        self._read = 0
        if not self._is_over and not self._is_offer():
            self._in_body = False
            self._begin(self.cycle)

    def _is_offer(self) -> bool:
        return self.parser.should_upgrade() and any(name == b"upgrade" for name, _ in self.headers)

    def _unoffered(self) -> bytes:
        """Give the head again without the offer, after which the parser would read no body."""
        if self._is_over or not self._is_offer():
            return b""
        line = self.parser.get_method(), self.url, self.parser.get_http_version().encode()
        kept = (b"%s: %s\r\n" % pair for pair in self.headers if pair[0] != b"upgrade")
        return b"%s %s HTTP/%s\r\n%s\r\n" % (*line, b"".join(kept))

    # The requests in order.

    def _make_cycle(self) -> Cycle:
        is_old = self.scope["http_version"] == "1.0"
        cycle = Cycle(
            scope=self.scope,
            transport=self.transport,
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=False,
            default_headers=self.server_state.default_headers,
            message_event=asyncio.Event(),
            expect_100_continue=False,
            keep_alive=not is_old and self.parser.should_keep_alive(),
            on_response=self.on_response_complete,
        )
        cycle.is_old = is_old
        return cycle

    def _refuse(self, fault: GradientError) -> None:
        """Answer what has come of a request with a problem, and read no more."""
        if self._is_over:
            return
        if not self._in_body:
            if not self._in_head:
                super().on_message_begin()
            method = self.parser.get_method().decode("latin-1") if self.url else "GET"
            self.scope.update(method=method, raw_path=b"", query_string=b"", headers=[])
            self.cycle = self._make_cycle()
        self.cycle.scope[REFUSAL] = fault
        self.cycle.body.clear()
        self._end_with(self.cycle)

    def _end_with(self, cycle: Cycle) -> None:
        self._is_over = cycle.is_last = True
        self._begin(cycle)

    def _begin(self, cycle: Cycle) -> None:
        cycle.more_body = False
        cycle.message_event.set()
        if self._answering:
            self.pipeline.appendleft((cycle, self.app))
            return
        self.entry.waiting.end(self)
        self._answering = cycle
        self.entry.begin(cycle.scope, partial(self._start_asgi_task, cycle, self.app))

    def on_response_complete(self) -> None:
        """Go on with the next request, or wait for it."""
        cycle, self._answering, self._patience = self._answering, None, _STALL - 1
        self.entry.waiting.begin(self)  # for a request, or until the reply is taken
        if self.transport.is_closing():
            return
        if cycle.is_last:
            self._is_over = True
            self.transport.write_eof()
            if self._stops:
                self.transport.close()
        elif self.pipeline:
            self._begin(self.pipeline.pop()[0])
            return
        self.entry.waiting.release(self, _CONNECTION + len(self.cycle.body))
        self.flow.resume_reading()
        self._untaken = min(2 * cycle.sent, _UNTAKEN) if cycle.sent > _TAKEN else 0
        if not self.entry.waiting.hold(self, self._untaken):
            self.make_room()

    # When it has to end.

    def expire(self) -> None:
        """End: with a problem where a body is late, with nothing where a request is.

        The end of a reply has as long as what comes before it.
        """
        if self._patience and (self._untaken or self.transport.get_write_buffer_size()):
            self._patience -= 1
            self.entry.waiting.begin(self)
        elif self._in_body and not self._is_over:
            seconds = self.entry.config.read_seconds
            message = f"the body did not arrive within {seconds} seconds; send the request again"
            self._refuse(RequestTimeout(message, limit=seconds))
        else:
            self._let_go()

    def make_room(self) -> None:
        """End: with a problem where a request has begun."""
        if (self._in_body or self._answering) and not self._is_over:
            self._refuse(self.entry.waiting.budget.too_much())
        else:
            self._let_go()

    def _let_go(self) -> None:
        if self._untaken:
            _reset(self.transport)
        else:
            self.transport.abort()

    def shutdown(self) -> None:
        """End when all that has begun is answered."""
        self._parse_all()
        self._stops = True
        if self._answering or (self._in_body and not self._is_over):
            self.cycle.keep_alive = False
        else:
            self.transport.close()


def _reset(transport: asyncio.Transport) -> None:
    """End a connection, and have the kernel forget what its client has not taken."""
    if end := transport.get_extra_info("socket"):
        with suppress(OSError, ValueError):  # it has ended already
            end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()


def make_settings(entry: Entry, **others: Any) -> Config:
    """Give uvicorn this protocol, and nothing to do that the application does itself."""
    return Config(
        entry,
        interface="asgi3",
        http=Connection,
        ws="none",
        lifespan="off",
        log_config=None,
        proxy_headers=False,
        server_header=False,
        access_log=False,
        **others,
    )
