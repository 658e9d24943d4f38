"""Document -> experiment: its backward pass under other conditions, and what they change."""

from math import isfinite
from typing import Any, Literal, TypedDict

from engine_py.document import Document
from engine_py.lab.conditions import NOTHING, Conditions, check_conditions, variables
from engine_py.lab.local_grads import LocalGrad, rereader, stored
from engine_py.lab.lost import Lost, describe
from engine_py.lab.walk import Step, Walk


class WrongWalk(TypedDict):
    """What one engine reports under the conditions."""

    local_grads: Literal["stored", "reread"]
    ledger: list[Step]
    gradients: dict[str, float]
    differences: dict[str, float | None]
    """From the right gradients; None where it is no double."""
    lost: list[Lost]


class Experiment(TypedDict):
    """An experiment in full; ids are those of the document."""

    document: Document
    order: list[int]
    reverse_topological: bool
    broken_edge: int | None
    unvisited: list[int]
    walks: list[WrongWalk]


def experiment(
    document: Document,
    *,
    order: Any = "backward",
    accumulate: Any = "add",
    passes: Any = 1,
    mutate: Any = NOTHING,
) -> Experiment:
    """Repeat the backward pass of a document under other conditions (CONTRACT.md R36).

    Args:
        document: what `introspect` or `introspect_value` returned.
        order: the nodes to visit, as ids and labels; or "backward", the right order.
        accumulate: "add" a contribution to its operand's gradient, or "replace" that by it.
        passes: how many backward passes to make; gradients are not set to 0 between them.
        mutate: values that variables get after the forward pass. An engine that stored its local
            gradients in the forward pass does not notice, one that reads its operands' data when
            it needs them does: both are walked.

    Raises:
        GradientError: a member is wrong, or a number of the walk is not finite.
    """
    conditions = check_conditions(document, order, accumulate, passes, mutate)
    broken = _broken_edge(document, conditions.order)
    visited = set(conditions.order)
    unvisited = [
        node["id"]
        for node in document["nodes"]
        if node["operation"] is not None and node["id"] not in visited
    ]
    walks = [_walked(document, conditions, "stored", stored)]
    if conditions.mutate:
        walks.append(_walked(document, conditions, "reread", rereader(document, conditions.mutate)))
    return {
        "document": document,
        "order": conditions.order,
        "reverse_topological": broken is None and not unvisited,
        "broken_edge": broken,
        "unvisited": unvisited,
        "walks": walks,
    }


def _broken_edge(document: Document, order: list[int]) -> int | None:
    """Give the first edge whose operand is visited before its operation, or without it."""
    places = {node: place for place, node in enumerate(order)}
    never = len(order)
    broken = [
        (places[edge["from"]], edge["id"])
        for edge in document["edges"]
        if edge["from"] in places and places[edge["from"]] < places.get(edge["to"], never)
    ]
    return min(broken)[1] if broken else None


def _walked(
    document: Document,
    conditions: Conditions,
    name: Literal["stored", "reread"],
    local_grad: LocalGrad,
) -> WrongWalk:
    walk = Walk(document, conditions, local_grad)
    gradients = {label: walk.grads[node] + 0.0 for label, node in variables(document).items()}
    return {
        "local_grads": name,
        "ledger": walk.ledger,
        "gradients": gradients,
        "differences": {
            label: _difference(gradient, document["gradients"][label])
            for label, gradient in gradients.items()
        },
        "lost": [describe(document, walk.ledger, loss) for loss in walk.losses],
    }


def _difference(gradient: float, right: float) -> float | None:
    difference = gradient - right + 0.0
    return difference if isfinite(difference) else None
