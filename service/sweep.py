"""Body of a sweep -> the points that it asks for, and their columns or lines."""

from collections.abc import Callable, Iterator
from functools import partial
from time import thread_time
from typing import Any, NamedTuple, TypeVar

from flask import Response
from marshmallow import Schema

from engine_py import GradientError, Limits
from engine_py.axes import Axes, check_axes
from engine_py.introspect import Prepared
from engine_py.points import Point, points
from engine_py.request import View, check_expression, check_view
from engine_py.sweep import Sweep, build_sweep
from service.batch import NDJSON, joined
from service.errors import ComputeTimeout
from service.payloads import Checked, CheckedEntries, load_members
from service.replies import json_bytes

Json = dict[str, Any]


Computed = TypeVar("Computed")


class SweepRequest(NamedTuple):
    """A checked request for a sweep."""

    expression: str
    values: Axes
    view: View


def sweep_schema(limits: Limits) -> Schema:
    """Make the schema of requests for sweeps."""
    members = {
        "expression": Checked(
            "expression", partial(check_expression, limits=limits), required=True
        ),
        "values": CheckedEntries("values", partial(check_axes, limits=limits), required=True),
        "view": Checked("view", check_view, load_default=lambda: "folded"),
    }
    return Schema.from_dict(members)()  # type: ignore[arg-type]


def load_sweep(schema: Schema, body: Any) -> SweepRequest:
    """Check all members of a body. Raises InvalidBody."""
    return SweepRequest(**load_members(schema, body))


class SweepAnswer:
    """The points of one request, computed as they are taken."""

    def __init__(
        self, request: SweepRequest, prepared: Prepared, limits: Limits, seconds: int
    ) -> None:
        """Begin. Raises GradientError: a value is missing, or there are too many points."""
        self._request, self._prepared = request, prepared
        self._points = within(seconds, points(prepared, request.values, limits))

    def columns(self) -> Sweep:
        """Compute all points. Raises ComputeTimeout."""
        return self._built(self._points)

    def lines(self, problem_of: Callable[[Exception], Json]) -> Response:
        """Send what all points share, and then a line for each."""
        head: Json = {**self._built(iter(()))}
        for column in ("results", "gradients", "problems"):
            del head[column]
        head["count"] = self._request.values.size
        return Response(joined(self._lines(head, problem_of)), mimetype=NDJSON)

    def _built(self, computed: Iterator[Point]) -> Sweep:
        expression, axes, view = self._request
        return build_sweep(expression, view, self._prepared, axes, computed)

    def _lines(self, head: Json, problem_of: Callable[[Exception], Json]) -> Iterator[bytes]:
        yield json_bytes(head)
        names = [name for name, *_ in self._prepared.template.variables]
        index = 0
        try:
            for index, point in enumerate(self._points):
                if isinstance(point, GradientError):
                    yield json_bytes({"index": index, "error": point.as_dict()})
                else:
                    gradients = dict(zip(names, point[1], strict=True))
                    yield json_bytes({"index": index, "result": point[0], "gradients": gradients})
        except ComputeTimeout as fault:
            yield json_bytes({"index": index + 1, "problem": problem_of(fault)})


def within(seconds: int, computed: Iterator[Computed]) -> Iterator[Computed]:
    """Give points for so many seconds of the processor. Raises ComputeTimeout."""
    spent = 0.0
    started = thread_time()
    for point in computed:
        spent += thread_time() - started
        yield point  # the client may take its time
        if spent > seconds:
            raise ComputeTimeout.after(seconds)
        started = thread_time()
