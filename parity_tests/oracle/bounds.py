"""A graph -> for every node's data and gradient, the interval that no rounding can leave.

The derivation. Every operation that a platform computes gives (1 + d) times its exact result at
the operands it got, with |d| at most `ulps` * 2**-52: half an ulp where rounding is correct (+, -,
*, / everywhere; everything in the engines), one ulp for exp, log, tanh and powers in PyTorch (the
accuracy that its libraries SLEEF and MKL promise; what it composes of several has its factor in the
table). So: carry an interval for each operand through
the operation, then widen it by that factor; do so for data, local gradients (R3), contributions
and sums. The true value (every d = 0) is in the interval, and so is what every such platform
computes; hence no two of them are further apart than its width. It is a running error bound with
nothing left out: not cut off after the first order, it needs no safety factor.
"""

from functools import lru_cache

import gmpy2

from parity_tests.oracle.graph import PRECISION, Graph, Node
from parity_tests.oracle.intervals import (
    HALF_ULP,
    ONE,
    ZERO,
    Interval,
    NoBoundError,
    Number,
    added,
    as_interval,
    corners_of,
    raised,
)
from parity_tests.oracle.operations import RATIONAL, ROWS, over

Intervals = tuple[Interval, ...]


@lru_cache(maxsize=64)
def bounds(graph: Graph, ulps: float = HALF_ULP) -> tuple[Intervals, Intervals]:
    """Give the intervals of data and of gradients; `ulps` is what functions and powers may err."""
    with gmpy2.context(precision=PRECISION):
        data: list[Interval] = []
        local_grads: list[Intervals] = []
        for node in graph:
            operands = [data[operand] for operand in node.operands]
            data.append(_data(node, operands, ulps))
            local_grads.append(_local_grads(node, operands, data[-1], ulps))
        arrived: list[list[Interval]] = [[] for _ in graph]
        arrived[-1].append(ONE)
        grads = [ZERO] * len(graph)
        for id_ in reversed(range(len(graph))):
            grads[id_] = added(arrived[id_])
            for operand, local in zip(graph[id_].operands, local_grads[id_], strict=False):
                arrived[operand].append(grads[id_] * local)
    return tuple(data), tuple(grads)


def _data(node: Node, operands: list[Interval], ulps: float) -> Interval:
    if node.operation is None:
        return as_interval(gmpy2.mpfr(node.data))
    if node.operation == "**":
        return raised(operands[0], operands[1], ulps)
    row = ROWS[node.operation]
    if node.operation in RATIONAL:
        return as_interval(row.data(*operands))
    if any(row.outside(*corner) for corner in corners_of(*operands)):
        raise NoBoundError
    if row.rounding != "function" or ulps == HALF_ULP:
        return over(row, *operands).widened(HALF_ULP)
    return over(row, *operands).widened(ulps * row.ulps)


def _local_grads(node: Node, operands: list[Interval], out: Interval, ulps: float) -> Intervals:
    """Compute the formulas of R3; there is none for an exponent."""
    if node.operation is None:
        return ()
    if node.operation == "**":
        return (_slope_of_power(operands[0], operands[1].low, ulps),)
    return tuple(map(as_interval, ROWS[node.operation].local_grads(out, *operands)))


def _slope_of_power(x: Interval, c: Number, ulps: float) -> Interval:
    """c * x ** (c - 1), or 0 when c = 0; c - 1 may have been rounded."""
    if c == 0:
        return ZERO
    less = [c - 1, gmpy2.mpfr(float(c) - 1.0)]
    return as_interval(c) * raised(x, Interval(min(less), max(less)), ulps)
