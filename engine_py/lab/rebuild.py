"""Document -> its graph, to be computed at other values."""

from typing import NamedTuple

from engine_py.document import Document
from engine_py.errors import Span
from engine_py.graph import Graph
from engine_py.lab.tape import tape_of
from engine_py.limits import DEFAULT_LIMITS
from engine_py.order import Step, make_steps


class Rebuilt(NamedTuple):
    """A graph whose nodes are the document's ids, with its order and steps."""

    graph: Graph
    order: list[int]
    steps: list[Step]


def rebuild(document: Document) -> Rebuilt:
    """Take the document's nodes, in topological order, and their operands."""
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
