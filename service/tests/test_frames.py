"""What a worker and its child tell each other comes as it was sent, and large pieces are packed."""

import asyncio
import json
from io import BytesIO

import pytest

from service.server.frames import ANSWER, PIECE, Frame, pack, read_frame, receive_frame, unpack

LARGE = json.dumps([{"id": k, "value": k / 7, "grad": 1 / (k + 1)} for k in range(40_000)]).encode()
SLICE = 16_384


def test_frames_are_read_as_they_were_written_until_the_other_has_gone() -> None:
    sent = [Frame(ANSWER, 7, b"a body"), Frame(PIECE, 1 << 40)]
    start = sent[0].encoded[:5]
    stream = BytesIO(b"".join(frame.encoded for frame in sent) + start)
    assert [read_frame(stream) for _ in range(3)] == [*sent, None]


def test_a_frame_that_ends_too_early_is_told() -> None:
    async def receive() -> Frame:
        reader = asyncio.StreamReader()
        reader.feed_data(Frame(PIECE, 3, b"whole").encoded + Frame(PIECE, 4, b"cut").encoded[:-1])
        reader.feed_eof()
        first = await receive_frame(reader)
        with pytest.raises(asyncio.IncompleteReadError):
            await receive_frame(reader)
        return first

    assert asyncio.run(receive()) == Frame(PIECE, 3, b"whole")


@pytest.mark.parametrize("piece", [b"x", LARGE[:131_071], LARGE[:131_072], LARGE])
def test_a_piece_comes_as_it_was_made(piece: bytes) -> None:
    assert b"".join(unpack(pack(9, piece))) == piece


def test_what_waits_of_a_large_piece_is_small() -> None:
    assert len(LARGE) > 2_000_000
    assert len(pack(1, LARGE).encoded) < len(LARGE) / 3
    assert max(map(len, unpack(pack(1, LARGE)))) <= SLICE


def test_the_empty_piece_at_the_end_has_nothing_to_be_sent() -> None:
    assert list(unpack(pack(1, b""))) == []
