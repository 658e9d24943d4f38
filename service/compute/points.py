"""The points of a sweep, the steps of a descent -> JSON, or lines sent as they are computed."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from math import isnan
from typing import Any

import orjson

from engine_py import Descending, GradientDocument, GradientError, Limits
from engine_py.deadline import Deadline, DeadlineExceeded
from engine_py.errors import LimitExceeded
from engine_py.introspect import Prepared
from engine_py.sweeps.blocks import HINT_FOR_TOO_MANY, Block, blocks
from engine_py.sweeps.program import build_sweep
from service.compute.batch import joined
from service.errors import Overloaded
from service.reply.formats import Fields, json_bytes, written_entries
from service.request import SweepRequest

_ENDS = DeadlineExceeded, Overloaded, MemoryError
"""Errors that end a reply of lines after some have been sent."""

Json = dict[str, Any]
ProblemOf = Callable[[Exception], Json]

_NAME_BYTES = 100
"""The maximum bytes of names in the lines of a sweep, per unit of the limit `sweep_nodes`."""


class SweepAnswer:
    """The answer to one request, computed while it is written."""

    def __init__(
        self, request: SweepRequest, prepared: Prepared, limits: Limits, deadline: Deadline
    ) -> None:
        """Prepare. Raises GradientError: a value is missing, or there are too many points."""
        self._request, self._prepared = request, prepared
        self._limits, self._deadline = limits, deadline
        try:
            self._blocks = blocks(prepared, request.values, limits, deadline=deadline)
        except LimitExceeded as error:
            cure = "send fewer points, or several requests"
            error.message = error.message.replace(HINT_FOR_TOO_MANY, cure)
            raise

    def columns(self, fields: Fields) -> Iterator[bytes]:
        """Compute all points, and write the members `fields`. Raises DeadlineExceeded."""
        return joined(SweepColumns(self._names, self._blocks).pieces(self._head(), fields))

    def lines(self, problem_of: ProblemOf) -> Iterator[bytes]:
        """Write the members that all points share, and then a line for each point.

        Raises:
            LimitExceeded: the names, which every line repeats, are too long for this many points.
        """
        self._refuse_long_names()
        return joined(self._lines(self._head(), problem_of))

    @property
    def _names(self) -> list[str]:
        return [name for name, *_ in self._prepared.template.variables]

    def _refuse_long_names(self) -> None:
        """Bound the reply: otherwise only the length of the body bounds the names."""
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
        """Return all members except the columns."""
        expression, axes, view = self._request
        sweep = build_sweep(expression, view, self._prepared, axes, (), deadline=self._deadline)
        head: Json = {**sweep}
        for column in ("results", "gradients", "problems"):
            del head[column]
        return {**head, "count": axes.size}

    def _lines(self, head: Json, problem_of: ProblemOf) -> Iterator[bytes]:
        yield json_bytes(head)
        following = 0
        try:
            for block in self._blocks:
                following = block.first + len(block.columns[0])
                yield from _lines_of_block(block, self._names)
        except _ENDS as error:
            yield json_bytes({"index": following, "problem": problem_of(error)})


def _lines_of_block(block: Block, names: list[str]) -> Iterator[bytes]:
    """Write a line for each point."""
    problems = dict(block.problems)
    rows = zip(*(column.tolist() for column in block.columns), strict=True)
    for index, (result, *gradients) in enumerate(rows, block.first):
        if index in problems:
            yield json_bytes({"index": index, "error": problems[index].as_dict()})
        else:
            named = dict(zip(names, gradients, strict=True))
            yield json_bytes({"index": index, "result": result, "gradients": named})


class SweepColumns:
    """All points of a sweep, in a tenth of the memory of their JSON.

    A reply may wait for a slow client, so numbers are stored as doubles, and errors that differ
    only in their operands share the rest.
    """

    def __init__(self, variables: Sequence[str], computed: Iterable[Block]) -> None:
        self._variables = variables
        self._numbers = [array("d") for _ in ("result", *variables)]
        """NaN, which is never a result, if a point has a problem."""
        self._failed, self._kinds, self._operands = array("Q"), array("Q"), array("d")
        self._kept: dict[bytes, int] = {}
        self._arities: list[int] = []
        for block in computed:
            for column, numbers in zip(self._numbers, block.columns, strict=True):
                column.frombytes(memoryview(numbers).cast("B"))
            for index, error in block.problems:
                self._keep(index, error)

    def pieces(self, head: dict[str, Any], fields: Fields) -> Iterator[bytes]:
        """Write the members `fields`, of `head` or of the columns."""
        results, *gradients = self._numbers
        named = {
            name: _array(_entries(column))
            for name, column in zip(self._variables, gradients, strict=True)
        }
        columns = {
            "results": _array(_entries(results)),
            "gradients": _object(named),
            "problems": _array(written_entries(self._problems())),
        }
        members = {name: columns.get(name) or [orjson.dumps(head[name])] for name in fields}
        yield from _object(members)
        yield b"\n"

    def _keep(self, index: int, error: GradientError) -> None:
        content = error.as_dict()
        operands = content.pop("operands")
        kind = self._kept.setdefault(orjson.dumps(content), len(self._kept))
        if kind == len(self._arities):
            self._arities.append(len(operands))
        self._failed.append(index)
        self._kinds.append(kind)
        self._operands.extend(operands)

    def _problems(self) -> Iterator[Any]:
        rests = [orjson.loads(rest) for rest in self._kept]
        operands = iter(self._operands)
        for index, kind in zip(self._failed, self._kinds, strict=True):
            own = list(islice(operands, self._arities[kind]))
            yield {"index": index, "error": {**rests[kind], "operands": own}}


def _array(entries: Iterable[bytes]) -> Iterator[bytes]:
    yield b"["
    yield from entries
    yield b"]"


def _object(members: Mapping[str, Iterable[bytes]]) -> Iterator[bytes]:
    yield b"{"
    for place, (name, written) in enumerate(members.items()):
        yield b"," * (place > 0) + orjson.dumps(name) + b":"
        yield from written
    yield b"}"


def _entries(column: Iterable[float]) -> Iterator[bytes]:
    return written_entries(None if isnan(number) else number for number in column)


def descent_as_json(document: GradientDocument, descending: Descending) -> Json:
    """Compute all steps. Raises DeadlineExceeded."""
    return {"document": document, "trajectory": list(descending), "fault": descending.fault}


def descent_as_lines(descending: Descending, problem_of: ProblemOf) -> Iterator[bytes]:
    """Write a line for each point, then one for the end: its fault or null, or a problem.

    Steps are computed when the client takes them, so none is kept in memory.
    """
    return joined(_lines_of_descent(descending, problem_of))


def _lines_of_descent(descending: Descending, problem_of: ProblemOf) -> Iterator[bytes]:
    try:
        for point in descending:
            yield json_bytes(point)
        yield json_bytes({"fault": descending.fault})
    except _ENDS as error:
        yield json_bytes({"problem": problem_of(error)})
