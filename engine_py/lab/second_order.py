"""Document + direction -> how result and gradients change along it: forward over reverse mode.

A tangent is a number's derivative along the direction. None is the tangent of what the direction
does not reach; it takes part in no sum and no product, so that 0 * infinity cannot come of it.
"""

from collections.abc import Mapping
from math import isfinite
from typing import NamedTuple

from engine_py.custom import Moved, stale_custom
from engine_py.document import Document
from engine_py.errors import NonFinite, Span
from engine_py.lab.conditions import variables
from engine_py.lab.dual import Dual, apply
from engine_py.lab.tape import tape_of
from engine_py.order import fed_by_variables
from engine_py.template import Edge

Tangents = list[float | None]
"""By node, or by slot."""


class Along(NamedTuple):
    """The tangents of a direction."""

    result: float | None
    grads: Tangents
    """By node."""


class SecondOrder:
    """A document, differentiated along one direction after the other."""

    def __init__(self, document: Document) -> None:
        """Group the edges by their operation."""
        self._document, self._tape = document, tape_of(document)
        self._slots: list[list[Edge]] = [[] for _ in document["nodes"]]
        for edge in document["edges"]:
            self._slots[edge["to"]].append(edge)
        operands = [entry.operands for entry in self._tape]
        self._fed = fed_by_variables(variables(document).values(), operands)

    def along(self, direction: Mapping[int, float]) -> Along:
        """Give the tangents of the result and of each node's gradient (CONTRACT.md R41).

        Raises:
            NonFinite: a tangent is infinite or NaN; the first one is named.
        """
        tangents = self._of_data(direction)
        grads: Tangents = [None] * len(tangents)
        for node in self._document["backward_order"]:
            if self._slots[node]:
                self._send(node, grads, self._of_local_grads(node, tangents))
        return Along(tangents[self._document["root"]], grads)

    def _of_data(self, direction: Mapping[int, float]) -> Tangents:
        """Push the tangents of the leaves to the root, as forward mode does."""
        tangents: Tangents = [direction.get(node) for node in self._document["topological_order"]]
        for node, edges in enumerate(self._slots):
            for edge in edges:
                tangent, local = tangents[edge["from"]], edge["local_grad"]
                if local is not None and tangent is not None:
                    tangents[node] = (tangents[node] or 0.0) + local * tangent
            self._refuse_non_finite(tangents[node], node, None)
        return tangents

    def _of_local_grads(self, node: int, tangents: Tangents) -> Tangents:
        """Differentiate the formulas of an operation's local gradients, by slot."""
        operation, operands, data = self._tape[node]
        if operation is None or tangents[node] is None:
            return [None] * len(operands)
        terms = [Dual(self._tape[operand].data, tangents[operand]) for operand in operands]
        try:
            formulas = operation.formulas(apply, Dual(data, tangents[node]), *terms)
        except Moved:
            raise stale_custom(operation.name, node, [term.data for term in terms]) from None
        return [each.tangent if isinstance(each, Dual) else None for each in formulas]

    def _send(self, node: int, grads: Tangents, local_tangents: Tangents) -> None:
        """Send the tangent of incoming_grad * local_grad to each operand."""
        for edge, local_tangent in zip(self._slots[node], local_tangents, strict=True):
            incoming, local, operand = edge["incoming_grad"], edge["local_grad"], edge["from"]
            if incoming is None or local is None or not self._fed[operand]:
                continue
            sent: float | None = None
            tangent = grads[node]
            if tangent is not None:
                sent = tangent * local
            if local_tangent is not None:
                sent = (sent or 0.0) + incoming * local_tangent
            if sent is not None:
                grads[operand] = (grads[operand] or 0.0) + sent
                self._refuse_non_finite(grads[operand], node, edge["slot"])

    def _refuse_non_finite(self, tangent: float | None, node: int, slot: int | None) -> None:
        if tangent is None or isfinite(tangent):
            return
        nodes = self._document["nodes"]
        operation, span = nodes[node]["operation"], nodes[node]["span"]
        operands = [nodes[edge["from"]]["data"] for edge in self._slots[node]]
        what = "the result" if slot is None else f"the gradient of operand {slot}"
        message = f"the tangent of {what} of `{operation}` is too large for a double"
        where = {"node": node, "operation": operation, "operands": operands, "slot": slot}
        raise NonFinite(message, span and Span(**span), stage="tangent", **where)
