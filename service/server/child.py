"""`python -m service.server.child` -> the application, called by frames on standard input.

The answer to each frame is a piece of a reply; the reply's head comes before its first piece.
Standard input is a socket: when the worker at its other end has gone, the child ends.
"""

import os
import pickle
import socket
from contextlib import suppress
from io import BufferedRWPair
from wsgiref.types import WSGIApplication

from service.app import create_app
from service.config import Config
from service.observe.values import WRITING
from service.server.allocator import give_memory_back, keep_what_is_loaded, resident, trim
from service.server.bridge import LocalPieces, call_wsgi
from service.server.environ import CONSTANT
from service.server.frames import ANSWER, CLOSE, CUT_OFF, HEAD, READY, Frame, pack, read_frame

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
        stream.write(Frame(READY, resident(os.getpid())).encoded)
        stream.flush()
        serve(application, stream)


def serve(application: WSGIApplication, stream: BufferedRWPair) -> None:
    """Answer frame by frame, until there is none. An empty piece is the end of a reply."""
    replies: dict[int, LocalPieces] = {}
    while frame := read_frame(stream):
        kind, number, content = frame
        if kind in (CLOSE, CUT_OFF):
            replies.pop(number).close(is_cut=kind == CUT_OFF)
            continue
        if kind == ANSWER:
            texts, body = pickle.loads(content)  # noqa: S301 - of the worker that started it
            *head, replies[number] = call_wsgi(application, {**CONSTANT, **texts}, body)
            stream.write(Frame(HEAD, number, pickle.dumps(tuple(head))).encoded)
            del texts, body
        piece = next_full_piece(replies[number])
        is_large = len(piece) > _LARGE
        stream.write(pack(number, piece).encoded)
        stream.flush()
        WRITING.now()
        del frame, content, piece  # nothing else may come for a while
        if is_large:
            trim()


def next_full_piece(pieces: LocalPieces) -> bytes:
    """Give the next piece that has bytes, or none at the end."""
    while (piece := pieces.take_now()) == b"":
        pass
    return piece or b""


if __name__ == "__main__":
    main()
