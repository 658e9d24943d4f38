"""The table of all operations by MPFR: data, local gradients (R3), domain and expansion.

The active context rounds the numbers: to a double for a document or a hard case, to thousands of
bits for an exact value. The table shares nothing with the engines.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import gmpy2

Number = Any
"""A gmpy2.mpfr; gmpy2 has no type annotations."""
Formula = Callable[..., Any]

ONE = gmpy2.mpfr(1)


def nowhere(*_: Number) -> bool:
    """Return False: all operands are in the domain."""
    return False


class Row(NamedTuple):
    """The definition of an operation."""

    data: Formula
    """(*operands) -> data."""
    local_grads: Formula
    """(data, *operands) -> local gradients; None for an exponent."""
    expansion: Formula | None = None
    """(apply, *operands) -> the operation as primitives (R26): `apply(symbol, *operands)`."""
    outside: Callable[..., bool] = nowhere
    """(*operands) -> True outside the domain (R30)."""
    rounds: bool = True
    """False if the result is one of the operands, its negation or 0."""
    kink: Formula | None = None
    """(*operands) -> a number whose sign changes where the derivative jumps."""
    true_grads: Formula | None = None
    """(*operands) -> the exact local gradients, if cancellation costs the formulas of R3 bits."""
    scale: Formula | None = None
    """(*operands) -> the scale of a result: if it is below 2**-4096 of that, it is 0 (R38)."""
    farthest: int | None = None
    """The largest binary exponent of an operand for which MPFR can compute the result."""


def above(x: Number) -> Number:
    """Return 1 if x > 0, else 0."""
    return gmpy2.mpfr(int(x > 0))


def share(x: Number) -> Number:
    """Return 1 if x > 0, 0 if x < 0, else 1/2."""
    return gmpy2.mpfr((gmpy2.sign(x) + 1) / 2)


def larger(x: Number, y: Number) -> Number:
    """Return the larger absolute value."""
    return max(abs(x), abs(y))


def once(formula: Formula) -> Formula:
    """Compute with many more bits, then round to the active context once."""

    def data(*operands: Number) -> Number:
        bits = gmpy2.get_context().precision + 300
        with gmpy2.context(precision=bits, emax=2**30, emin=-(2**30)):
            value = formula(*operands)
        return gmpy2.mpfr(value)

    return data


def slope_of_power(x: Number, c: Number) -> Number:
    """Return c * x ** (c - 1). As c - 1 may be rounded, the sign follows from the parity of c."""
    if not c:
        return 0 * c
    slope = c * abs(x) ** (c - 1)
    return -slope if x < 0 and not gmpy2.is_odd(gmpy2.mpz(c)) else slope


sigmoid = once(lambda x: 1 / (1 + gmpy2.exp(-x)))

ROWS: dict[str, Row] = {
    "+": Row(lambda x, y: x + y, lambda out, x, y: (ONE, ONE), scale=larger),
    "*": Row(lambda x, y: x * y, lambda out, x, y: (y, x)),
    "**": Row(
        lambda x, c: x**c,
        lambda out, x, c: (slope_of_power(x, c), None),
        outside=lambda x, c: (x == 0 and c < 0) or (x < 0 and not gmpy2.is_integer(c)),
    ),
    "-": Row(
        lambda x, y: x - y,
        lambda out, x, y: (ONE, -ONE),
        lambda apply, x, y: apply("+", x, apply("*", y, -1)),
        scale=larger,
    ),
    "/": Row(
        lambda x, y: x / y,
        lambda out, x, y: (1 / y, -(out / y)),
        lambda apply, x, y: apply("*", x, apply("**", y, -1)),
        outside=lambda x, y: y == 0,
    ),
    "neg": Row(
        lambda x: -x,
        lambda out, x: (-ONE,),
        lambda apply, x: apply("*", x, -1),
        rounds=False,
    ),
    "relu": Row(
        lambda x: x if x > 0 else 0 * x,
        lambda out, x: (above(x),),
        rounds=False,
        kink=lambda x: x,
    ),
    "exp": Row(gmpy2.exp, lambda out, x: (out,), farthest=27),
    "log": Row(gmpy2.log, lambda out, x: (1 / x,), outside=lambda x: x <= 0, scale=lambda x: ONE),
    "tanh": Row(
        gmpy2.tanh,
        lambda out, x: (1 - out * out,),
        true_grads=lambda x: (1 / gmpy2.cosh(x) ** 2,),
        farthest=27,
    ),
    "abs": Row(abs, lambda out, x: (2 * share(x) - ONE,), rounds=False, kink=lambda x: x),
    "min": Row(
        min,
        lambda out, x, y: (share(y - x), share(x - y)),
        rounds=False,
        kink=lambda x, y: x - y,
    ),
    "max": Row(
        max,
        lambda out, x, y: (share(x - y), share(y - x)),
        rounds=False,
        kink=lambda x, y: x - y,
    ),
    "sqrt": Row(
        gmpy2.sqrt,
        lambda out, x: (0.5 / out,),
        lambda apply, x: apply("**", x, 0.5),
        outside=lambda x: x < 0,
    ),
    "sin": Row(
        gmpy2.sin,
        lambda out, x: (gmpy2.cos(x),),
        scale=lambda x: min(ONE, abs(x)),
        farthest=4000,
    ),
    "cos": Row(gmpy2.cos, lambda out, x: (-gmpy2.sin(x),), scale=lambda x: ONE, farthest=4000),
    "sigmoid": Row(
        sigmoid,
        lambda out, x: (out * (1 - out),),
        lambda apply, x: apply("**", apply("+", apply("exp", apply("*", x, -1)), 1), -1),
        true_grads=lambda x: (1 / (2 * gmpy2.cosh(x / 2)) ** 2,),
        farthest=27,
    ),
    "softplus": Row(
        once(lambda x: max(x, 0) + gmpy2.log1p(gmpy2.exp(-abs(x)))),
        lambda out, x: (sigmoid(x),),
        lambda apply, x: apply("log", apply("+", apply("exp", x), 1)),
        farthest=27,
    ),
    "log1p": Row(
        gmpy2.log1p,
        lambda out, x: (1 / (1 + x),),
        lambda apply, x: apply("log", apply("+", x, 1)),
        outside=lambda x: x <= -1,
    ),
    "expm1": Row(
        gmpy2.expm1,
        lambda out, x: (gmpy2.exp(x),),
        lambda apply, x: apply("+", apply("exp", x), -1),
        farthest=27,
    ),
    "atan": Row(gmpy2.atan, lambda out, x: (1 / (1 + x * x),)),
}
