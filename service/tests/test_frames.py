"""What a worker and its child tell each other comes as it was sent, and large pieces are packed."""

import asyncio
import json

import pytest

from service.server.frames import Packed, encode, pack, receive

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


def slices(piece: bytes) -> list[bytes]:
    packed, taken = Packed(pack(piece)), list[bytes]()
    while packed.more:
        taken.append(packed.take())
    return taken


@pytest.mark.parametrize("piece", [b"", b"x", LARGE, *(LARGE[: SLICE + n] for n in range(-9, 9))])
def test_a_piece_comes_as_it_was_made(piece: bytes) -> None:
    assert b"".join(slices(piece)) == piece


def test_what_waits_of_a_large_piece_is_small() -> None:
    assert len(LARGE) > 2_000_000
    assert len(pack(LARGE)) < len(LARGE) / 3
    assert max(map(len, slices(LARGE))) <= SLICE
