"""Template + data + gradients -> the introspection document (`document.schema.json`).

Adding 0.0 writes -0 as 0 and leaves every other double as it is.
"""

from math import isfinite
from typing import TypedDict

from engine_py.backward import Backward
from engine_py.forward import Forward
from engine_py.request import Request, View
from engine_py.template import Edge, Node, Template

CONTRACT = "2.0.0"
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
    request: Request,
    template: Template,
    computed: Forward,
    walked: Backward,
    *,
    owned: bool = False,
) -> Document:
    """Put the numbers into copies of the template's rows, or into the rows where they are owned."""
    expression, given, parameters, view = request
    grads = walked[0]
    nodes = _nodes(template, computed, walked, owned=owned)
    edges = _edges(template, nodes, computed, walked, owned=owned)
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


def _nodes(template: Template, computed: Forward, walked: Backward, *, owned: bool) -> list[Node]:
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


def _edges(
    template: Template, nodes: list[Node], computed: Forward, walked: Backward, *, owned: bool
) -> list[Edge]:
    """Fill the ledger. An edge without a gradient comes from an exponent, whose grad is null."""
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
    """Write null for what is no double, which can only be where no variable feeds a node."""
    for node in nodes:
        node["grad"] = _double(node["grad"])
    for edge in edges:
        edge["incoming_grad"] = _double(edge["incoming_grad"])
        edge["local_grad"] = _double(edge["local_grad"])
        edge["contribution"] = _double(edge["contribution"])
        edge["running_grad"] = _double(edge["running_grad"])


def _double(number: float | None) -> float | None:
    return number if number is not None and isfinite(number) else None
