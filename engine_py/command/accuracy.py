"""`gradient accuracy`: program and values -> every number next to the exact one."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from engine_py.accuracy.accuracy import PARTS, Accuracy, NumberAccuracy
from engine_py.accuracy.accuracy import accuracy as accuracy_of
from engine_py.command.program import add_program, read_node, read_program
from engine_py.command.terminal import print_result
from engine_py.command.values import read_numbers
from engine_py.document import Outline
from engine_py.introspect import outline
from engine_py.picture.captions import visible
from engine_py.show.explanation import Column, Paint, draw_table, number_or_none

_NUMBERS = (
    Column("number", "<", "strong"),
    Column("document", style="data"),
    Column("true", style="grad"),
    Column("bits of 53"),
    Column("error"),
)
_CULPRITS = (
    Column("rounding of", "<", "strong"),
    Column("off by"),
    Column("weight"),
    Column("share"),
)
_CLAIMS = (
    Column("claim", "<", "strong"),
    Column("value", style="data"),
    Column("bits of 53"),
    Column("error"),
    Column("verdict", "<", "strong"),
)


_COLUMNS = 32
"""Columns of a node's text, which leaves room for a double on a narrow terminal."""


def accuracy(parser: ArgumentParser) -> Callable[[Namespace], int]:
    """compare every number with the exact one

    Prints how many bits of each number are right, and which roundings cause the error of one
    number, by default of the one with the fewest right bits. Exact values are those of the program
    over the real numbers, at the given doubles. Exits with 1 if a claim differs, with 3 if the
    exact result does not exist or is too large.

    Examples:
      {gradient} accuracy "sqrt(x + 1) - sqrt(x)" x=1e12
      {gradient} accuracy "tanh(x)" x=20 --why x
      {gradient} accuracy "tanh(w*x + b)" w=1 x=0.5 b=0 --claim w=0.393224 --tolerance 1e-5
    """
    add_program(parser, with_values=True)
    parser.add_argument(
        "--why", metavar="node", help="explain the error of the node with this id or label"
    )
    parser.add_argument(
        "--number", choices=PARTS, default="grad", help="which number of that node (grad)"
    )
    parser.add_argument(
        "--most", type=int, default=3, metavar="count", help="roundings to name, at most (3)"
    )
    parser.add_argument(
        "--claim",
        action="append",
        default=[],
        metavar="name=number",
        help="a gradient, by label or id, that another program computed; may be given repeatedly",
    )
    parser.add_argument(
        "--tolerance",
        type=float,
        default=1e-9,
        metavar="part",
        help="largest error of a claim, as a share of the true gradient (1e-9)",
    )
    parser.add_argument(
        "--witnesses", action="store_true", help="with --json: forward mode, central differences"
    )
    parser.add_argument("--json", action="store_true", help="print the whole result as JSON")
    return _accuracy


def _accuracy(options: Namespace) -> int:
    program, values = read_program(options), read_numbers(options.values)
    compare = partial(
        accuracy_of,
        program,
        values,
        parameters=options.parameter,
        view=options.view,
        claimed=read_numbers(options.claim),
        tolerance=options.tolerance,
        most=options.most,
        witnesses=options.witnesses,
    )
    why = options.why and {"node": read_node(options.why), "number": options.number}
    answer, graph = compare(why=why), outline(program, view=options.view)
    if why is None and (worst := _worst(graph, answer)) is not None:
        answer = compare(why=worst)
    print_result(answer, partial(_shown, graph), as_json=options.json)
    if "differs" in [claim["verdict"] for claim in answer["claims"].values()]:
        return 1
    return 3 if answer["result"]["true"] is None else 0


def _worst(graph: Outline, answer: Accuracy) -> dict[str, Any] | None:
    """Find the printed number with the fewest right bits; None if that is the result."""
    fewest, worst = answer["result"]["bits"], None
    if fewest is None:
        return None
    for row, step in zip(answer["nodes"], graph["nodes"], strict=True):
        is_grad = step["label"] in answer["gradients"]
        exact = answer["gradients"][str(step["label"])] if is_grad else row["data"]
        if exact["bits"] is not None and exact["bits"] < fewest:
            fewest = exact["bits"]
            worst = {"node": row["id"], "number": "grad" if is_grad else "data"}
    return worst


def _shown(graph: Outline, answer: Accuracy, paint: Paint) -> list[str]:
    texts = [_text(graph, node) for node in range(len(graph["nodes"]))]
    lines = draw_table(_NUMBERS, _numbers(graph, answer, texts), paint)
    why, error = answer["why"], answer["error"]
    culprits = [
        (
            f"{each['kind'].replace('_', ' ')} of {texts[each['node']]}",
            *(_short(each[name]) for name in ("rounding", "weight", "share")),
        )
        for each in why["culprits"]
    ]
    if culprits:
        name = texts[why["node"]] if why["number"] == "data" else f"d/d{texts[why['node']]}"
        lines += ["", f"{name} is off by {_short(why['error'])}:"]
        lines += draw_table(_CULPRITS, culprits, paint)
    if answer["claims"]:
        lines += ["", *draw_table(_CLAIMS, _claims(answer), paint)]
    if error is not None:
        lines += ["", f"no document: {error['message']}"]
    if answer["counts_as_zero"]:
        named = ", ".join([texts[node] for node in answer["counts_as_zero"]])
        lines += ["", f"counts as 0, or as a midpoint of doubles: {named}"]
    if answer["kinks"]:
        named = ", ".join([texts[node] for node in answer["kinks"]])
        lines += ["", f"at a kink, where a slope is a choice: {named}"]
    return lines


def _numbers(graph: Outline, answer: Accuracy, texts: Sequence[str]) -> list[Sequence[str]]:
    """Return a row for the data of each operation and for each gradient."""
    document = answer["document"]
    rows: list[Sequence[str]] = []
    for row, step in zip(answer["nodes"], graph["nodes"], strict=True):
        if step["kind"] == "operation":
            data = None if document is None else document["nodes"][row["id"]]["data"]
            rows.append((texts[row["id"]], *_cells(data, row["data"])))
    for name, grad in answer["gradients"].items():
        double = None if document is None else document["gradients"][name]
        rows.append((f"d/d{name}", *_cells(double, grad)))
    return rows


def _cells(double: float | None, exact: NumberAccuracy) -> tuple[str, str, str, str]:
    reason, bits = exact["reason"], exact["bits"]
    return (
        number_or_none(double),
        reason.replace("_", " ") if reason else number_or_none(exact["true"]),
        "" if bits is None else str(bits),
        _short(exact["error"]),
    )


def _claims(answer: Accuracy) -> list[Sequence[str]]:
    return [
        (
            name,
            number_or_none(claim["value"]),
            "" if claim["bits"] is None else str(claim["bits"]),
            _short(claim["error"]),
            claim["verdict"].replace("_", " "),
        )
        for name, claim in answer["claims"].items()
    ]


def _text(graph: Outline, node: int) -> str:
    """Return the text of a node on one line, truncated if it is long."""
    span = graph["nodes"][node]["span"]
    text = graph["expression"][span["start"] : span["end"]] if span else ""
    return visible(" ".join(text.split()), _COLUMNS)


def _short(number: float | None) -> str:
    return "" if number is None else f"{number:.1e}" if number else "0"
