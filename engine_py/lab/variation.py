"""Program + variable + step -> how much the derivative can vary within the step.

By the mean value theorem a central difference is the derivative at some place between x - h and
x + h. Forward mode on intervals instead of numbers encloses the derivatives at all of these places
(Moore, Interval Analysis, 1966), so a quotient is off by no more than the width of that interval.
"""

from collections.abc import Iterable, Sequence
from functools import partial, reduce
from itertools import product
from math import inf, isfinite
from typing import NamedTuple

from engine_py.lab.program import Program
from engine_py.lab.roundings import TINY, U
from engine_py.operations import OPERATIONS
from engine_py.rows import Operation, OutsideDomain


class Interval(NamedTuple):
    """All numbers from low to high."""

    low: float
    high: float

    @property
    def data(self) -> float:
        """One of them: a formula asks a constant exponent for it."""
        return self.low


def variation(program: Program, leaf: int, step: float) -> float:
    """Bound the distance of any two derivatives between x - step and x + step.

    Infinite where that leaves a domain or the doubles.
    """
    values: list[Interval] = []
    tangents = {leaf: Interval(1.0, 1.0)}
    for node, (operation, operands, data) in enumerate(program):
        if node == leaf:
            values.append(Interval(data - step, data + step))
        elif operation and any(operand in tangents for operand in operands):
            numbers = [values[operand] for operand in operands]
            moving = [tangents.get(operand) for operand in operands]
            try:
                values.append(_enclosed(operation, numbers))
                tangents[node] = _tangent(operation, values[node], numbers, moving)
            except OutsideDomain:
                return inf
        else:
            values.append(Interval(data, data))
    derivative = tangents[len(program) - 1]
    return derivative.high - derivative.low


def _tangent(
    operation: Operation, out: Interval, operands: list[Interval], tangents: list[Interval | None]
) -> Interval:
    """Sum local gradient times tangent over the operands that the variable moves."""
    slots = zip(_local_grads(operation, out, operands), tangents, strict=True)
    carried = [
        _apply("*", local, tangent) for local, tangent in slots if tangent and local is not None
    ]
    return reduce(partial(_apply, "+"), carried)


def _local_grads(
    operation: Operation, out: Interval, operands: list[Interval]
) -> Iterable[Interval | float | None]:
    """Enclose the local gradients; on both sides of a kink all slopes between the two count."""
    if not operation.kink:
        return operation.formulas(_apply, out, *operands)
    slopes = zip(*(operation.rule(*place)[1:] for place in _places(operands)), strict=True)
    return [_hull(each) for each in slopes]


def _apply(symbol: str, *operands: Interval | float) -> Interval:
    intervals = [each if isinstance(each, Interval) else Interval(each, each) for each in operands]
    return _enclosed(OPERATIONS[symbol], intervals)


def _enclosed(operation: Operation, operands: list[Interval]) -> Interval:
    """Enclose an operation's results.

    Raises:
        OutsideDomain: some of them do not exist, or are no doubles.
    """
    if operation.turns:
        return _turning(operation, *operands)
    return _widened(_hull([operation.rule(*place)[0] for place in _places(operands)]))


def _places(operands: list[Interval]) -> list[tuple[float, ...]]:
    """Give where an operation is extreme: it rises or falls all the way on either side of 0.

    An operand in both slots is the same number in both.
    """
    if all(operand is operands[0] for operand in operands):
        return [(end,) * len(operands) for end in _ends(operands[0])]
    return [*product(*map(_ends, operands))]


def _ends(interval: Interval) -> tuple[float, ...]:
    low, high = interval
    return (low, 0.0, high) if low < 0.0 < high else (low, high) if low < high else (low,)


def _turning(operation: Operation, operand: Interval) -> Interval:
    """Enclose what turns elsewhere, too, between -1 and 1, and is nowhere steeper than 1."""
    low, high = operand
    middle = low / 2 + high / 2
    radius = max(high - middle, middle - low) * (1 + 4 * U)
    data = operation.rule(middle)[0]
    return _widened(Interval(max(data - radius, -1.0), min(data + radius, 1.0)))


def _hull(numbers: Sequence[float]) -> Interval:
    return Interval(min(numbers), max(numbers))


def _widened(interval: Interval) -> Interval:
    """Make up for what rounding took."""
    low, high = interval
    wide = Interval(low - 2 * U * abs(low) - TINY, high + 2 * U * abs(high) + TINY)
    if not all(map(isfinite, wide)):
        raise OutsideDomain("beyond the doubles")
    return wide
