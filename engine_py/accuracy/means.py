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
from engine_py.accuracy.program import Number
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
    value: Ball
    """The exact result at the doubles."""
    out: Ball
    true_out: Ball
    true_slopes: tuple[Ball, ...]


class Bends(NamedTuple):
    """What leads from errors to one of a local gradient, by slot."""

    formulas: tuple[Number, ...]
    """The local gradients by R3's formulas at the doubles, not rounded."""
    bends: tuple[tuple[Number, ...], ...]
    """What a local gradient is off by, for an error of each operand and, last, of the result."""


def slopes_of(place: Place) -> tuple[Ball, ...]:
    """Give what an error of each operand is multiplied by in the result.

    Raises NoNumber where that does not exist, or p bits do not tell, as `bends_of`.
    """
    return _SLOPES.get(place.symbol, _slopes_of_function)(place)


def bends_of(place: Place) -> Bends:
    """Give the same of the local gradients."""
    return _BENDS.get(place.symbol, _bends_of_function)(place)


def mean(a: Ball, b: Ball, p: int) -> Ball:
    """(x + y) / 2."""
    return halve(add(a, b, p))


def _secant(at: tuple[Ball, Ball], slope: Function, a: Ball, b: Ball, p: int) -> Ball:
    """(f(x) - f(y)) / (x - y); a slope between where they are too near to each other to divide.

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


def _across(at: tuple[Ball, Ball], slope: Function, a: Ball, b: Ball, p: int) -> Ball:
    """Give the same of what has its only kink, or jump, at 0."""
    if sign(a) == sign(b):
        return slope(a)
    return div(sub(*at, p), sub(a, b, p), p)


def _slopes_of_sum(place: Place) -> tuple[Ball, ...]:
    return ONE, ONE if place.symbol == "+" else MINUS_ONE


def _bends_of_sum(place: Place) -> Bends:
    return Bends(_slopes_of_sum(place), ((ZERO,) * 3,) * 2)


def _slopes_of_product(place: Place) -> tuple[Ball, ...]:
    (x, y), (true_x, true_y), p = place.x, place.true_x, place.level.p
    return mean(y, true_y, p), mean(x, true_x, p)


def _bends_of_product(place: Place) -> Bends:
    x, y = place.x
    return Bends((y, x), ((ZERO, ONE, ZERO), (ONE, ZERO, ZERO)))


def _inverses(place: Place) -> tuple[Ball, Ball, Ball]:
    """1 / y at the double, the mean with the true one, and the product."""
    y, true_y, p = place.x[1], place.true_x[1], place.level.p
    inverse, true_inverse = div(ONE, y, p), div(ONE, true_y, p)
    return inverse, mean(inverse, true_inverse, p), mul(inverse, true_inverse, p)


def _slopes_of_quotient(place: Place) -> tuple[Ball, ...]:
    _, middle, both = _inverses(place)
    p = place.level.p
    return middle, neg(mul(mean(place.x[0], place.true_x[0], p), both, p))


def _bends_of_quotient(place: Place) -> Bends:
    """1 / y, and -out / y as a product of out and 1 / y."""
    inverse, middle, both = _inverses(place)
    p = place.level.p
    bend = mul(mean(place.out, place.true_out, p), both, p)
    formulas = (inverse, neg(div(place.out, place.x[1], p)))
    return Bends(formulas, ((ZERO, neg(both), ZERO), (ZERO, bend, neg(middle))))


def _leads(place: Place) -> tuple[Ball, Ball]:
    level = place.level
    return minus(level, *place.x), definite(level, minus(level, *place.true_x))


def _slopes_of_choice(place: Place) -> tuple[Ball, ...]:
    """max(x, y) = (x + y + |x - y|) / 2; min has a minus."""
    (lead, true_lead), level = _leads(place), place.level
    sizes = (magnitude(lead), magnitude(true_lead))
    slope = _across(sizes, lambda a: signum(level, a), lead, true_lead, level.p)
    if place.symbol == "min":
        slope = neg(slope)
    return halve(add(ONE, slope, level.p)), halve(sub(ONE, slope, level.p))


def _bends_of_choice(place: Place) -> Bends:
    (lead, true_lead), level = _leads(place), place.level
    signs = (signum(level, lead), signum(level, true_lead))
    jump = halve(_across(signs, lambda _: ZERO, lead, true_lead, level.p))
    if place.symbol == "min":
        jump = neg(jump)
    formulas = ROWS[place.symbol].slopes(level, place.out, *place.x)
    return Bends(formulas, ((jump, neg(jump), ZERO), (neg(jump), jump, ZERO)))


def _slopes_of_kink(place: Place) -> tuple[Ball, ...]:
    x, true_x = place.x[0], definite(place.level, place.true_x[0])
    at = (place.value, place.true_out)
    return (_across(at, _slope(place), x, true_x, place.level.p),)


def _bends_of_kink(place: Place) -> Bends:
    x, true_x = place.x[0], definite(place.level, place.true_x[0])
    formula = _formula(place)
    at = (formula, place.true_slopes[0])
    return Bends((formula,), ((_across(at, lambda _: ZERO, x, true_x, place.level.p), ZERO),))


def _slopes_of_function(place: Place) -> tuple[Ball, ...]:
    at = (place.value, place.true_out)
    return (_secant(at, _slope(place), place.x[0], place.true_x[0], place.level.p),)


def _bends_of_function(place: Place) -> Bends:
    x, true_x, p = place.x[0], place.true_x[0], place.level.p
    if place.symbol in _BY_RESULT:
        formula, bend = _BY_RESULT[place.symbol](place.out, place.true_out, p)
        return Bends((formula,), ((ZERO, bend),))
    formula = _formula(place)
    if place.symbol == "log":
        bend = neg(div(ONE, mul(x, true_x, p), p))
    else:
        second, at = _SECOND[place.symbol], (formula, place.true_slopes[0])
        bend = _secant(at, lambda a: second(place.level, a, *place.exponent), x, true_x, p)
    return Bends((formula,), ((bend, ZERO),))


def _formula(place: Place) -> Ball:
    """Give the slope at the double, where R3 computes it from the operand."""
    slopes = ROWS[place.symbol].slopes
    return slopes(place.level, place.value, *place.x, *place.exponent)[0]


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


_SLOPES: dict[str, Callable[[Place], tuple[Ball, ...]]] = {
    **dict.fromkeys(("+", "-"), _slopes_of_sum),
    "*": _slopes_of_product,
    "/": _slopes_of_quotient,
    **dict.fromkeys(("min", "max"), _slopes_of_choice),
    **dict.fromkeys(("relu", "abs"), _slopes_of_kink),
}
_BENDS: dict[str, Callable[[Place], Bends]] = {
    **dict.fromkeys(("+", "-"), _bends_of_sum),
    "*": _bends_of_product,
    "/": _bends_of_quotient,
    **dict.fromkeys(("min", "max"), _bends_of_choice),
    **dict.fromkeys(("relu", "abs"), _bends_of_kink),
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
