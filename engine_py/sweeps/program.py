"""Text -> program: prepared once, then computed for as many values as there are."""

import reprlib
from array import array
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine_py.document import Document
from engine_py.introspect import Prepared, differentiate, refuse_missing_values
from engine_py.introspect import prepare as prepare_text
from engine_py.limits import DEFAULT_LIMITS, Limits, check_limits
from engine_py.request import (
    View,
    check_expression,
    check_request,
    check_values,
    check_view,
)
from engine_py.sweeps.axes import check_axes
from engine_py.sweeps.blocks import Doubles, Problem, blocks
from engine_py.sweeps.points import gradients_at, names_of_variables
from engine_py.sweeps.sweep import Sweep, build_sweep


class Columns(NamedTuple):
    """Results and gradients at many points; NaN where there is a problem."""

    results: Doubles
    gradients: dict[str, Doubles]
    problems: list[Problem]


class Program(NamedTuple):
    """A text whose graph is made and sorted. It never changes, so threads may share it."""

    expression: str
    view: View
    limits: Limits
    prepared: Prepared

    def __repr__(self) -> str:
        """Show the beginning of the text, the size of the graph and the first variables."""
        text = reprlib.repr(self.expression)
        nodes, names = len(self.prepared.graph.operations), reprlib.repr(self.variables)
        return f"Program({text}, view={self.view!r}, {nodes} nodes, variables={names})"

    @property
    def variables(self) -> list[str]:
        """The names that need a value, in the order of their first use."""
        return list(self.prepared.graph.variables)

    def introspect(
        self, values: Mapping[str, float], *, parameters: Sequence[str] = ()
    ) -> Document:
        """Return every step in one document, as `introspect` of the text does.

        Raises:
            GradientError: a value is missing or wrong, or there is no result.
        """
        request = check_request(self.expression, values, parameters, self.view, self.limits)
        return differentiate(self.prepared, request)

    def gradients(self, values: Mapping[str, float]) -> dict[str, float]:
        """Return the gradient of each variable alone, for a third of a document's time.

        Raises:
            GradientError: a value is missing or wrong, or there is no result.
        """
        doubles = check_values(values, self.limits)
        refuse_missing_values(self.prepared.graph, doubles)
        _, gradients = gradients_at(self.prepared, doubles)
        return dict(zip(names_of_variables(self.prepared), gradients, strict=True))

    def sweep(self, values: Mapping[str, Any]) -> Sweep:
        """Return results and gradients at many points, in columns, as `sweep` of the text does.

        Raises:
            GradientError: a value is missing or wrong, or there are too many points.
        """
        axes = check_axes(values, self.limits)
        computed = blocks(self.prepared, axes, self.limits)
        return build_sweep(self.expression, self.view, self.prepared, axes, computed)

    def columns(self, values: Mapping[str, Any], points: range | None = None) -> Columns:
        """Return the numbers of `sweep` as arrays of doubles, which takes a hundredth of the time.

        Args:
            values: as of `sweep`. A column may also be a one-dimensional array of floats or
                integers, such as numpy's; each becomes the nearest double.
            points: the indices of the points to compute, one after the other; all of them if none
                are given. So several processes can share a sweep.

        Raises:
            GradientError: a value is missing or wrong, or there are too many points.
            TypeError: points are no range.
        """
        _refuse_no_range(points)
        axes = check_axes(values, self.limits)
        chosen = range(axes.size) if points is None else points
        variables = names_of_variables(self.prepared)
        columns = [array("d", [0.0]) * len(chosen) for _ in ("", *variables)]
        views = [memoryview(column) for column in columns]
        problems: list[Problem] = []
        for block in blocks(self.prepared, axes, self.limits, chosen):
            first = block.first - chosen.start
            for view, numbers in zip(views, block.columns, strict=True):
                view[first : first + len(numbers)] = memoryview(numbers)
            problems += block.problems
        results, *gradients = columns
        return Columns(results, dict(zip(variables, gradients, strict=True)), problems)


def _refuse_no_range(points: object) -> None:
    if not isinstance(points, range | None):
        message = f"points must be a range, such as range(1000), not a {type(points).__name__}"
        raise TypeError(message)


def prepare(expression: str, *, view: View = "folded", limits: Limits = DEFAULT_LIMITS) -> Program:
    """Read a text once, for many values.

        program = prepare("(a + b) * c")
        program.gradients({"a": 2, "b": -3, "c": 10})
        program.sweep({"a": [1, 2, 3], "b": -3, "c": {"from": 0, "to": 1, "count": 11}})

    Raises:
        GradientError: the text or the view is wrong.
        ValueError: a limit is no whole number from 0 up.
    """
    check_limits(limits)
    text, view = check_expression(expression, limits), check_view(view)
    return Program(text, view, limits, prepare_text(text, view, limits))
