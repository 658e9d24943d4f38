"""The calculus, one row per operation: (operands) -> (data, local_grads).

A local gradient is d data / d operand at these operands, each step rounded once (CONTRACT.md R3).
None marks an operand that no gradient flows into: the exponent of `**`.
"""

from collections.abc import Callable
from typing import NamedTuple

from engine_py import numerics

LocalGrads = tuple[float | None, ...]
Rule = Callable[..., tuple[float, LocalGrads]]


class OutsideDomain(ArithmeticError):
    """The operation has no value at these operands; the text says why."""


class Operation(NamedTuple):
    """A row of the table. `expansion` builds a derived operation from primitives, in postfix."""

    symbol: str
    name: str
    arity: int
    rule: Rule
    expansion: tuple[str | float, ...] = ()

    @property
    def derived(self) -> bool:
        """True where the operation can be built from others."""
        return bool(self.expansion)


def _pow(x: float, c: float) -> tuple[float, LocalGrads]:
    if x == 0.0 and c < 0.0:
        raise OutsideDomain("0 has no negative power")
    if x < 0.0 and c % 1.0 != 0.0:
        raise OutsideDomain("a negative base has no fractional power")
    local_grad = c * numerics.power(x, c - 1.0) if c != 0.0 else 0.0
    return numerics.power(x, c), (local_grad, None)


def _div(x: float, y: float) -> tuple[float, LocalGrads]:
    if y == 0.0:
        raise OutsideDomain("division by 0")
    out = x / y
    return out, (1.0 / y, -(out / y))


def _exp(x: float) -> tuple[float, LocalGrads]:
    out = numerics.exp(x)
    return out, (out,)


def _log(x: float) -> tuple[float, LocalGrads]:
    if x <= 0.0:
        raise OutsideDomain("the logarithm exists for numbers above 0 only")
    return numerics.log(x), (1.0 / x,)


def _tanh(x: float) -> tuple[float, LocalGrads]:
    out = numerics.tanh(x)
    return out, (1.0 - out * out,)


# fmt: off
_TABLE = (
    #         symbol  name    arity  data and local gradients
    Operation("+",    "add",  2, lambda x, y: (x + y, (1.0, 1.0))),
    Operation("*",    "mul",  2, lambda x, y: (x * y, (y, x))),
    Operation("**",   "pow",  2, _pow),
    Operation("relu", "relu", 1, lambda x: (x, (1.0,)) if x > 0.0 else (0.0, (0.0,))),
    Operation("exp",  "exp",  1, _exp),
    Operation("log",  "log",  1, _log),
    Operation("tanh", "tanh", 1, _tanh),
    #         derived: one operation each, and how to build it from the ones above
    Operation("-",    "sub",  2, lambda x, y: (x - y, (1.0, -1.0)), ("x", "y", -1.0, "*", "+")),
    Operation("/",    "div",  2, _div,                              ("x", "y", -1.0, "**", "*")),
    Operation("neg",  "neg",  1, lambda x: (-x, (-1.0,)),           ("x", -1.0, "*")),
)
# fmt: on

OPERATIONS: dict[str, Operation] = {operation.symbol: operation for operation in _TABLE}

FUNCTIONS: tuple[str, ...] = ("relu", "exp", "log", "tanh")
"""The operations that are written as calls."""
