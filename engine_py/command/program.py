"""Arguments -> the members of a request: the program, or its file, and `name=number` values."""

import re
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Container, Iterable, Sequence
from pathlib import Path

from engine_py.command.terminal import print_error, using
from engine_py.document import GradientDocument
from engine_py.errors import GradientError
from engine_py.introspect import introspect
from engine_py.language.rewrite import Rewritten, rewrite
from engine_py.limits import DEFAULT_LIMITS
from engine_py.request import VIEWS, described, quoted
from engine_py.tables import says_more

_ID = re.compile(r"[0-9]{1,9}")  # a longer one is not an id, and may be too long for `int`
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_LONGEST = 4 * DEFAULT_LIMITS.characters
"""Most bytes that are read from stdin or a file: UTF-8 takes at most 4 for a character."""

_SHOWN = 10
"""How many variables a message names."""


class UsageError(Exception):
    """An argument cannot be read; the message says which one and what to write."""


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
        "--rewrite", action="store_true", help="take a program as people write it, such as '2x^2'"
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
    if options.program_file is not None:
        _take_file(options)
    elif options.program is None:
        raise UsageError("the program is missing; write it first, such as '(a + b) * c'")
    elif options.program == "-":
        with using("stdin"):
            options.program = _decoded("stdin", sys.stdin.buffer.read(_LONGEST + 1))
    found = read_loosely(options) if options.rewrite else None
    if found and found["expression"]:
        needs = f", where {' and '.join(found['needs'])}" if found["needs"] else ""
        print_error(f"{options.prog}: read as `{found['expression']}`{needs}")
        options.program = found["expression"]
    return str(options.program)


def _take_file(options: Namespace) -> None:
    """Read the program from its file; a positional argument in its place is a value."""
    file, given = options.program_file, options.program
    if given is not None and "values" in options and "=" in given:
        options.values = [given, *options.values]
    elif given is not None:
        raise UsageError(f"there are two programs: {quoted(given)}, and that of --file {file}")
    try:
        with Path(file).open("rb") as opened:
            options.program = _decoded(file, opened.read(_LONGEST + 1))
    except OSError as error:
        raise UsageError(f"cannot read {file}: {error.strerror}") from None


def _decoded(source: str, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{source} is not UTF-8; a program is ASCII") from None


def read_loosely(options: Namespace) -> Rewritten | None:
    """Rewrite the program as people may mean it; None if that changes nothing.

    The names of the values, if there are any, tell it which names are variables.
    """
    values = options.values if "values" in options else []
    names = [each.partition("=")[0] for each in values] or None
    try:
        found = rewrite(options.program, names)
    except GradientError:
        return None
    return found if found["changes"] or says_more(found["refused"]) else None


def read_numbers(arguments: Sequence[str]) -> dict[str, float]:
    """Read `name=number` arguments, one for each name; the engine checks names and sizes.

    Raises:
        UsageError: an argument has another form.
    """
    values: dict[str, float] = {}
    for argument in arguments:
        name, number = split_value(argument, "name=number, such as a=2", values)
        values[name] = read_number(name, number)
    return values


def split_value(argument: str, form: str, before: Container[str]) -> tuple[str, str]:
    """Split an argument at its `=`.

    Raises:
        UsageError: it has no `=`, or its name is in `before`.
    """
    name, equals, text = argument.partition("=")
    if not equals:
        message = f"{described(argument)} is no value; write {form}"
        raise UsageError(message.removeprefix("the string "))
    if name in before:
        raise UsageError(f"`{name}` is given twice; give it once")
    return name, text


def read_number(name: str, text: str) -> float:
    """Read a number.

    Raises:
        UsageError: `text` is not a number.
    """
    if not _NUMBER.fullmatch(text):
        raise UsageError(f"the value of `{name}` must be a number, not {described(text)}")
    return float(text)


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
            message = f"{flag}: {quoted(name)} is no variable of the program"
            raise UsageError(f"{message}, which has {listed_variables(document)}")


def listed_variables(document: GradientDocument) -> str:
    """List the variables of a program for a message, at most `_SHOWN` of them."""
    names = [*document["gradients"]]
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{', '.join(names[:_SHOWN])}{more}" if names else "none"


def read_document(options: Namespace) -> GradientDocument:
    """Differentiate the program in the options.

    Raises:
        UsageError: an argument cannot be read.
        GradientError: the program has no document.
    """
    program, values = read_program(options), read_numbers(options.values)
    return introspect(program, values, parameters=options.parameter, view=options.view)
