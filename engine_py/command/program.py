"""Arguments -> the members of a request: the program, from its argument, a file or stdin."""

import os
import re
import shlex
import stat
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable
from pathlib import Path

from engine_py.command.terminal import print_error, using
from engine_py.command.values import UsageError, are_values, read_numbers, split_values
from engine_py.document import GradientDocument
from engine_py.errors import GradientError, LimitExceeded
from engine_py.introspect import introspect, listed_names
from engine_py.language.rewrite import Rewritten, rewrite
from engine_py.limits import DEFAULT_LIMITS
from engine_py.request import VIEWS, quoted
from engine_py.tables import says_more

_ID = re.compile(r"[0-9]{1,9}")  # a longer one is not an id, and may be too long for `int`
_LONGEST = 4 * DEFAULT_LIMITS.characters
"""The maximum number of bytes read from stdin or a file; a character in UTF-8 has at most 4."""


def add_program(parser: ArgumentParser, *, with_values: bool, with_parameters: bool = True) -> None:
    """Add the arguments for the program, its values and how to read them."""
    parser.add_argument("program", nargs="?", help="such as '(a + b) * c'; `-` reads it from stdin")
    parser.add_argument(
        "--file", dest="program_file", metavar="file", help="read the program from this file"
    )
    if with_values:
        parser.add_argument("values", nargs="*", metavar="name=number", help="such as a=2 b=-3")
    parser.add_argument(
        "--view", choices=VIEWS, default="folded", help="primitive: -, / built from + * **"
    )
    parser.add_argument(
        "--rewrite", action="store_true", help="read a program as people write it, such as '2x^2'"
    )
    if with_parameters:
        parser.add_argument(
            "--parameter",
            action="append",
            default=[],
            metavar="name",
            help="a variable to mark as parameter; may be given more than once",
        )


def read_program(options: Namespace) -> str:
    """Return the program, and store it in the options, where the report of an error needs it.

    Raises:
        UsageError: the program is missing or not UTF-8, or its file cannot be read.
        StreamFailed: stdin cannot be read.
    """
    if options.program_file == "-" and _is_missing(options):
        options.program_file, options.program = None, "-"
    if options.program_file is not None:
        _take_file(options)
    elif options.program == "-" or (_is_missing(options) and has_input()):
        options.program = _decoded("stdin", read_stdin(_LONGEST + 1))
        if not options.program.strip():
            raise UsageError("stdin has no program", "/expression")
    elif options.program is None:
        words = getattr(options, "values", [])
        late = [word for word in words if "=" not in word]
        cure = "such as '(a + b) * c'"
        if len(late) == 1:
            line = shlex.join([*late, *(word for word in words if word not in late)])
            cure = f"as in: {options.prog} {line}"
        raise UsageError(f"the program is missing; write it first, {cure}", "/expression")
    found = read_loosely(options) if options.rewrite else None
    if found and found["expression"]:
        needs = f", where {' and '.join(found['needs'])}" if found["needs"] else ""
        print_error(f"{options.prog}: read as `{found['expression']}`{needs}")
        options.program = found["expression"]
    return str(options.program)


def _is_missing(options: Namespace) -> bool:
    """Return whether no program is given; a value in its place becomes the first of the values."""
    if options.program is not None and "values" in options:
        words = [options.program, *options.values]
        if are_values(words):
            options.program, options.values = None, words
    return options.program is None


def has_input() -> bool:
    """Return whether stdin is a pipe or a file, which ends; others have no program."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (AttributeError, OSError, ValueError):  # it is closed, or replaced
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode) or stat.S_ISSOCK(mode)


def read_stdin(most: int = -1) -> bytes:
    """Read `most` bytes of stdin, or all.

    Raises:
        StreamFailed: stdin is closed, or cannot be read.
    """
    with using("stdin"):
        return sys.stdin.buffer.read(most)


def _take_file(options: Namespace) -> None:
    """Read the program from its file; a positional argument in its place is a value."""
    file = options.program_file
    if not _is_missing(options):
        given = quoted(options.program)
        raise UsageError(f"there are two programs: {given}, and that of --file {file}")
    try:
        with Path(file).open("rb") as opened:
            options.program = _decoded(file, opened.read(_LONGEST + 1))
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from None


def _decoded(source: str, content: bytes) -> str:
    limit = DEFAULT_LIMITS.characters
    if len(content) > _LONGEST:  # the rest was not read
        message = f"{source} has more than {_LONGEST} bytes; at most {limit} characters"
        raise LimitExceeded(f"{message} are accepted", name="characters", limit=limit, actual=None)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{source} is not UTF-8; a program is ASCII") from None


def read_loosely(options: Namespace) -> Rewritten | None:
    """Rewrite the program as its author may mean it; None if that changes nothing.

    The names of the values, if there are any, show which names are variables.
    """
    try:
        names = [*split_values(options.values)] or None if "values" in options else None
        found = rewrite(options.program, names)
    except GradientError:
        return None
    return found if found["changes"] or says_more(found["refused"]) else None


def read_node(text: str) -> int | str:
    """Read an id, which is a whole number, or a label."""
    return int(text) if _ID.fullmatch(text) else text


def check_names(flag: str, names: Iterable[str], document: GradientDocument) -> None:
    """Refuse names that are not variables of the program.

    Raises:
        UsageError: a name is not a variable; the message lists the variables.
    """
    for name in names:
        if name not in document["gradients"]:
            message = f"{flag}: {quoted(name)} is not a variable of the program"
            raise UsageError(f"{message}, which has {listed_variables(document)}")


def listed_variables(document: GradientDocument) -> str:
    """List the variables of a program for a message."""
    return listed_names([*document["gradients"]]) or "none"


def read_document(options: Namespace) -> GradientDocument:
    """Differentiate the program in the options.

    Raises:
        UsageError: an argument cannot be read.
        GradientError: the program has no document.
    """
    program, values = read_program(options), read_numbers(options.values)
    return introspect(program, values, parameters=options.parameter, view=options.view)
