"""The structure: operations, operands, labels, spans, as columns indexed by node.

For `(a + b) * c` the columns are

    node        0     1     2        3     4
    label       a     b              c
    operations              +              *
    operands                (0, 1)         (2, 3)

Columns of plain lists are quick to walk and cheap for the garbage collector.
"""

from engine_py.errors import LimitExceeded, Offsets
from engine_py.limits import Limits
from engine_py.operations import Operation


class Graph:
    """A DAG that only grows: an operation's operands exist before it, so there is no cycle."""

    __slots__ = ("labels", "limits", "literals", "operands", "operations", "spans", "variables")

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.operations: list[Operation | None] = []
        """None for a leaf."""
        self.operands: list[tuple[int, ...]] = []
        """Nodes, in slot order; empty for a leaf."""
        self.labels: list[str | None] = []
        """The name of the variable, or the name bound to the node."""
        self.literals: list[float] = []
        """The data of a constant; 0 for a variable and an operation, whose data is not written."""
        self.spans: list[Offsets | None] = []
        """Plain pairs: a Span each would cost a tenth of the parsing time."""
        self.variables: dict[str, int] = {}
        """The one leaf of each variable, in the order of first use."""

    def add_variable(self, name: str, span: Offsets | None) -> int:
        """Add a leaf whose data comes from the request."""
        self.variables[name] = self._add(None, (), name, 0.0, span)
        return self.variables[name]

    def add_constant(self, literal: float, span: Offsets | None) -> int:
        """Add a leaf whose data is written in the text."""
        return self._add(None, (), None, literal, span)

    def add_operation(
        self, operation: Operation, operands: tuple[int, ...], span: Offsets | None
    ) -> int:
        """Add an operation on nodes that exist."""
        return self._add(operation, operands, None, 0.0, span)

    def add_expansion(
        self, expansion: "Graph", operands: tuple[int, ...], span: Offsets | None
    ) -> int:
        """Add a derived operation as the primitives it is built from (CONTRACT.md R26).

        `expansion` is a graph of the variables x and y, whose last node is the result.
        """
        of_variable = dict(zip("xy", operands, strict=False))
        nodes: list[int] = []
        for operation, terms, label, literal in zip(
            expansion.operations,
            expansion.operands,
            expansion.labels,
            expansion.literals,
            strict=True,
        ):
            if operation:
                nodes.append(
                    self.add_operation(operation, tuple([nodes[each] for each in terms]), span)
                )
            else:
                nodes.append(of_variable[label] if label else self.add_constant(literal, span))
        return nodes[-1]

    def is_variable(self, node: int) -> bool:
        return self.variables.get(self.labels[node] or "") == node

    def _add(
        self,
        operation: Operation | None,
        operands: tuple[int, ...],
        label: str | None,
        literal: float,
        span: Offsets | None,
    ) -> int:
        node, limit = len(self.operations), self.limits.nodes
        if node >= limit:
            message = f"the graph has more than {limit} nodes; write a smaller program"
            raise LimitExceeded(message, span, name="nodes", limit=limit, actual=node + 1)
        self.operations.append(operation)
        self.operands.append(operands)
        self.labels.append(label)
        self.literals.append(literal)
        self.spans.append(span)
        return node
