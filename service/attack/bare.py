"""`python -m service.attack.bare`: a server that reads requests and answers 200 to all.

It runs on the service's HTTP library, so that what a client waits for here beside an attack is the
library's and the machine's.
"""

import os
from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn

_REPLY = b" " * 600
"""As many bytes as the reply to the good client has, about."""

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


async def application(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """Read the body to its end, keep nothing of it, and answer."""
    has_more = scope["method"] == "POST"
    while has_more:
        message = await receive()
        has_more = message.get("more_body", False)
        del message
    headers = [(b"content-length", b"%d" % len(_REPLY))]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": _REPLY})


def main() -> None:
    """Serve at PORT until SIGTERM."""
    uvicorn.run(
        application,
        port=int(os.environ["PORT"]),
        lifespan="off",
        ws="none",
        log_level="critical",
        backlog=10_240,
    )


if __name__ == "__main__":
    main()
