"""`gradient worker`: lines of the parity protocol, answered."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from engine_py.command.streams import print_error, using
from engine_py.protocol.worker import main


def worker(_parser: ArgumentParser) -> Callable[[Namespace], int]:
    """answer the lines of the parity protocol

    Reads one JSON object a line on stdin and writes one for each to stdout, as
    schemas/protocol.schema.json says, until `stop` or the end of stdin.

    Example:
      echo '{{"kind": "start", "protocol": "1"}}' | {gradient} worker
    """
    return _answer


def _answer(_options: Namespace) -> int:
    with using("stdin", "stdout"):
        if sys.stdin.isatty():
            print_error("worker: type one JSON object a line, Ctrl-D to end")
        main()
    return 0
