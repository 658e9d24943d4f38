"""A descent -> its reply: one JSON object, or NDJSON that is sent while steps are made."""

from collections.abc import Callable, Iterator
from typing import Any

from flask import Response

from engine_py import Descending, Document
from service.compute.batch import NDJSON, joined
from service.compute.sweep import within
from service.errors import ComputeTimeout
from service.reply.replies import json_bytes, json_reply

ProblemOf = Callable[[Exception], dict[str, Any]]


def reply_with_descent(document: Document, descending: Descending, seconds: int) -> Response:
    """Make all steps. Raises ComputeTimeout: they take more seconds of the processor."""
    trajectory = list(within(seconds, descending))
    return json_reply({"document": document, "trajectory": trajectory, "fault": descending.fault})


def stream_descent(descending: Descending, seconds: int, problem_of: ProblemOf) -> Response:
    """Send a point a line, then what ended the descent: its fault, which may be null, or a problem.

    Steps are made when the client takes them, so nothing waits in memory.
    """
    return Response(joined(_lines(descending, seconds, problem_of)), mimetype=NDJSON)


def _lines(descending: Descending, seconds: int, problem_of: ProblemOf) -> Iterator[bytes]:
    try:
        for point in within(seconds, descending):
            yield json_bytes(point)
        yield json_bytes({"fault": descending.fault})
    except ComputeTimeout as fault:
        yield json_bytes({"problem": problem_of(fault)})
