"""`python -m service.tests.blocking`: a server at PORT whose event loop stands still for each POST.

What attacks a server has to see that: its probes are late.
"""

import asyncio
import os
import time

SECONDS = 0.4

_REPLY = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer each request of a connection."""
    try:
        while head := await reader.readuntil(b"\r\n\r\n"):
            if head.startswith(b"POST"):
                time.sleep(SECONDS)  # noqa: ASYNC251 - the fault
            writer.write(_REPLY)
            if b"close" in head:
                break
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    writer.close()


async def main() -> None:
    """Serve until SIGTERM."""
    server = await asyncio.start_server(answer, "127.0.0.1", int(os.environ["PORT"]))
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main())
