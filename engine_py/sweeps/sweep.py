"""Text + axes + points -> the sweep: results and gradients in columns, and what went wrong."""

from collections.abc import Iterable, Mapping
from typing import Any, TypedDict

from engine_py.document import CONTRACT
from engine_py.introspect import Prepared, prepare
from engine_py.limits import DEFAULT_LIMITS, Limits, check_limits
from engine_py.request import View, check_expression, check_view
from engine_py.sweeps.axes import Axes, check_axes
from engine_py.sweeps.blocks import Block, blocks
from engine_py.sweeps.points import names_of_variables


class Problem(TypedDict):
    """A point that has no result, by its place from 0, and why."""

    index: int
    error: dict[str, Any]


class Sweep(TypedDict):
    """A sweep in full: columns have an entry a point, which is None where there is a problem."""

    contract: str
    expression: str
    view: View
    unused_values: list[str]
    axes: list[dict[str, list[float]]]
    count: int
    results: list[float | None]
    gradients: dict[str, list[float | None]]
    problems: list[Problem]


def sweep(
    expression: str,
    values: Mapping[str, Any],
    *,
    view: View = "folded",
    limits: Limits = DEFAULT_LIMITS,
) -> Sweep:
    """Differentiate a program at many points, to the bits that one request a point would give.

    Args:
        expression: the program.
        values: for every variable a number, which is the same at every point; a column, a number a
            point; or a grid, `{"from": -2, "to": 2, "count": 101}`. Columns have one length. Grids
            are crossed with each other and with the columns: the columns change slowest, then the
            grids in the order of their names, the last one fastest.
        view: whether derived operations, such as -, are one each or built from others.
        limits: how large the request may be.

    Raises:
        GradientError: the request is wrong. What is wrong at single points alone is in `problems`.
        ValueError: a limit is no whole number from 0 up.
    """
    check_limits(limits)
    text, axes = check_expression(expression, limits), check_axes(values, limits)
    prepared = prepare(text, check_view(view), limits)
    return build_sweep(text, view, prepared, axes, blocks(prepared, axes, limits))


def build_sweep(
    expression: str, view: View, prepared: Prepared, axes: Axes, computed: Iterable[Block]
) -> Sweep:
    """Put the blocks together."""
    variables = names_of_variables(prepared)
    columns: list[list[float | None]] = [[] for _ in ("", *variables)]
    problems: list[Problem] = []
    for block in computed:
        for column, numbers in zip(columns, block.columns, strict=True):
            column.extend(numbers.tolist())
        for index, error in block.problems:
            problems.append({"index": index, "error": error.as_dict()})
            for column in columns:
                column[index] = None
    results, *gradients = columns
    return {
        "contract": CONTRACT,
        "expression": expression,
        "view": view,
        "unused_values": sorted(axes.names.difference(variables)),
        "axes": [
            {name: [number + 0.0 for number in numbers] for name, numbers in axis.items()}
            for axis in axes.lists()
        ],
        "count": len(results),
        "results": results,
        "gradients": dict(zip(variables, gradients, strict=True)),
        "problems": problems,
    }
