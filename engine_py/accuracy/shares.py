"""Document + truth -> whose rounding a number's error comes from.

    error(out) = own + sum over operands of mean slope * error(operand)
    error(contribution) = own + mean(local) * error(incoming) + mean(incoming) * error(local)
    error(local) = own + sum over what R3's formula reads of bend * error

So the error is a sum over all roundings, each times a weight: its *share*. The sum is exact.
"""

from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple, TypeVar

from engine_py.accuracy.ball import (
    ONE,
    RANGE,
    ZERO,
    Ball,
    NoNumber,
    add,
    halve,
    mul,
    of_double,
    sub,
)
from engine_py.accuracy.means import Bends, Place, bends_of, slopes_of
from engine_py.accuracy.program import Number, Passes, Program, Reason, final, missing
from engine_py.document import Document

Kind = Literal["data", "local_grad", "contribution", "running_grad"]
Known = TypeVar("Known")
EXACT = 4400
"""Bits. Products and sums of any two doubles have fewer."""
NEXT_TO_0: Ball = (0, 1, -RANGE // 2)
"""Holds every number that is out of range near 0; products with it are in range."""


class Rounding(NamedTuple):
    """A rounding that the document made, and what an error there does to the number in question."""

    kind: Kind
    node: int
    slot: int | None
    own: Number
    weight: Number


class Shares:
    """The roundings of a document and all mean slopes, at a level of precision."""

    def __init__(self, program: Program, document: Document, found: Passes) -> None:
        """Compute them all once, for any number in question."""
        self._steps, self._found = program.steps, found
        self._p, self.last = found.level.p, found.level.last
        nodes = document["nodes"]
        self.data = [_exact(node["data"]) for node in nodes]
        self.grads = [_exact(node["grad"]) for node in nodes]
        self._edges = {(edge["to"], edge["slot"]): edge for edge in document["edges"]}
        self._places = [self._place(node) for node in range(len(program.steps))]
        self._before = self._running_grads()

    def _place(self, node: int) -> Place | None:
        """Give an operation at the doubles and the true numbers.

        Its result is out of range only where the document has a 0.
        """
        step, found = self._steps[node], self._found
        if step.row is None:
            return None
        x: Any = tuple(self.data[operand] for operand in step.operands)
        true_x: Any = tuple(found.data[operand] for operand in step.operands)
        data: Any = (self.data[node], found.data[node], found.slopes[node])
        try:
            value = step.row.value(found.level, *x, *step.exponent)
        except NoNumber:
            value = NEXT_TO_0
        symbol = step.operation or ""
        return Place(found.level, symbol, x, true_x, step.exponent, value, *data)

    def _known(
        self, node: int, compute: Callable[[Place], Known], needed: tuple[Number, ...] = ()
    ) -> Known | Reason:
        """Compare an operation's doubles with the true numbers; else say why there are none."""
        place = self._places[node]
        if place is None:
            return "depends"
        reason = missing([*place.true_x, place.true_out, *needed])
        if reason is not None:
            return reason
        try:
            return compute(place)
        except NoNumber as no_number:
            return final(place.level, no_number)

    def _slopes(self, node: int) -> tuple[Number, ...]:
        """Give what an error of each operand is multiplied by."""
        slopes, count = self._known(node, slopes_of), len(self._steps[node].operands)
        return (slopes,) * count if isinstance(slopes, str) else slopes

    def _bends(self, node: int) -> Bends:
        """Give the local gradients at the doubles, and what errors do to them."""
        bends = self._known(node, bends_of, self._found.slopes[node])
        if not isinstance(bends, str):
            return bends
        count = len(self._steps[node].operands)
        return Bends((bends,) * count, ((bends,) * (count + 1),) * count)

    def _running_grads(self) -> dict[tuple[int, int], float | None]:
        """Give what was there before each contribution, in R4's order, by node and slot."""
        running: list[float | None] = [0.0] * len(self._steps)
        before: dict[tuple[int, int], float | None] = {}
        for node in range(len(self._steps) - 1, -1, -1):
            for slot, operand in enumerate(self._steps[node].operands):
                before[node, slot] = running[operand]
                running[operand] = self._edges[node, slot]["running_grad"]
        return before

    def of_data(self, node: int) -> Iterator[Rounding]:
        """Give the roundings that the data of a node comes from."""
        weights: list[Number] = [ZERO] * (node + 1)
        weights[node] = ONE
        return self._of_data(weights)

    def _of_data(self, weights: list[Number]) -> Iterator[Rounding]:
        for node in range(len(weights) - 1, -1, -1):
            weight = weights[node]
            place = self._places[node]
            if weight == ZERO or place is None:
                continue
            yield Rounding("data", node, None, self._less(place.out, place.value), weight)
            for operand, slope in zip(self._steps[node].operands, self._slopes(node), strict=True):
                sent = _product(weight, slope, self._p)
                weights[operand] = _sum(weights[operand], sent, self._p)

    def of_grad(self, leaf: int) -> Iterator[Rounding]:
        """Give the roundings that the gradient of a node comes from.

        `reach` is what an error of each node's gradient does to it, `weights` one of its data.
        """
        p, count = self._p, len(self._steps)
        reach: list[Number] = [ZERO] * count
        reach[leaf] = ONE
        weights: list[Number] = [ZERO] * count
        for node, step in enumerate(self._steps):
            if all(reach[operand] == ZERO for operand in step.operands):
                continue
            formulas, bends = self._bends(node)
            for slot, operand in enumerate(step.operands):
                weight = reach[operand]
                if weight == ZERO:
                    continue
                edge = self._edges[node, slot]
                local, sent = _exact(edge["local_grad"]), _exact(edge["contribution"])
                slope = self._mean(local, self._found.slopes[node][slot])
                reach[node] = _sum(reach[node], _product(weight, slope, p), p)
                own = self._less(sent, _product(self.grads[node], local, EXACT))
                yield Rounding("contribution", node, slot, own, weight)
                total = _sum(_exact(self._before[node, slot]), sent, EXACT)
                running = self._less(_exact(edge["running_grad"]), total)
                yield Rounding("running_grad", node, slot, running, weight)
                incoming = self._mean(self.grads[node], self._found.grads[node])
                weight = _product(weight, incoming, p)
                formula = self._less(local, formulas[slot])
                yield Rounding("local_grad", node, slot, formula, weight)
                for read, bend in zip((*step.operands, node), bends[slot], strict=True):
                    weights[read] = _sum(weights[read], _product(weight, bend, p), p)
        yield from self._of_data(weights)

    def _less(self, a: Number, b: Number) -> Number:
        return _applied(sub, a, b, self._p)

    def _mean(self, a: Number, b: Number) -> Number:
        total = _sum(a, b, self._p)
        return total if isinstance(total, str) else halve(total)

    def share(self, rounding: Rounding) -> Number:
        """Give what a rounding has of the error."""
        return _product(rounding.weight, rounding.own, self._p)


def _exact(x: float | None) -> Number:
    return "depends" if x is None else of_double(x)


def _product(a: Number, b: Number, p: int) -> Number:
    """Give the product; 0 wins over what is not known, as nothing passes there."""
    return ZERO if ZERO in {a, b} else _applied(mul, a, b, p)


def _sum(a: Number, b: Number, p: int) -> Number:
    return _applied(add, a, b, p)


def _applied(operation: Callable[[Ball, Ball, int], Ball], a: Number, b: Number, p: int) -> Number:
    if isinstance(a, str) or isinstance(b, str):
        return missing([a, b]) or "depends"
    try:
        return operation(a, b, p)
    except NoNumber as no_number:
        return no_number.reason
