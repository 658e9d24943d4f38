"""The calculus, one row per operation: (operands) -> (data, *local_grads).

A local gradient is d data / d operand at these operands, each step rounded once (CONTRACT.md R3).
None marks an operand that no gradient flows into: the exponent of `**`.

schemas/OPERATIONS.md says what a new row needs elsewhere.
"""

from math import inf
from typing import Any

from engine_py import numerics, numerics_logistic, numerics_wave
from engine_py.rows import Apply, Binary, Call, Computed, Operation, OutsideDomain, Unary


def _pow(x: float, c: float) -> Computed:
    if x == 0.0 and c < 0.0:
        raise OutsideDomain("0 has no negative power")
    if x < 0.0 and c % 1.0 != 0.0:
        raise OutsideDomain("a negative base has no fractional power")
    local_grad = c * numerics.power(x, c - 1.0) if c != 0.0 else 0.0
    return numerics.power(x, c), local_grad, None


def _div(x: float, y: float) -> Computed:
    if y == 0.0:
        raise OutsideDomain("division by 0")
    out = x / y
    return out, 1.0 / y, -(out / y)


def _relu(x: float) -> Computed:
    """Give x where x > 0, else 0."""
    return (x, 1.0) if x > 0.0 else (0.0, 0.0)


def _exp(x: float) -> Computed:
    """Give e**x."""
    out = numerics.exp(x)
    return out, out


def _log(x: float) -> Computed:
    """Give the natural logarithm."""
    if x <= 0.0:
        raise OutsideDomain("the logarithm exists for numbers above 0 only")
    return numerics.log(x), 1.0 / x


def _tanh(x: float) -> Computed:
    """Give the hyperbolic tangent."""
    out = numerics.tanh(x)
    return out, 1.0 - out * out


def _pow_formulas(apply: Apply, out: Any, x: Any, c: Any) -> tuple[Any, None]:
    return (apply("*", c, apply("**", x, c.data - 1.0)) if c.data != 0.0 else 0.0), None


def _abs(x: float) -> Computed:
    """Give x without its sign."""
    return (x, 1.0) if x > 0.0 else (-x, -1.0) if x < 0.0 else (0.0, 0.0)


def _min(x: float, y: float) -> Computed:
    """Give the smaller of x and y."""
    return min(x, y), *_shares(y - x)


def _max(x: float, y: float) -> Computed:
    """Give the larger of x and y."""
    return max(x, y), *_shares(x - y)


def _shares(lead: float) -> tuple[float, float]:
    """Give all to the first where it leads, all to the second where that does, else half each."""
    return (1.0, 0.0) if lead > 0.0 else (0.0, 1.0) if lead < 0.0 else (0.5, 0.5)


def _sin(x: float) -> Computed:
    """Give the sine of x in radians."""
    return numerics_wave.sin(x), numerics_wave.cos(x)


def _cos(x: float) -> Computed:
    """Give the cosine of x in radians."""
    return numerics_wave.cos(x), -numerics_wave.sin(x)


def _sqrt(x: float) -> Computed:
    """Give the square root."""
    if x < 0.0:
        raise OutsideDomain("a negative number has no square root")
    out = numerics.sqrt(x)
    return out, 0.5 / out if out else inf


def _sigmoid(x: float) -> Computed:
    """Give 1 / (1 + e**-x)."""
    out = numerics_logistic.sigmoid(x)
    return out, out * (1.0 - out)


def _softplus(x: float) -> Computed:
    """Give ln(1 + e**x)."""
    return numerics_logistic.softplus(x), numerics_logistic.sigmoid(x)


# fmt: off
_OPERATORS = (
    #         symbol name   form    arity  data and local gradients; these as formulas
    Operation("+",   "add", "infix",  2, lambda x, y: (x + y, 1.0, 1.0),
              lambda apply, out, x, y: (1.0, 1.0)),
    Operation("*",   "mul", "infix",  2, lambda x, y: (x * y, y, x),
              lambda apply, out, x, y: (y, x)),
    Operation("**",  "pow", "infix",  2, _pow, _pow_formulas),
    #         derived: one operation each, and how to build it from the ones above
    Operation("-",   "sub", "infix",  2, lambda x, y: (x - y, 1.0, -1.0),
              lambda apply, out, x, y: (1.0, -1.0),
              lambda build, x, y: build("+", x, build("*", y, -1.0))),
    Operation("/",   "div", "infix",  2, _div,
              lambda apply, out, x, y: (apply("/", 1.0, y), apply("neg", apply("/", out, y))),
              lambda build, x, y: build("*", x, build("**", y, -1.0))),
    Operation("neg", "neg", "prefix", 1, lambda x: (-x, -1.0),
              lambda apply, out, x: (-1.0,),
              lambda build, x: build("*", x, -1.0)),
)
# fmt: on


class Calls:
    """The operations that are written as calls; a Value has them as methods."""

    __slots__ = ()

    relu = Unary(_relu, lambda apply, out, x: (1.0 if x.data > 0.0 else 0.0,), kink=lambda x: x)
    exp = Unary(_exp, lambda apply, out, x: (out,))
    log = Unary(_log, lambda apply, out, x: (apply("/", 1.0, x),))
    tanh = Unary(_tanh, lambda apply, out, x: (apply("-", 1.0, apply("*", out, out)),))
    abs = Unary(_abs, lambda apply, out, x: _abs(x.data)[1:], kink=lambda x: x)
    min = Binary(_min, lambda apply, out, x, y: _shares(y.data - x.data), kink=lambda x, y: x - y)
    max = Binary(_max, lambda apply, out, x, y: _shares(x.data - y.data), kink=lambda x, y: x - y)
    sin = Unary(_sin, lambda apply, out, x: (apply("cos", x),), turns=True)
    cos = Unary(_cos, lambda apply, out, x: (apply("neg", apply("sin", x)),), turns=True)
    #      derived
    sqrt = Unary(
        _sqrt,
        lambda apply, out, x: (apply("/", 0.5, out),),
        lambda build, x: build("**", x, 0.5),
    )
    sigmoid = Unary(
        _sigmoid,
        lambda apply, out, x: (apply("*", out, apply("-", 1.0, out)),),
        lambda build, x: build("**", build("+", build("exp", build("*", x, -1.0)), 1.0), -1.0),
    )
    softplus = Unary(
        _softplus,
        lambda apply, out, x: (apply("sigmoid", x),),
        lambda build, x: build("log", build("+", build("exp", x), 1.0)),
    )


FUNCTIONS: dict[str, Operation] = {
    name: call.operation for name, call in vars(Calls).items() if isinstance(call, Call)
}
"""The operations that are written as calls, by name."""

NO_GRADIENT = ("**", 1)
"""Operation and slot of the one operand that no gradient flows into (CONTRACT.md R24)."""

OPERATIONS: dict[str, Operation] = {row.symbol: row for row in _OPERATORS} | FUNCTIONS
