"""Document -> its gradients by forward mode, and how far each mode can be from the truth.

An error made at a node reaches the root multiplied by at most the node's magnitude, the sum over
all paths from the root to it of |product|. So one pass from the root serves the bounds of all
variables, and forward mode itself carries tangents alone.
"""

from typing import NamedTuple

from engine_py.document import Document
from engine_py.lab.program import Computed, Program
from engine_py.lab.roundings import SAFE, TINY, U, local_bounds, rounding

Push = tuple[int, int, float, int, float]
"""(node, left, its local gradient, right, its local gradient) of an operation. Where it has no such
operand, this is the node after the last one, whose tangent stays 0."""


class ForwardMode(NamedTuple):
    """What every pass needs, made once for all of them."""

    root: int
    pushes: list[Push]
    roundings: list[tuple[float, float]]
    """For each node a and b: what uses its tangent t puts the root off by at most a * |t| + b."""


class Tangent(NamedTuple):
    """The root's derivative in the direction of a variable."""

    value: float
    bound: float
    """How far it can be from the true derivative."""


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


def magnitudes(document: Document) -> list[float]:
    """Sum |product| over all paths from the root to each node: the scale of cancellation."""
    sums = [0.0] * len(document["nodes"])
    sums[document["root"]] = 1.0
    for edge in reversed(document["edges"]):
        if local := edge["local_grad"]:
            sums[edge["from"]] += abs(local) * sums[edge["to"]]
    return sums


def prepare_forward(
    document: Document, errors: list[list[float]], scales: list[float]
) -> ForwardMode:
    """Take from the document what the passes need.

    Args:
        document: what is differentiated.
        errors: of the local gradients, by node and slot.
        scales: the magnitudes of the nodes.
    """
    absent = len(document["nodes"])
    pushes: dict[int, Push] = {}
    for edge in document["edges"]:
        start, to, local = edge["from"], edge["to"], edge["local_grad"]
        if local is not None:
            first = pushes.get(to)
            pushes[to] = (*first[:3], start, local) if first else (to, start, local, absent, 0.0)
    roundings = [*_roundings(document, errors, scales), (0.0, 0.0)]
    return ForwardMode(document["root"], list(pushes.values()), roundings)


def _roundings(
    document: Document, errors: list[list[float]], scales: list[float]
) -> list[tuple[float, float]]:
    nodes, edges = document["nodes"], document["edges"]
    relative = [scales[node["id"]] * U if node["operation"] else 0.0 for node in nodes]
    absolute = [0.0] * len(nodes)
    for edge in edges:
        start, to, local = edge["from"], edge["to"], edge["local_grad"]
        if local is not None:
            # The unit of a subnormal number is TINY. A product with an exact 0 is exact.
            error = errors[to][edge["slot"]] + (abs(local) * U + TINY if local else 0.0)
            if error:
                relative[start] += _scaled(error, scales[to]) + TINY
                absolute[start] += 2 * TINY * scales[to] + TINY
    return list(zip(relative, absolute, strict=True))


def forward_mode(prepared: ForwardMode, leaf: int) -> Tangent:
    """Push the tangent 1 of a variable to the root: one forward pass (CONTRACT.md R38)."""
    root, pushes, roundings = prepared
    tangents = [0.0] * len(roundings)
    tangents[leaf] = 1.0
    for node, left, local, right, other in pushes:
        tangents[node] = local * tangents[left] + other * tangents[right]
    bound = 0.0
    for tangent, (relative, absolute) in zip(tangents, roundings, strict=True):
        if tangent:
            bound += relative * abs(tangent) + absolute
    return Tangent(tangents[root], SAFE * bound)


def reverse_bounds(document: Document, errors: list[list[float]]) -> list[float]:
    """Bound how far the gradient of each node can be from the true derivative."""
    bounds = [0.0] * len(document["nodes"])
    for edge in reversed(document["edges"]):
        start, to, local = edge["from"], edge["to"], edge["local_grad"]
        if local is None:
            continue
        contribution, running = edge["contribution"] or 0.0, edge["running_grad"] or 0.0
        error = _scaled(errors[to][edge["slot"]], edge["incoming_grad"])
        carried = _scaled(bounds[to], local) + error
        bounds[start] += carried + rounding(contribution) + rounding(running)
    return [SAFE * bound for bound in bounds]


def _scaled(error: float, factor: float) -> float:
    return error * abs(factor) if error and factor else 0.0
