"""Arguments -> exit code: finds the command, and says what went wrong.

A command is one function, registered in `COMMANDS`. It gets its parser, adds its arguments, and
returns what runs: (options) -> exit code. Its docstring is its help; the first line stands in the
list of commands. `{gradient}` in it becomes what the user typed.
"""

import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from textwrap import dedent
from typing import NoReturn

from engine_py import __version__
from engine_py.command.check import check
from engine_py.command.descend import descend
from engine_py.command.experiment import experiment
from engine_py.command.explain import explain
from engine_py.command.hessian import hessian
from engine_py.command.parse import parse
from engine_py.command.paths import paths
from engine_py.command.program import UsageError
from engine_py.command.sweep import sweep
from engine_py.command.terminal import complain
from engine_py.command.worker import worker
from engine_py.document import CONTRACT
from engine_py.errors import GradientError

Run = Callable[[Namespace], int]

COMMANDS: dict[str, Callable[[ArgumentParser], Run]] = {
    "check": check,
    "descend": descend,
    "experiment": experiment,
    "explain": explain,
    "hessian": hessian,
    "parse": parse,
    "paths": paths,
    "sweep": sweep,
    "worker": worker,
}

_ABOUT = """\
Differentiate scalar programs, with every step shown.

Example:
  {gradient} explain "(a + b) * c" a=2 b=-3 c=10
"""
WRONG = 2
"""The exit code of a request that has no answer, as of arguments that cannot be read."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run `gradient` with these arguments, or with those of the process."""
    try:
        return _run(sys.argv[1:] if arguments is None else list(arguments))
    except BrokenPipeError:  # of `gradient ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130


def _run(arguments: list[str]) -> int:
    parser = _parser()
    if not arguments:
        parser.print_help(sys.stderr)
        return WRONG
    options = parser.parse_args(arguments)
    try:
        return int(options.run(options))
    except UsageError as fault:
        print(f"{options.prog}: {fault}", file=sys.stderr)
        return WRONG
    except GradientError as error:
        complain(options.prog, error, options.program)
        return WRONG


class _Parser(ArgumentParser):
    """Knows why a program may look like an option."""

    def error(self, message: str) -> NoReturn:
        if "unrecognized arguments" in message or "are required: program" in message:
            message += "\n(write `--` before a program that begins with a minus sign)"
        super().error(message)


def _parser() -> ArgumentParser:
    typed = Path(sys.argv[0]).name
    gradient = "python -m engine_py" if typed in ("__main__.py", "-m", "-c") else typed
    make = partial(_Parser, formatter_class=RawDescriptionHelpFormatter, allow_abbrev=False)
    parser = make(prog=gradient, description=_ABOUT.format(gradient=gradient))
    version = f"{__version__}, contract {CONTRACT}, Python {sys.version.split()[0]}"
    parser.add_argument("--version", action="version", version=version)
    commands = parser.add_subparsers(title="commands", metavar="command", required=True)
    for name, command in COMMANDS.items():
        first, _, rest = (command.__doc__ or "").format(gradient=gradient).partition("\n")
        about = f"{first}\n{dedent(rest).rstrip()}"
        added = commands.add_parser(
            name,
            help=first,
            description=about,
            formatter_class=RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        added.set_defaults(run=command(added), prog=added.prog)
    return parser
