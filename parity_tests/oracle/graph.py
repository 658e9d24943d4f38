"""A document -> the graph that it is about, and the gradients that the engine gives for it.

Nothing else of the document is believed: what a node computes is computed here, anew.
"""

from typing import NamedTuple

from parity_tests.kit.worker import Json

PRECISION = 400
"""Bits. Sums and products of moderate doubles are exact in so many."""

LARGE = 2.0**100


class Node(NamedTuple):
    """A leaf with its data, or an operation with the ids of its operands."""

    operation: str | None
    operands: tuple[int, ...]
    data: float | None


Graph = tuple[Node, ...]
"""Operands stand before what uses them; the root is the last."""


def read_graph(document: Json) -> Graph:
    """Take the operations, the operands by slot and the data of the leaves."""
    operands: list[list[int]] = [[] for _ in document["nodes"]]
    for edge in sorted(document["edges"], key=lambda edge: int(edge["slot"])):
        operands[edge["to"]].append(edge["from"])
    return tuple(
        Node(node["operation"], tuple(of), None if node["operation"] else float(node["data"]))
        for node, of in zip(document["nodes"], operands, strict=True)
    )


def read_gradients(document: Json) -> dict[int, float]:
    """Take the gradient of every node that has one; a variable's is what the caller is given."""
    gradients = document["gradients"]
    return {
        node["id"]: float(gradients.get(node["label"], node["grad"]))
        if node["kind"] in ("input", "parameter")
        else float(node["grad"])
        for node in document["nodes"]
        if node["grad"] is not None
    }


def variables(document: Json) -> list[int]:
    """Give the ids of the nodes that `gradients` is about."""
    return [node["id"] for node in document["nodes"] if node["kind"] in ("input", "parameter")]


def is_moderate(document: Json) -> bool:
    """True if every number is 0 or from 2**-100 to 2**100, so that nothing under- or overflows."""
    numbers = [node[key] for node in document["nodes"] for key in ("data", "grad") if node[key]]
    return all(1 / LARGE <= abs(number) <= LARGE for number in numbers)
