"""Document -> a program that can be computed at other values, with bounds of the errors."""

from math import isfinite
from typing import NamedTuple

from engine_py.document import Document
from engine_py.lab.roundings import Rounded, compute
from engine_py.operations import OPERATIONS
from engine_py.rows import Operation, OutsideDomain


class Step(NamedTuple):
    """A node: an operation on earlier nodes, or a leaf with its data."""

    operation: Operation | None
    operands: list[int]
    data: float


Program = list[Step]


class Computed(NamedTuple):
    """All nodes; `sides` is the side of its kink that each operation with one is on: -1, 0 or 1."""

    nodes: list[Rounded]
    sides: list[int]

    @property
    def root(self) -> Rounded:
        """The result."""
        return self.nodes[-1]


def program_of(document: Document) -> Program:
    """Take the operations of a document, in topological order."""
    steps = [
        Step(OPERATIONS[node["operation"]] if node["operation"] else None, [], node["data"])
        for node in document["nodes"]
    ]
    for edge in document["edges"]:
        steps[edge["to"]].operands.append(edge["from"])
    return steps


def evaluate(program: Program, leaf: int, data: float) -> Computed | None:
    """Compute all nodes with other data for one leaf; None where a number is no double."""
    nodes: list[Rounded] = []
    sides: list[int] = []
    for node, step in enumerate(program):
        if step.operation is None:
            nodes.append(Rounded(data if node == leaf else step.data, 0.0))
            continue
        operands = [nodes[operand] for operand in step.operands]
        try:
            out = compute(step.operation, operands)
        except OutsideDomain:
            return None
        if not (isfinite(out.data) and isfinite(out.bound)):
            return None
        nodes.append(out)
        if step.operation.kink:
            side = step.operation.kink(*[operand.data for operand in operands])
            sides.append((side > 0.0) - (side < 0.0))
    return Computed(nodes, sides)
