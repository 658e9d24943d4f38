"""`gradient descend`: program, values and settings -> loss and parameters, step by step."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping

from engine_py.canonical import canonical_text
from engine_py.command.program import (
    UsageError,
    add_program,
    check_names,
    listed_variables,
    read_document,
    read_numbers,
)
from engine_py.command.terminal import print_result
from engine_py.lab.descent import DEFAULTS, LOSSES, OPTIMIZERS, SCHEDULES, Descent
from engine_py.lab.descent import descend as descend_from
from engine_py.show.paint import Paint
from engine_py.show.text_table import Column, draw_table

_NUMBERS = {
    "learning_rate": "what a step is multiplied by",
    "momentum": "of sgd: the part of the last step that is added to the next",
    "beta1": "of adam and adamw: the part of the mean of gradients that remains",
    "beta2": "of adam and adamw: the part of the mean of their squares that remains",
    "epsilon": "of adam and adamw: what is added to the root of the mean square",
    "weight_decay": "of adamw: the part of a weight that is lost in a step, times the rate",
}
_SHOWN = 10
"""Points, about, where nothing else is said."""


def descend(parser: ArgumentParser) -> Callable[[Namespace], int]:
    """move parameters against the gradient, step by step

    Prints step, loss, norm of the gradient and parameters. Exits with 1 where a step has no result,
    and says why.

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
    parser.add_argument("--loss", choices=LOSSES, default="mean", help="of all rows (mean)")
    parser.add_argument("--optimizer", choices=OPTIMIZERS, default="sgd", help="the rule (sgd)")
    defaults: Mapping[str, object] = DEFAULTS
    for name, about in _NUMBERS.items():
        option, default = "--" + name.replace("_", "-"), defaults[name]
        parser.add_argument(option, type=float, default=default, help=f"{about} ({default})")
    parser.add_argument(
        "--schedule", choices=SCHEDULES, default="constant", help="of the learning rate (constant)"
    )
    parser.add_argument(
        "--no-zero-grad",
        action="store_false",
        dest="zero_grad",
        help="add gradients up over the steps, as a loop does that forgets zero_grad()",
    )
    parser.add_argument("--steps", type=int, default=100, help="how often to move (100)")
    parser.add_argument("--every", type=int, help="show each so many steps, and the last")
    parser.add_argument("--json", action="store_true", help="print it all as JSON")
    return _descend


def _descend(options: Namespace) -> int:
    rows = [read_numbers(row.split(",")) for row in options.row or ()]
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
    print_result(result, _shown, as_json=options.json)
    return 0 if result["fault"] is None else 1


def _shown(result: Descent, paint: Paint) -> list[str]:
    names = [node["label"] for node in result["document"]["nodes"] if node["kind"] == "parameter"]
    columns = [Column("step"), Column("loss", style="strong"), Column("norm", style="grad")]
    rows = [
        [
            *(str(point["step"]), canonical_text(point["loss"])),
            "none" if point["gradient_norm"] is None else canonical_text(point["gradient_norm"]),
            *map(canonical_text, point["parameters"].values()),
        ]
        for point in result["trajectory"]
    ]
    lines = draw_table([*columns, *(Column(name or "") for name in names)], rows, paint)
    if (fault := result["fault"]) is not None:
        row = "" if fault["row"] is None else f", row {fault['row']}"
        lines += ["", f"no step {fault['step']}{row}: {fault['error']['message']}"]
    return lines
