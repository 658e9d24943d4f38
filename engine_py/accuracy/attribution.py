"""Document + exact values -> the roundings that cause a number's error.

    error(out) = rounding + sum over operands of mean slope * error(operand)
    error(contribution) = rounding + mean(local) * error(incoming) + mean(incoming) * error(local)
    error(local) = rounding + sum over the inputs of R3's formula of second slope * error

With the mean slope (f(x) - f(y)) / (x - y), a divided difference between the doubles and the exact
values, instead of the slope at a point, the chain rule gives the whole error that an operand passes
on, not only its first order, even across a kink. A local gradient is a function of the same
numbers: its mean slopes by them are the *second slopes*.

So the error is a sum over all roundings, each times a weight: its *share*. The sum is exact.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, NamedTuple, TypeVar

from engine_py.accuracy.ball import (
    MINUS_ONE,
    ONE,
    RANGE,
    ZERO,
    Ball,
    add,
    div,
    halve,
    magnitude,
    mul,
    neg,
    of_double,
    sign,
    sub,
    top,
)
from engine_py.accuracy.enclosures import (
    ENCLOSURES,
    Level,
    definite,
    minus,
    signum,
)
from engine_py.accuracy.truth import (
    BallProgram,
    Number,
    Passes,
    Reason,
    final,
    missing,
    steps_per_check,
)
from engine_py.deadline import NEVER, Deadline
from engine_py.document import GradientDocument
from engine_py.numerics.exact import NoNumber

Function = Callable[[Ball], Ball]


class TwoPoints(NamedTuple):
    """An operation at two points: its operands and result at the doubles, and the exact ones."""

    level: Level
    symbol: str
    x: tuple[Ball, ...]
    true_x: tuple[Ball, ...]
    exponent: tuple[float, ...]
    value: Ball
    """The exact result at the doubles."""
    out: Ball
    true_out: Ball
    true_slopes: tuple[Ball, ...]


class SecondSlopes(NamedTuple):
    """Factors from other errors to the error of a local gradient, by slot."""

    formulas: tuple[Number, ...]
    """The local gradients by R3's formulas at the doubles, not rounded."""
    slopes: tuple[tuple[Number, ...], ...]
    """The factor of the error of each operand, and last of the result, in that of a local
    gradient."""


def slopes_of(points: TwoPoints) -> tuple[Ball, ...]:
    """Compute the factor of each operand's error in the error of the result.

    Raises NoNumber, as does `second_slopes_of`, if it does not exist or p bits cannot decide.
    """
    return _SLOPES.get(points.symbol, _slopes_of_function)(points)


def second_slopes_of(points: TwoPoints) -> SecondSlopes:
    """Compute the same of the local gradients."""
    return _SECOND_SLOPES.get(points.symbol, _second_slopes_of_function)(points)


def _mean(a: Ball, b: Ball, p: int) -> Ball:
    """(x + y) / 2."""
    return halve(add(a, b, p))


def _secant(at: tuple[Ball, Ball], slope: Function, a: Ball, b: Ball, p: int) -> Ball:
    """(f(x) - f(y)) / (x - y); a slope in between if x and y are too near to divide.

    `at` has f(x) and f(y).
    """
    difference = sub(a, b, p)
    if difference == ZERO:
        return slope(a)
    close = max(top(a), top(b)) - top(difference)
    if sign(difference) is not None and close < p // 2:
        return div(sub(*at, p), difference, p)
    m, r, e = difference
    return slope(add(a, (0, abs(m) + r, e), p))  # by the mean value theorem


def _across_kink(at: tuple[Ball, Ball], slope: Function, a: Ball, b: Ball, p: int) -> Ball:
    """Compute the same for a function with its only kink or jump at 0."""
    if sign(a) == sign(b):
        return slope(a)
    return div(sub(*at, p), sub(a, b, p), p)


def _slopes_of_sum(points: TwoPoints) -> tuple[Ball, ...]:
    return ONE, ONE if points.symbol == "+" else MINUS_ONE


def _second_slopes_of_sum(points: TwoPoints) -> SecondSlopes:
    return SecondSlopes(_slopes_of_sum(points), ((ZERO,) * 3,) * 2)


def _slopes_of_product(points: TwoPoints) -> tuple[Ball, ...]:
    (x, y), (true_x, true_y), p = points.x, points.true_x, points.level.p
    return _mean(y, true_y, p), _mean(x, true_x, p)


def _second_slopes_of_product(points: TwoPoints) -> SecondSlopes:
    x, y = points.x
    return SecondSlopes((y, x), ((ZERO, ONE, ZERO), (ONE, ZERO, ZERO)))


def _inverses(points: TwoPoints) -> tuple[Ball, Ball, Ball]:
    """1 / y at the double, its mean with the exact one, and their product."""
    y, true_y, p = points.x[1], points.true_x[1], points.level.p
    inverse, true_inverse = div(ONE, y, p), div(ONE, true_y, p)
    return inverse, _mean(inverse, true_inverse, p), mul(inverse, true_inverse, p)


def _slopes_of_quotient(points: TwoPoints) -> tuple[Ball, ...]:
    _, middle, both = _inverses(points)
    p = points.level.p
    return middle, neg(mul(_mean(points.x[0], points.true_x[0], p), both, p))


def _second_slopes_of_quotient(points: TwoPoints) -> SecondSlopes:
    """1 / y, and -out / y as a product of out and 1 / y."""
    inverse, middle, both = _inverses(points)
    p = points.level.p
    slope = mul(_mean(points.out, points.true_out, p), both, p)
    formulas = (inverse, neg(div(points.out, points.x[1], p)))
    return SecondSlopes(formulas, ((ZERO, neg(both), ZERO), (ZERO, slope, neg(middle))))


def _leads(points: TwoPoints) -> tuple[Ball, Ball]:
    level = points.level
    return minus(level, *points.x), definite(level, minus(level, *points.true_x))


def _slopes_of_choice(points: TwoPoints) -> tuple[Ball, ...]:
    """max(x, y) = (x + y + |x - y|) / 2; min has a minus."""
    (lead, true_lead), level = _leads(points), points.level
    sizes = (magnitude(lead), magnitude(true_lead))
    slope = _across_kink(sizes, lambda a: signum(level, a), lead, true_lead, level.p)
    if points.symbol == "min":
        slope = neg(slope)
    return halve(add(ONE, slope, level.p)), halve(sub(ONE, slope, level.p))


def _second_slopes_of_choice(points: TwoPoints) -> SecondSlopes:
    (lead, true_lead), level = _leads(points), points.level
    signs = (signum(level, lead), signum(level, true_lead))
    jump = halve(_across_kink(signs, lambda _: ZERO, lead, true_lead, level.p))
    if points.symbol == "min":
        jump = neg(jump)
    formulas = ENCLOSURES[points.symbol].slopes(level, points.out, *points.x)
    return SecondSlopes(formulas, ((jump, neg(jump), ZERO), (neg(jump), jump, ZERO)))


def _slopes_of_kink(points: TwoPoints) -> tuple[Ball, ...]:
    x, true_x = points.x[0], definite(points.level, points.true_x[0])
    at = (points.value, points.true_out)
    return (_across_kink(at, _slope(points), x, true_x, points.level.p),)


def _second_slopes_of_kink(points: TwoPoints) -> SecondSlopes:
    x, true_x = points.x[0], definite(points.level, points.true_x[0])
    formula = _formula(points)
    at = (formula, points.true_slopes[0])
    return SecondSlopes(
        (formula,), ((_across_kink(at, lambda _: ZERO, x, true_x, points.level.p), ZERO),)
    )


def _slopes_of_function(points: TwoPoints) -> tuple[Ball, ...]:
    at = (points.value, points.true_out)
    return (_secant(at, _slope(points), points.x[0], points.true_x[0], points.level.p),)


def _second_slopes_of_function(points: TwoPoints) -> SecondSlopes:
    x, true_x, p = points.x[0], points.true_x[0], points.level.p
    row = ENCLOSURES[points.symbol]
    if row.by_result:
        formula, slope = row.by_result(points.out, points.true_out, p)
        return SecondSlopes((formula,), ((ZERO, slope),))
    formula = _formula(points)
    at = (formula, points.true_slopes[0])
    second = _or_zero(lambda a: row.second(points.level, a, *points.exponent))
    slope = _secant(at, second, x, true_x, p)
    return SecondSlopes((formula,), ((slope, ZERO),))


def _formula(points: TwoPoints) -> Ball:
    """Compute the slope at the double, if R3 computes it from the operand."""
    slopes = ENCLOSURES[points.symbol].slopes
    return _or_zero(lambda x: slopes(points.level, points.value, x, *points.exponent)[0])(
        points.x[0]
    )


def _slope(points: TwoPoints) -> Function:
    row, level, exponent = ENCLOSURES[points.symbol], points.level, points.exponent
    return _or_zero(lambda a: row.slopes(level, row.value(level, a, *exponent), a, *exponent)[0])


def _or_zero(function: Function) -> Function:
    """Return 0 for a slope that is out of range near 0: it passes nothing on."""

    def function_or_zero(a: Ball) -> Ball:
        try:
            return function(a)
        except NoNumber as no_number:
            if not no_number.next_to_0:
                raise
            return ZERO

    return function_or_zero


_SLOPES: dict[str, Callable[[TwoPoints], tuple[Ball, ...]]] = {
    **dict.fromkeys(("+", "-"), _slopes_of_sum),
    "*": _slopes_of_product,
    "/": _slopes_of_quotient,
    **dict.fromkeys(("min", "max"), _slopes_of_choice),
    **dict.fromkeys(("relu", "abs"), _slopes_of_kink),
}
_SECOND_SLOPES: dict[str, Callable[[TwoPoints], SecondSlopes]] = {
    **dict.fromkeys(("+", "-"), _second_slopes_of_sum),
    "*": _second_slopes_of_product,
    "/": _second_slopes_of_quotient,
    **dict.fromkeys(("min", "max"), _second_slopes_of_choice),
    **dict.fromkeys(("relu", "abs"), _second_slopes_of_kink),
}


NumberKind = Literal["data", "local_grad", "contribution", "running_grad"]
Known = TypeVar("Known")
EXACT_BITS = 4400
"""More bits than the product or sum of any two doubles has."""
NEXT_TO_0: Ball = (0, 1, -RANGE // 2)
"""Contains every number that is out of range near 0; products with it are in range."""


class Rounding(NamedTuple):
    """A rounding of the document, and its weight in the number in question."""

    kind: NumberKind
    node: int
    slot: int | None
    error: Number
    weight: Number


class ErrorShares:
    """The roundings of a document and all mean slopes, at a level of precision."""

    def __init__(
        self,
        program: BallProgram,
        document: GradientDocument,
        found: Passes,
        deadline: Deadline = NEVER,
    ) -> None:
        """Compute all of them once; they are used for every number."""
        self._steps, self._found, self._deadline = program.steps, found, deadline
        self._p, self.level = found.level.p, found.level
        nodes = document["nodes"]
        self.data = [_exact(node["data"]) for node in nodes]
        self.grads = [_exact(node["grad"]) for node in nodes]
        self._edges = {(edge["to"], edge["slot"]): edge for edge in document["edges"]}
        self._points = [self._two_points(node) for node in self._watched(range(len(program.steps)))]
        self._before = self._running_grads()

    def _watched(self, nodes: range) -> Iterable[int]:
        """Check the deadline at every few nodes."""
        return self._deadline.over(nodes, steps_per_check(self._p))

    def _two_points(self, node: int) -> TwoPoints | None:
        """Return an operation at the doubles and at the exact values.

        Its result is out of range only if it is 0 in the document.
        """
        step, found = self._steps[node], self._found
        if step.enclosure is None:
            return None
        x: Any = tuple(self.data[operand] for operand in step.operands)
        true_x: Any = tuple(found.data[operand] for operand in step.operands)
        data: Any = (self.data[node], found.data[node], found.slopes[node])
        try:
            value = step.enclosure.value(found.level, *x, *step.exponent)
        except NoNumber:
            value = NEXT_TO_0
        symbol = step.operation or ""
        return TwoPoints(found.level, symbol, x, true_x, step.exponent, value, *data)

    def _known(
        self, node: int, compute: Callable[[TwoPoints], Known], needed: tuple[Number, ...] = ()
    ) -> Known | Reason:
        """Compare an operation's doubles with the exact values; else return why there are none."""
        points = self._points[node]
        if points is None:
            return "depends"
        reason = missing([*points.true_x, points.true_out, *needed])
        if reason is not None:
            return reason
        try:
            return compute(points)
        except NoNumber as no_number:
            return final(points.level, no_number)

    def _slopes(self, node: int) -> tuple[Number, ...]:
        """Compute the factor of each operand's error."""
        slopes, count = self._known(node, slopes_of), len(self._steps[node].operands)
        return (slopes,) * count if isinstance(slopes, str) else slopes

    def _second_slopes(self, node: int) -> SecondSlopes:
        """Compute the local gradients at the doubles, and the factors of errors in them."""
        slopes = self._known(node, second_slopes_of, self._found.slopes[node])
        if not isinstance(slopes, str):
            return slopes
        count = len(self._steps[node].operands)
        return SecondSlopes((slopes,) * count, ((slopes,) * (count + 1),) * count)

    def _running_grads(self) -> dict[tuple[int, int], float | None]:
        """Find the gradient before each contribution, in R4's order, by node and slot."""
        running: list[float | None] = [0.0] * len(self._steps)
        before: dict[tuple[int, int], float | None] = {}
        for node in self._watched(range(len(self._steps) - 1, -1, -1)):
            for slot, operand in enumerate(self._steps[node].operands):
                before[node, slot] = running[operand]
                running[operand] = self._edges[node, slot]["running_grad"]
        return before

    def of_data(self, node: int) -> Iterator[Rounding]:
        """Yield the roundings in the data of a node."""
        weights: list[Number] = [ZERO] * (node + 1)
        weights[node] = ONE
        return self._of_data(weights)

    def _of_data(self, weights: list[Number]) -> Iterator[Rounding]:
        for node in self._watched(range(len(weights) - 1, -1, -1)):
            weight = weights[node]
            points = self._points[node]
            if weight == ZERO or points is None:
                continue
            yield Rounding("data", node, None, self._less(points.out, points.value), weight)
            for operand, slope in zip(self._steps[node].operands, self._slopes(node), strict=True):
                sent = _product(weight, slope, self._p)
                weights[operand] = _sum(weights[operand], sent, self._p)

    def of_grad(self, leaf: int) -> Iterator[Rounding]:
        """Yield the roundings in the gradient of a node.

        `reach` is the weight of an error in each node's gradient, `weights` that of one in its
        data.
        """
        p, count = self._p, len(self._steps)
        reach: list[Number] = [ZERO] * count
        reach[leaf] = ONE
        weights: list[Number] = [ZERO] * count
        for node in self._watched(range(count)):
            step = self._steps[node]
            if all(reach[operand] == ZERO for operand in step.operands):
                continue
            formulas, second_slopes = self._second_slopes(node)
            for slot, operand in enumerate(step.operands):
                weight = reach[operand]
                if weight == ZERO:
                    continue
                edge = self._edges[node, slot]
                local, sent = _exact(edge["local_grad"]), _exact(edge["contribution"])
                slope = self._mean(local, self._found.slopes[node][slot])
                reach[node] = _sum(reach[node], _product(weight, slope, p), p)
                error = self._less(sent, _product(self.grads[node], local, EXACT_BITS))
                yield Rounding("contribution", node, slot, error, weight)
                total = _sum(_exact(self._before[node, slot]), sent, EXACT_BITS)
                running = self._less(_exact(edge["running_grad"]), total)
                yield Rounding("running_grad", node, slot, running, weight)
                incoming = self._mean(self.grads[node], self._found.grads[node])
                weight = _product(weight, incoming, p)
                formula = self._less(local, formulas[slot])
                yield Rounding("local_grad", node, slot, formula, weight)
                for read, slope in zip((*step.operands, node), second_slopes[slot], strict=True):
                    weights[read] = _sum(weights[read], _product(weight, slope, p), p)
        yield from self._of_data(weights)

    def _less(self, a: Number, b: Number) -> Number:
        return _applied(sub, a, b, self._p)

    def _mean(self, a: Number, b: Number) -> Number:
        total = _sum(a, b, self._p)
        return total if isinstance(total, str) else halve(total)

    def share(self, rounding: Rounding) -> Number:
        """Compute the share of a rounding in the error."""
        return _product(rounding.weight, rounding.error, self._p)


def _exact(x: float | None) -> Number:
    return "depends" if x is None else of_double(x)


def _product(a: Number, b: Number, p: int) -> Number:
    """Multiply; 0 times an unknown is 0, since it passes nothing on."""
    return ZERO if ZERO in {a, b} else _applied(mul, a, b, p)


def _sum(a: Number, b: Number, p: int) -> Number:
    return _applied(add, a, b, p)


def _applied(operation: Callable[[Ball, Ball, int], Ball], a: Number, b: Number, p: int) -> Number:
    if isinstance(a, str) or isinstance(b, str):
        return missing([a, b]) or "depends"
    try:
        return operation(a, b, p)
    except NoNumber as no_number:
        return ZERO if no_number.next_to_0 else no_number.reason
