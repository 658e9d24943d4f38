"""Graph + order -> template: the document's rows without their numbers.

A shared template never changes: each document fills copies of its rows.
"""

from typing import Literal, NamedTuple, NotRequired, TypedDict

from engine_py.errors import SpanDict
from engine_py.graph import Graph
from engine_py.operations import CUSTOM, NO_GRADIENT, OPERATIONS

NodeKind = Literal["input", "parameter", "constant", "operation"]


class Node(TypedDict):
    """A node of the graph."""

    id: int
    kind: NodeKind
    operation: str | None
    label: str | None
    data: float
    grad: float | None
    derived: bool
    span: SpanDict | None
    name: NotRequired[str]
    """The name of a custom operation."""


Edge = TypedDict(
    "Edge",
    {
        "id": int,
        "from": int,
        "to": int,
        "slot": int,
        "differentiable": bool,
        "incoming_grad": float | None,
        "local_grad": float | None,
        "contribution": float | None,
        "running_grad": float | None,
    },
)
"""A row of the ledger: incoming_grad * local_grad = contribution. A number is None if it is
infinite or NaN, which happens only where no variable feeds the operand (CONTRACT.md R5); the last
three are None for an exponent, too."""


class Template(NamedTuple):
    """Rows to be filled, each with the indices of its numbers in the columns."""

    nodes: list[tuple[int, Node]]
    """(node, row), by id."""
    edges: list[tuple[int, int, Edge]]
    """(node, slot, row), by id; the node is that of the operation."""
    variables: list[tuple[str, int, int]]
    """(name, node, id), by id."""


# Copying these rows and changing them takes two thirds of the time of writing them out.
_NODE: Node = {
    "id": 0,
    "kind": "constant",
    "operation": None,
    "label": None,
    "data": 0.0,
    "grad": None,
    "derived": False,
    "span": None,
}
_EDGE: Edge = {
    "id": 0,
    "from": 0,
    "to": 0,
    "slot": 0,
    "differentiable": True,
    "incoming_grad": 0.0,
    "local_grad": None,
    "contribution": None,
    "running_grad": None,
}


def make_template(graph: Graph, order: list[int]) -> Template:
    """Number the nodes by their position in the order, the edges by (to, slot)."""
    ids: dict[int, int] = {}
    nodes = _node_rows(graph, order, ids)
    variables = [
        (row["label"] or "", node, row["id"]) for node, row in nodes if row["kind"] == "input"
    ]
    return Template(nodes, _edge_rows(graph, order, ids), variables)


def _node_rows(graph: Graph, order: list[int], ids: dict[int, int]) -> list[tuple[int, Node]]:
    operations, labels, spans = graph.operations, graph.labels, graph.spans
    inputs = set(graph.variables.values())
    rows: list[tuple[int, Node]] = []
    for id_, node in enumerate(order):
        ids[node] = id_
        row = _NODE.copy()
        row["id"] = id_
        row["label"] = labels[node]
        if operation := operations[node]:
            row["kind"] = "operation"
            row["operation"] = operation.symbol
            row["derived"] = operation.derived
            if operation.symbol == CUSTOM:
                row["name"] = operation.name
        elif node in inputs:
            row["kind"] = "input"
        if span := spans[node]:
            start, end = span
            row["span"] = {"start": start, "end": end}
        rows.append((node, row))
    return rows


def _edge_rows(graph: Graph, order: list[int], ids: dict[int, int]) -> list[tuple[int, int, Edge]]:
    operations, operands = graph.operations, graph.operands
    power, exponent = OPERATIONS[NO_GRADIENT[0]], NO_GRADIENT[1]
    rows: list[tuple[int, int, Edge]] = []
    for to, node in enumerate(order):
        for slot, operand in enumerate(operands[node]):
            row = _EDGE.copy()
            row["id"] = len(rows)
            row["from"] = ids[operand]
            row["to"] = to
            row["slot"] = slot
            if slot == exponent and operations[node] is power:
                row["differentiable"] = False
            rows.append((node, slot, row))
    return rows
