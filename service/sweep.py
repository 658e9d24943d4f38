"""Body of a sweep -> the points that it asks for, and their columns or lines."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from time import thread_time
from typing import Any, NamedTuple, TypeVar

from flask import Response
from marshmallow import Schema

from engine_py import GradientError, Limits
from engine_py.axes import Axes, check_axes
from engine_py.introspect import Prepared
from engine_py.points import points
from engine_py.request import View, check_expression, check_view
from engine_py.sweep import build_sweep
from service.batch import NDJSON, PIECE, joined
from service.columns import Columns
from service.errors import ComputeTimeout
from service.formats import JSON
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

    def columns(self) -> Response:
        """Compute all points and send them, column by column. Raises ComputeTimeout."""
        pieces = joined(Columns(self._names, self._points).pieces(self._head()))
        first = next(pieces)
        body = chain([first], pieces) if len(first) >= PIECE else [first]
        return Response(body, mimetype=JSON.media_type)

    def lines(self, problem_of: Callable[[Exception], Json]) -> Response:
        """Send what all points share, and then a line for each."""
        lines = self._lines(self._head(), problem_of)
        return Response(joined(lines), mimetype=NDJSON)

    @property
    def _names(self) -> list[str]:
        return [name for name, *_ in self._prepared.template.variables]

    def _head(self) -> Json:
        """Give all members but the columns."""
        expression, axes, view = self._request
        head: Json = {**build_sweep(expression, view, self._prepared, axes, ())}
        for column in ("results", "gradients", "problems"):
            del head[column]
        return {**head, "count": axes.size}

    def _lines(self, head: Json, problem_of: Callable[[Exception], Json]) -> Iterator[bytes]:
        yield json_bytes(head)
        names, index = self._names, 0
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
