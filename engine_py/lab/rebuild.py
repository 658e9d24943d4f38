"""Document -> its graph, to be computed at other values."""

from typing import NamedTuple

from engine_py.document import Document
from engine_py.errors import Span
from engine_py.graph import Graph
from engine_py.limits import DEFAULT_LIMITS
from engine_py.operations import OPERATIONS
from engine_py.order import Step, make_steps


class Rebuilt(NamedTuple):
    """A graph whose nodes are the document's ids, with its order and steps."""

    graph: Graph
    order: list[int]
    steps: list[Step]


def rebuild(document: Document) -> Rebuilt:
    """Take the document's nodes, in topological order, and their operands."""
    nodes = document["nodes"]
    operands: list[list[int]] = [[] for _ in nodes]
    for edge in document["edges"]:
        operands[edge["to"]].append(edge["from"])
    graph = Graph(DEFAULT_LIMITS._replace(nodes=len(nodes)))
    for node in nodes:
        span, label = node["span"] and Span(**node["span"]), node["label"]
        if node["operation"] is not None:
            row, inputs = OPERATIONS[node["operation"]], tuple(operands[node["id"]])
            graph.labels[graph.add_operation(row, inputs, span)] = label
        elif node["kind"] == "constant" or label is None:
            graph.labels[graph.add_constant(node["data"], span)] = label
        else:
            graph.add_variable(label, span)
    order = document["topological_order"]
    return Rebuilt(graph, order, make_steps(graph, order))
