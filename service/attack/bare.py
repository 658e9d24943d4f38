"""`python -m service.attack.bare`: a server that reads requests and answers 200 to all.

It runs on the service's HTTP library with the service's settings, so that what a client waits for
here beside an attack is the library's and the machine's.
"""

import os
from collections.abc import Awaitable, Callable
from typing import Any

from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings

_CONNECTIONS = 10_240
_HEAD_BYTES = 8_192
_READ_MILLISECONDS = 10_000
"""As in service/server/run.py."""

_REPLY = b" " * 600
"""As many bytes as the reply to the good client has, about."""

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Read the body to its end, keep nothing of it, and answer."""
    if scope["type"] == "lifespan":
        for step in ("startup", "shutdown"):
            await receive()
            await send({"type": f"lifespan.{step}.complete"})
        return
    has_more = scope["method"] == "POST"
    while has_more:
        message = await receive()
        has_more = message.get("more_body", False)
        del message
    headers = [(b"content-length", b"%d" % len(_REPLY))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": _REPLY})


def load(*_: Any) -> Any:
    """Give the application to a worker."""
    return application


def main() -> None:
    """Serve at PORT until SIGTERM."""
    settings = HTTP1Settings(header_read_timeout=_READ_MILLISECONDS, max_buffer_size=_HEAD_BYTES)
    server = Granian(
        "bare",
        port=int(os.environ["PORT"]),
        interface=Interfaces.ASGI,
        websockets=False,
        http=HTTPModes.http1,
        http1_settings=settings,
        backlog=_CONNECTIONS,
        backpressure=_CONNECTIONS,
        log_enabled=False,
    )
    server.serve(target_loader=load, wrap_loader=False)


if __name__ == "__main__":
    main()
