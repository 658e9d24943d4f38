"""Document + node -> its gradient as a sum over paths of products of local gradients."""

from collections.abc import Iterator, Sequence
from math import isfinite, nan
from typing import TypedDict

from engine_py.deadline import NEVER, Deadline
from engine_py.document import GradientDocument
from engine_py.lab.checks import check_node, check_whole, ids_by_label
from engine_py.limits import DEFAULT_LIMITS, Limits, check_limits
from engine_py.request import View
from engine_py.subject import Subject, Values, document_of
from engine_py.template import Edge

MAX_PATHS = 1000
_CHUNK = 4000
"""Digits that are converted at once."""


class Path(TypedDict):
    """A path from the root to the node, as edge ids. `product` is None if it overflows."""

    edges: list[int]
    product: float | None


class Paths(TypedDict):
    """A node's gradient by paths. `sum` is None if it overflows or a path is not listed."""

    document: GradientDocument
    node: int
    gradient: float | None
    count: str
    paths: list[Path]
    sum: float | None


def paths(  # noqa: PLR0913 - a request, its limits and its deadline
    subject: Subject,
    values: Values | None = None,
    *,
    parameters: Sequence[str] = (),
    view: View = "folded",
    node: int | str | None = None,
    most: int = 100,
    limits: Limits = DEFAULT_LIMITS,
    deadline: Deadline = NEVER,
) -> Paths:
    """List the paths from the root to a node, left to right (CONTRACT.md R37).

    Args:
        subject: a document, a text or a Value.
        values: by name, for a text.
        parameters: their names, for a text or a Value.
        view: for a text: "folded", or "primitive" to build -, / and others from + * **.
        node: its id or its label; the label of a variable is its name.
        most: the maximum number of paths to list, from 0 to 1,000. `count` counts all of them, as
            decimal digits: there can be 2 ** 4999 in a program of 10,000 nodes.
        limits: `path_edges`, at which the list ends early, and those of the document.
        deadline: of the computation.

    Raises:
        GradientError: a member is invalid.
        DeadlineExceeded: the deadline has passed.
    """
    document = document_of(
        subject, values, parameters=parameters, view=view, limits=limits, deadline=deadline
    )
    deadline.check()
    end = check_node("node", node, ids_by_label(document), document["root"])
    limit = check_whole("most", most, 0, MAX_PATHS)
    counts = _count(document, end)
    listed: list[Path] = []
    room = check_limits(limits).path_edges
    for edges in _walk(document, end, counts):
        deadline.check()
        room -= len(edges)
        if len(listed) == limit or room < 0:
            break
        listed.append({"edges": [edge["id"] for edge in edges], "product": _product(edges)})
    count = counts[document["root"]]
    return {
        "document": document,
        "node": end,
        "gradient": document["nodes"][end]["grad"],
        "count": _digits(count),
        "paths": listed,
        "sum": _sum(listed) if len(listed) == count else None,
    }


def _count(document: GradientDocument, end: int) -> list[int]:
    """Count the paths from each node to the end; edges are sorted by `to`, operands first."""
    counts = [0] * len(document["nodes"])
    counts[end] = 1
    for edge in document["edges"]:
        if edge["differentiable"]:
            counts[edge["to"]] += counts[edge["from"]]
    return counts


def _digits(count: int) -> str:
    """Write a count of any size; `str` alone refuses more than 4,300 digits."""
    text = ""
    while count >= 10**_CHUNK:
        count, low = divmod(count, 10**_CHUNK)
        text = f"{low:0{_CHUNK}d}{text}"
    return f"{count}{text}"


def _walk(document: GradientDocument, end: int, counts: list[int]) -> Iterator[list[Edge]]:
    """Yield each path, entering only nodes that lead to the end."""
    slots: list[list[Edge]] = [[] for _ in counts]
    for edge in reversed(document["edges"]):
        if edge["differentiable"] and counts[edge["from"]]:
            slots[edge["to"]].append(edge)
    path: list[Edge] = []
    if document["root"] == end:
        yield path
    stack = [(0, edge) for edge in slots[document["root"]]]
    while stack:
        depth, edge = stack.pop()
        path[depth:] = [edge]
        if edge["from"] == end:
            yield path
        stack += [(depth + 1, below) for below in slots[edge["from"]]]


def _product(edges: list[Edge]) -> float | None:
    product = 1.0
    for edge in edges:
        product *= nan if edge["local_grad"] is None else edge["local_grad"]
    return product + 0.0 if isfinite(product) else None


def _sum(listed: list[Path]) -> float | None:
    total = 0.0
    for path in listed:
        if path["product"] is None:
            return None
        total += path["product"]
    return total if isfinite(total) else None
