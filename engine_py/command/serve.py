"""`gradient serve`: the sandbox that the package holds, for a browser on this machine."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import suppress

from engine_py.command.program import add_program, read_program
from engine_py.command.terminal import print_error, print_lines
from engine_py.command.values import UsageError, read_numbers
from engine_py.introspect import outline
from engine_py.limits import DEFAULT_LIMITS
from engine_py.request import check_request

_LAST_PORT = 65_535


def serve(parser: ArgumentParser) -> Callable[[Namespace], int]:
    """serve the sandbox to a browser on this machine

    Prints the address of the sandbox, with the program in it if there is one; a variable without
    a value is 1. The page computes everything in the browser and sends nothing anywhere. Ctrl-C
    ends it, with exit code 0.

    Examples:
      {gradient} serve "(a + b) * c" a=2 b=-3 c=10
      {gradient} serve
      {gradient} serve "tanh(w * x)" w=0.5 x=2 --parameter w --port 0 --open
    """
    add_program(parser, with_values=True)
    parser.add_argument(
        "--port", type=int, metavar="number", help="0 is any free one (8000, or any if it is taken)"
    )
    parser.add_argument("--open", action="store_true", help="open the address in a browser")
    return _serve


def _serve(options: Namespace) -> int:
    from engine_py.command import page_server  # noqa: PLC0415 - only this command needs it
    from engine_py.notebook import read_page  # noqa: PLC0415

    scene = _scene(options)
    if options.port is not None and not 0 <= options.port <= _LAST_PORT:
        raise UsageError(f"--port must be from 0 to {_LAST_PORT}, not {options.port}")
    try:
        server = page_server.listen(read_page(), options.port)
    except FileNotFoundError as reason:
        raise UsageError(str(reason)) from None
    except OSError as error:
        message = f"cannot listen on port {options.port}: {error.strerror}"
        raise UsageError(f"{message}; --port 0 takes a free one") from None
    address = f"http://{page_server.HOST}:{server.server_port}/{scene}"
    with server, suppress(KeyboardInterrupt):
        print_lines([f"The sandbox, computed in your browser until Ctrl-C here: {address}"])
        if options.open and not page_server.show(address):
            print_error(f"{options.prog}: found no browser; open the address in yours")
        server.serve_forever()
    return 0


def _scene(options: Namespace) -> str:
    """Return what follows the page's address: `#` and the program, or "" without a program.

    Raises:
        UsageError: a value is not a number, or the page has no room for the program.
        GradientError: the program or a name is wrong.
    """
    from engine_py.notebook import refuse_large, scene_of  # noqa: PLC0415 - as above

    if options.program is None and options.program_file is None:
        return ""
    members = (read_program(options), read_numbers(options.values), options.parameter, options.view)
    request = check_request(*members, DEFAULT_LIMITS)
    parsed = outline(request.expression, parameters=request.parameters, view=request.view)
    try:
        refuse_large(len(parsed["nodes"]))
        return f"#{scene_of(request)}"
    except ValueError as reason:
        raise UsageError(str(reason)) from None
