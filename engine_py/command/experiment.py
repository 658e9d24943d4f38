"""`gradient experiment`: program, values and conditions -> what a wrong backward pass gives."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from engine_py.canonical import canonical_text
from engine_py.command.program import (
    add_program,
    check_names,
    read_document,
    read_node,
    read_numbers,
)
from engine_py.command.terminal import print_result
from engine_py.lab.experiment import RESETS, Experiment, WrongWalk
from engine_py.lab.experiment import experiment as experiment_on
from engine_py.show.paint import Paint
from engine_py.show.text_table import Column, draw_table
from engine_py.show.tree import name_of

_COLUMNS = (
    Column("variable", "<"),
    Column("right"),
    Column("here", style="grad"),
    Column("difference"),
)
_WALKS = {
    "stored": "local gradients stored in the forward pass:",
    "reread": "local gradients computed when they are needed:",
}


def experiment(parser: ArgumentParser) -> Callable[[Namespace], int]:
    """repeat the backward pass with a mistake, and see what is lost

    Prints the gradients beside the right ones, and every contribution that was lost, with the
    reason.

    Examples:
      {gradient} experiment "b = a + 1; c = a * 3; d = b * c" a=2 --order b,d,c,a
      {gradient} experiment "b = a + 1; c = a * 3; d = b * c" a=2 --pull --order d,a,b,c
      {gradient} experiment "a * a" a=3 --replace
      {gradient} experiment "d = a * b + c" a=2 b=3 c=10 --passes 2 --reset inner
      {gradient} experiment "d = a * b + c" a=2 b=3 c=10 --mutate a=5
    """
    add_program(parser, with_values=True)
    parser.add_argument(
        "--pull",
        action="store_true",
        help="a visit collects from what uses the node, instead of sending to its operands",
    )
    parser.add_argument(
        "--order", metavar="nodes", help="ids and labels to visit, such as d,b,4,a; else the right"
    )
    parser.add_argument(
        "--replace", action="store_true", help="assign contributions (=) instead of adding (+=)"
    )
    parser.add_argument(
        "--seed",
        type=float,
        default=1.0,
        metavar="number",
        help="the root's gradient to begin with (1)",
    )
    parser.add_argument(
        "--passes", type=int, default=1, metavar="count", help="backward passes, from 1 to 10"
    )
    parser.add_argument(
        "--reset",
        choices=RESETS,
        default="none",
        help="whose gradients are set to 0 between passes: inner leaves those of leaves (none)",
    )
    parser.add_argument(
        "--mutate",
        action="append",
        default=[],
        metavar="name=number",
        help="other data for a variable after the forward pass; may be given more than once",
    )
    parser.add_argument("--json", action="store_true", help="print the whole experiment")
    return _experiment


def _experiment(options: Namespace) -> int:
    document, mutate = read_document(options), read_numbers(options.mutate)
    check_names("--mutate", mutate, document)
    result = experiment_on(
        document,
        walk="pull" if options.pull else "push",
        order="backward" if options.order is None else _nodes(options.order),
        accumulate="replace" if options.replace else "add",
        seed=options.seed,
        passes=options.passes,
        reset=options.reset,
        mutate=mutate,
    )
    print_result(result, _shown, as_json=options.json)
    return 0


def _nodes(order: str) -> list[int | str]:
    """Read `d,b,4`."""
    return [read_node(name.strip()) for name in order.split(",") if name.strip()]


def _shown(result: Experiment, paint: Paint) -> list[str]:
    lines = [_order(result), ""]
    for walk in result["walks"]:
        if len(result["walks"]) > 1:
            lines.append(_WALKS[walk["local_grads"]])
        lines += [*_gradients(result, walk, paint), ""]
        lines += [f"lost: {lost['sentence']}" for lost in walk["lost"]] or ["nothing is lost"]
        lines.append("")
    return lines[:-1]


def _order(result: Experiment) -> str:
    nodes, edges = result["document"]["nodes"], result["document"]["edges"]
    if result["reverse_topological"]:
        return "the order is a reverse topological order"
    if (broken := result["broken_edge"]) is not None:
        operand, operation = (nodes[edges[broken][end]] for end in ("from", "to"))
        return (
            f"not a reverse topological order: {operand['id']} {name_of(operand)} is visited, and "
            f"{operation['id']} {name_of(operation)}, which uses it, is not visited before it"
        )
    missing = ", ".join(f"{id_} {name_of(nodes[id_])}" for id_ in result["unvisited"])
    return f"not a whole order: without {missing}"


def _gradients(result: Experiment, walk: WrongWalk, paint: Paint) -> list[str]:
    rows = []
    for name, gradient in walk["gradients"].items():
        difference = walk["differences"][name]
        apart = "none" if difference is None else canonical_text(difference)
        right = canonical_text(result["document"]["gradients"][name])
        rows.append((name, right, canonical_text(gradient), apart))
    return draw_table(_COLUMNS, rows, paint) if rows else ["(no variables)"]
