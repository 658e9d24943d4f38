"""Graph + order -> template: the document's rows without their numbers.

A template is never changed: each document fills copies of its rows.
"""

from typing import Literal, NamedTuple, TypedDict

from engine_py.errors import SpanDict
from engine_py.graph import Graph
from engine_py.operations import NO_GRADIENT

Kind = Literal["input", "parameter", "constant", "operation"]


class Node(TypedDict):
    """A node of the graph."""

    id: int
    kind: Kind
    operation: str | None
    label: str | None
    data: float
    grad: float | None
    derived: bool
    span: SpanDict | None


Edge = TypedDict(
    "Edge",
    {
        "id": int,
        "from": int,
        "to": int,
        "slot": int,
        "differentiable": bool,
        "incoming_grad": float,
        "local_grad": float | None,
        "contribution": float | None,
        "running_grad": float | None,
    },
)
"""A row of the ledger: incoming_grad * local_grad = contribution."""


class Template(NamedTuple):
    """Rows to be filled, each with the indices of its numbers in the columns."""

    nodes: list[tuple[int, Node]]
    """(node, row), by id."""
    edges: list[tuple[int, Edge]]
    """(node, row), by id; the node is that of the operation."""
    variables: list[tuple[str, int, int]]
    """(name, node, id), by id."""


def make_template(graph: Graph, order: list[int]) -> Template:
    """Number the nodes by their place in the order, the edges by (to, slot)."""
    nodes = _node_rows(graph, order)
    variables = [
        (row["label"] or "", node, row["id"]) for node, row in nodes if row["kind"] == "input"
    ]
    return Template(nodes, _edge_rows(graph, order), variables)


def _node_rows(graph: Graph, order: list[int]) -> list[tuple[int, Node]]:
    operations, labels, spans = graph.operations, graph.labels, graph.spans
    inputs = set(graph.variables.values())
    rows: list[tuple[int, Node]] = []
    for id_, node in enumerate(order):
        operation, span = operations[node], spans[node]
        leaf: Kind = "input" if node in inputs else "constant"
        row: Node = {
            "id": id_,
            "kind": "operation" if operation else leaf,
            "operation": operation.symbol if operation else None,
            "label": labels[node],
            "data": 0.0,
            "grad": None,
            "derived": operation is not None and operation.expansion is not None,
            "span": {"start": span[0], "end": span[1]} if span else None,
        }
        rows.append((node, row))
    return rows


def _edge_rows(graph: Graph, order: list[int]) -> list[tuple[int, Edge]]:
    operations, operands = graph.operations, graph.operands
    ids = {node: id_ for id_, node in enumerate(order)}
    rows: list[tuple[int, Edge]] = []
    for to, node in enumerate(order):
        if operation := operations[node]:
            symbol = operation.symbol
            for slot, operand in enumerate(operands[node]):
                row: Edge = {
                    "id": len(rows),
                    "from": ids[operand],
                    "to": to,
                    "slot": slot,
                    "differentiable": (symbol, slot) != NO_GRADIENT,
                    "incoming_grad": 0.0,
                    "local_grad": None,
                    "contribution": None,
                    "running_grad": None,
                }
                rows.append((node, row))
    return rows
