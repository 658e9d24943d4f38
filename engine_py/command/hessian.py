"""`gradient hessian`: program and values -> second derivatives, and their product with a vector."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from engine_py.canonical import canonical_text
from engine_py.command.program import add_program, check_names, read_document, read_numbers
from engine_py.command.terminal import print_result
from engine_py.lab.hessian import Hessian
from engine_py.lab.hessian import hessian as hessian_of
from engine_py.show.paint import Paint
from engine_py.show.text_table import Column, draw_table


def hessian(parser: ArgumentParser) -> Callable[[Namespace], int]:
    """compute second derivatives

    Prints the Hessian, a row and a column for each variable, and its product with a vector beside
    the result's derivative along it.

    Examples:
      {gradient} hessian "x**2 * y" x=3 y=2
      {gradient} hessian "tanh(w*x + b)" w=1 x=0.5 b=0 --variable w --variable b
      {gradient} hessian "x**2 * y" x=3 y=2 --vector x=1
    """
    add_program(parser, with_values=True)
    parser.add_argument(
        "--variable",
        action="append",
        metavar="name",
        help="a variable that is wanted; may be given more than once; else all",
    )
    parser.add_argument(
        "--vector", metavar="name=number,...", help="a direction, such as x=1,y=2, 0 in all others"
    )
    parser.add_argument("--json", action="store_true", help="print it all as JSON")
    return _hessian


def _hessian(options: Namespace) -> int:
    vector = None if options.vector is None else read_numbers(options.vector.split(","))
    document = read_document(options)
    check_names("--variable", options.variable or (), document)
    check_names("--vector", vector or (), document)
    found = hessian_of(document, variables=options.variable, vector=vector)
    print_result(found, _shown, as_json=options.json)
    return 0


def _shown(found: Hessian, paint: Paint) -> list[str]:
    rows = found["hessian"]
    columns = [Column("", "<"), *(Column(name, style="grad") for name in rows)]
    cells = [[name, *map(canonical_text, row.values())] for name, row in rows.items()]
    lines = draw_table(columns, cells, paint) if rows else ["(no variables)"]
    if found["product"] is not None:
        head = [Column("variable", "<"), Column("times the vector", style="grad")]
        product = [(name, canonical_text(number)) for name, number in found["product"].items()]
        lines += ["", *draw_table(head, product, paint)]
    if found["directional_derivative"] is not None:
        slope = paint(canonical_text(found["directional_derivative"]), "grad")
        lines += ["", f"directional derivative: {slope}"]
    return lines
