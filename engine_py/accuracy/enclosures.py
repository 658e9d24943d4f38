"""One row per operation: balls that enclose its result and its exact derivatives.

From 4,352 bits on, a number so near to 0 that it counts as 0 (CONTRACT.md R38) is a ball around 0:
`near` replaces such a sum by one, and `definite` decides on it and records that.
"""

from collections.abc import Callable
from typing import NamedTuple

from engine_py.accuracy.ball import (
    HALF,
    KNOWN,
    MINUS_ONE,
    ONE,
    RANGE,
    ZERO,
    Ball,
    add,
    div,
    magnitude,
    may_be_zero,
    mul,
    neg,
    of_double,
    sign,
    sqrt,
    sub,
    top,
    trim,
    widen,
)
from engine_py.accuracy.ball_functions import atan, exp, log, power, wave
from engine_py.numerics.exact import NoNumber

COUNTS = 4096
"""A sum below 2**-COUNTS of its larger operand counts as 0."""
SLACK = 64
"""Extra bits of that bound if numbers that count as 0 entered the sum."""
TINY: Ball = (1, 1, -RANGE - 1)
"""A number from 0 to 2**-RANGE."""


class Level:
    """A precision, and what is known about the operation computed with it.

    There is no level after the `last` one.
    """

    __slots__ = ("assumed_zero", "counts", "doubtful", "last", "p", "waits")

    assumed_zero: bool
    """Whether a decision treated as 0 a number that may not be 0."""
    counts: bool
    """Whether there are enough bits for a sum to count as 0."""
    doubtful: bool
    """Whether a number here depends on one that was treated as 0, so more precision may not decide
    it."""
    waits: bool
    """Whether more bits will decide what this level cannot."""

    def __init__(self, p: int, *, last: bool) -> None:
        self.p, self.last, self.counts = p, last, last or p >= KNOWN
        self.assumed_zero = self.doubtful = self.waits = False


def not_computed(*_: object) -> Ball:
    """The unused second derivative of an operation."""
    raise NotImplementedError


class Enclosure(NamedTuple):
    """How to enclose an operation's result and its exact derivatives. An exponent is a double."""

    value: Callable[..., Ball]
    """(level, *operands) -> the result."""
    slopes: Callable[..., tuple[Ball, ...]]
    """(level, result, *operands) -> d result / d operand for each; at a kink, R3's choice."""
    second: Callable[..., Ball] = not_computed
    """(level, *operands) -> the derivative of the slope, if R3 computes it from the operand."""
    by_result: Callable[[Ball, Ball, int], tuple[Ball, Ball]] | None = None
    """(result, exact result, p) -> a local gradient that R3 computes from the result, and its mean
    slope between the two."""
    exponentials: int = 0
    """The number of exponentials that the result and the slope cost."""


def near(level: Level, a: Ball, of: Ball) -> Ball:
    """Replace a number that counts as 0 by a ball around 0, if there are enough bits for that.

    A number counts as 0 if it is below 2**-COUNTS of its operands, or below a somewhat larger bound
    if it may be 0 because an operand counts as 0. If it may be 0 because its operands lost their
    bits, its midpoint is not 0: then nothing can be decided.

    Raises:
        NoNumber: more bits will decide it.
    """
    if not level.counts or not a[1]:
        return a
    m, r, e = a
    bound = (abs(of[0]), of[1], of[2] - COUNTS)
    side = sign(sub(magnitude(a), bound, level.p))
    if side is None and not level.last and not level.doubtful:
        raise NoNumber("undecided")
    largest, most = (abs(m) + r, 0, e), (bound[0] + bound[1], 0, bound[2])
    is_larger = side != -1 and sign(sub(largest, most, level.p)) == 1
    if side == -1 or (may_be_zero(a) and _is_below(largest, most, SLACK, level.p)):
        level.doubtful = True
        radius, _, exponent = largest if is_larger else most
        return trim(0, radius, exponent, level.p)
    return a if m else (1, r + 1, e)


def _is_below(a: Ball, b: Ball, times: int, p: int) -> bool:
    """Return whether x < y * 2**times."""
    return sign(sub(a, (b[0], b[1], b[2] + times), p)) == -1


def definite(level: Level, a: Ball) -> Ball:
    """Return a ball whose sign is known.

    Raises:
        NoNumber: its sign is unknown, and it does not count as 0.
    """
    if not may_be_zero(a):
        return a
    if a[0] or not level.counts:
        raise NoNumber("undecided")
    level.assumed_zero = True
    return ZERO


def plus(level: Level, x: Ball, y: Ball) -> Ball:
    """x + y, a ball around 0 if both are."""
    out = add(x, y, level.p)
    if not level.counts or (not x[0] and not y[0]):
        return out
    return near(level, out, x if top(x) > top(y) else y)


def minus(level: Level, x: Ball, y: Ball) -> Ball:
    """x - y, which is 0 if both are the same number, also passed on by relu, min or max."""
    return ZERO if x is y else plus(level, x, neg(y))


def _over_slopes(level: Level, out: Ball, x: Ball, y: Ball) -> tuple[Ball, Ball]:
    inverse = div(ONE, y, level.p)
    return inverse, neg(mul(out, inverse, level.p))


def _power(level: Level, x: Ball, c: float) -> Ball:
    try:
        return power(x, c, level.p)
    except NoNumber as no_number:
        if no_number.reason != "undecided":
            raise
    return power(definite(level, x), c, level.p)


def _power_slope(level: Level, out: Ball, x: Ball, c: float) -> tuple[Ball]:
    if c == 0.0:
        return (ZERO,)
    return (mul(of_double(c), power_less(level, x, c, 1), level.p),)


def power_less(level: Level, x: Ball, c: float, k: int) -> Ball:
    """x**(c - k), as x**c / x**k if c - k is not a double (it is one if adding k gives c again)."""
    if (c - k) + k == c and abs(c) < 2.0**53:
        return _power(level, x, c - k)
    if c >= 2.0**53 and may_be_zero(x):  # c / 2 is whole, and x**(c / 2) farther from 0
        return _power(level, x, c / 2)
    x = definite(level, x)
    if x == ZERO:
        return power(x, 1.0 if c > k else -1.0, level.p)
    return div(_power(level, x, c), power(x, float(k), level.p), level.p)


def _second_slope_of_power(level: Level, a: Ball, c: float) -> Ball:
    """c (c - 1) x**(c - 2). c - 1 is exact: a double has fewer than 2,100 bits around its point."""
    if c in {0.0, 1.0}:
        return ZERO
    factor = mul(of_double(c), sub(of_double(c), ONE, 2200), level.p)
    return mul(factor, power_less(level, a, c, 2), level.p)


def decay(level: Level, x: Ball) -> Ball:
    """e**-|x|, by the sign of the midpoint: the formulas that use it hold on both sides of 0."""
    return exp((-abs(x[0]), x[1], x[2]), level.p + 8)


def _decay_next_to_1(level: Level, x: Ball) -> Ball:
    """Compute e**-|x| to be added to 1, so it may be arbitrarily small."""
    try:
        return decay(level, x)
    except NoNumber as no_number:
        if no_number.reason != "out_of_range":
            raise
        return TINY


def tanh(level: Level, x: Ball) -> Ball:
    """(1 - e**-2x) / (1 + e**-2x); near 0 with more bits, or x with an error of |x| x**2."""
    t = top(x)
    if x == ZERO or t < -level.p:
        return widen(x, 2 * t, level.p) if x != ZERO else ZERO
    more = Level(level.p + max(0, -t), last=False)
    e = _decay_next_to_1(more, _twice(x))
    out = div(sub(ONE, e, more.p + 8), add(ONE, e, more.p + 8), level.p)
    return out if x[0] >= 0 else neg(out)


def tanh_slope(level: Level, out: Ball, x: Ball) -> tuple[Ball]:
    """1 - out**2 if that loses few bits, else 4 e**-2x / (1 + e**-2x)**2."""
    if top(x) <= 1:
        return (sub(ONE, mul(out, out, level.p + 8), level.p),)
    return (mul((1, 0, 2), _bell(level, _twice(x)), level.p),)


def sigmoid(level: Level, x: Ball) -> Ball:
    """1 / (1 + e**-x), and e**x / (1 + e**x) below 0."""
    if x[0] >= 0:
        return div(ONE, add(ONE, _decay_next_to_1(level, x), level.p + 8), level.p)
    e = decay(level, x)
    return div(e, add(ONE, e, level.p + 8), level.p)


def sigmoid_slope(level: Level, out: Ball, x: Ball) -> tuple[Ball]:
    """out (1 - out) if that loses few bits, else e**-x / (1 + e**-x)**2, for x or -x."""
    if top(x) <= 1:
        return (mul(out, sub(ONE, out, level.p + 8), level.p),)
    return (_bell(level, x),)


def _bell(level: Level, x: Ball) -> Ball:
    e, p = decay(level, x), level.p + 8
    d = add(ONE, e, p)
    return div(e, mul(d, d, p), level.p)


def _softplus(level: Level, x: Ball) -> Ball:
    """max(x, 0) + ln(1 + e**-|x|), whose logarithm is e**-|x| up to a part of e**-|x|.

    Above 0 it is computed at the midpoint of the ball: no slope is above 1. A tiny ball is its own
    logarithm.
    """
    m, _, exponent = x
    e = decay(level, x) if m < 0 else _decay_next_to_1(level, (m, 0, exponent))
    t, p = top(e), level.p + 8
    rest = e if e is TINY else widen(e, t, p) if t < -level.p else log(add(ONE, e, p - t), p)
    return trim(*rest, level.p) if m < 0 else add(x, rest, level.p)


def _twice(x: Ball) -> Ball:
    return x[0], x[1], x[2] + 1


def _log(level: Level, x: Ball) -> Ball:
    return near(level, log(definite(level, x), level.p), ONE)


def _log1p(level: Level, x: Ball) -> Ball:
    """ln(1 + x); near 0 with more bits, or x with an error of x**2."""
    t = top(x)
    if t < -level.p:
        return widen(x, t, level.p) if x != ZERO else ZERO
    if t < 0:
        return log(add(ONE, x, level.p + 8 - t), level.p)
    return log(_one_more(level, x), level.p)


def _one_more(level: Level, x: Ball) -> Ball:
    return definite(level, plus(level, ONE, x))


def _expm1(level: Level, x: Ball) -> Ball:
    """e**x - 1; near 0 with more bits, or x with an error of x**2."""
    t = top(x)
    if t < -level.p:
        return widen(x, t, level.p) if x != ZERO else ZERO
    more = Level(level.p + 8 + max(0, -t), last=False)
    e = exp(x, more.p) if x[0] >= 0 else _decay_next_to_1(more, x)
    return sub(e, ONE, level.p)


def _atan_slope(level: Level, x: Ball) -> Ball:
    """1 / (1 + x**2), computed from the inverse of a large x."""
    p = level.p + 8
    if top(x) <= 1:
        return div(ONE, add(ONE, mul(x, x, p), p), level.p)
    inverse = div(ONE, x, p)
    square = mul(inverse, inverse, p)
    return div(square, add(ONE, square, p), level.p)


def _second_slope_of_atan(level: Level, x: Ball) -> Ball:
    slope = _atan_slope(level, x)
    return neg(mul(_twice(x), mul(slope, slope, level.p + 8), level.p))


def _wave(ahead: int) -> Callable[[Level, Ball], Ball]:
    """sin(x + ahead pi / 2), computed from x if x is small, else from numbers below 1."""

    def value(level: Level, x: Ball) -> Ball:
        out = wave(x, level.p, ahead)
        if ahead % 2 == 0 and not x[0]:  # it counts as 0, too
            return out
        return near(level, out, ONE if ahead % 2 or top(x) > 0 else x)

    return value


def side(level: Level, x: Ball) -> int:
    """Return the sign of x."""
    return sign(definite(level, x)) or 0


def signum(level: Level, x: Ball) -> Ball:
    """Return the sign of x as a number."""
    s = side(level, x)
    return ONE if s > 0 else MINUS_ONE if s < 0 else ZERO


def lead(level: Level, x: Ball, y: Ball) -> int:
    """Return the sign of x - y."""
    return side(level, minus(level, x, y))


def halves(lead: int) -> tuple[Ball, Ball]:
    """Return 1 for the selected operand and 0 for the other, or half for each."""
    return (ONE, ZERO) if lead > 0 else (ZERO, ONE) if lead < 0 else (HALF, HALF)


_sin, _cos, _less_sin = _wave(0), _wave(1), _wave(2)

ENCLOSURES: dict[str, Enclosure] = {
    "+": Enclosure(plus, lambda level, out, x, y: (ONE, ONE)),
    "-": Enclosure(minus, lambda level, out, x, y: (ONE, MINUS_ONE)),
    "*": Enclosure(lambda level, x, y: mul(x, y, level.p), lambda level, out, x, y: (y, x)),
    "/": Enclosure(lambda level, x, y: div(x, definite(level, y), level.p), _over_slopes),
    "**": Enclosure(_power, _power_slope, _second_slope_of_power, exponentials=4),
    "neg": Enclosure(
        lambda level, x: neg(x),
        lambda level, out, x: (MINUS_ONE,),
        by_result=lambda out, true, p: (MINUS_ONE, ZERO),
    ),
    "relu": Enclosure(
        lambda level, x: x if side(level, x) > 0 else ZERO,
        lambda level, out, x: (ONE if side(level, x) > 0 else ZERO,),
    ),
    "abs": Enclosure(lambda level, x: magnitude(x), lambda level, out, x: (signum(level, x),)),
    "min": Enclosure(
        lambda level, x, y: x if lead(level, x, y) <= 0 else y,
        lambda level, out, x, y: halves(lead(level, y, x)),
    ),
    "max": Enclosure(
        lambda level, x, y: x if lead(level, x, y) >= 0 else y,
        lambda level, out, x, y: halves(lead(level, x, y)),
    ),
    "exp": Enclosure(
        lambda level, x: exp(x, level.p),
        lambda level, out, x: (out,),
        by_result=lambda out, true, p: (out, ONE),
        exponentials=1,
    ),
    "log": Enclosure(
        _log,
        lambda level, out, x: (div(ONE, x, level.p),),
        lambda level, x: neg(div(ONE, mul(x, x, level.p), level.p)),
        exponentials=1,
    ),
    "sqrt": Enclosure(
        lambda level, x: sqrt(definite(level, x), level.p),
        lambda level, out, x: (div(HALF, out, level.p),),
        by_result=lambda out, true, p: (
            div(HALF, out, p),
            neg(div(HALF, mul(out, true, p), p)),
        ),
    ),
    "sin": Enclosure(
        _sin,
        lambda level, out, x: (_cos(level, x),),
        lambda level, x: wave(x, level.p, 2),
        exponentials=4,
    ),
    "cos": Enclosure(
        _cos,
        lambda level, out, x: (_less_sin(level, x),),
        lambda level, x: wave(x, level.p, 3),
        exponentials=4,
    ),
    "tanh": Enclosure(
        tanh,
        tanh_slope,
        by_result=lambda out, true, p: (sub(ONE, mul(out, out, p), p), neg(add(out, true, p))),
        exponentials=2,
    ),
    "sigmoid": Enclosure(
        sigmoid,
        sigmoid_slope,
        by_result=lambda out, true, p: (
            mul(out, sub(ONE, out, p), p),
            sub(ONE, add(out, true, p), p),
        ),
        exponentials=2,
    ),
    "softplus": Enclosure(
        _softplus,
        lambda level, out, x: (sigmoid(level, x),),
        lambda level, x: sigmoid_slope(level, sigmoid(level, x), x)[0],
        exponentials=4,
    ),
    "log1p": Enclosure(
        _log1p,
        lambda level, out, x: (div(ONE, _one_more(level, x), level.p),),
        lambda level, x: neg(power(_one_more(level, x), -2.0, level.p)),
        exponentials=1,
    ),
    "expm1": Enclosure(
        _expm1,
        lambda level, out, x: (exp(x, level.p),),
        lambda level, x: exp(x, level.p),
        exponentials=2,
    ),
    "atan": Enclosure(
        lambda level, x: atan(x, level.p),
        lambda level, out, x: (_atan_slope(level, x),),
        _second_slope_of_atan,
        exponentials=4,
    ),
}
