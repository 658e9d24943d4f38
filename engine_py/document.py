"""All of it -> the introspection document (`document.schema.json`).

Adding 0.0 writes -0 as 0 and leaves every other double as it is.
"""

from typing import Literal, TypedDict

from engine_py.backward import Backward, walk
from engine_py.errors import SpanDict
from engine_py.forward import Forward
from engine_py.graph import Graph
from engine_py.request import Request, View

CONTRACT = "1.0.0"
"""The version of CONTRACT.md that this engine implements."""

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


class Document(TypedDict):
    """The whole story of one differentiation."""

    contract: str
    expression: str | None
    values: dict[str, float]
    unused_values: list[str]
    view: View
    root: int
    result: float
    gradients: dict[str, float]
    nodes: list[Node]
    edges: list[Edge]
    topological_order: list[int]
    backward_order: list[int]


def build_document(
    request: Request, graph: Graph, order: list[int], computed: Forward, walked: Backward
) -> Document:
    """Put the columns together; a node's id is its place in the order."""
    (all_data, _), (grads, *_) = computed, walked
    parameters = set(request.parameters)
    edges = _edges(graph, order, computed, walked)
    exponents = {edge["from"] for edge in edges if not edge["differentiable"]}
    nodes: list[Node] = []
    values: dict[str, float] = {}
    gradients: dict[str, float] = {}
    for id_, node in enumerate(order):
        operation, label, span = graph.operations[node], graph.labels[node], graph.spans[node]
        data, grad = all_data[node] + 0.0, grads[node] + 0.0
        kind = _kind(graph, node, parameters)
        if label is not None and kind in ("input", "parameter"):
            values[label], gradients[label] = data, grad
        nodes.append(
            {
                "id": id_,
                "kind": kind,
                "operation": operation and operation.symbol,
                "label": label,
                "data": data,
                "grad": None if id_ in exponents else grad,
                "derived": operation is not None and operation.derived,
                "span": span and span.as_dict(),
            }
        )
    ids = list(range(len(order)))
    return {
        "contract": CONTRACT,
        "expression": request.expression,
        "values": values,
        "unused_values": sorted(request.values.keys() - values.keys()),
        "view": request.view,
        "root": ids[-1],
        "result": nodes[-1]["data"],
        "gradients": gradients,
        "nodes": nodes,
        "edges": edges,
        "topological_order": ids,
        "backward_order": ids[::-1],
    }


def _kind(graph: Graph, node: int, parameters: set[str]) -> Kind:
    if graph.is_variable(node):
        return "parameter" if graph.labels[node] in parameters else "input"
    return "constant" if graph.operations[node] is None else "operation"


def _edges(graph: Graph, order: list[int], computed: Forward, walked: Backward) -> list[Edge]:
    """Number the ledger's rows by (to, slot); the walk met the last operation first."""
    (_, local_grads), (grads, *ledger) = computed, walked
    ids = {node: id_ for id_, node in enumerate(order)}
    edges: list[Edge] = [
        {
            "id": 0,
            "from": ids[operand],
            "to": ids[node],
            "slot": slot,
            "differentiable": contribution is not None,
            "incoming_grad": grads[node] + 0.0,
            "local_grad": _zero(local_grads[node][slot]),
            "contribution": _zero(contribution),
            "running_grad": _zero(running_grad),
        }
        for (node, slot, operand), contribution, running_grad in zip(
            walk(graph, order), *ledger, strict=True
        )
    ]
    edges.sort(key=lambda edge: (edge["to"], edge["slot"]))
    for id_, edge in enumerate(edges):
        edge["id"] = id_
    return edges


def _zero(number: float | None) -> float | None:
    return None if number is None else number + 0.0
