"""Arguments -> exit code: finds the command, runs it and reports errors.

A command is one function, registered in `COMMANDS`, or in `LAB` if it belongs to the lab. It takes
its parser, adds arguments to it, and returns the function that runs the command: (options) -> exit
code. Its docstring is its help text, whose first line is shown in the list of commands.
`{gradient}` is replaced by the name under which the user started the program.
"""

import re
import shlex
import signal
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Container, Iterable, Sequence
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from textwrap import dedent
from typing import Any, NoReturn

from engine_py import __version__
from engine_py.command.accuracy import accuracy
from engine_py.command.completion import completion, flags_of
from engine_py.command.explain import explain, parse
from engine_py.command.grade import grade
from engine_py.command.lab import LAB
from engine_py.command.program import read_loosely
from engine_py.command.serve import serve
from engine_py.command.sweep import sweep
from engine_py.command.terminal import (
    StreamFailed,
    print_error,
    print_json,
    print_lines,
    problem_of,
    using,
)
from engine_py.command.values import UsageError
from engine_py.document import CONTRACT
from engine_py.errors import (
    DomainError,
    GradientError,
    InvalidRequest,
    InvalidValue,
    LimitExceeded,
    MissingValue,
    NonFinite,
)
from engine_py.protocol.worker import main as answer_lines

Run = Callable[[Namespace], int]


def worker(_parser: ArgumentParser) -> Run:
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
        answer_lines()
    return 0


COMMANDS: dict[str, Callable[[ArgumentParser], Run]] = {
    "accuracy": accuracy,
    "completion": completion,
    "explain": explain,
    "grade": grade,
    "parse": parse,
    "serve": serve,
    "sweep": sweep,
    "worker": worker,
    **LAB,
}

_ABOUT = """\
Differentiate scalar programs, with every step shown.

Example:
  {gradient} explain "(a + b) * c" a=2 b=-3 c=10
"""
_ELSEWHERE = {"epochs": "steps", "iterations": "steps", "params": "parameter", "output": "into"}
"""A flag of other programs -> our flag."""
_NAME = re.compile(r"[A-Za-z][\w-]*")
_FLAG = re.compile(r"--[a-z][a-z-]+", re.IGNORECASE)
_FLAG_WITH_NUMBER = re.compile(r"(?<=\0)--([A-Za-z_]\w*)[=\0](?=[-+]?[.0-9])", re.ASCII)
_NO_FLAG = re.compile(r"-$|-[0-9.]+$|.*\s")
"""Arguments that argparse accepts as a program: `-`, a negative number, any text with a blank."""
WRONG, NO_ANSWER, INTERRUPTED, PIPE_CLOSED = 2, 3, 130, 141
"""Exit codes; the last two are 128 plus the number of the signal, as in other programs."""
_ENDS = """\
exit codes:
  0    an answer
  1    a finding: a grade that is not right, a claim that differs
  2    wrong usage, or a faulty program
  3    no answer at these values: outside a domain, or not finite
  130  interrupted

With --json, an error is printed on stdout, as JSON with the members of the service's problems.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `gradient` with these arguments, or with those of the process."""
    outside = signal.getsignal(signal.SIGINT)
    try:
        if outside is signal.SIG_DFL:  # set by engine_py/__init__.py; a command cleans up
            signal.signal(signal.SIGINT, signal.default_int_handler)
        return _run(sys.argv[1:] if arguments is None else list(arguments))
    except BrokenPipeError:
        return PIPE_CLOSED
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        if outside is signal.SIG_DFL:
            signal.signal(signal.SIGINT, outside)


def _run(arguments: list[str]) -> int:
    parser = _parser(arguments)
    options = Namespace(prog=parser.prog, program=None)
    try:
        if not arguments:
            print_error(parser.format_help(), end="")
            return WRONG
        if arguments[0] == "help":
            arguments = [*arguments[1:2], "--help"]
        _check_command(arguments[0], parser.prog)
        if not arguments[0].startswith("-"):
            options.prog += f" {arguments[0]}"
        _, rest = parser.parse_known_args(arguments, options)
        if rest and "values" in options and not any(word.startswith("-") for word in rest):
            options.values, rest = [*options.values, *rest], []  # values after an option
        takes_none = "program_file" in options and "values" not in options
        if rest and takes_none and all("=" in word for word in rest):
            line = f"{parser.prog} explain {shlex.join(arguments[1:])}"
            raise UsageError(f"only the program is read here; with values, write: {line}")
        if rest:
            options.parser.error(f"unrecognized arguments: {' '.join(rest)}")
        return int(options.run(options))
    except StreamFailed as reason:
        print_error(f"{options.prog}: {reason}")
        return WRONG
    except GradientError as error:
        return _complain(arguments, options, error)


def _complain(arguments: list[str], options: Namespace, error: GradientError) -> int:
    """Print an error, for people on stderr or for machines on stdout; return the exit code."""
    of_request = isinstance(error, InvalidRequest | InvalidValue | LimitExceeded)
    found = None if of_request or options.program is None else read_loosely(options)
    program = None if isinstance(error, UsageError) else options.program
    problem = problem_of(error, program, found)
    if isinstance(error, MissingValue):
        line = _respelled(arguments, error.data["names"], str(program))
        if line:
            problem["detail"] += f"\n\nperhaps:\n\n    {options.prog} {shlex.join(line[1:])}"
    if "--json" in arguments and getattr(options, "json", True):
        print_json(problem)
    else:
        print_error(f"{options.prog}: {problem['detail']}")
    return NO_ANSWER if isinstance(error, DomainError | NonFinite) else WRONG


def _respelled(arguments: Sequence[str], missing: Sequence[str], program: str) -> list[str]:
    """Give values of unused names the missing names that are close; return [] if none is."""
    names = {name.casefold(): name for name in missing}
    line = []
    for word in arguments:
        name, equals, number = word.partition("=")
        is_used = not name.isidentifier() or re.search(rf"\b{name}\b", program)
        near = [] if is_used or not equals else get_close_matches(name.casefold(), names, n=1)
        line.append(names[near[0]] + equals + number if near else word)
    return [] if line == [*arguments] else line


class _Parser(ArgumentParser):
    """A parser whose errors suggest what an unknown argument with a minus sign may mean."""

    given: Sequence[str] = ()

    def error(self, message: str) -> NoReturn:
        if "unrecognized arguments" in message or "are required" in message:
            flags = flags_of(self)
            line = _with_values(self.given, flags)
            cure = f"; write: {self.prog} {shlex.join(line[1:])}" if line else ""
            message += cure or _hint_for_flags(self.given, flags)
        raise UsageError(message)

    def _print_message(self, message: str, file: Any = None) -> None:
        if file is not None and file is sys.stdout:
            print_lines(message.splitlines())
        else:
            print_error(message, end="")


def _check_command(word: str, gradient: str) -> None:
    """Refuse a first argument that is neither a command nor a flag.

    Raises:
        UsageError: it is neither; the message says what to write.
    """
    if word.startswith("-") or word in COMMANDS:
        return
    if not _NAME.fullmatch(word):
        raise UsageError(f"the command is missing; write `{gradient} explain` before the program")
    near = get_close_matches(word, COMMANDS, n=1)
    cure = f"did you mean `{near[0]}`?" if near else f"commands are {', '.join(sorted(COMMANDS))}"
    raise UsageError(f"`{word}` is not a command; {cure}")


def _with_values(given: Sequence[str], flags: Container[str]) -> list[str]:
    """Turn flags that name variables, such as `--a 1`, into values; return [] if none does."""
    text = "\0".join(given)

    def as_value(flag: re.Match[str]) -> str:
        is_name = re.search(rf"(?<![-\w]){flag[1]}\b", text)
        return f"{flag[1]}=" if is_name and f"--{flag[1]}" not in flags else flag[0]

    line = _FLAG_WITH_NUMBER.sub(as_value, text)
    return [] if line == text else line.split("\0")


def _hint_for_flags(given: Sequence[str], flags: Iterable[str]) -> str:
    """Return a hint for the first argument that looks like a flag but is unknown, or ""."""
    for word in given[: given.index("--")] if "--" in given else given:
        name = word.partition("=")[0]
        if not name.startswith("-") or name in flags or _NO_FLAG.match(word):
            continue
        near = _near_flags(name[2:], [flag[2:] for flag in flags])
        if f"-{name}" in flags:
            return f"\n(`{name}` is not a flag; did you mean `-{name}`?)"
        if near and name.startswith("--"):
            return f"\n(`{name}` is not a flag; did you mean `--{near[0]}`?)"
        if _FLAG.fullmatch(name):
            return f"\n(`{name}` is not a flag; --help lists them)"
        return "\n(write `--` before a program that begins with a minus sign)"
    return ""


def _near_flags(name: str, flags: Sequence[str]) -> list[str]:
    """Find a flag with this prefix or these initials, by its name elsewhere, or by spelling."""
    for flag in flags:
        initials = "".join(word[:1] for word in flag.split("-"))
        if name and (flag.startswith(name) or (name == initials and len(name) > 1)):
            return [flag]
    other = _ELSEWHERE.get(name, name)
    return [other] if other in flags else get_close_matches(name, flags, n=1)


def _parser(arguments: Sequence[str]) -> _Parser:
    typed = Path(sys.argv[0]).name
    gradient = "python -m engine_py" if typed in ("__main__.py", "-m", "-c") else typed
    make = partial(_Parser, formatter_class=RawDescriptionHelpFormatter, allow_abbrev=False)
    parser = make(prog=gradient, description=_ABOUT.format(gradient=gradient), epilog=_ENDS)
    parser.given = arguments
    version = f"gradient {__version__}, contract {CONTRACT}, Python {sys.version.split()[0]}"
    parser.add_argument("-V", "--version", action="version", version=version)
    commands = parser.add_subparsers(title="commands", metavar="command", required=True)
    parsers: dict[str, _Parser] = {}
    parser.set_defaults(commands=parsers)
    for name, command in sorted(COMMANDS.items()):
        first, _, rest = (command.__doc__ or "").format(gradient=gradient).partition("\n")
        about = f"{first}\n{dedent(rest).rstrip()}"
        added = commands.add_parser(
            name,
            help=first,
            description=about,
            formatter_class=RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        added.given = arguments
        parsers[name] = added
        added.set_defaults(run=command(added), parser=added)
    return parser
