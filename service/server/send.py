"""Reply -> ASGI messages, as fast as the client takes them; one that takes too long is cut off."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from service.server.bridge import SLICE, Reply

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


async def send_reply(reply: Reply, send: Send) -> None:
    """Send all of it, unless the client leaves, or takes it too slowly: then it is cut off."""
    is_cut = True
    try:
        start = {"type": "http.response.start", "status": reply.status, "headers": reply.headers}
        await send(start)
        more = True
        while more:
            piece = await reply.pieces.take()
            for place in range(0, max(len(piece), 1), SLICE):
                body = piece[place : place + SLICE]
                more = reply.pieces.more or place + SLICE < len(piece)
                await send({"type": "http.response.body", "body": body, "more_body": more})
        is_cut = False
    except (TimeoutError, ConnectionError):
        pass  # without its last message the client can tell that the reply is cut off
    finally:
        reply.pieces.close(is_cut=is_cut)
