"""Body of a sweep -> the points that it asks for, and their columns or lines."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from time import thread_time
from typing import Any, NamedTuple, TypeVar

from flask import Response
from marshmallow import Schema

from engine_py import Limits
from engine_py.errors import LimitExceeded
from engine_py.introspect import Prepared
from engine_py.request import View, check_expression, check_view
from engine_py.sweeps.axes import Axes, check_axes
from engine_py.sweeps.blocks import HINT_FOR_TOO_MANY, Block, blocks
from engine_py.sweeps.sweep import build_sweep
from service.compute.batch import NDJSON, PIECE, joined
from service.compute.sweep_json import SweepJson
from service.errors import ComputeTimeout
from service.reply.formats import JSON
from service.reply.replies import json_bytes
from service.request.payloads import Checked, CheckedEntries, load_members

Json = dict[str, Any]


Computed = TypeVar("Computed")

_NAME_BYTES = 100
"""Of names in the lines of a sweep, for each of its most nodes times points."""


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
        self._request, self._prepared, self._limits = request, prepared, limits
        try:
            computed = blocks(prepared, request.values, limits)
        except LimitExceeded as error:
            cure = "send fewer points, or several requests"
            error.message = error.message.replace(HINT_FOR_TOO_MANY, cure)
            raise
        self._blocks = within(seconds, computed)

    def columns(self) -> Response:
        """Compute all points and send them, column by column. Raises ComputeTimeout."""
        pieces = joined(SweepJson(self._names, self._blocks).pieces(self._head()))
        first = next(pieces)
        body = chain([first], pieces) if len(first) >= PIECE else [first]
        return Response(body, mimetype=JSON.media_type)

    def lines(self, problem_of: Callable[[Exception], Json]) -> Response:
        """Send what all points share, and then a line for each.

        Raises:
            LimitExceeded: the names, which every line repeats, would make most of a large reply.
        """
        self._refuse_long_names()
        lines = self._lines(self._head(), problem_of)
        return Response(joined(lines), mimetype=NDJSON)

    @property
    def _names(self) -> list[str]:
        return [name for name, *_ in self._prepared.template.variables]

    def _refuse_long_names(self) -> None:
        """Bound what a short body can have sent: names are bounded by the body alone."""
        length, count = sum(map(len, self._names)), self._request.values.size
        actual, limit = length * count, _NAME_BYTES * self._limits.sweep_nodes
        if actual > limit:
            message = (
                f"the names of the variables have {length} bytes, and the lines of {count} points "
                f"repeat them; at most {limit} bytes in all are accepted: use shorter names, send "
                "fewer points, or accept application/json, which has each name once"
            )
            raise LimitExceeded(message, name="sweep_name_bytes", limit=limit, actual=actual)

    def _head(self) -> Json:
        """Give all members but the columns."""
        expression, axes, view = self._request
        head: Json = {**build_sweep(expression, view, self._prepared, axes, ())}
        for column in ("results", "gradients", "problems"):
            del head[column]
        return {**head, "count": axes.size}

    def _lines(self, head: Json, problem_of: Callable[[Exception], Json]) -> Iterator[bytes]:
        yield json_bytes(head)
        following = 0
        try:
            for block in self._blocks:
                following = block.first + len(block.columns[0])
                yield from _lines_of(block, self._names)
        except ComputeTimeout as fault:
            yield json_bytes({"index": following, "problem": problem_of(fault)})


def _lines_of(block: Block, names: list[str]) -> Iterator[bytes]:
    """Write a line for each point."""
    problems = dict(block.problems)
    rows = zip(*(column.tolist() for column in block.columns), strict=True)
    for index, (result, *gradients) in enumerate(rows, block.first):
        if index in problems:
            yield json_bytes({"index": index, "error": problems[index].as_dict()})
        else:
            named = dict(zip(names, gradients, strict=True))
            yield json_bytes({"index": index, "result": result, "gradients": named})


def within(seconds: int, computed: Iterator[Computed]) -> Iterator[Computed]:
    """Give what is computed for so many seconds of the processor. Raises ComputeTimeout."""
    spent = 0.0
    started = thread_time()
    for each in computed:
        spent += thread_time() - started
        yield each  # the client may take its time
        if spent > seconds:
            raise ComputeTimeout.after(seconds)
        started = thread_time()
