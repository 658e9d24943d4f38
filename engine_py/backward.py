"""Steps + local gradients -> grads and the ledger, one row per edge."""

from collections.abc import Sequence
from math import isfinite

from engine_py.errors import NonFinite
from engine_py.forward import Forward, at_node, fault_of_number
from engine_py.graph import Graph
from engine_py.order import Step, fed_by_variables

Backward = tuple[list[float], list[float], list[float]]
"""grads, and the running_grads of the left and of the right operand after the contribution of this
operation arrived, each indexed by node. A contribution itself is grads[node] * local, since the
node's gradient is complete by then. An operand that does not exist has 0. Numbers may be infinite
or NaN if no variable feeds a node; the document has null for them (CONTRACT.md R5)."""


def backward(
    graph: Graph, order: Sequence[int], steps: Sequence[Step], computed: Forward
) -> Backward:
    """Set the root's gradient to 1 and propagate gradients along the edges."""
    _, lefts, rights = computed
    grads = [0.0] * len(lefts)
    running_lefts, running_rights = grads.copy(), grads.copy()
    grads[order[-1]] = 1.0
    for node, _, left, right, flows_right in reversed(steps):
        grad = grads[node]
        grads[left] = running_lefts[node] = grads[left] + grad * lefts[node]
        if flows_right:
            grads[right] = running_rights[node] = grads[right] + grad * rights[node]
    walked = grads, running_lefts, running_rights
    # Infinity and NaN stay non-finite when added to, so a finite sum means finite terms.
    if not isfinite(sum(grads)):
        _refuse_non_finite(graph, order, steps, computed, walked)
    return walked


def stage_of(local: float | None, contribution: float | None) -> str:
    """Name the number that made the running gradient of a row non-finite."""
    if local is not None and not isfinite(local):
        return "local_grad"
    if contribution is not None and not isfinite(contribution):
        return "contribution"
    return "grad"


def _refuse_non_finite(
    graph: Graph, order: Sequence[int], steps: Sequence[Step], computed: Forward, walked: Backward
) -> None:
    """Raise the error for the first row that is not finite and leads to a variable."""
    data, *local_grads = computed
    grads, *running_grads = walked
    fed = fed_by_variables(graph.variables.values(), graph.operands)
    rows = (
        (node, slot)
        for node, *_ in reversed(steps)
        for slot, operand in enumerate(graph.operands[node])
        if fed[operand] and not isfinite(running_grads[slot][node])
    )
    if (first := next(rows, None)) is None:
        return
    node, slot = first
    local = local_grads[slot][node]
    stage = stage_of(local, grads[node] * local)
    where = at_node(graph, order, node, data)
    fault = fault_of_number(stage, where["operation"], where["operands"])
    message = f"the {stage} of operand {slot} of `{where['operation']}` {fault}"
    raise NonFinite(message, graph.spans[node], stage=stage, **where, slot=slot)
