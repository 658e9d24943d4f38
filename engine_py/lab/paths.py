"""Document + variable -> its gradient as a sum over paths of products of local gradients."""

from collections.abc import Iterator
from math import isfinite
from typing import Any, TypedDict

from engine_py.document import Document
from engine_py.errors import InvalidRequest
from engine_py.lab.conditions import check_whole, variables
from engine_py.request import described
from engine_py.template import Edge

MOST_PATHS = 1000
MOST_EDGES = 20_000
"""Of all listed paths."""
_CHUNK = 4000
"""Digits that Python writes at once."""


class Path(TypedDict):
    """A way from the root to the variable, as edge ids. `product` is None where it is no double."""

    edges: list[int]
    product: float | None


class Paths(TypedDict):
    """A variable's gradient by paths. `sum` is None where one is not listed, or it is no double."""

    document: Document
    variable: str
    gradient: float
    count: str
    paths: list[Path]
    sum: float | None


def paths(document: Document, variable: Any = None, *, most: Any = 100) -> Paths:
    """List the paths from the root to a variable, left to right (CONTRACT.md R37).

    Args:
        document: what `introspect` or `introspect_value` returned.
        variable: a name among its gradients.
        most: how many paths to list, from 0 to 1,000. The list ends early where the paths would
            have more than 20,000 edges in all. `count` counts all of them, as decimal digits: there
            can be 2 ** 4999 in a program of 10,000 nodes.

    Raises:
        GradientError: a member is wrong.
    """
    leaf = _check_variable(document, variable)
    limit = check_whole("most", most, 0, MOST_PATHS)
    counts = _count(document, leaf)
    listed: list[Path] = []
    room = MOST_EDGES
    for edges in _walk(document, leaf, counts):
        room -= len(edges)
        if len(listed) == limit or room < 0:
            break
        listed.append({"edges": [edge["id"] for edge in edges], "product": _product(edges)})
    count = counts[document["root"]]
    return {
        "document": document,
        "variable": variable,
        "gradient": document["gradients"][variable],
        "count": _digits(count),
        "paths": listed,
        "sum": _sum(listed) if len(listed) == count else None,
    }


def _check_variable(document: Document, variable: object) -> int:
    ids = variables(document)
    if isinstance(variable, str) and variable in ids:
        return ids[variable]
    message = f"variable must be the name of a variable, not {described(variable)}"
    raise InvalidRequest(message, pointer="/variable")


def _count(document: Document, leaf: int) -> list[int]:
    """Count the paths from each node to the leaf; edges are sorted by `to`, operands first."""
    counts = [0] * len(document["nodes"])
    counts[leaf] = 1
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


def _walk(document: Document, leaf: int, counts: list[int]) -> Iterator[list[Edge]]:
    """Give each path in turn. Only nodes that lead to the leaf are entered, so none is in vain."""
    slots: list[list[Edge]] = [[] for _ in counts]
    for edge in reversed(document["edges"]):
        if edge["differentiable"] and counts[edge["from"]]:
            slots[edge["to"]].append(edge)
    path: list[Edge] = []
    if document["root"] == leaf:
        yield path
    stack = [(0, edge) for edge in slots[document["root"]]]
    while stack:
        depth, edge = stack.pop()
        path[depth:] = [edge]
        if edge["from"] == leaf:
            yield path
        stack += [(depth + 1, below) for below in slots[edge["from"]]]


def _product(edges: list[Edge]) -> float | None:
    product = 1.0
    for edge in edges:
        product *= edge["local_grad"] or 0.0
    return product + 0.0 if isfinite(product) else None


def _sum(listed: list[Path]) -> float | None:
    total = 0.0
    for path in listed:
        if path["product"] is None:
            return None
        total += path["product"]
    return total if isfinite(total) else None
