"""Document -> tape: its operations in order."""

from typing import NamedTuple

from engine_py.document import Document
from engine_py.operations import OPERATIONS
from engine_py.rows import Operation


class TapeEntry(NamedTuple):
    """A node: an operation on earlier nodes, or a leaf with its data."""

    operation: Operation | None
    operands: list[int]
    data: float


Tape = list[TapeEntry]


def tape_of(document: Document) -> Tape:
    """Take the operations of a document, in topological order."""
    tape = [
        TapeEntry(OPERATIONS[node["operation"]] if node["operation"] else None, [], node["data"])
        for node in document["nodes"]
    ]
    for edge in document["edges"]:
        tape[edge["to"]].operands.append(edge["from"])
    return tape
