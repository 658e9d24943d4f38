"""Root of a graph of Values -> topological order, columns, document."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from engine_py.deadline import NEVER, Deadline
from engine_py.document import GradientDocument
from engine_py.errors import DuplicateName
from engine_py.graph import Graph
from engine_py.introspect import Prepared, differentiate, prepare_graph
from engine_py.limits import DEFAULT_LIMITS, Limits, check_limits
from engine_py.operands import checked_data
from engine_py.operations import Operation
from engine_py.request import GradientRequest, check_parameters


class ValueNode(Protocol):
    """The parts of a Value that make its graph."""

    label: str
    _symbol: str
    _left: Any
    _right: Any

    @property
    def data(self) -> float: ...

    @property
    def _operation(self) -> Operation | None: ...
    @property
    def _children(self) -> tuple[Any, ...]: ...


Node = TypeVar("Node", bound=ValueNode)


def topological_order(root: Node) -> list[Node]:
    """List the Values below `root` in the order of `order.py`, which needs numbered nodes.

    While its first operand is listed, an operation waits on the stack, followed by None, below its
    second.
    """
    order: list[Node] = []
    seen: set[Node] = set()
    stack: list[Any] = [root]
    while stack:
        value = stack.pop()
        if value is None:
            order.append(stack.pop())
            continue
        while value not in seen:
            seen.add(value)
            if not value._symbol:
                order.append(value)
                break
            right = value._right
            stack += (value, None) if right is None else (value, None, right)
            value = value._left
    return order


def differentiate_values(
    root: ValueNode,
    parameters: Sequence[str] = (),
    limits: Limits = DEFAULT_LIMITS,
    deadline: Deadline = NEVER,
) -> GradientDocument:
    """Compute the document of a graph of Values, as `introspect_value` describes."""
    prepared, request = prepare_value(root, parameters, limits)
    document = differentiate(prepared, request, owned=True, deadline=deadline)
    return {**document, "expression": None}


def prepare_value(
    root: ValueNode, parameters: Sequence[str] = (), limits: Limits = DEFAULT_LIMITS
) -> tuple[Prepared, GradientRequest]:
    """Prepare a graph of Values for its passes; the request's `expression` is empty."""
    names = check_parameters(parameters, check_limits(limits))
    graph, leaves = value_graph(root, limits)
    prepared = prepare_graph(graph, list(range(len(graph.operations))))
    return prepared, GradientRequest("", leaves, names, "folded")


def value_graph(root: ValueNode, limits: Limits = DEFAULT_LIMITS) -> tuple[Graph, dict[str, float]]:
    """Return the graph as columns in topological order, and the data of labelled leaves by label.

    Raises:
        DuplicateName: two leaves have one label.
        GradientError: the graph exceeds a limit, or data is not finite.
    """
    graph = Graph(limits)
    nodes: dict[ValueNode, int] = {}
    leaves: dict[str, float] = {}
    for value in topological_order(root):
        if (operation := value._operation) is not None:
            operands = tuple([nodes[child] for child in value._children])
            nodes[value] = graph.add_operation(operation, operands, None)
            graph.labels[nodes[value]] = value.label or None
        elif not value.label:
            nodes[value] = graph.add_constant(checked_data(value.data, ""), None)
        elif value.label in leaves:
            message = f"two leaves are labelled `{value.label}`; give each its own label"
            raise DuplicateName(message, name=value.label)
        else:
            leaves[value.label] = checked_data(value.data, value.label)
            nodes[value] = graph.add_variable(value.label, None)
    return graph, leaves
