"""Document -> its gradients by forward mode, and how far each mode can be from the truth."""

from typing import NamedTuple

from engine_py.document import Document
from engine_py.lab.program import Computed, Program
from engine_py.lab.roundings import SAFE, TINY, U, local_bounds, rounding

Edges = list[tuple[int, int, float, float, float]]
"""(from, to, local_grad, |local_grad|, its error), in the order of their ids."""


class Tangent(NamedTuple):
    """The root's derivative in the direction of a variable."""

    value: float
    bound: float
    """How far it can be from the true derivative."""
    magnitude: float
    """The sum over all paths of |product|: the scale on which cancellation is judged."""


def bounds_of_local_grads(program: Program, computed: Computed | None) -> list[list[float]]:
    """Bound the errors of all local gradients, by node and slot."""
    if computed is None:
        return [[float("inf")] * len(step.operands) for step in program]
    nodes = computed.nodes
    return [
        local_bounds(step.operation, nodes[node], [nodes[operand] for operand in step.operands])
        if step.operation
        else []
        for node, step in enumerate(program)
    ]


def differentiable_edges(document: Document, errors: list[list[float]]) -> Edges:
    """Take from the document what every pass of forward mode needs, once for all of them."""
    return [
        (edge["from"], edge["to"], local, abs(local), errors[edge["to"]][edge["slot"]])
        for edge in document["edges"]
        if (local := edge["local_grad"]) is not None
    ]


def forward_mode(document: Document, leaf: int, edges: Edges) -> Tangent:
    """Push the tangent 1 of a variable to the root: one forward pass (CONTRACT.md R38).

    Edges are sorted by operation and slot, so a tangent is complete before it is used.
    """
    tangents = [0.0] * len(document["nodes"])
    bounds, magnitudes = tangents.copy(), tangents.copy()
    reached = [False] * len(tangents)
    tangents[leaf], magnitudes[leaf], reached[leaf] = 1.0, 1.0, True
    for start, to, local, size, error in edges:
        if reached[start]:
            reached[to] = True
            tangent = tangents[start]
            product = local * tangent
            tangents[to] = total = tangents[to] + product
            # `_scaled` and `rounding`, which would take half of the time where they are called.
            inherited = error * abs(tangent) if error and tangent else 0.0
            carried = size * bounds[start] + inherited
            bounds[to] += carried + (abs(product) * U + TINY) + (abs(total) * U + TINY)
            magnitudes[to] += size * magnitudes[start]
    root = document["root"]
    return Tangent(tangents[root], SAFE * bounds[root], magnitudes[root])


def reverse_bounds(document: Document, errors: list[list[float]]) -> list[float]:
    """Bound how far the gradient of each node can be from the true derivative."""
    bounds = [0.0] * len(document["nodes"])
    for edge in reversed(document["edges"]):
        start, to, local = edge["from"], edge["to"], edge["local_grad"]
        if local is None:
            continue
        contribution, running = edge["contribution"] or 0.0, edge["running_grad"] or 0.0
        error = _scaled(errors[to][edge["slot"]], edge["incoming_grad"])
        carried = abs(local) * bounds[to] + error
        bounds[start] += carried + rounding(contribution) + rounding(running)
    return [SAFE * bound for bound in bounds]


def _scaled(error: float, factor: float) -> float:
    return error * abs(factor) if error and factor else 0.0
