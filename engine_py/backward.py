"""Graph + walk + local gradients -> grads and the ledger, one row per edge."""

from math import isfinite

from engine_py.errors import NonFinite
from engine_py.forward import Forward, at_node
from engine_py.graph import Graph
from engine_py.order import Walk

Backward = tuple[list[float], list[float | None]]
"""grads, indexed by node; then, for each edge of the walk, the operand's running_grads after its
contribution arrived. None where no gradient flows. A contribution itself is grads[node] * local,
as the gradient of the node is complete by then."""


def backward(graph: Graph, order: list[int], edges: Walk, computed: Forward) -> Backward:
    """Set the root's gradient to 1 and propagate gradients along the edges."""
    _, local_grads = computed
    grads = [0.0] * len(graph.operands)
    running_grads: list[float | None] = []
    grads[order[-1]] = 1.0
    for node, slot, operand in edges:
        local = local_grads[node][slot]
        if local is None:
            running_grads.append(None)
        else:
            grads[operand] += grads[node] * local
            running_grads.append(grads[operand])
    walked = grads, running_grads
    if not all(map(isfinite, grads)):  # what is added to infinity or NaN stays non-finite
        raise _first_non_finite(graph, order, edges, computed, walked)
    return walked


def stage_of(local: float | None, contribution: float | None) -> str:
    """Name the number that made the running gradient of a row non-finite."""
    if local is not None and not isfinite(local):
        return "local_grad"
    if contribution is not None and not isfinite(contribution):
        return "contribution"
    return "grad"


def _first_non_finite(
    graph: Graph, order: list[int], edges: Walk, computed: Forward, walked: Backward
) -> NonFinite:
    """Build the error for the first row that is not finite."""
    (data, local_grads), (grads, running_grads) = computed, walked
    row = next(
        row for row, grad in enumerate(running_grads) if grad is not None and not isfinite(grad)
    )
    node, slot, _ = edges[row]
    local = local_grads[node][slot]
    stage = stage_of(local, local and grads[node] * local)
    where = at_node(graph, order, node, data)
    message = f"the {stage} of operand {slot} of `{where['operation']}` is too large for a double"
    return NonFinite(message, graph.spans[node], stage=stage, **where, slot=slot)
