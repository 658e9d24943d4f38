"""`gradient experiment`, `paths`, `hessian` and `descend`: a program and its values -> the lab.

A command is a function that adds its arguments and returns the function that runs it; `LAB` lists
them.
"""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping

from engine_py.canonical import canonical_text
from engine_py.command.program import (
    add_program,
    check_names,
    listed_variables,
    read_document,
    read_node,
)
from engine_py.command.terminal import print_result
from engine_py.command.values import UsageError, read_numbers
from engine_py.lab.descent import DEFAULTS, LOSSES, OPTIMIZERS, SCHEDULES, Descent
from engine_py.lab.descent import descend as descend_from
from engine_py.lab.experiment import RESETS, Experiment, WrongWalk
from engine_py.lab.experiment import experiment as experiment_on
from engine_py.lab.hessian import Hessian
from engine_py.lab.hessian import hessian as hessian_of
from engine_py.lab.paths import Path, Paths
from engine_py.lab.paths import paths as paths_of
from engine_py.show.explanation import Column, Paint, draw_table, name_of, number_or_none

_WALKS = {
    "stored": "local gradients stored in the forward pass:",
    "reread": "local gradients computed when they are needed:",
}


def experiment(parser: ArgumentParser) -> Callable[[Namespace], int]:
    """repeat the backward pass with a mistake, and see what is lost

    Prints each gradient next to the right one, and every contribution that was lost, with the
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
        help="collect from the users of a visited node, instead of sending to its operands",
    )
    parser.add_argument("--order", metavar="nodes", help="ids and labels to visit, such as d,b,4,a")
    parser.add_argument(
        "--replace", action="store_true", help="assign contributions (=) instead of adding (+=)"
    )
    parser.add_argument(
        "--seed",
        type=float,
        default=1.0,
        metavar="number",
        help="the root's first gradient (1)",
    )
    parser.add_argument(
        "--passes", type=int, default=1, metavar="count", help="backward passes, from 1 to 10"
    )
    parser.add_argument(
        "--reset",
        choices=RESETS,
        default="none",
        help="whose gradients are set to 0 between passes: inner keeps those of leaves (none)",
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
        order="backward" if options.order is None else _read_nodes(options.order),
        accumulate="replace" if options.replace else "add",
        seed=options.seed,
        passes=options.passes,
        reset=options.reset,
        mutate=mutate,
    )
    print_result(result, _experiment_lines, as_json=options.json)
    return 0


def _read_nodes(order: str) -> list[int | str]:
    """Read ids and labels such as `d,b,4`."""
    return [read_node(name.strip()) for name in order.split(",") if name.strip()]


def _experiment_lines(result: Experiment, paint: Paint) -> list[str]:
    lines = [_order_line(result), ""]
    for walk in result["walks"]:
        if len(result["walks"]) > 1:
            lines.append(_WALKS[walk["local_grads"]])
        lines += [*_gradient_table(result, walk, paint), ""]
        lines += [f"lost: {lost['sentence']}" for lost in walk["lost"]] or ["nothing is lost"]
        lines.append("")
    return lines[:-1]


def _order_line(result: Experiment) -> str:
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
    return f"not a complete order: {missing} is missing"


def _gradient_table(result: Experiment, walk: WrongWalk, paint: Paint) -> list[str]:
    rows = []
    for name, gradient in walk["gradients"].items():
        right = canonical_text(result["document"]["gradients"][name])
        difference = number_or_none(walk["differences"][name])
        rows.append((name, right, canonical_text(gradient), difference))
    columns = (
        Column("variable", "<"),
        Column("right"),
        Column("here", style="grad"),
        Column("difference"),
    )
    return draw_table(columns, rows, paint) if rows else ["(no variables)"]


def paths(parser: ArgumentParser) -> Callable[[Namespace], int]:
    """list the paths whose products add up to a gradient

    Prints the product of the local gradients along each path; their sum is the gradient.

    Examples:
      {gradient} paths "b = a + 1; c = a * 3; d = b * c" a=2 --node a
      {gradient} paths "(a + a) * (a + a)" a=1 --node 1 --most 2
    """
    add_program(parser, with_values=True)
    parser.add_argument(
        "--node", required=True, metavar="node", help="where the paths lead: an id, or a label"
    )
    parser.add_argument(
        "--most", type=int, default=100, metavar="count", help="paths to list, at most (100)"
    )
    parser.add_argument("--json", action="store_true", help="print the whole result as JSON")
    return _paths


def _paths(options: Namespace) -> int:
    found = paths_of(read_document(options), node=read_node(options.node), most=options.most)
    print_result(found, _path_lines, as_json=options.json)
    return 0


def _path_lines(found: Paths, paint: Paint) -> list[str]:
    rows = [(number_or_none(path["product"]), _route(found, path)) for path in found["paths"]]
    columns = Column("product", style="grad"), Column("from the root to the node", "<")
    table = [*draw_table(columns, rows, paint), ""] if rows else []
    node = found["document"]["nodes"][found["node"]]
    name = node["label"] or f"({node['id']} {name_of(node)})"
    gradient = paint(number_or_none(found["gradient"]), "grad")
    return [*table, f"d/d{name} = {gradient}, by {_counted(found)}"]


def _counted(found: Paths) -> str:
    paths = "1 path" if found["count"] == "1" else f"{found['count']} paths"
    listed = len(found["paths"])
    return paths if found["count"] == str(listed) else f"{paths}, of which {listed} are listed"


def _route(found: Paths, path: Path) -> str:
    nodes, edges = found["document"]["nodes"], found["document"]["edges"]
    ids = [found["document"]["root"], *(edges[edge]["from"] for edge in path["edges"])]
    return ", ".join(f"{id_} {name_of(nodes[id_])}" for id_ in ids)


def hessian(parser: ArgumentParser) -> Callable[[Namespace], int]:
    """compute second derivatives

    Prints the Hessian, with a row and a column for each variable, its product with a vector, and
    the derivative of the result along that vector.

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
        help="a variable to include; may be given more than once; by default all",
    )
    parser.add_argument(
        "--vector",
        metavar="name=number,...",
        help="a direction, such as x=1,y=2; 0 for all other variables",
    )
    parser.add_argument("--json", action="store_true", help="print the whole result as JSON")
    return _hessian


def _hessian(options: Namespace) -> int:
    vector = None if options.vector is None else read_numbers([options.vector])
    document = read_document(options)
    check_names("--variable", options.variable or (), document)
    check_names("--vector", vector or (), document)
    found = hessian_of(document, variables=options.variable, vector=vector)
    print_result(found, _hessian_lines, as_json=options.json)
    return 0


def _hessian_lines(found: Hessian, paint: Paint) -> list[str]:
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


_NUMBERS = {
    "learning_rate": "the factor of each step",
    "momentum": "sgd: the share of the last step that is added to the next",
    "beta1": "adam and adamw: the share of the mean gradient that is kept",
    "beta2": "adam and adamw: the share of the mean square that is kept",
    "epsilon": "adam and adamw: the number added to the root of the mean square",
    "weight_decay": "adamw: the share of a weight lost in a step, times the rate",
}
_SHOWN = 10
"""About how many points are shown by default."""


def descend(parser: ArgumentParser) -> Callable[[Namespace], int]:
    """move parameters against the gradient, step by step

    Prints step, loss, norm of the gradient and parameters. Exits with 3 if a step has no result,
    and prints the reason.

    Examples:
      {gradient} descend "(w - 3)**2" w=1 --parameter w --learning-rate 0.25 --steps 5
      {gradient} descend "(w*x - y)**2" w=0 x=0 y=0 --parameter w --row x=1,y=3 --row x=2,y=5
    """
    add_program(parser, with_values=True)
    parser.add_argument(
        "--row",
        action="append",
        metavar="name=number,...",
        help="numbers for inputs, such as x=0,y=1; the loss is over all rows",
    )
    parser.add_argument("--loss", choices=LOSSES, default="mean", help="over all rows (mean)")
    parser.add_argument("--optimizer", choices=OPTIMIZERS, default="sgd", help="update rule (sgd)")
    defaults: Mapping[str, object] = DEFAULTS
    for name, about in _NUMBERS.items():
        option, default = "--" + name.replace("_", "-"), defaults[name]
        parser.add_argument(option, type=float, default=default, help=f"{about} ({default})")
    parser.add_argument(
        "--schedule", choices=SCHEDULES, default="constant", help="rate over time (constant)"
    )
    parser.add_argument(
        "--no-zero-grad",
        action="store_false",
        dest="zero_grad",
        help="let gradients add up over the steps, like a loop without zero_grad()",
    )
    parser.add_argument("--steps", type=int, default=100, help="number of steps (100)")
    parser.add_argument("--every", type=int, help="show every N-th step and the last one")
    parser.add_argument("--json", action="store_true", help="print the whole result as JSON")
    return _descend


def _descend(options: Namespace) -> int:
    rows = [read_numbers([row]) for row in options.row or ()]
    settings = {name: getattr(options, name) for name in _NUMBERS}
    document = read_document(options)
    for row in rows:
        check_names("--row", row, document)
    if not any(node["kind"] == "parameter" for node in document["nodes"]):
        message = "name with --parameter a variable that may move; the program has"
        raise UsageError(f"{message} {listed_variables(document)}")
    result = descend_from(
        document,
        rows=rows or [{}],
        loss=options.loss,
        optimizer=options.optimizer,
        **settings,
        schedule=options.schedule,
        zero_grad=options.zero_grad,
        steps=options.steps,
        every=max(1, options.steps // _SHOWN) if options.every is None else options.every,
    )
    print_result(result, _descent_lines, as_json=options.json)
    return 0 if result["fault"] is None else 3


def _descent_lines(result: Descent, paint: Paint) -> list[str]:
    names = [node["label"] for node in result["document"]["nodes"] if node["kind"] == "parameter"]
    columns = [Column("step"), Column("loss", style="strong"), Column("norm", style="grad")]
    rows = [
        [
            *(str(point["step"]), canonical_text(point["loss"])),
            number_or_none(point["gradient_norm"]),
            *map(canonical_text, point["parameters"].values()),
        ]
        for point in result["trajectory"]
    ]
    lines = draw_table([*columns, *(Column(name or "") for name in names)], rows, paint)
    if (fault := result["fault"]) is not None:
        row = "" if fault["row"] is None else f", row {fault['row']}"
        lines += ["", f"no step {fault['step']}{row}: {fault['error']['message']}"]
    return lines


LAB = {"descend": descend, "experiment": experiment, "hessian": hessian, "paths": paths}
"""By name, as the protocol's commands and the HTTP routes are called."""
