"""Document + conditions -> the ledger of a backward pass under them, and what it lost.

A visit takes edges: in a push, as in `backward`, those from the operands of the visited node, and
in a pull those to the operations that use it. Each carries a contribution to its operand. All else
is the same.
"""

from itertools import chain
from math import isfinite
from typing import Literal, NamedTuple, TypedDict

from engine_py.backward import stage_of
from engine_py.document import Document
from engine_py.errors import NonFinite, Span
from engine_py.lab.conditions import Conditions
from engine_py.lab.local_grads import LocalGrad
from engine_py.template import Edge

Reason = Literal["late", "unvisited", "overwritten"]

Row = TypedDict(
    "Row",
    {
        "pass": int,
        "edge": int,
        "incoming_grad": float,
        "local_grad": float,
        "contribution": float,
        "running_grad": float,
    },
)
"""A row of the ledger: what an edge carries when a visit takes it."""


class Loss(NamedTuple):
    """A contribution, by its step in the ledger, that its operand did not keep or pass on."""

    step: int
    node: int
    """The node whose visit it waited for; where it was overwritten, its operand."""
    reason: Reason
    by: int | None = None
    """The step that overwrote it."""


class Walk:
    """One run of the backward passes: fills the ledger, the gradients by node, and the losses."""

    def __init__(self, document: Document, conditions: Conditions, local_grad: LocalGrad) -> None:
        """Visit the nodes in the order of the conditions, once a pass."""
        self.ledger: list[Row] = []
        self.grads = [0.0] * len(document["nodes"])
        self.losses: list[Loss] = []
        self._document, self._conditions, self._local_grad = document, conditions, local_grad
        self._visited: Literal["from", "to"] = "to" if conditions.walk == "push" else "from"
        """The end of an edge whose visit takes it."""
        self._waiting: list[dict[int, list[int]]] = [{} for _ in document["nodes"]]
        """For each node, and each whose visit passes on what arrives there, the steps that wait."""
        edges = self._edges_by_visit()
        for number in range(1, conditions.passes + 1):
            self._begin_pass()
            for node in conditions.order:
                for edge in edges[node]:
                    self._take(number, edge)
        self._lose_what_still_waits()
        self.losses.sort()

    def _edges_by_visit(self) -> list[list[Edge]]:
        """Give what each visit takes, in the order of R4, and let operations wait for visits."""
        nodes = self._document["nodes"]
        by_visit: list[list[Edge]] = [[] for _ in nodes]
        for edge in sorted(self._document["edges"], key=lambda edge: (-edge["to"], edge["slot"])):
            if edge["running_grad"] is not None:  # as exponents have none, and R5 allows
                visited = edge[self._visited]
                by_visit[visited].append(edge)
                if nodes[visited]["kind"] != "constant":
                    self._waiting[edge["to"]][visited] = []
        return by_visit

    def _begin_pass(self) -> None:
        """Reset what is to be reset, and seed the root. What has arrived in leaves stays there."""
        reset = self._conditions.reset
        if reset != "none":
            self._lose_what_still_waits()
        for node in self._document["nodes"]:
            id_, is_leaf = node["id"], node["operation"] is None
            if is_leaf:
                self._waiting[id_] = {id_: []}
            if reset == "all" or (reset == "inner" and not is_leaf):
                self.grads[id_] = 0.0
        self.grads[self._document["root"]] = self._conditions.seed

    def _take(self, number: int, edge: Edge) -> None:
        """Let a contribution arrive at an edge's operand; what waited for that is passed on."""
        operand, incoming, local = edge["from"], self.grads[edge["to"]], self._local_grad(edge)
        contribution, step = incoming * local, len(self.ledger)
        self._waiting[edge["to"]].get(edge[self._visited], []).clear()
        if self._conditions.accumulate == "replace":
            self._overwrite(operand, step)
            running = contribution
        else:
            running = self.grads[operand] + contribution
        if not (isfinite(local) and isfinite(contribution) and isfinite(running)):
            raise _non_finite(self._document, edge, stage_of(local, contribution))
        self.grads[operand] = running
        if contribution != 0.0:
            for steps in self._waiting[operand].values():
                steps.append(step)
        row: Row = {
            "pass": number,
            "edge": edge["id"],
            "incoming_grad": incoming + 0.0,
            "local_grad": local + 0.0,
            "contribution": contribution + 0.0,
            "running_grad": running + 0.0,
        }
        self.ledger.append(row)

    def _overwrite(self, node: int, by: int) -> None:
        waiting = self._waiting[node].values()
        self.losses += [Loss(step, node, "overwritten", by) for step in {*chain(*waiting)}]
        for steps in waiting:
            steps.clear()

    def _lose_what_still_waits(self) -> None:
        visited = set(self._conditions.order)
        for node in self._document["nodes"]:
            if node["operation"] is not None:
                for visit, steps in self._waiting[node["id"]].items():
                    reason: Reason = "late" if visit in visited else "unvisited"
                    self.losses += [Loss(step, visit, reason) for step in steps]
                    steps.clear()


def _non_finite(document: Document, edge: Edge, stage: str) -> NonFinite:
    nodes, node, slot = document["nodes"], edge["to"], edge["slot"]
    operation, span = nodes[node]["operation"], nodes[node]["span"]
    operands = [nodes[each["from"]]["data"] for each in document["edges"] if each["to"] == node]
    where = {"node": node, "operation": operation, "operands": operands, "slot": slot}
    message = f"the {stage} of operand {slot} of `{operation}` is too large for a double"
    return NonFinite(message, span and Span(**span), stage=stage, **where)
