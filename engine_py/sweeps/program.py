"""Text -> program: prepared once, then computed for many values; its sweeps."""

import reprlib
from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypedDict

from engine_py.deadline import NEVER, Deadline
from engine_py.document import CONTRACT, GradientDocument
from engine_py.introspect import Prepared, differentiate, prepare_text, refuse_missing_values
from engine_py.limits import DEFAULT_LIMITS, Limits, check_limits
from engine_py.request import (
    View,
    check_expression,
    check_request,
    check_values,
    check_view,
)
from engine_py.sweeps.axes import NUMBERS_PER_CHECK, Axes, check_axes
from engine_py.sweeps.blocks import (
    Block,
    Doubles,
    Problem,
    blocks,
    gradients_at,
    names_of_variables,
)


class SweepProblem(TypedDict):
    """The index of a point without a result, from 0, and why."""

    index: int
    error: dict[str, Any]


class Sweep(TypedDict):
    """A whole sweep: columns have one entry per point, None at a problem."""

    contract: str
    expression: str
    view: View
    unused_values: list[str]
    axes: list[dict[str, list[float]]]
    count: int
    results: list[float | None]
    gradients: dict[str, list[float | None]]
    problems: list[SweepProblem]


def sweep(
    expression: str,
    values: Mapping[str, Any],
    *,
    view: View = "folded",
    limits: Limits = DEFAULT_LIMITS,
    deadline: Deadline = NEVER,
) -> Sweep:
    """Differentiate a program at many points, bit-identical to one request per point.

    Args:
        expression: the program.
        values: for every variable a number, used at every point; a column with one number per
            point; or a grid, `{"from": -2, "to": 2, "count": 101}`. Columns have one length. Grids
            are crossed with each other and with the columns: the columns change slowest, then the
            grids in the order of their names, the last one fastest.
        view: "folded", or "primitive" to build -, / and others from + * **.
        limits: of the request.
        deadline: of the computation.

    Raises:
        GradientError: the request is invalid. Errors of single points are in `problems`.
        DeadlineExceeded: the deadline has passed.
        ValueError: a limit is not a whole number of 0 or more.
    """
    check_limits(limits)
    text, axes = check_expression(expression, limits), check_axes(values, limits, deadline)
    prepared = prepare_text(text, check_view(view), limits, deadline=deadline)
    computed = blocks(prepared, axes, limits, deadline=deadline)
    return build_sweep(text, view, prepared, axes, computed, deadline=deadline)


def build_sweep(  # noqa: PLR0913 - the request, what was prepared and what was computed
    expression: str,
    view: View,
    prepared: Prepared,
    axes: Axes,
    computed: Iterable[Block],
    *,
    deadline: Deadline = NEVER,
) -> Sweep:
    """Join the blocks into a sweep."""
    variables = names_of_variables(prepared)
    columns: list[list[float | None]] = [[] for _ in ("", *variables)]
    problems: list[SweepProblem] = []
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
            {name: _plain(numbers, deadline) for name, numbers in axis.items()}
            for axis in axes.lists(deadline)
        ],
        "count": len(results),
        "results": results,
        "gradients": dict(zip(variables, gradients, strict=True)),
        "problems": problems,
    }


def _plain(numbers: Sequence[float], deadline: Deadline) -> list[float]:
    """Write -0 as 0."""
    return [number + 0.0 for number in deadline.over(numbers, NUMBERS_PER_CHECK)]


class Columns(NamedTuple):
    """Results and gradients at many points, NaN at a problem."""

    results: Doubles
    gradients: dict[str, Doubles]
    problems: list[Problem]


class Program(NamedTuple):
    """A parsed text with its sorted graph. It is immutable, so threads may share it."""

    expression: str
    view: View
    limits: Limits
    prepared: Prepared

    def __repr__(self) -> str:
        """Show the start of the text, the size of the graph and the first variables."""
        text = reprlib.repr(self.expression)
        nodes, names = len(self.prepared.graph.operations), reprlib.repr(self.variables)
        return f"Program({text}, view={self.view!r}, {nodes} nodes, variables={names})"

    @property
    def variables(self) -> list[str]:
        """The names that need a value, in the order of their first use."""
        return list(self.prepared.graph.variables)

    def introspect(
        self,
        values: Mapping[str, float],
        *,
        parameters: Sequence[str] = (),
        deadline: Deadline = NEVER,
    ) -> GradientDocument:
        """Return the document, as `introspect` does for the text.

        Raises:
            GradientError: a value is missing or invalid, or there is no result.
            DeadlineExceeded: the deadline has passed.
        """
        request = check_request(self.expression, values, parameters, self.view, self.limits)
        return differentiate(self.prepared, request, deadline=deadline)

    def gradients(
        self, values: Mapping[str, float], *, deadline: Deadline = NEVER
    ) -> dict[str, float]:
        """Return only the gradient of each variable, in a third of a document's time.

        Raises:
            GradientError: a value is missing or invalid, or there is no result.
            DeadlineExceeded: the deadline has passed.
        """
        doubles = check_values(values, self.limits)
        refuse_missing_values(self.prepared.graph, doubles)
        _, gradients = gradients_at(self.prepared, doubles, deadline)
        return dict(zip(names_of_variables(self.prepared), gradients, strict=True))

    def sweep(self, values: Mapping[str, Any], *, deadline: Deadline = NEVER) -> Sweep:
        """Return results and gradients at many points, in columns, as `sweep` does for the text.

        Raises:
            GradientError: a value is missing or invalid, or there are too many points.
            DeadlineExceeded: the deadline has passed.
        """
        axes = check_axes(values, self.limits, deadline)
        prepared = self.prepared
        computed = blocks(prepared, axes, self.limits, deadline=deadline)
        return build_sweep(self.expression, self.view, prepared, axes, computed, deadline=deadline)

    def columns(
        self,
        values: Mapping[str, Any],
        points: range | None = None,
        *,
        deadline: Deadline = NEVER,
    ) -> Columns:
        """Return the numbers of `sweep` as arrays of doubles, in a hundredth of the time.

        Args:
            values: as for `sweep`. A column may also be a one-dimensional array of floats or
                integers, such as numpy's; each becomes the nearest double.
            points: the range of indices to compute; if None, all points. So several processes can
                share a sweep.
            deadline: of the computation.

        Raises:
            GradientError: a value is missing or invalid, or there are too many points.
            DeadlineExceeded: the deadline has passed.
            TypeError: `points` is not a range.
        """
        _refuse_other_than_range(points)
        axes = check_axes(values, self.limits, deadline)
        chosen = range(axes.size) if points is None else points
        variables = names_of_variables(self.prepared)
        columns = [array("d", [0.0]) * len(chosen) for _ in ("", *variables)]
        views = [memoryview(column) for column in columns]
        problems: list[Problem] = []
        for block in blocks(self.prepared, axes, self.limits, chosen, deadline=deadline):
            first = block.first - chosen.start
            for view, numbers in zip(views, block.columns, strict=True):
                view[first : first + len(numbers)] = memoryview(numbers)
            problems += block.problems
        results, *gradients = columns
        return Columns(results, dict(zip(variables, gradients, strict=True)), problems)


def _refuse_other_than_range(points: object) -> None:
    if not isinstance(points, range | None):
        message = f"points must be a range, such as range(1000), not a {type(points).__name__}"
        raise TypeError(message)


def prepare(
    expression: str,
    *,
    view: View = "folded",
    limits: Limits = DEFAULT_LIMITS,
    deadline: Deadline = NEVER,
) -> Program:
    """Parse a text once, for many values.

        program = prepare("(a + b) * c")
        program.gradients({"a": 2, "b": -3, "c": 10})
        program.sweep({"a": [1, 2, 3], "b": -3, "c": {"from": 0, "to": 1, "count": 11}})

    Raises:
        GradientError: the text or the view is invalid.
        DeadlineExceeded: the deadline has passed.
        ValueError: a limit is not a whole number of 0 or more.
    """
    check_limits(limits)
    text, view = check_expression(expression, limits), check_view(view)
    prepared = prepare_text(text, view, limits, deadline=deadline)
    return Program(text, view, limits, prepared)
