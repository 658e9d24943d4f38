"""Body of a batch -> its requests -> a document or a problem for each, as JSON or NDJSON."""

from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any

from flask import Request

from engine_py import GradientDocument
from engine_py.deadline import Deadline
from engine_py.errors import InvalidRequest, LimitExceeded
from engine_py.request import described, pointer_step
from engine_py.sweeps.axes import LARGEST
from service.errors import NotAcceptable
from service.reply.formats import JSON, best_type, json_bytes, shown_accept

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


def joined(lines: Iterator[bytes]) -> Iterator[bytes]:
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
