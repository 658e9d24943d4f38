"""Body of a batch -> its requests, and a document or a problem for each."""

from collections.abc import Callable, Iterator
from typing import Any

from engine_py import Document
from engine_py.errors import InvalidRequest, LimitExceeded
from engine_py.request import described, pointer_step
from service.problems import content_of


def load_batch(body: Any, limit: int) -> list[Any]:
    """Give the requests as they came: each is checked when its turn comes.

    Raises:
        InvalidRequest: the body is no batch.
        LimitExceeded: it has too many requests.
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
    requests: list[Any], answer: Callable[[Any], Document], note_problem: Callable[[str], None]
) -> Iterator[Document | dict[str, Any]]:
    """Answer one request at a time; what is wrong with one is nothing to the others."""
    for body in requests:
        try:
            yield answer(body)
        except Exception as fault:  # noqa: BLE001 - content_of tells whose fault it is
            problem = content_of(fault, body)
            note_problem(problem["code"])
            yield problem
