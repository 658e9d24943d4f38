"""Printing, and standard streams that may be closed, full or unreadable.

Text for people is coloured on a terminal only; text for programs is UTF-8; errors have carets.
"""

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO, TypeVar

from engine_py.errors import GradientError, MissingValue
from engine_py.language.rewrite import Rewritten
from engine_py.show.explanation import Paint, coloured, draw_carets, plain
from engine_py.tables import REASONS

T = TypeVar("T")
Problem = dict[str, Any]
"""The members of `problem.schema.json`, except `type`, `title` and `status`."""

_SHOWN = 10
"""The maximum number of missing names that are listed."""
_LONGEST = 400
"""The maximum number of characters that are shown of a suggested program."""
_ASCII = str.maketrans({"├": "|", "└": "`", "│": "|", "─": "-", "×": "x", "…": "~"})
"""For a terminal limited to ASCII; every replacement is one column wide, too."""


class StreamFailed(Exception):
    """A standard stream cannot be used; the message says which one and why."""


@contextmanager
def using(*names: str) -> Iterator[None]:
    """Report errors of these standard streams within the block.

    Raises:
        StreamFailed: a stream is closed, or cannot be read or written.
        BrokenPipeError: the reader has closed the pipe, as in `gradient ... | head`.
    """
    for name in names:
        if getattr(sys, name) is None:
            raise StreamFailed(f"{name} is closed")
    try:
        yield
    except OSError as error:
        for name in names:
            if name != "stdin":  # discard what is buffered; else Python fails when it exits
                os.dup2(os.open(os.devnull, os.O_WRONLY), getattr(sys, name).fileno())
        if isinstance(error, BrokenPipeError):
            raise
        reason = f"{' or '.join(names)} failed: {error.strerror or error}"
        raise StreamFailed(reason) from None


def paint_of(stream: TextIO | None) -> Paint:
    """Choose colours for a terminal, and for any stream with FORCE_COLOR (force-color.org).

    NO_COLOR (no-color.org) refuses them, and so does TERM=dumb of a terminal.
    """
    if stream is None or os.environ.get("NO_COLOR"):
        return plain
    if os.environ.get("FORCE_COLOR"):
        return coloured
    return coloured if stream.isatty() and os.environ.get("TERM") != "dumb" else plain


def print_lines(lines: Sequence[str]) -> None:
    """Print text for people, in ASCII if stdout cannot encode more."""
    text = "\n".join(lines) + "\n"
    with using("stdout"):
        try:
            text.encode(sys.stdout.encoding)
        except UnicodeEncodeError:
            text = text.translate(_ASCII).encode("ascii", "replace").decode()
        sys.stdout.write(text)
        sys.stdout.flush()


def print_bytes(text: str) -> None:
    """Print text for a program, in UTF-8 whatever the locale."""
    with using("stdout"):
        sys.stdout.buffer.write(text.encode())
        sys.stdout.buffer.flush()


def print_json(value: object) -> None:
    """Print a JSON value, indented."""
    print_bytes(json.dumps(value, indent=2) + "\n")


def print_result(result: T, show: Callable[[T, Paint], list[str]], *, as_json: bool) -> None:
    """Print a result as JSON, or in the form that `show` gives it for people."""
    if as_json:
        print_json(result)
    else:
        print_lines(show(result, paint_of(sys.stdout)))


def print_error(text: str, end: str = "\n") -> None:
    """Print to stderr, or nowhere if that is closed or full."""
    try:
        with using("stderr"):
            encoding = sys.stderr.encoding or "ascii"
            text = text.encode(encoding, "backslashreplace").decode(encoding)
            print(text, end=end, file=sys.stderr, flush=True)
    except (StreamFailed, BrokenPipeError):
        return


def problem_of(error: GradientError, program: str | None, found: Rewritten | None) -> Problem:
    """Return an error in the form of the service's problem, without the members that HTTP adds.

    `detail` is what people read: the message, its place in the program if it has one, and the
    program that may be meant.
    """
    members = error.as_dict()
    del members["message"]
    detail = "\n".join([_message(error), *_hints(error, program or "", found)])
    rewrite = {"rewrite": found} if found else {}
    return {"code": members.pop("code"), "detail": detail, **members, **rewrite}


def _message(error: GradientError) -> str:
    if not isinstance(error, MissingValue):
        return error.message
    names = "=... ".join(error.data["names"][:_SHOWN])
    return f"{error.message.partition('; ')[0]}; write after the program: {names}=..."


def _hints(error: GradientError, program: str, found: Rewritten | None) -> list[str]:
    lines: list[str] = []
    if error.span is not None and program.strip():
        lines += ["", draw_carets(program, error.span)]
    if hint := _hint_for_file(program):
        lines += ["", hint]
    elif found and found["expression"]:
        lines += ["", "perhaps this, which --rewrite accepts:", "", *_listed([found["expression"]])]
    elif found and found["readings"]:
        lines += ["", "it has several readings:", "", *_listed(found["readings"])]
    elif found and (refused := found["refused"]):
        lines += ["", REASONS[refused["reason"]]]
        if refused["program"]:
            lines += ["", "perhaps:", "", *_listed([refused["program"]])]
    return lines


def _listed(programs: Sequence[str]) -> list[str]:
    return [f"    {each[:_LONGEST]}{'...' * (len(each) > _LONGEST)}" for each in programs]


def _hint_for_file(text: str) -> str:
    """Say how to read the file whose name was given as the program; "" if it is no file's."""
    try:
        if not Path(text).is_file():
            return ""
        with Path(text).open("rb") as file:
            is_json = file.read(_LONGEST).lstrip().startswith(b"{")
    except (OSError, ValueError):  # too long for a file name, with a NUL, or unreadable
        return ""
    if is_json:
        return f"{text} is JSON, which only `sweep {text} --scheduler ADDRESS --into FOLDER` reads"
    return f"{text} is a file, which --file {text} reads"
