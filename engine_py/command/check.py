"""`gradient check`: program and values -> each gradient beside forward mode and a difference."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine_py.canonical import canonical_text
from engine_py.command.program import add_program, read_document, read_numbers
from engine_py.command.terminal import print_result
from engine_py.lab.check import Check
from engine_py.lab.check import check as check_document
from engine_py.show.paint import Paint
from engine_py.show.table import Column, draw_table

_COLUMNS = (
    Column("variable", "<"),
    Column("way", "<"),
    Column("derivative", style="grad"),
    Column("difference"),
    Column("bound"),
    Column("verdict", "<", "strong"),
)


def check(parser: ArgumentParser) -> Callable[[Namespace], int]:
    """compare every gradient with other ways to differentiate

    Prints each gradient beside forward mode and a central difference. A difference within its bound
    is explained by rounding and truncation. Exits with 1 where one is not.

    Examples:
      {gradient} check "(a + b) * c" a=2 b=-3 c=10
      {gradient} check "tanh(w*x + b)" w=1 x=0.5 b=0 --claim w=0.393224 --tolerance 1e-5
      {gradient} check "relu(a)" a=0 --json
    """
    add_program(parser, with_values=True)
    parser.add_argument(
        "--claim",
        action="append",
        default=[],
        metavar="name=number",
        help="a gradient that another program computed; may be given more than once",
    )
    parser.add_argument(
        "--tolerance",
        type=float,
        default=1e-9,
        metavar="part",
        help="largest error of a claim, relative to the sum of |products| over its paths (1e-9)",
    )
    parser.add_argument("--json", action="store_true", help="print the whole check")
    return _check


def _check(options: Namespace) -> int:
    document = read_document(options)
    claimed = read_numbers(options.claim)
    checked = check_document(document, claimed=claimed, tolerance=options.tolerance)
    print_result(checked, _shown, as_json=options.json)
    return 0 if checked["agrees"] else 1


def _shown(checked: Check, paint: Paint) -> list[str]:
    rows: list[Sequence[str]] = []
    for row in checked["variables"]:
        rows.append((row["variable"], "reverse", canonical_text(row["reverse"]), "", "", ""))
        for way, witness in (
            ("forward", row["forward"]),
            ("central", row["central"]),
            ("claimed", row["claimed"]),
        ):
            if witness is not None:
                rows.append(("", way, *_cells(witness)))
    cost = checked["cost"]
    counts = [f"{way} {cost[way]['multiplications']}" for way in ("reverse", "forward")]
    return [
        *(draw_table(_COLUMNS, rows, paint) if rows else ["(no variables)"]),
        "",
        f"multiplications by local gradients: {', '.join(counts)}",
    ]


def _cells(witness: Mapping[str, Any]) -> list[str]:
    value, difference, bound = (witness[name] for name in ("value", "difference", "bound"))
    return [
        "none" if value is None else canonical_text(value),
        _short(difference),
        _short(bound),
        witness["verdict"].replace("_", " "),
    ]


def _short(number: float | None) -> str:
    return "" if number is None else f"{number:.1e}" if number else "0"
