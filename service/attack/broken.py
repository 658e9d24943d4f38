"""Requests that break HTTP -> whether each got a problem with an id, as all refusals have."""

import asyncio
import json
from collections import Counter

from service.attack.bodies import SMALL
from service.attack.crowd import Outcomes
from service.attack.wire import Address, Reply, connected, read_reply

_POST = b"POST /v1/gradient HTTP/1.1\r\nHost: attack\r\nContent-Type: application/json\r\n"
_CHUNKED = _POST + b"Transfer-Encoding: chunked\r\n\r\n"
_LENGTH = b"Content-Length: %d\r\n" % len(SMALL)
_END = b"\r\n\r\n"
_PATIENCE = 30
"""Seconds: who gets no reply waits for ever, and all others have it at once."""

_HALF_CLOSED = {"body cut in the middle"}

BROKEN: dict[str, tuple[bytes, int]] = {
    "chunk size is no number": (_CHUNKED + b"zz\r\n" + SMALL, 400),
    "chunk longer than its size": (_CHUNKED + b"5\r\n" + SMALL + b"\r\n0\r\n\r\n", 400),
    "body cut in the middle": (_POST + _LENGTH + b"\r\n" + SMALL[:20], 400),
    "no Host": (b"GET /healthz HTTP/1.1\r\n\r\n", 400),
    "two Hosts": (b"GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b" + _END, 400),
    "Host: a/b@c": (b"GET /healthz HTTP/1.1\r\nHost: a/b@c" + _END, 400),
    "target without a slash": (b"GET healthz HTTP/1.1\r\nHost: attack" + _END, 400),
    "target of another form": (b"GET other:80 HTTP/1.1\r\nHost: attack" + _END, 400),
    "gzip, chunked": (
        _POST + b"Transfer-Encoding: gzip, chunked\r\n\r\n3b\r\n" + SMALL + b"\r\n0" + _END,
        400,
    ),
    "chunk size beyond 64 bits": (_CHUNKED + b"f" * 17 + b"\r\n" + SMALL, 400),
    "method of 6 kB": (b"A" * 6_000 + b" /healthz HTTP/1.1\r\nHost: attack" + _END, 400),
    "method in lower case": (b"get /healthz HTTP/1.1\r\nHost: attack" + _END, 400),
}
"""What is sent, and the status that says what is wrong. RFC 9110, 9112."""


async def broken_requests(address: Address, _: float) -> Outcomes:
    """Send each once; an outcome other than `problem` has its name."""
    return Counter([await _outcome(address, name) for name in BROKEN])


async def _outcome(address: Address, name: str) -> str:
    request, status = BROKEN[name]
    try:
        async with asyncio.timeout(_PATIENCE), connected(address) as (reader, writer):
            writer.write(request)
            if name in _HALF_CLOSED:
                writer.write_eof()
            fault = _fault_of(await read_reply(reader), status)
    except TimeoutError:
        fault = "no reply"
    except (ConnectionError, asyncio.IncompleteReadError):
        fault = "closed"
    return f"{name}: {fault}" if fault else "problem"


def _fault_of(reply: Reply, status: int) -> str | None:
    if reply.headers.get("content-type") != "application/problem+json":
        return f"{reply.status}, not a problem"
    if "x-request-id" not in reply.headers:
        return f"{reply.status}, without an id"
    if json.loads(reply.body)["status"] != reply.status:
        return f"{reply.status}, and another in its body"
    return None if reply.status == status else f"{reply.status}, expected {status}"
