"""Document -> tape: its operations in order."""

from typing import NamedTuple

from engine_py.custom import CUSTOM, custom_row
from engine_py.document import Document
from engine_py.operations import OPERATIONS
from engine_py.rows import Operation
from engine_py.template import Edge, Node


class TapeEntry(NamedTuple):
    """A node: an operation on earlier nodes, or a leaf with its data."""

    operation: Operation | None
    operands: list[int]
    data: float


Tape = list[TapeEntry]


def tape_of(document: Document) -> Tape:
    """Take the operations of a document, in topological order."""
    nodes = document["nodes"]
    slots: list[list[Edge]] = [[] for _ in nodes]
    for edge in document["edges"]:
        slots[edge["to"]].append(edge)
    return [
        TapeEntry(_row_of(node, edges, nodes), [edge["from"] for edge in edges], node["data"])
        for node, edges in zip(nodes, slots, strict=True)
    ]


def _row_of(node: Node, edges: list[Edge], nodes: list[Node]) -> Operation | None:
    """Give an operation's row of the table; that of a custom one is what the document says."""
    if node["operation"] != CUSTOM:
        return OPERATIONS[node["operation"]] if node["operation"] else None
    operands = [nodes[edge["from"]]["data"] for edge in edges]
    local_grads = [edge["local_grad"] for edge in edges]
    return custom_row(node["name"], operands, node["data"], local_grads)
