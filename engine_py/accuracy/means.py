"""An operation at its doubles and at the true numbers -> slopes between the two.

With the mean slope (f(x) - f(y)) / (x - y) in place of the slope at a point, the chain rule gives
the whole error that an operand hands on, not its first order alone, and across a kink, too. A local
gradient is a function of the same numbers: its mean slopes by them are *bends*.
"""

from collections.abc import Callable
from typing import NamedTuple

from engine_py.accuracy.ball import (
    HALF,
    MINUS_ONE,
    ONE,
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
from engine_py.accuracy.functions import wave
from engine_py.accuracy.rows import (
    ROWS,
    Level,
    definite,
    minus,
    power_less,
    sigmoid,
    sigmoid_slope,
    signum,
)

Function = Callable[[Ball], Ball]


class Place(NamedTuple):
    """An operation, its operands and its result: first the doubles, then what is true."""

    level: Level
    symbol: str
    x: tuple[Ball, ...]
    true_x: tuple[Ball, ...]
    exponent: tuple[float, ...]
    out: Ball
    true_out: Ball


class Means(NamedTuple):
    """What leads from errors to errors, by slot."""

    slopes: tuple[Ball, ...]
    formulas: tuple[Ball, ...]
    """The local gradients by R3's formulas at the doubles, not rounded."""
    bends: tuple[tuple[Ball, ...], ...]
    """What a local gradient is off by, for an error of each operand and, last, of the result."""


def means(place: Place) -> Means:
    """Compute them. Raises NoNumber where one does not exist, or p bits do not tell."""
    return _MEANS.get(place.symbol, _of_function)(place)


def mean(a: Ball, b: Ball, p: int) -> Ball:
    """(x + y) / 2."""
    return halve(add(a, b, p))


def _secant(f: Function, slope: Function, a: Ball, b: Ball, p: int) -> Ball:
    """(f(x) - f(y)) / (x - y); a slope between where they are too near to each other to divide."""
    difference = sub(a, b, p)
    if difference == ZERO:
        return slope(a)
    close = max(top(a), top(b)) - top(difference)
    if sign(difference) is not None and close < p // 2:
        return div(sub(f(a), f(b), p), difference, p)
    m, r, e = difference
    return slope(add(a, (0, abs(m) + r, e), p))  # by the mean value theorem


def _across(f: Function, slope: Function, a: Ball, b: Ball, p: int) -> Ball:
    """Give the same of what has its only kink, or jump, at 0."""
    if sign(a) == sign(b):
        return slope(a)
    return div(sub(f(a), f(b), p), sub(a, b, p), p)


def _of_sum(place: Place) -> Means:
    ones = (ONE, ONE if place.symbol == "+" else MINUS_ONE)
    return Means(ones, ones, ((ZERO,) * 3,) * 2)


def _of_product(place: Place) -> Means:
    (x, y), (true_x, true_y), p = place.x, place.true_x, place.level.p
    slopes = (mean(y, true_y, p), mean(x, true_x, p))
    return Means(slopes, (y, x), ((ZERO, ONE, ZERO), (ONE, ZERO, ZERO)))


def _of_quotient(place: Place) -> Means:
    """1 / y, and -out / y as a product of out and 1 / y."""
    (x, y), (true_x, true_y), p = place.x, place.true_x, place.level.p
    inverse, true_inverse = div(ONE, y, p), div(ONE, true_y, p)
    both, inverses = mul(inverse, true_inverse, p), mean(inverse, true_inverse, p)
    slopes = (inverses, neg(mul(mean(x, true_x, p), both, p)))
    bend = mul(mean(place.out, place.true_out, p), both, p)
    bends = ((ZERO, neg(both), ZERO), (ZERO, bend, neg(inverses)))
    return Means(slopes, (inverse, neg(div(place.out, y, p))), bends)


def _of_choice(place: Place) -> Means:
    """max(x, y) = (x + y + |x - y|) / 2; min has a minus."""
    level, p = place.level, place.level.p
    lead, true_lead = minus(level, *place.x), definite(level, minus(level, *place.true_x))
    slope = _across(magnitude, lambda a: signum(level, a), lead, true_lead, p)
    jump = halve(_across(lambda a: signum(level, a), lambda _: ZERO, lead, true_lead, p))
    if place.symbol == "min":
        slope, jump = neg(slope), neg(jump)
    slopes = (halve(add(ONE, slope, p)), halve(sub(ONE, slope, p)))
    formulas = ROWS[place.symbol].slopes(level, place.out, *place.x)
    return Means(slopes, formulas, ((jump, neg(jump), ZERO), (neg(jump), jump, ZERO)))


def _of_kink(place: Place) -> Means:
    f, slope, p = _function(place), _slope(place), place.level.p
    x, true_x = place.x[0], definite(place.level, place.true_x[0])
    jump = _across(slope, lambda _: ZERO, x, true_x, p)
    return Means((_across(f, slope, x, true_x, p),), (slope(x),), ((jump, ZERO),))


def _of_function(place: Place) -> Means:
    f, slope, p = _function(place), _slope(place), place.level.p
    x, true_x = place.x[0], place.true_x[0]
    slopes = (_secant(f, slope, x, true_x, p),)
    if place.symbol in _BY_RESULT:
        formula, bend = _BY_RESULT[place.symbol](place.out, place.true_out, p)
        return Means(slopes, (formula,), ((ZERO, bend),))
    if place.symbol == "log":
        bend = neg(div(ONE, mul(x, true_x, p), p))
    else:
        second = _SECOND[place.symbol]
        bend = _secant(slope, lambda a: second(place.level, a, *place.exponent), x, true_x, p)
    return Means(slopes, (slope(x),), ((bend, ZERO),))


def _function(place: Place) -> Function:
    value = ROWS[place.symbol].value
    return lambda a: value(place.level, a, *place.exponent)


def _slope(place: Place) -> Function:
    value, slopes = ROWS[place.symbol]
    return lambda a: slopes(
        place.level, value(place.level, a, *place.exponent), a, *place.exponent
    )[0]


def _power_bend(level: Level, a: Ball, c: float) -> Ball:
    """c (c - 1) x**(c - 2). c - 1 is exact: no double has more than 2,100 bits around its point."""
    if c in {0.0, 1.0}:
        return ZERO
    factor = mul(of_double(c), sub(of_double(c), ONE, 2200), level.p)
    return mul(factor, power_less(level, a, c, 2), level.p)


_MEANS: dict[str, Callable[[Place], Means]] = {
    **dict.fromkeys(("+", "-"), _of_sum),
    "*": _of_product,
    "/": _of_quotient,
    **dict.fromkeys(("min", "max"), _of_choice),
    **dict.fromkeys(("relu", "abs"), _of_kink),
}
_BY_RESULT: dict[str, Callable[[Ball, Ball, int], tuple[Ball, Ball]]] = {
    "neg": lambda out, true, p: (MINUS_ONE, ZERO),
    "exp": lambda out, true, p: (out, ONE),
    "tanh": lambda out, true, p: (sub(ONE, mul(out, out, p), p), neg(add(out, true, p))),
    "sqrt": lambda out, true, p: (div(HALF, out, p), neg(div(HALF, mul(out, true, p), p))),
    "sigmoid": lambda out, true, p: (
        mul(out, sub(ONE, out, p), p),
        sub(ONE, add(out, true, p), p),
    ),
}
"""(result, true result, p) -> a local gradient that R3 computes from the result, and its bend."""
_SECOND: dict[str, Callable[..., Ball]] = {
    "sin": lambda level, a: wave(a, level.p, 2),
    "cos": lambda level, a: wave(a, level.p, 3),
    "softplus": lambda level, a: sigmoid_slope(level, sigmoid(level, a), a)[0],
    "**": _power_bend,
}
"""Second derivatives of the others."""
