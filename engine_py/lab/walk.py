"""Document + conditions -> the ledger of a backward pass under them, and what it lost.

The walk pushes, as `backward` does: a visited operation sends a contribution to each operand, and
the visit of a leaf does nothing.
"""

from math import isfinite
from typing import Literal, NamedTuple, TypedDict

from engine_py.backward import stage_of
from engine_py.document import Document
from engine_py.errors import NonFinite, Span
from engine_py.lab.conditions import Conditions
from engine_py.lab.local_grads import LocalGrad
from engine_py.template import Edge

Reason = Literal["late", "unvisited", "overwritten"]

Step = TypedDict(
    "Step",
    {
        "pass": int,
        "edge": int,
        "incoming_grad": float,
        "local_grad": float,
        "contribution": float,
        "running_grad": float,
    },
)
"""A row of the ledger: what an edge carries when its operation is visited."""


class Loss(NamedTuple):
    """A contribution, by its step in the ledger, that its operand did not keep or pass on."""

    step: int
    reason: Reason
    by: int | None = None
    """The step that overwrote it."""


class Walk:
    """One run of the backward passes: fills the ledger, the gradients by node, and the losses."""

    def __init__(self, document: Document, conditions: Conditions, local_grad: LocalGrad) -> None:
        """Visit the nodes in the order of the conditions, once a pass."""
        self.ledger: list[Step] = []
        self.grads = [0.0] * len(document["nodes"])
        self.losses: list[Loss] = []
        self._document, self._conditions, self._local_grad = document, conditions, local_grad
        self._waiting: list[list[int]] = [[] for _ in document["nodes"]]
        """For each node, the steps whose contribution was not passed on yet."""
        slots = _slots(document)
        for number in range(1, conditions.passes + 1):
            self._begin_pass()
            for node in conditions.order:
                for edge in slots[node]:
                    self._send(number, edge)
                if slots[node]:
                    self._waiting[node].clear()
        self._lose_what_still_waits()

    def _begin_pass(self) -> None:
        """Seed the root. What the pass before left in the leaves has arrived."""
        self.grads[self._document["root"]] = 1.0
        for node in self._document["nodes"]:
            if node["operation"] is None:
                self._waiting[node["id"]].clear()

    def _send(self, number: int, edge: Edge) -> None:
        """Send a contribution along an edge to its operand."""
        operand, incoming, local = edge["from"], self.grads[edge["to"]], self._local_grad(edge)
        contribution, step = incoming * local, len(self.ledger)
        if self._conditions.accumulate == "replace":
            self.losses += [Loss(lost, "overwritten", step) for lost in self._waiting[operand]]
            self._waiting[operand].clear()
            running = contribution
        else:
            running = self.grads[operand] + contribution
        if not (isfinite(local) and isfinite(contribution) and isfinite(running)):
            raise _non_finite(self._document, edge, stage_of(local, contribution))
        self.grads[operand] = running
        if contribution != 0.0:
            self._waiting[operand].append(step)
        row: Step = {
            "pass": number,
            "edge": edge["id"],
            "incoming_grad": incoming + 0.0,
            "local_grad": local + 0.0,
            "contribution": contribution + 0.0,
            "running_grad": running + 0.0,
        }
        self.ledger.append(row)

    def _lose_what_still_waits(self) -> None:
        visited = set(self._conditions.order)
        for node in self._document["nodes"]:
            if node["operation"] is not None:
                reason: Reason = "late" if node["id"] in visited else "unvisited"
                self.losses += [Loss(step, reason) for step in self._waiting[node["id"]]]
        self.losses.sort()


def _slots(document: Document) -> list[list[Edge]]:
    """Give each node's edges to its operands, but for exponents."""
    slots: list[list[Edge]] = [[] for _ in document["nodes"]]
    for edge in document["edges"]:
        if edge["differentiable"]:
            slots[edge["to"]].append(edge)
    return slots


def _non_finite(document: Document, edge: Edge, stage: str) -> NonFinite:
    nodes, node, slot = document["nodes"], edge["to"], edge["slot"]
    operation, span = nodes[node]["operation"], nodes[node]["span"]
    operands = [nodes[each["from"]]["data"] for each in document["edges"] if each["to"] == node]
    where = {"node": node, "operation": operation, "operands": operands, "slot": slot}
    message = f"the {stage} of operand {slot} of `{operation}` is too large for a double"
    return NonFinite(message, span and Span(**span), stage=stage, **where)
