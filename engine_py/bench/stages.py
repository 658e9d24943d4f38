"""A workload -> what the engine is timed at, a step for each column of the table."""

from collections.abc import Callable
from typing import Any

from engine_py.backward import backward
from engine_py.bench.measure import Run, allocated
from engine_py.bench.workloads import Build, Kit
from engine_py.document import Document
from engine_py.forward import forward
from engine_py.graph import Graph
from engine_py.introspect import differentiate, introspect, prepare
from engine_py.limits import Limits
from engine_py.order import make_steps, topological_order
from engine_py.request import Request
from engine_py.value import Value, value_graph

PASSES = "forward + backward"
SORTED = "order + forward + backward"
BACKWARD = "backward alone"
VALUE = "Value built and walked"
PREPARED = "prepared -> document"
TEXT = "text -> document"

KIT = Kit(lambda name, data: Value(data, name))
LIMITS = Limits(variables=10**7, nodes=10**7)


def steps_of(build: Build) -> tuple[int, dict[str, Run]]:
    """Give the number of nodes, and what works on the columns of their graph."""
    graph, leaves = value_graph(build(KIT), LIMITS)
    root = len(graph.operations) - 1

    def sort() -> tuple[Any, Any]:
        order = topological_order(root, graph.operands)
        return order, make_steps(graph, order)

    def passes(order: Any, steps: Any) -> Any:
        return backward(graph, order, steps, forward(graph, order, steps, leaves))

    order, steps = sort()
    computed = forward(graph, order, steps, leaves)
    return root + 1, {
        PASSES: lambda: passes(order, steps),
        SORTED: lambda: passes(*sort()),
        BACKWARD: lambda: backward(graph, order, steps, computed),
        VALUE: lambda: build(KIT).backward(),
    }


def text_steps(text: str, values: dict[str, float]) -> dict[str, Callable[[], Document]]:
    """Give what makes documents: of a checked request whose text was prepared, and of all anew."""
    prepared, request = prepare(text), Request(text, values, [], "folded")
    return {
        PREPARED: lambda: differentiate(prepared, request),
        TEXT: lambda: introspect(text, values),
    }


def bytes_a_node(build: Build) -> float:
    """Measure graph, order, steps and all columns of both passes; not the text, nor a template."""
    source, leaves = value_graph(build(KIT), LIMITS)
    root = len(source.operations) - 1

    def make() -> Any:
        graph = _copy(source)
        order = topological_order(root, graph.operands)
        steps = make_steps(graph, order)
        computed = forward(graph, order, steps, leaves)
        return graph, order, steps, computed, backward(graph, order, steps, computed)

    return allocated(make) / (root + 1)


def _copy(source: Graph) -> Graph:
    """Add the nodes anew, one by one."""
    graph = Graph(LIMITS)
    for node, operation in enumerate(source.operations):
        if operation:
            graph.add_operation(operation, (*source.operands[node],), None)
        elif source.is_variable(node):
            graph.add_variable(source.labels[node] or "", None)
        else:
            graph.add_constant(source.literals[node], None)
    return graph
