"""What a worker and its child tell each other comes as it was sent."""

import asyncio

import pytest

from service.server.frames import encode, receive


def test_messages_are_read_as_they_were_sent_until_the_other_has_gone() -> None:
    async def run() -> None:
        reader = asyncio.StreamReader()
        reader.feed_data(encode(200, [(b"a", b"b")], b"") + encode(b"piece") + encode(4)[:-1])
        reader.feed_eof()
        assert await receive(reader) == (200, [(b"a", b"b")], b"")
        assert await receive(reader) == (b"piece",)
        with pytest.raises(asyncio.IncompleteReadError):
            await receive(reader)

    asyncio.run(run())
