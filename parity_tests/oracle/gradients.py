"""A document's gradients: how far rounding may carry each, and the derivative beside it.

Bounds. Every operation that a platform computes gives (1 + d) times its exact result at the
operands it got, with |d| at most `ulps` * 2**-52: half an ulp where rounding is correct (+, -, *, /
everywhere; everything in the engines), one ulp for exp, log, tanh and powers in PyTorch (the
accuracy that its libraries SLEEF and MKL promise; what it composes of several has its factor in the
table). So: carry an interval for each operand through the operation, then widen it by that factor;
do so for data, local gradients (R3), contributions and sums. The true value (every d = 0) is in the
interval, and so is what every such platform computes; hence no two of them are further apart than
its width. It is a running error bound with nothing left out: not cut off after the first order, it
needs no safety factor.

Differences. The derivative of the root by a node is (f(x + h) - f(x - h)) / 2h, the program
evaluated from that node on with 400 bits and h = 2**-100 of x. It is the true derivative up to:

- truncation. It is c h**2 + O(h**4) for h, a quarter of that for h / 2; so the two quotients are
  three times as far from each other as the second is from the truth. Their whole distance is taken.
- rounding. Evaluating f errs by at most the sum over all nodes of |data| |gradient| 2**-400, each
  magnitude the largest in its interval. Twice that, over h / 2, is taken.

What the engine may be off is the width of the gradient's interval. Where a kink or the edge of the
domain is within h, or where h is too coarse, there is nothing to compare.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import gmpy2

from parity_tests.kit.worker import Json
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

# The graph: nothing of the document is believed but its operations, operands and leaves

PRECISION = 400
"""Bits. Sums and products of moderate doubles are exact in so many."""

LARGE = 2.0**100


class Node(NamedTuple):
    """A leaf with its data, or an operation with the ids of its operands."""

    operation: str | None
    operands: tuple[int, ...]
    data: float | None


Graph = tuple[Node, ...]
"""Operands stand before what uses them; the root is the last."""


def read_graph(document: Json) -> Graph:
    """Take the operations, the operands by slot and the data of the leaves."""
    operands: list[list[int]] = [[] for _ in document["nodes"]]
    for edge in sorted(document["edges"], key=lambda edge: int(edge["slot"])):
        operands[edge["to"]].append(edge["from"])
    return tuple(
        Node(node["operation"], tuple(of), None if node["operation"] else float(node["data"]))
        for node, of in zip(document["nodes"], operands, strict=True)
    )


def read_gradients(document: Json) -> dict[int, float]:
    """Take the gradient of every node that has one; a variable's is what the caller is given."""
    gradients = document["gradients"]
    return {
        node["id"]: float(gradients.get(node["label"], node["grad"]))
        if node["kind"] in ("input", "parameter")
        else float(node["grad"])
        for node in document["nodes"]
        if node["grad"] is not None
    }


def variables(document: Json) -> list[int]:
    """List the ids of the nodes that `gradients` is about."""
    return [node["id"] for node in document["nodes"] if node["kind"] in ("input", "parameter")]


def is_moderate(document: Json) -> bool:
    """True if every number is 0 or from 2**-100 to 2**100, so that nothing under- or overflows."""
    numbers = [node[key] for node in document["nodes"] for key in ("data", "grad") if node[key]]
    return all(1 / LARGE <= abs(number) <= LARGE for number in numbers)


# Bounds

Intervals = tuple[Interval, ...]


@lru_cache(maxsize=64)
def bounds(graph: Graph, ulps: float = HALF_ULP) -> tuple[Intervals, Intervals]:
    """The intervals of data and of gradients; functions and powers may err by `ulps`."""
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


# Differences

STEP = gmpy2.mpfr("0x1p-100")
"""Also the largest error of a derivative that is compared, if the engine's bound is smaller."""


class Comparison(NamedTuple):
    """A node's gradient, the derivative, and how far they may be apart."""

    node: int
    gradient: float
    derivative: Number
    bound: Number

    @property
    def ratio(self) -> float:
        """The error as a part of the bound."""
        error = abs(self.gradient - self.derivative)
        return float(error / self.bound) if error else 0.0

    def __str__(self) -> str:
        """Show it on one line."""
        gradient = f"node {self.node}: the gradient is {self.gradient!r}, the derivative"
        return f"{gradient} {float(self.derivative)!r}, the bound {float(self.bound):.2g}"


def compare(document: Json) -> list[Comparison]:
    """Compare all gradients that can be; none where operands may round out of their domain."""
    graph = read_graph(document)
    try:
        derivatives = _derivatives(graph)
        intervals = bounds(graph)[1]
    except NoBoundError:
        return []
    return [
        Comparison(node, gradient, derivative, intervals[node].width + error)
        for node, gradient in read_gradients(document).items()
        for derivative, error in derivatives.get(node, ())
    ]


@lru_cache(maxsize=64)
def _derivatives(graph: Graph) -> dict[int, list[tuple[Number, Number]]]:
    """Compute the derivative by each node and its error, if there is one."""
    data, grads = bounds(graph)
    with gmpy2.context(precision=PRECISION):
        terms = (one.magnitude * other.magnitude for one, other in zip(data, grads, strict=True))
        noise = sum(terms) * gmpy2.exp2(-PRECISION)
        values = _evaluate(graph, [])
        return {
            node: [
                (derivative, error + 2 * noise / (_step(values[node]) / 2))
                for derivative, error in _derivative(graph, values, node)
                if error <= max(grads[node].width, STEP)
            ]
            for node in range(len(graph))
        }


def _derivative(graph: Graph, values: list[Number], node: int) -> Iterator[tuple[Number, Number]]:
    """Compute the quotient for h / 2 and its distance from that for h, unless a kink is near."""
    step = _step(values[node])
    start = values[:node]
    around = [_evaluate(graph, [*start, values[node] + step * part]) for part in (1, -1, 0.5, -0.5)]
    if len({_sides(graph, shifted) for shifted in around}) > 1:
        return
    up, down, half_up, half_down = (shifted[-1] for shifted in around)
    coarse, fine = (up - down) / (2 * step), (half_up - half_down) / step
    if gmpy2.is_finite(coarse) and gmpy2.is_finite(fine):
        yield fine, abs(coarse - fine)


def _step(value: Number) -> Number:
    return abs(value) * STEP if value else STEP


def _evaluate(graph: Graph, values: list[Number]) -> list[Number]:
    """Compute the nodes that have no value yet."""
    for node in graph[len(values) :]:
        if node.operation is None:
            values.append(gmpy2.mpfr(node.data))
        else:
            values.append(ROWS[node.operation].data(*(values[id_] for id_ in node.operands)))
    return values


def _sides(graph: Graph, values: list[Number]) -> tuple[int, ...]:
    """Tell on which side of its kink every operation with one is."""
    kinks = [
        row.kink(*(values[id_] for id_ in node.operands))
        for node in graph
        if node.operation and (row := ROWS[node.operation]).kink
    ]
    return tuple(0 if gmpy2.is_nan(kink) else gmpy2.sign(kink) for kink in kinks)
