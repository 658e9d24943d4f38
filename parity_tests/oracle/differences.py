"""A document -> each of its gradients beside a derivative that knows no chain rule.

The derivative of the root by a node is (f(x + h) - f(x - h)) / 2h, the program evaluated from that
node on with 400 bits and h = 2**-100 of x. It is the true derivative up to:

- truncation. It is c h**2 + O(h**4) for h, a quarter of that for h / 2; so the two quotients are
  three times as far from each other as the second is from the truth. Their whole distance is taken.
- rounding. Evaluating f errs by at most the sum over all nodes of |data| |gradient| 2**-400, each
  magnitude the largest in its interval. Twice that, over h / 2, is taken.

What the engine may be off is the width of the gradient's interval (see `bounds`). Where a kink or
the edge of the domain is within h, or where h is too coarse, there is nothing to compare.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import gmpy2

from parity_tests.kit.worker import Json
from parity_tests.oracle.bounds import bounds
from parity_tests.oracle.graph import PRECISION, Graph, read_gradients, read_graph
from parity_tests.oracle.intervals import NoBoundError
from parity_tests.oracle.operations import ROWS, Number

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
    """Give for each node the derivative and its error, if there is one."""
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
    """Give the quotient for h / 2 and its distance from the one for h, unless a kink is near."""
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
