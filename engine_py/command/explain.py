"""`gradient explain` and `gradient parse`: a program with its values, and one without."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from engine_py.command.program import add_program, read_document, read_program
from engine_py.command.terminal import paint_of, print_bytes, print_json, print_lines
from engine_py.command.values import UsageError
from engine_py.document import GradientDocument
from engine_py.introspect import outline
from engine_py.picture.draw import draw
from engine_py.show.diagrams import to_dot, to_mermaid
from engine_py.show.explanation import draw_outline, explained

_MAX_DRAWN = 2_000
"""The maximum number of nodes in an SVG; drawing them takes a few seconds."""


def explain(parser: ArgumentParser) -> Callable[[Namespace], int]:
    """differentiate a program and show every step

    Prints the graph as a tree, and each step of the backward pass as a row of a table.

    Examples:
      {gradient} explain "(a + b) * c" a=2 b=-3 c=10
      {gradient} explain "loss = (w*x - y)**2; loss" w=1 x=2 y=3 --parameter w --view primitive
      {gradient} explain "a / b" a=1 b=3 --json
      {gradient} explain "a * a" a=3 --svg square.svg
      {gradient} explain "a * a" a=3 --dot | dot -Tpdf > square.pdf
      echo "exp(x)" | {gradient} explain - x=1
      {gradient} explain -- "-a**2" a=3
    """
    add_program(parser, with_values=True)
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="print the whole document")
    forms.add_argument("--svg", metavar="file", help="write the picture; `-` prints it")
    forms.add_argument("--dot", action="store_true", help="print the graph for Graphviz")
    forms.add_argument("--mermaid", action="store_true", help="print the graph for Mermaid")
    return _explain


def _explain(options: Namespace) -> int:
    document = read_document(options)
    if options.json:
        print_json(document)
    elif options.svg is not None:
        _write_svg(document, options.svg)
    elif options.dot or options.mermaid:
        print_bytes((to_dot if options.dot else to_mermaid)(document))
    else:
        print_lines(explained(document, paint_of(sys.stdout)))
    return 0


def _write_svg(document: GradientDocument, file: str) -> None:
    actual = len(document["nodes"])
    if actual > _MAX_DRAWN:
        raise UsageError(f"no SVG: the graph has {actual} nodes; at most {_MAX_DRAWN} are drawn")
    if file == "-":
        print_bytes(draw(document))
        return
    try:
        Path(file).write_text(draw(document), encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error.strerror}") from None


def parse(parser: ArgumentParser) -> Callable[[Namespace], int]:
    """show the graph and the variables of a program, without values

    Prints the graph as a tree, each node with its text, and the variables in the order of their
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
    else:
        variables = f"variables: {', '.join(parsed['variables']) or 'none'}"
        print_lines([*draw_outline(parsed, paint_of(sys.stdout)), "", variables])
    return 0
