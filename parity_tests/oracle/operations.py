"""The one table of what every operation is, by MPFR: data, local gradients (R3), domain, expansion.

The numbers are MPFR's, rounded by the active context: to a double for a document, to thousands of
bits for a true number; or they are intervals of such numbers (see `gradients`). A formula is
written once for all of them. The table knows nothing of the engines.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import gmpy2

from parity_tests.oracle.intervals import Interval, Number, corners

Formula = Callable[..., Any]


def nowhere(*_: Number) -> bool:
    """Accept all operands."""
    return False


class Row(NamedTuple):
    """What an operation is."""

    data: Formula
    """(operands) -> data."""
    local_grads: Formula
    """(data, *operands) -> local gradients; None for an exponent."""
    rounding: str
    """"none": the result is an operand, its negation or 0; "hardware": correct on every platform;
    "function": off by an ulp on most platforms."""
    outside: Callable[..., bool] = nowhere
    """(operands) -> True outside the domain (R30)."""
    kink: Formula | None = None
    """(operands) -> a number that changes its sign where the derivative jumps."""
    turns: Callable[[Interval], tuple[Number, ...]] | None = None
    """(interval) -> the extremes of data inside, of what is not monotone: `bounds` takes these and
    the data at the corners."""
    expansion: Formula | None = None
    """(apply, *operands) -> the operation as primitives (R26): `apply(symbol, *operands)`."""
    torch: Formula | None = None
    """(torch, *tensors) -> the same by PyTorch, where its name or its precision is another."""
    ulps: float = 1.0
    """How much PyTorch's data may be off, in units of what its functions may be."""
    true_grads: Formula | None = None
    """(*operands) -> the local gradients, where the formulas of R3 lose bits by cancellation."""
    beside: Formula | None = None
    """(*operands) -> what a result near 0 was made of: far below it, the result counts as 0."""
    farthest: int | None = None
    """The largest binary exponent of an operand whose true result MPFR has."""


def above(x: Any) -> Any:
    """1 where x > 0, else 0."""
    if isinstance(x, Interval):
        return Interval(above(x.low), above(x.high))
    return gmpy2.mpfr(int(x > 0))


def share(x: Any) -> Any:
    """1 where x > 0, 0 where x < 0, else 1/2."""
    if isinstance(x, Interval):
        return Interval(share(x.low), share(x.high))
    return gmpy2.mpfr((gmpy2.sign(x) + 1) / 2)


def once(formula: Formula) -> Formula:
    """Compute with many more bits, and round to the active context once."""

    def data(*operands: Number) -> Number:
        bits = gmpy2.get_context().precision + 300
        with gmpy2.context(precision=bits, emax=2**30, emin=-(2**30)):
            value = formula(*operands)
        return gmpy2.mpfr(value)

    return data


def slope_of_power(x: Number, c: Number) -> Number:
    """c * x ** (c - 1): c - 1 may be rounded, and the parity of the power is that of c."""
    if not c:
        return 0 * c
    slope = c * abs(x) ** (c - 1)
    return -slope if x < 0 and not gmpy2.is_odd(gmpy2.mpz(c)) else slope


def of(symbol: str, x: Any) -> Any:
    """Apply a function inside a formula of local gradients, where platforms may be an ulp off."""
    row = ROWS[symbol]
    return over(row, x).widened(1.0) if isinstance(x, Interval) else row.data(x)


def over(row: Row, *operands: Interval) -> Interval:
    """The interval of an operation's data, without its rounding."""
    ends = corners(row.data, *operands)
    extremes = [ends.low, ends.high, *(row.turns(*operands) if row.turns else ())]
    return Interval(min(extremes), max(extremes))


def crests(x: Interval, first: float) -> tuple[Number, ...]:
    """1 and -1, alternating, at (first + k) pi inside the interval for whole numbers k."""
    pi = gmpy2.const_pi()
    low, high = gmpy2.ceil(x.low / pi - first), gmpy2.floor(x.high / pi - first)
    if high - low >= 1:
        return (ONE, -ONE)
    return () if high < low else (ONE if gmpy2.is_even(gmpy2.mpz(low)) else -ONE,)


ONE = gmpy2.mpfr(1)

RATIONAL = frozenset("+-*/")
"""The operations whose data Python's operators compute, of fractions and of intervals, too."""

ROWS: dict[str, Row] = {
    "+": Row(
        lambda x, y: x + y,
        lambda out, x, y: (ONE, ONE),
        "hardware",
        beside=lambda x, y: max(abs(x), abs(y)),
    ),
    "*": Row(lambda x, y: x * y, lambda out, x, y: (y, x), "hardware"),
    "**": Row(
        lambda x, c: x**c,
        lambda out, x, c: (slope_of_power(x, c), None),
        "function",
        outside=lambda x, c: (x == 0 and c < 0) or (x < 0 and not gmpy2.is_integer(c)),
    ),
    "-": Row(
        lambda x, y: x - y,
        lambda out, x, y: (ONE, -ONE),
        "hardware",
        expansion=lambda apply, x, y: apply("+", x, apply("*", y, -1)),
        beside=lambda x, y: max(abs(x), abs(y)),
    ),
    "/": Row(
        lambda x, y: x / y,
        lambda out, x, y: (1 / y, -(out / y)),
        "hardware",
        outside=lambda x, y: y == 0,
        expansion=lambda apply, x, y: apply("*", x, apply("**", y, -1)),
    ),
    "neg": Row(
        lambda x: -x,
        lambda out, x: (-ONE,),
        "none",
        expansion=lambda apply, x: apply("*", x, -1),
    ),
    "relu": Row(
        lambda x: x if x > 0 else 0 * x,
        lambda out, x: (above(x),),
        "none",
        kink=lambda x: x,
    ),
    "exp": Row(gmpy2.exp, lambda out, x: (out,), "function", farthest=27),
    "log": Row(
        gmpy2.log,
        lambda out, x: (1 / x,),
        "function",
        outside=lambda x: x <= 0,
        beside=lambda x: ONE,
    ),
    "tanh": Row(
        gmpy2.tanh,
        lambda out, x: (1 - out * out,),
        "function",
        true_grads=lambda x: (1 / gmpy2.cosh(x) ** 2,),
        farthest=27,
    ),
    "abs": Row(
        abs,
        lambda out, x: (2 * share(x) - ONE,),
        "none",
        kink=lambda x: x,
        turns=lambda x: (gmpy2.mpfr(0),) if x.low < 0 < x.high else (),
    ),
    "min": Row(
        min,
        lambda out, x, y: (share(y - x), share(x - y)),
        "none",
        kink=lambda x, y: x - y,
        torch=lambda torch, x, y: torch.minimum(x, y),
    ),
    "max": Row(
        max,
        lambda out, x, y: (share(x - y), share(y - x)),
        "none",
        kink=lambda x, y: x - y,
        torch=lambda torch, x, y: torch.maximum(x, y),
    ),
    "sqrt": Row(
        gmpy2.sqrt,
        lambda out, x: (0.5 / out,),
        "hardware",
        outside=lambda x: x < 0,
        expansion=lambda apply, x: apply("**", x, 0.5),
    ),
    "sin": Row(
        gmpy2.sin,
        lambda out, x: (of("cos", x),),
        "function",
        turns=lambda x: crests(x, 0.5),
        beside=lambda x: min(ONE, abs(x)),
        farthest=4000,
    ),
    "cos": Row(
        gmpy2.cos,
        lambda out, x: (-of("sin", x),),
        "function",
        turns=lambda x: crests(x, 0.0),
        beside=lambda x: ONE,
        farthest=4000,
    ),
    "sigmoid": Row(
        once(lambda x: 1 / (1 + gmpy2.exp(-x))),
        lambda out, x: (out * (1 - out),),
        "function",
        expansion=lambda apply, x: apply("**", apply("+", apply("exp", apply("*", x, -1)), 1), -1),
        ulps=2.0,
        true_grads=lambda x: (1 / (2 * gmpy2.cosh(x / 2)) ** 2,),
        farthest=27,
    ),
    "softplus": Row(
        once(lambda x: max(x, 0) + gmpy2.log1p(gmpy2.exp(-abs(x)))),
        lambda out, x: (of("sigmoid", x),),
        "function",
        expansion=lambda apply, x: apply("log", apply("+", apply("exp", x), 1)),
        torch=lambda torch, x: -torch.nn.functional.logsigmoid(-x),
        ulps=3.0,
        farthest=27,
    ),
}
