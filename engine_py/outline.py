"""Graph + template -> the outline: a document without what needs values (`outline.schema.json`)."""

from typing import TypedDict

from engine_py.document import CONTRACT
from engine_py.errors import SpanDict
from engine_py.graph import Graph
from engine_py.request import Request, View
from engine_py.template import Kind, Template


class OutlineNode(TypedDict):
    """A node of the graph; of the numbers it has that of a constant, which stands in the text."""

    id: int
    kind: Kind
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
    """What a program says by itself: the ids are those of its document."""

    contract: str
    expression: str
    view: View
    variables: list[str]
    root: int
    nodes: list[OutlineNode]
    edges: list[OutlineEdge]


def build_outline(request: Request, graph: Graph, template: Template) -> Outline:
    """Take the rows of a template; the variables are in the order of their first use."""
    nodes = _nodes(request, graph, template)
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


def _nodes(request: Request, graph: Graph, template: Template) -> list[OutlineNode]:
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
