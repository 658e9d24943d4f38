"""Graph + local gradients -> grads and the ledger, one row per edge.

Send each node's gradient to its operands, once per edge. The walk goes root to leaves, so a node's
gradient is complete before it is read.
"""

from collections.abc import Iterator
from math import isfinite

from engine_py.errors import NonFinite
from engine_py.forward import Forward, at_node
from engine_py.graph import Graph

Backward = tuple[list[float], list[float | None], list[float | None]]
"""grads, indexed by node; then the ledger, a row per edge as `walk` meets them: contributions, and
the operand's running_grads after each arrived. None where no gradient flows."""


def walk(graph: Graph, order: list[int]) -> Iterator[tuple[int, int, int]]:
    """Give (node, slot, operand) of every edge as the backward pass meets it."""
    for node in reversed(order):
        for slot, operand in enumerate(graph.operands[node]):
            yield node, slot, operand


def backward(graph: Graph, order: list[int], computed: Forward) -> Backward:
    """Start at the root with 1 and walk the order in reverse, operand slots left to right."""
    operands, (_, local_grads) = graph.operands, computed
    grads = [0.0] * len(operands)
    contributions: list[float | None] = []
    running_grads: list[float | None] = []
    grads[order[-1]] = 1.0
    for node in reversed(order):
        if not operands[node]:
            continue
        incoming = grads[node]
        for operand, local in zip(operands[node], local_grads[node]):  # noqa: B905 - costs a tenth
            if local is None:
                contributions.append(None)
                running_grads.append(None)
            else:
                contribution = incoming * local
                grads[operand] += contribution
                contributions.append(contribution)
                running_grads.append(grads[operand])
    walked = grads, contributions, running_grads
    if not all(map(isfinite, grads)):  # what is added to infinity or NaN stays non-finite
        raise _first_non_finite(graph, order, computed, walked)
    return walked


def stage_of(local: float | None, contribution: float | None) -> str:
    """Say which of the three numbers of a row with a non-finite sum is to blame."""
    if local is not None and not isfinite(local):
        return "local_grad"
    if contribution is not None and not isfinite(contribution):
        return "contribution"
    return "grad"


def _first_non_finite(
    graph: Graph, order: list[int], computed: Forward, walked: Backward
) -> NonFinite:
    """Find the row where it began."""
    (data, local_grads), (_, *ledger) = computed, walked
    node, slot, contribution = next(
        (node, slot, contribution)
        for (node, slot, _), contribution, running_grad in zip(
            walk(graph, order), *ledger, strict=True
        )
        if running_grad is not None and not isfinite(running_grad)
    )
    stage = stage_of(local_grads[node][slot], contribution)
    where = at_node(graph, order, node, data)
    message = f"the {stage} of operand {slot} of `{where['operation']}` is too large for a double"
    return NonFinite(message, graph.spans[node], stage=stage, **where, slot=slot)
