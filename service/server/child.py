"""`python -m service.server.child` -> the application, called by messages on standard input.

The answer to each is a piece of a reply and whether another may come, with the status and the
headers before the first. A message is a pickle, an answer its length before it. Standard input is a
socket: when the worker at its other end has gone, the child ends.
"""

import os
import pickle
import socket
import zlib
from contextlib import suppress
from io import BufferedRWPair
from typing import Any
from wsgiref.types import WSGIApplication

from service.app import create_app
from service.config import Config
from service.observe.values import WRITING
from service.server.allocator import give_memory_back, keep_what_is_loaded, resident, trim
from service.server.bridge import LocalPieces, call_wsgi
from service.server.environ import CONSTANT

ANSWER, NEXT, CLOSE = "answer", "next", "close"
"""What the worker asks for, with the number of the request."""

LENGTH = 8
"""Bytes that tell how many an answer has."""

_NICENESS = 10
"""Where processors are short, small requests and probes come first."""

_LEVEL = 1
"""Of compression: 13 ms for two megabytes that take 190 ms to compute; a twelfth is left."""

_LARGE = 1_000_000
"""Bytes: what makes as much of a reply takes ten times as much while it is computed."""


def main() -> None:
    """Serve the worker until it has gone."""
    os.nice(_NICENESS)
    give_memory_back()
    application = create_app(Config.from_environ(os.environ))
    keep_what_is_loaded()
    connection = socket.socket(fileno=0)
    gone = suppress(ConnectionError, EOFError, pickle.UnpicklingError)
    with gone, connection, connection.makefile("rwb") as stream:
        answer(stream, resident(os.getpid()))
        serve(application, stream)


def answer(stream: BufferedRWPair, *message: Any) -> None:
    """Write an answer, at once."""
    content = pickle.dumps(message)
    stream.write(len(content).to_bytes(LENGTH) + content)
    stream.flush()


def serve(application: WSGIApplication, stream: BufferedRWPair) -> None:
    """Answer message by message. Raises EOFError: the worker has gone."""
    replies: dict[int, LocalPieces] = {}
    while True:
        kind, number, *rest = pickle.load(stream)  # noqa: S301 - of the worker that started it
        if kind == CLOSE:
            replies.pop(number).close(is_cut=rest[0])
            continue
        head: list[Any] = []
        if kind == ANSWER:
            texts, body = rest
            *head, replies[number] = call_wsgi(application, {**CONSTANT, **texts}, body)
            del texts, body
        piece = replies[number].take_now()
        is_large = len(piece) > _LARGE
        answer(stream, *head, zlib.compress(piece, _LEVEL), replies[number].more)
        WRITING.now()
        del rest, piece  # nothing else may come for a while
        if is_large:
            trim()


if __name__ == "__main__":
    main()
