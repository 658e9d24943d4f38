"""What a worker and its child tell each other: messages, of which each is one pickle."""

import asyncio
import pickle
from typing import Any

_LENGTH = 8
"""Bytes before a message that tell how many it has."""

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
