"""`python -m service` -> a running server; `--help` lists the settings."""

import os
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from textwrap import fill

from engine_py import CONTRACT, __version__
from service.config import VARIABLES, default_of, unknown_variables
from service.memory import restart_with_settings

_DESCRIPTION = """\
Serve gradients over HTTP until SIGINT, SIGTERM or SIGHUP; /docs is the API reference.
Settings are environment variables; an empty one counts as unset:

"""


def main() -> None:
    """Serve, unless the command line asks for `--help` or `--version`."""
    parser = ArgumentParser(
        "python -m service",
        description=_DESCRIPTION + "\n".join(map(_line, VARIABLES)),
        formatter_class=RawDescriptionHelpFormatter,
    )
    version = f"gradient-service {__version__}, contract {CONTRACT}"
    parser.add_argument("--version", action="version", version=version)
    parser.parse_args()
    restart_with_settings()
    for name, cure in unknown_variables(os.environ).items():
        print(f"service: warning: {name} sets nothing; {cure}", file=sys.stderr)
    from service.server import main as serve  # noqa: PLC0415 - after the restart

    serve()


def _line(name: str) -> str:
    text = VARIABLES[name].sets.replace("`", "")
    text += f" (default: {default_of(name)})"
    return fill(text, 100, initial_indent=f"  {name:29}", subsequent_indent=" " * 31)


if __name__ == "__main__":
    main()
