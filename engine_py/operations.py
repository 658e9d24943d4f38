"""The calculus, one row per operation: (operands) -> (data, *local_grads).

A local gradient is d data / d operand at these operands, each step rounded once (CONTRACT.md R3).
None marks an operand that no gradient flows into: the exponent of `**`.

schemas/OPERATIONS.md says what a new row needs elsewhere.
"""

from math import inf
from typing import Any

from engine_py.numerics import elementary, logistic, wave
from engine_py.rows import Apply, Binary, Call, Computed, Operation, OutsideDomain, Unary


def _pow(x: float, c: float) -> Computed:
    if x == 0.0 and c < 0.0:
        raise OutsideDomain("0 has no negative power")
    if x < 0.0 and c % 1.0 != 0.0:
        raise OutsideDomain("a negative base has no fractional power")
    return elementary.power(x, c), _slope_of_power(x, c), None


def _slope_of_power(x: float, c: float) -> float:
    if c == 0.0:
        return 0.0
    slope = c * elementary.power(abs(x), c - 1.0)
    return -slope if x < 0.0 and c % 2.0 == 0.0 else slope  # c - 1 rounds, and is even then, too


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
    out = elementary.exp(x)
    return out, out


def _log(x: float) -> Computed:
    """Give the natural logarithm."""
    if x <= 0.0:
        raise OutsideDomain("the logarithm exists for numbers above 0 only")
    return elementary.log(x), 1.0 / x


def _tanh(x: float) -> Computed:
    """Give the hyperbolic tangent."""
    out = elementary.tanh(x)
    return out, 1.0 - out * out


def _pow_formulas(apply: Apply, out: Any, x: Any, c: Any) -> tuple[Any, None]:
    if c.data == 0.0 or (x.data == 0.0 and 0.0 < c.data < 1.0):
        return _slope_of_power(x.data, c.data), None
    size = apply("neg", x) if x.data < 0.0 else x
    slope = apply("*", c, apply("**", size, c.data - 1.0))
    return (apply("neg", slope) if x.data < 0.0 and c.data % 2.0 == 0.0 else slope), None


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
    return wave.sin(x), wave.cos(x)


def _cos(x: float) -> Computed:
    """Give the cosine of x in radians."""
    return wave.cos(x), -wave.sin(x)


def _sqrt(x: float) -> Computed:
    """Give the square root."""
    if x < 0.0:
        raise OutsideDomain("a negative number has no square root")
    out = elementary.sqrt(x)
    return out, 0.5 / out if out else inf


def _sigmoid(x: float) -> Computed:
    """Give 1 / (1 + e**-x)."""
    out = logistic.sigmoid(x)
    return out, out * (1.0 - out)


def _softplus(x: float) -> Computed:
    """Give ln(1 + e**x)."""
    return logistic.softplus(x), logistic.sigmoid(x)


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

    relu = Unary(_relu, lambda apply, out, x: (1.0 if x.data > 0.0 else 0.0,))
    exp = Unary(_exp, lambda apply, out, x: (out,))
    log = Unary(_log, lambda apply, out, x: (apply("/", 1.0, x),))
    tanh = Unary(_tanh, lambda apply, out, x: (apply("-", 1.0, apply("*", out, out)),))
    abs = Unary(_abs, lambda apply, out, x: _abs(x.data)[1:])
    min = Binary(_min, lambda apply, out, x, y: _shares(y.data - x.data))
    max = Binary(_max, lambda apply, out, x, y: _shares(x.data - y.data))
    sin = Unary(_sin, lambda apply, out, x: (apply("cos", x),))
    cos = Unary(_cos, lambda apply, out, x: (apply("neg", apply("sin", x)),))
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
