"""Document -> tape: its operations in order, for computing them again at other numbers.

A tape (a Wengert list) has all that a pass over a program needs: operation, operands and data of
each node. It is computed with dual numbers, or as a graph by `forward` and `backward`.
"""

from typing import NamedTuple

from engine_py.document import GradientDocument
from engine_py.errors import Span
from engine_py.graph import Graph
from engine_py.limits import DEFAULT_LIMITS
from engine_py.operations import CUSTOM, OPERATIONS, Operation, custom_row
from engine_py.order import Step, make_steps
from engine_py.template import Edge, Node


class TapeEntry(NamedTuple):
    """A node: an operation on earlier nodes, or a leaf with its data."""

    operation: Operation | None
    operands: list[int]
    data: float


Tape = list[TapeEntry]


def tape_of(document: GradientDocument) -> Tape:
    """Return the operations of a document in topological order."""
    nodes = document["nodes"]
    slots: list[list[Edge]] = [[] for _ in nodes]
    for edge in document["edges"]:
        slots[edge["to"]].append(edge)
    return [
        TapeEntry(_row_of(node, edges, nodes), [edge["from"] for edge in edges], node["data"])
        for node, edges in zip(nodes, slots, strict=True)
    ]


def _row_of(node: Node, edges: list[Edge], nodes: list[Node]) -> Operation | None:
    """Return the row of an operation; that of a custom one is made from the document."""
    if node["operation"] != CUSTOM:
        return OPERATIONS[node["operation"]] if node["operation"] else None
    operands = [nodes[edge["from"]]["data"] for edge in edges]
    local_grads = [edge["local_grad"] for edge in edges]
    return custom_row(node["name"], operands, node["data"], local_grads)


class Rebuilt(NamedTuple):
    """A graph whose nodes are the document's ids, with its order and steps."""

    graph: Graph
    order: list[int]
    steps: list[Step]


def rebuild(document: GradientDocument) -> Rebuilt:
    """Rebuild a document's graph from its nodes in topological order and their operands."""
    nodes = document["nodes"]
    graph = Graph(DEFAULT_LIMITS._replace(nodes=len(nodes)))
    for node, (operation, operands, data) in zip(nodes, tape_of(document), strict=True):
        span, label = node["span"] and Span(**node["span"]), node["label"]
        if operation is not None:
            graph.labels[graph.add_operation(operation, tuple(operands), span)] = label
        elif node["kind"] == "constant" or label is None:
            graph.labels[graph.add_constant(data, span)] = label
        else:
            graph.add_variable(label, span)
    order = document["topological_order"]
    return Rebuilt(graph, order, make_steps(graph, order))


class Dual(NamedTuple):
    """A dual number: the data of an operand or a result, and its derivative along a direction.

    The tangent is None if the direction does not reach the number, or if there is no direction.
    """

    data: float
    tangent: float | None = None


def apply(symbol: str, *operands: Dual | float) -> Dual:
    """Apply an operation; its tangent is a sum, slot by slot, of local_grad * tangent.

    Raises:
        OutsideDomain: the operation has no value at these operands.
    """
    duals = [each if isinstance(each, Dual) else Dual(each) for each in operands]
    data, *local_grads = OPERATIONS[symbol].rule(*[dual.data for dual in duals])
    tangent: float | None = None
    for local, dual in zip(local_grads, duals, strict=True):
        if local is not None and dual.tangent is not None:
            tangent = (tangent or 0.0) + local * dual.tangent
    return Dual(data, tangent)
