"""Graph + local gradients -> grads and the ledger, one row per edge.

Send each node's gradient to its operands, once per edge. The walk goes root to leaves, so a node's
gradient is complete before it is read.
"""

from collections.abc import Iterator
from math import isfinite
from typing import NamedTuple

from engine_py.errors import NonFinite
from engine_py.forward import Forward, at_node
from engine_py.graph import Graph


class Ledger(NamedTuple):
    """What the walk did: grads indexed by node, the rest a row per edge, as `walk` meets them."""

    grads: list[float]
    contributions: list[float | None]
    running_grads: list[float | None]
    """The operand's gradient after the contribution arrived; None where none flows."""


def walk(graph: Graph, order: list[int]) -> Iterator[tuple[int, int, int]]:
    """Give (node, slot, operand) of every edge as the backward pass meets it."""
    for node in reversed(order):
        for slot, operand in enumerate(graph.operands[node]):
            yield node, slot, operand


def backward(graph: Graph, order: list[int], computed: Forward) -> Ledger:
    """Start at the root with 1 and walk the order in reverse, operand slots left to right."""
    operands, local_grads = graph.operands, computed.local_grads
    grads = [0.0] * len(operands)
    contributions: list[float | None] = []
    running_grads: list[float | None] = []
    grads[order[-1]] = 1.0
    for node in reversed(order):
        incoming = grads[node]
        for operand, local in zip(operands[node], local_grads[node], strict=True):
            if local is None:
                contributions.append(None)
                running_grads.append(None)
                continue
            contribution = incoming * local
            grads[operand] += contribution
            contributions.append(contribution)
            running_grads.append(grads[operand])
    ledger = Ledger(grads, contributions, running_grads)
    if not all(map(isfinite, grads)):  # what is added to infinity or NaN stays non-finite
        raise _first_non_finite(graph, order, computed, ledger)
    return ledger


def _first_non_finite(
    graph: Graph, order: list[int], computed: Forward, ledger: Ledger
) -> NonFinite:
    """Find the row where it began, and which of its three numbers is to blame."""
    rows = zip(walk(graph, order), ledger.contributions, ledger.running_grads, strict=True)
    node, slot, contribution = next(
        (node, slot, contribution)
        for (node, slot, _), contribution, running_grad in rows
        if running_grad is not None and not isfinite(running_grad)
    )
    stage, local = "grad", computed.local_grads[node][slot]
    if local is not None and not isfinite(local):
        stage = "local_grad"
    elif contribution is not None and not isfinite(contribution):
        stage = "contribution"
    where = at_node(graph, order, node, computed.data)
    message = f"the {stage} of operand {slot} of `{where['operation']}` is too large for a double"
    return NonFinite(message, graph.spans[node], stage=stage, **where, slot=slot)
