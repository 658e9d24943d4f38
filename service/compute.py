"""Checked request -> one document, or many, which are computed while they are sent."""

import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from math import isnan
from time import monotonic
from typing import Any, cast

import orjson
from flask import Request

from engine_py import Descending, GradientDocument, GradientError, Limits, Outline
from engine_py.deadline import NEVER, Deadline, DeadlineExceeded
from engine_py.document import build_outline
from engine_py.errors import InvalidRequest, LimitExceeded
from engine_py.introspect import Prepared, differentiate, prepare_text, refuse_missing_values
from engine_py.request import GradientRequest, View, described, pointer_step
from engine_py.sweeps.axes import LARGEST
from engine_py.sweeps.blocks import (
    HINT_FOR_TOO_MANY,
    Block,
    blocks,
    gradients_at,
    names_of_variables,
)
from engine_py.sweeps.program import build_sweep
from service.errors import NotAcceptable, Overloaded
from service.observe import Metrics
from service.reply import (
    JSON,
    KNOWN,
    NUMBERS,
    Fields,
    best_type,
    json_bytes,
    pick,
    shown_accept,
    written_entries,
)
from service.request import SweepRequest

# Checked request -> document; the parts that depend only on the text are cached

_KEPT = 32
_LONGEST_KEPT = 256
"""Characters. Each can be a node of more than a kilobyte, so the cache has at most 12 MB."""


class Engine:
    """The engine with the cache and metrics of one process."""

    def __init__(self, limits: Limits, metrics: Metrics) -> None:
        self._limits = limits
        self._metrics = metrics
        self._kept = lru_cache(_KEPT)(self._prepare)

    def answer(self, request: GradientRequest, deadline: Deadline = NEVER) -> GradientDocument:
        """Differentiate, and measure it. Raises GradientError and DeadlineExceeded."""
        return self.part(request, KNOWN, deadline)[0]

    def part(
        self, request: GradientRequest, fields: Fields, deadline: Deadline
    ) -> tuple[GradientDocument, int]:
        """Compute the members `fields` of a document; return the number of its nodes, too.

        Raises:
            GradientError: the same for all `fields`.
            DeadlineExceeded: it takes too long.
        """
        started = time.perf_counter()
        prepared = self.prepared(request.expression, request.view)
        if fields is not KNOWN and NUMBERS.issuperset(fields):
            refuse_missing_values(prepared.graph, request.values, request.parameters)
            document = _numbers(prepared, request.values)
        else:
            document = differentiate(prepared, request, deadline=deadline)
        nodes = len(prepared.order)
        self._metrics.note_document(nodes, time.perf_counter() - started)
        return pick(document, fields), nodes

    def outline(self, request: GradientRequest) -> Outline:
        """Describe the program without values. Raises GradientError."""
        prepared = self.prepared(request.expression, request.view)
        return build_outline(request, prepared.graph, prepared.template)

    def prepared(self, expression: str, view: View) -> Prepared:
        """Compute the parts that depend only on the text, or take them from the cache."""
        kept = self._kept if len(expression) <= _LONGEST_KEPT else self._prepare
        return kept(expression, view)

    def _prepare(self, expression: str, view: View) -> Prepared:
        return prepare_text(expression, view, self._limits)


def _numbers(prepared: Prepared, values: dict[str, float]) -> GradientDocument:
    """Compute only the numbers of a document."""
    result, gradients = gradients_at(prepared, values)
    named = dict(zip(names_of_variables(prepared), gradients, strict=True))
    numbers = {"result": result, "gradients": named}
    return cast("GradientDocument", numbers)


# Body of a batch -> its requests -> a document or a problem for each, as JSON or NDJSON

NDJSON = "application/x-ndjson"

PIECE = 16_384
"""The minimum number of bytes of results to send at once."""

_MOMENT = 0.1
"""Seconds for which lines are held to be sent together."""

Result = GradientDocument | dict[str, Any]
"""A document or a problem, with the `id` of its request."""


def prefers_lines(request: Request) -> bool:
    """Return whether the client prefers NDJSON to JSON.

    Raises:
        NotAcceptable: the client accepts neither.
    """
    allowed = [JSON.media_type, NDJSON]
    best = best_type(request, allowed)
    if best is None:
        message = f"results cannot be written as {shown_accept(request)}; "
        raise NotAcceptable(message + f"accept {' or '.join(allowed)}", allowed=allowed)
    return best == NDJSON


def take_id(request: Any) -> dict[str, str | int]:
    """Remove the `id` from a request and return it as a member of the result, if there is one.

    Raises:
        InvalidRequest: `id` is neither a string nor a whole number.
    """
    if not isinstance(request, dict) or "id" not in request:
        return {}
    own = request.pop("id")
    if isinstance(own, str):
        return {"id": own}
    if type(own) in (int, float) and own % 1 == 0 and abs(own) <= LARGEST:
        return {"id": int(own)}
    message = f"id must be a string or a whole number, not {described(own)}"
    raise InvalidRequest(message, pointer="/id")


def load_batch(body: Any, limit: int) -> list[Any]:
    """Return the requests of a batch, unchecked.

    Raises:
        InvalidRequest: the body is not a batch.
        LimitExceeded: it has more than `limit` requests.
    """
    if not isinstance(body, dict):
        message = f'the body must be {{"requests": [...]}}, not {described(body)}'
        raise InvalidRequest(message, pointer="")
    for name in body:
        if name != "requests":
            message = f"{name[:40]!a} is not a member of a batch; its one member is requests"
            raise InvalidRequest(message, pointer=pointer_step(name))
    requests = body.get("requests")
    if not isinstance(requests, list):
        found = described(requests) if body else "nothing"
        message = f"requests must be an array of requests, not {found}"
        raise InvalidRequest(message, pointer="/requests")
    if len(requests) > limit:
        message = f"the batch has {len(requests)} requests; at most {limit} are accepted"
        raise LimitExceeded(message, name="batch_requests", limit=limit, actual=len(requests))
    return requests


def answer_batch(
    requests: list[Any],
    answer: Callable[[Any], tuple[GradientDocument, int]],
    problem_of: Callable[[Exception, Any], dict[str, Any]],
    most_nodes: int,
    deadline: Deadline,
) -> Iterator[Result]:
    """Answer one request at a time; an error in one does not affect the others.

    `answer` returns the requested members of a document and the number of its nodes. After
    `deadline`, or after `most_nodes` nodes, each remaining request is answered with that problem.
    """
    nodes = 0

    def result_of(body: Any) -> Result:
        nonlocal nodes
        own: dict[str, str | int] = {}
        try:
            own = take_id(body)
            deadline.check()
            if nodes >= most_nodes:
                raise _too_many_nodes(nodes, most_nodes)  # noqa: TRY301 - becomes a problem below
            document, count = answer(body)
            nodes += count
            return {**own, **document} if own else document  # noqa: TRY300 - shorter than an else
        except Exception as error:  # noqa: BLE001 - every error becomes a problem
            return {**own, **problem_of(error, body)}

    # No variable holds a result while the client reads it: a document is ten times its JSON.
    return map(result_of, requests)


def _too_many_nodes(nodes: int, most: int) -> LimitExceeded:
    message = f"the graphs before this one in the batch have {nodes} nodes; a batch may have {most}"
    message += ", so send the rest in another"
    return LimitExceeded(message, name="batch_nodes", limit=most, actual=nodes)


def pieces_of_json(results: Iterator[Result]) -> Iterator[bytes]:
    """Write `results.schema.json` in pieces of at least `PIECE` bytes, except the last.

    No piece is kept after it has been yielded.
    """
    parts, size, separator = [b'{"results":['], 0, b""
    for result in results:
        parts += separator, json_bytes(result)
        del result
        size += len(parts[-1])
        separator = b","
        if size >= PIECE:
            made, parts, size = [b"".join(parts)], [], 0
            yield made.pop()  # a variable would keep the piece until the next one
    yield b"".join([*parts, b"]}\n"])


def _joined(lines: Iterator[bytes]) -> Iterator[bytes]:
    """Join lines into pieces, each sent when it has `PIECE` bytes or is `_MOMENT` seconds old."""
    parts, size, since = [], 0, monotonic()
    for line in lines:
        parts.append(line)
        size += len(line)
        if size >= PIECE or monotonic() - since > _MOMENT:
            yield b"".join(parts)
            parts, size, since = [], 0, monotonic()
    if parts:
        yield b"".join(parts)


# The points of a sweep, the steps of a descent -> JSON, or lines sent as they are computed

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
        return _joined(SweepColumns(self._names, self._blocks).pieces(self._head(), fields))

    def lines(self, problem_of: ProblemOf) -> Iterator[bytes]:
        """Write the members that all points share, and then a line for each point.

        Raises:
            LimitExceeded: the names, which every line repeats, are too long for this many points.
        """
        self._refuse_long_names()
        return _joined(self._lines(self._head(), problem_of))

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
    return _joined(_lines_of_descent(descending, problem_of))


def _lines_of_descent(descending: Descending, problem_of: ProblemOf) -> Iterator[bytes]:
    try:
        for point in descending:
            yield json_bytes(point)
        yield json_bytes({"fault": descending.fault})
    except _ENDS as error:
        yield json_bytes({"problem": problem_of(error)})
