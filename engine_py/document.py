"""Template + data + gradients -> the introspection document (`document.schema.json`).

Adding 0.0 writes -0 as 0 and leaves every other double as it is.
"""

from typing import TypedDict

from engine_py.backward import Backward
from engine_py.forward import Forward
from engine_py.request import Request, View
from engine_py.template import Edge, Node, Template

CONTRACT = "1.6.0"
"""The version of CONTRACT.md that this engine implements."""


class Document(TypedDict):
    """One differentiation in full: graph, order, ledger, gradients."""

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
    request: Request, template: Template, computed: Forward, walked: Backward
) -> Document:
    """Put the numbers into copies of the template's rows."""
    nodes = _nodes(template, computed, walked)
    edges = _edges(template, nodes, computed, walked)
    parameters = set(request.parameters)
    values: dict[str, float] = {}
    gradients: dict[str, float] = {}
    for name, node, id_ in template.variables:
        values[name], gradients[name] = nodes[id_]["data"], walked[0][node] + 0.0
        if name in parameters:
            nodes[id_]["kind"] = "parameter"
    ids = list(range(len(nodes)))
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


def _nodes(template: Template, computed: Forward, walked: Backward) -> list[Node]:
    (data, *_), (grads, *_) = computed, walked
    nodes: list[Node] = []
    for node, row in template.nodes:
        filled = row.copy()
        filled["data"], filled["grad"] = data[node] + 0.0, grads[node] + 0.0
        if span := row["span"]:
            filled["span"] = span.copy()
        nodes.append(filled)
    return nodes


def _edges(
    template: Template, nodes: list[Node], computed: Forward, walked: Backward
) -> list[Edge]:
    """Fill the ledger. An edge without a gradient comes from an exponent, whose grad is null."""
    (_, *local_grads), (grads, *running_grads) = computed, walked
    edges: list[Edge] = []
    for node, row in template.edges:
        edge = row.copy()
        slot, incoming = row["slot"], grads[node]
        edge["incoming_grad"] = incoming + 0.0
        if row["differentiable"]:
            local = local_grads[slot][node]
            edge["local_grad"] = local + 0.0
            edge["contribution"] = incoming * local + 0.0
            edge["running_grad"] = running_grads[slot][node] + 0.0
        else:
            nodes[row["from"]]["grad"] = None
        edges.append(edge)
    return edges
