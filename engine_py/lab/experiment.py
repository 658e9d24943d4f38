"""Document -> experiment: its backward pass under other conditions, and what they change."""

from collections.abc import Sequence
from math import isfinite
from typing import Literal, TypedDict

from engine_py.document import Document
from engine_py.lab.conditions import (
    NOTHING,
    Accumulate,
    Conditions,
    Direction,
    Reset,
    check_conditions,
    check_steps,
    variables,
)
from engine_py.lab.local_grads import LocalGrad, rereader, stored
from engine_py.lab.lost import Lost, describe
from engine_py.lab.walk import Row, Walk
from engine_py.limits import DEFAULT_LIMITS, Limits, check_limits
from engine_py.value import Value, Values, document_of


class WrongWalk(TypedDict):
    """What one engine reports under the conditions."""

    local_grads: Literal["stored", "reread"]
    ledger: list[Row]
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


def experiment(  # noqa: PLR0913 - each is a member of a request, but for the limits
    subject: Document | Value | str,
    *,
    values: Values | None = None,
    walk: Direction = "push",
    order: Sequence[int | str] | Literal["backward"] = "backward",
    accumulate: Accumulate = "add",
    seed: float = 1,
    passes: int = 1,
    reset: Reset = "none",
    mutate: Values = NOTHING,
    limits: Limits = DEFAULT_LIMITS,
) -> Experiment:
    """Repeat the backward pass of a document under other conditions (CONTRACT.md R36).

    Args:
        subject: a document, a text or a Value.
        values: those of a text.
        walk: whether a visited node sends a contribution to each operand, "push", as `backward`
            does, or collects one from each operation that uses it, "pull", as that is by then.
        order: the nodes to visit, as ids and labels; or "backward", the right order.
        accumulate: "add" a contribution to its operand's gradient, or "replace" that by it.
        seed: the root's gradient at the beginning of each pass.
        passes: how many backward passes to make.
        reset: whose gradients are set to 0 between them: "none", the "inner" nodes', which are the
            operations, so that leaves alone accumulate as PyTorch's do, or "all".
        mutate: values that variables get after the forward pass. An engine that stored its local
            gradients in the forward pass does not notice, one that reads its operands' data when
            it needs them does: both are walked.
        limits: of these, that of steps, and those of the document.

    Raises:
        GradientError: a member is wrong, or a number of the walk is not finite.
    """
    document = document_of(subject, values, limits=limits)
    members: dict[str, object] = {
        "walk": walk,
        "order": order,
        "accumulate": accumulate,
        "seed": seed,
    }
    members |= {"passes": passes, "reset": reset, "mutate": mutate}
    conditions = check_conditions(document, members)
    check_steps(document, conditions.passes, check_limits(limits).steps)
    unvisited = _unvisited(document, conditions)
    broken = _broken_edge(document, conditions.order, unvisited)
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


def _unvisited(document: Document, conditions: Conditions) -> list[int]:
    """Give the nodes that are not in the order, and whose visit would do something.

    What a pull would collect in a constant is in no gradient that is asked for.
    """
    visited = set(conditions.order)
    return [
        node["id"]
        for node in document["nodes"]
        if node["id"] not in visited
        and (
            node["operation"] is not None
            if conditions.walk == "push"
            else node["kind"] != "constant" and node["id"] != document["root"]
        )
    ]


def _broken_edge(document: Document, order: list[int], unvisited: list[int]) -> int | None:
    """Give the first edge whose operand is visited before its operation, or while that is not."""
    never = len(order)
    places = dict.fromkeys(unvisited, never) | {node: place for place, node in enumerate(order)}
    broken = [
        (places[edge["from"]], edge["id"])
        for edge in document["edges"]
        if places.get(edge["from"], never) < places.get(edge["to"], -1)
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
