"""`gradient parse`: program -> its tree and its variables, before any value."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from engine_py.command.program import add_program, read_program
from engine_py.command.terminal import paint_of, print_json, print_lines
from engine_py.introspect import outline
from engine_py.show.tree import MOST_NODES, draw_outline


def parse(parser: ArgumentParser) -> Callable[[Namespace], int]:
    """show the graph and the variables of a program, without values

    Prints the graph as a tree, each node beside its text, and the variables in the order of their
    first use.

    Examples:
      {gradient} parse "(a + b) * c"
      {gradient} parse "y = w*x; tanh(y) - y" --parameter w --json
    """
    add_program(parser, with_values=False)
    parser.add_argument("--json", action="store_true", help="print the whole outline")
    return _parse


def _parse(options: Namespace) -> int:
    program = read_program(options)
    parsed = outline(program, parameters=options.parameter, view=options.view)
    if options.json:
        print_json(parsed)
        return 0
    nodes = len(parsed["nodes"])
    lines = [f"(no tree: it is drawn of at most {MOST_NODES} nodes, and the graph has {nodes})"]
    if nodes <= MOST_NODES:
        lines = draw_outline(parsed, paint_of(sys.stdout))
    print_lines([*lines, "", f"variables: {', '.join(parsed['variables']) or 'none'}"])
    return 0
