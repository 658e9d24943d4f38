"""Graph + order + walk -> template: the document's rows without their numbers.

A template is never changed: each document fills copies of its rows.
"""

from typing import Literal, NamedTuple, TypedDict

from engine_py.errors import SpanDict
from engine_py.graph import Graph
from engine_py.operations import NO_GRADIENT
from engine_py.order import Walk

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
    edges: list[tuple[int, int, int, Edge]]
    """(place in the ledger, node, slot, row), by id."""
    variables: list[tuple[str, int, int]]
    """(name, node, id), by id."""


def make_template(graph: Graph, order: list[int], edges: Walk) -> Template:
    """Number the nodes by their place in the order, the edges by (to, slot)."""
    nodes = [(node, _node_row(graph, node, id_)) for id_, node in enumerate(order)]
    variables = [
        (row["label"] or "", node, row["id"]) for node, row in nodes if row["kind"] == "input"
    ]
    return Template(nodes, _edge_rows(graph, order, edges), variables)


def _node_row(graph: Graph, node: int, id_: int) -> Node:
    operation, span = graph.operations[node], graph.spans[node]
    kind: Kind = "operation" if operation else "input" if graph.is_variable(node) else "constant"
    return {
        "id": id_,
        "kind": kind,
        "operation": _symbol(graph, node),
        "label": graph.labels[node],
        "data": 0.0,
        "grad": None,
        "derived": operation is not None and operation.derived,
        "span": span and span.as_dict(),
    }


def _edge_rows(graph: Graph, order: list[int], edges: Walk) -> list[tuple[int, int, int, Edge]]:
    """Put the ledger's rows into the order of their ids; the walk meets the last node first."""
    ids = {node: id_ for id_, node in enumerate(order)}
    met = [(ids[edge[0]], edge[1], place, edge) for place, edge in enumerate(edges)]
    rows: list[tuple[int, int, int, Edge]] = []
    for to, slot, place, (node, _, operand) in sorted(met):
        row: Edge = {
            "id": len(rows),
            "from": ids[operand],
            "to": to,
            "slot": slot,
            "differentiable": (_symbol(graph, node), slot) != NO_GRADIENT,
            "incoming_grad": 0.0,
            "local_grad": None,
            "contribution": None,
            "running_grad": None,
        }
        rows.append((place, node, slot, row))
    return rows


def _symbol(graph: Graph, node: int) -> str | None:
    operation = graph.operations[node]
    return operation and operation.symbol
