"""`python -m service.server.child` -> the application, asked by the frames on standard input.

A frame has a kind, the number of a request, and so many bytes of content; the first one comes from
here, and has the bytes that this process holds instead of a number. Standard input is a socket;
when the worker at its other end has gone, the child ends.
"""

import os
import pickle
import socket
import struct
from contextlib import suppress
from io import BufferedRWPair
from wsgiref.types import WSGIApplication

from service.app import create_app
from service.config import Config
from service.observe.values import WRITING
from service.server.allocator import give_memory_back, keep_what_is_loaded, resident, trim
from service.server.bridge import LocalPieces, call_wsgi
from service.server.environ import CONSTANT

FRAME = struct.Struct(">cQQ")
ANSWER, NEXT, PIECE, CLOSE, CUT_OFF, READY = b"A", b"N", b"P", b"C", b"X", b"R"

_NICENESS = 10
"""Where processors are short, small requests and probes come first."""


_LARGE = 1_000_000
"""Bytes: what makes as much of a reply takes ten times as much while it is computed."""


def main() -> None:
    """Serve the worker until it has gone."""
    os.nice(_NICENESS)
    give_memory_back()
    application = create_app(Config.from_environ(os.environ))
    keep_what_is_loaded()
    connection = socket.socket(fileno=0)
    with suppress(ConnectionError), connection, connection.makefile("rwb") as stream:
        stream.write(FRAME.pack(READY, resident(os.getpid()), 0))
        stream.flush()
        serve(application, stream)


def serve(application: WSGIApplication, stream: BufferedRWPair) -> None:
    """Answer frame by frame, until there is none. An empty piece is the end of a reply."""
    replies: dict[int, LocalPieces] = {}
    while len(frame := stream.read(FRAME.size)) == FRAME.size:
        kind, number, size = FRAME.unpack(frame)
        content = stream.read(size)
        if kind in (CLOSE, CUT_OFF):
            replies.pop(number).close(is_cut=kind == CUT_OFF)
            continue
        if kind == ANSWER:
            texts, body = pickle.loads(content)  # noqa: S301 - of the worker that started it
            *head, replies[number] = call_wsgi(application, {**CONSTANT, **texts}, body)
            content = pickle.dumps(tuple(head))
        else:
            content = next_full_piece(replies[number])
        stream.write(FRAME.pack(PIECE, number, len(content)))
        stream.write(content)
        stream.flush()
        WRITING.now()
        is_large = len(content) > _LARGE
        del content  # nothing else may come for a while
        if is_large:
            trim()


def next_full_piece(pieces: LocalPieces) -> bytes:
    """Give the next piece that has bytes, or none at the end."""
    while (piece := pieces.take_now()) == b"":
        pass
    return piece or b""


if __name__ == "__main__":
    main()
