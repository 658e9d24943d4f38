"""What a worker and its child tell each other comes as it was sent, and large pieces are packed."""

import asyncio
import json

import pytest

from service.server.frames import encode, pack, receive, unpack

LARGE = json.dumps([{"id": k, "value": k / 7, "grad": 1 / (k + 1)} for k in range(40_000)]).encode()
SLICE = 16_384


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


@pytest.mark.parametrize("piece", [b"x", LARGE])
def test_a_piece_comes_as_it_was_made(piece: bytes) -> None:
    assert b"".join(unpack(pack(piece))) == piece


def test_what_waits_of_a_large_piece_is_small() -> None:
    assert len(LARGE) > 2_000_000
    assert len(pack(LARGE)) < len(LARGE) / 3
    assert max(map(len, unpack(pack(LARGE)))) <= SLICE


def test_the_empty_piece_at_the_end_has_nothing_to_be_sent() -> None:
    assert list(unpack(pack(b""))) == []
