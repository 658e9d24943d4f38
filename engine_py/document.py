"""Template + data + gradients -> the introspection document (`document.schema.json`).

Without data and gradients, the rows make the outline (`outline.schema.json`). Adding 0.0 writes -0
as 0 and leaves every other double as it is.
"""

from math import isfinite
from typing import TypedDict

from engine_py.backward import Backward
from engine_py.errors import SpanDict
from engine_py.forward import Forward
from engine_py.graph import Graph
from engine_py.request import GradientRequest, View
from engine_py.template import Edge, Node, NodeKind, Template

CONTRACT = "2.1.0"
"""The version of CONTRACT.md that this engine implements."""


class GradientDocument(TypedDict):
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
    request: GradientRequest,
    template: Template,
    computed: Forward,
    walked: Backward,
    *,
    owned: bool = False,
) -> GradientDocument:
    """Fill copies of the template's rows, or the rows themselves if `owned`."""
    expression, given, parameters, view = request
    grads = walked[0]
    nodes = _fill_nodes(template, computed, walked, owned=owned)
    edges = _fill_edges(template, nodes, computed, walked, owned=owned)
    if not isfinite(sum(grads)):
        _write_null(nodes, edges)
    values: dict[str, float] = {}
    gradients: dict[str, float] = {}
    for name, node, id_ in template.variables:
        values[name] = nodes[id_]["data"]
        gradients[name] = grads[node] + 0.0
    if parameters:
        _mark_parameters(parameters, template, nodes)
    has_unused = len(given) > len(values)
    ids = list(range(len(nodes)))
    return {
        "contract": CONTRACT,
        "expression": expression,
        "values": values,
        "unused_values": sorted(given.keys() - values.keys()) if has_unused else [],
        "view": view,
        "root": ids[-1],
        "result": nodes[-1]["data"],
        "gradients": gradients,
        "nodes": nodes,
        "edges": edges,
        "topological_order": ids,
        "backward_order": ids[::-1],
    }


def _mark_parameters(parameters: list[str], template: Template, nodes: list[Node]) -> None:
    marked = set(parameters)
    for name, _, id_ in template.variables:
        if name in marked:
            nodes[id_]["kind"] = "parameter"


def _fill_nodes(
    template: Template, computed: Forward, walked: Backward, *, owned: bool
) -> list[Node]:
    data, grads = computed[0], walked[0]
    nodes: list[Node] = []
    for node, row in template.nodes:
        filled = row if owned else row.copy()
        filled["data"] = data[node] + 0.0
        filled["grad"] = grads[node] + 0.0
        if not owned and (span := row["span"]):
            filled["span"] = span.copy()
        nodes.append(filled)
    return nodes


def _fill_edges(
    template: Template, nodes: list[Node], computed: Forward, walked: Backward, *, owned: bool
) -> list[Edge]:
    """Fill the ledger; an edge that is not differentiable is an exponent's, whose grad is null."""
    _, lefts, rights = computed
    grads, running_lefts, running_rights = walked
    edges: list[Edge] = []
    for node, is_right, row in template.edges:
        edge = row if owned else row.copy()
        incoming = grads[node]
        edge["incoming_grad"] = incoming + 0.0
        if edge["differentiable"]:
            local = rights[node] if is_right else lefts[node]
            edge["local_grad"] = local + 0.0
            edge["contribution"] = incoming * local + 0.0
            edge["running_grad"] = (running_rights if is_right else running_lefts)[node] + 0.0
        else:
            nodes[edge["from"]]["grad"] = None
        edges.append(edge)
    return edges


def _write_null(nodes: list[Node], edges: list[Edge]) -> None:
    """Replace infinity and NaN by null; they occur only where no variable feeds a node."""
    for node in nodes:
        node["grad"] = _double(node["grad"])
    for edge in edges:
        edge["incoming_grad"] = _double(edge["incoming_grad"])
        edge["local_grad"] = _double(edge["local_grad"])
        edge["contribution"] = _double(edge["contribution"])
        edge["running_grad"] = _double(edge["running_grad"])


def _double(number: float | None) -> float | None:
    return number if number is not None and isfinite(number) else None


# The outline, which needs no values


class OutlineNode(TypedDict):
    """A node of the graph. Only a constant has data, which the text gives."""

    id: int
    kind: NodeKind
    operation: str | None
    label: str | None
    data: float | None
    derived: bool
    span: SpanDict | None


OutlineEdge = TypedDict(
    "OutlineEdge", {"id": int, "from": int, "to": int, "slot": int, "differentiable": bool}
)
"""An edge of the graph."""


class Outline(TypedDict):
    """The graph of a program without numbers; its ids are those of the document."""

    contract: str
    expression: str
    view: View
    variables: list[str]
    root: int
    nodes: list[OutlineNode]
    edges: list[OutlineEdge]


def build_outline(request: GradientRequest, graph: Graph, template: Template) -> Outline:
    """Build the outline from a template; `variables` are in the order of first use."""
    nodes = _outline_nodes(request, graph, template)
    edges: list[OutlineEdge] = [
        {
            "id": row["id"],
            "from": row["from"],
            "to": row["to"],
            "slot": row["slot"],
            "differentiable": row["differentiable"],
        }
        for *_, row in template.edges
    ]
    return {
        "contract": CONTRACT,
        "expression": request.expression,
        "view": request.view,
        "variables": list(graph.variables),
        "root": nodes[-1]["id"],
        "nodes": nodes,
        "edges": edges,
    }


def _outline_nodes(request: GradientRequest, graph: Graph, template: Template) -> list[OutlineNode]:
    parameters = set(request.parameters)
    return [
        {
            "id": row["id"],
            "kind": "parameter"
            if row["kind"] == "input" and row["label"] in parameters
            else row["kind"],
            "operation": row["operation"],
            "label": row["label"],
            "data": graph.literals[node] + 0.0 if row["kind"] == "constant" else None,
            "derived": row["derived"],
            "span": row["span"] and row["span"].copy(),
        }
        for node, row in template.nodes
    ]
