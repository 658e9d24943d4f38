"""Document -> its second derivatives by pairs of names, and derivatives along a vector.

Forward over reverse mode: a tangent is a number's derivative along the direction. A number that the
direction does not reach has the tangent None, which takes part in no sum or product, so 0 *
infinity cannot occur.
"""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import NamedTuple, TypedDict

from engine_py.deadline import NEVER, Deadline
from engine_py.document import GradientDocument
from engine_py.errors import InvalidRequest, LimitExceeded, NonFinite, Span
from engine_py.lab.checks import check_numbers, refuse
from engine_py.lab.checks import variables as ids_of
from engine_py.lab.formulas import formulas_of
from engine_py.lab.tape import Dual, tape_of
from engine_py.limits import DEFAULT_LIMITS, Limits, check_limits
from engine_py.operations import StaleRow, stale_custom
from engine_py.order import fed_by_variables
from engine_py.request import View, described
from engine_py.subject import Subject, Values, document_of
from engine_py.template import Edge

_NODES_PER_CHECK = 64
"""The formulas of a node may take a few tenths of a millisecond."""


class Hessian(TypedDict):
    """Second derivatives; the last two are None if no vector was given."""

    document: GradientDocument
    hessian: dict[str, dict[str, float]]
    product: dict[str, float] | None
    directional_derivative: float | None


def hessian(  # noqa: PLR0913 - a request, its limits and its deadline
    subject: Subject,
    values: Values | None = None,
    *,
    parameters: Sequence[str] = (),
    view: View = "folded",
    variables: Sequence[str] | None = None,
    vector: Values | None = None,
    limits: Limits = DEFAULT_LIMITS,
    deadline: Deadline = NEVER,
) -> Hessian:
    """Differentiate the gradients of a document once more (CONTRACT.md R41).

    Args:
        subject: a document, a text or a Value.
        values: by name, for a text.
        parameters: their names, for a text or a Value.
        view: for a text: "folded", or "primitive" to build -, / and others from + * **.
        variables: names whose second derivatives are computed; if None, all of them.
        vector: numbers by variable, 0 for the others. The reply has the Hessian's product with it
            for every variable, and the result's derivative along it; both need one direction.
        limits: `tangents`, and those of the document.
        deadline: of the computation.

    Raises:
        GradientError: a member is invalid, there are too many directions for a graph of this size,
            or a tangent is not finite.
        DeadlineExceeded: the deadline has passed.
    """
    document = document_of(
        subject, values, parameters=parameters, view=view, limits=limits, deadline=deadline
    )
    deadline.check()
    ids = ids_of(document)
    chosen = _check_variables(ids, variables)
    direction = None if vector is None else check_numbers(document, "vector", vector)
    directions = len(chosen) + (direction is not None)
    _check_size(document, directions, check_limits(limits).tangents)
    order = SecondOrder(document, deadline)
    along = None if direction is None else order.along(direction)
    columns = {name: _named(ids, order.along({ids[name]: 1.0}).grads) for name in chosen}
    return {
        "document": document,
        "hessian": {one: {other: columns[other][one] for other in chosen} for one in chosen},
        "product": along and _named(ids, along.grads),
        "directional_derivative": along and _number(along.result),
    }


def _named(ids: dict[str, int], tangents: list[float | None]) -> dict[str, float]:
    return {name: _number(tangents[node]) for name, node in ids.items()}


def _number(tangent: float | None) -> float:
    return (tangent or 0.0) + 0.0


def _check_variables(ids: dict[str, int], variables: object) -> list[str]:
    if variables is None:
        return list(ids)
    if not isinstance(variables, list | tuple):
        refuse("variables", "an array of names", variables)
    chosen: dict[str, None] = {}
    for place, name in enumerate(variables):
        pointer = f"/variables/{place}"
        if not isinstance(name, str) or name not in ids:
            message = f"variables[{place}] must be the name of a variable, not {described(name)}"
            raise InvalidRequest(message, pointer=pointer)
        if name in chosen:
            message = f"`{name}` is listed twice under variables; list it once"
            raise InvalidRequest(message, pointer=pointer)
        chosen[name] = None
    return list(chosen)


def _check_size(document: GradientDocument, directions: int, limit: int) -> None:
    actual = directions * len(document["edges"])
    if actual > limit:
        message = f"{directions} directions in this graph take {actual} tangents; at most "
        message += f"{limit} are computed, so name fewer variables, or give a vector"
        raise LimitExceeded(message, name="tangents", limit=limit, actual=actual)


Tangents = list[float | None]
"""By node, or by slot."""


class Along(NamedTuple):
    """The tangents of a direction."""

    result: float | None
    grads: Tangents
    """By node."""


class SecondOrder:
    """A document, to be differentiated along one direction after another."""

    def __init__(self, document: GradientDocument, deadline: Deadline = NEVER) -> None:
        """Group the edges by their operation."""
        self._document, self._tape, self._deadline = document, tape_of(document), deadline
        self._slots: list[list[Edge]] = [[] for _ in document["nodes"]]
        for edge in document["edges"]:
            self._slots[edge["to"]].append(edge)
        operands = [entry.operands for entry in self._tape]
        self._fed = fed_by_variables(ids_of(document).values(), operands)

    def along(self, direction: Mapping[int, float]) -> Along:
        """Compute the tangents of the result and of each node's gradient (CONTRACT.md R41).

        Raises:
            NonFinite: a tangent is infinite or NaN; the first one is named.
        """
        tangents = self._of_data(direction)
        grads: Tangents = [None] * len(tangents)
        self._deadline.check()
        for node in self._deadline.over(self._document["backward_order"], _NODES_PER_CHECK):
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
            formulas = formulas_of(operation, Dual(data, tangents[node]), terms)
        except StaleRow:
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
        quantity = "the result" if slot is None else f"the gradient of operand {slot}"
        message = f"the tangent of {quantity} of `{operation}` is too large for a double"
        where = {"node": node, "operation": operation, "operands": operands, "slot": slot}
        raise NonFinite(message, span and Span(**span), stage="tangent", **where)
