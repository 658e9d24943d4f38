"""The calculus, one row per operation: (operands) -> (data, *local_grads).

A local gradient is d data / d operand at these operands, each step rounded once (CONTRACT.md R3).
None marks an operand that no gradient flows into: the exponent of `**`.

schemas/OPERATIONS.md lists what else a new row needs.
"""

from collections.abc import Callable, Mapping, Sequence
from math import floor, inf
from types import MethodType
from typing import Any, Literal, NamedTuple, Protocol, TypeVar, overload

from engine_py.errors import DomainError, GradientError, Offsets, StaleCustom
from engine_py.numerics import elementary, logistic, near_zero, wave
from engine_py.tables import EXPANSIONS

# The parts of a row

LocalGrads = tuple[float | None, ...]
Computed = tuple[float, *LocalGrads]
"""data, then a local gradient for each operand, left to right."""

Rule = Callable[..., Any]
"""(operands) -> Computed, whose length is known where the operation's arity is."""

Form = Literal["infix", "prefix", "call"]
"""How an operation is written: `x + y`, `-x`, `exp(x)`."""


class OutsideDomain(ArithmeticError):
    """The operation is undefined at these operands; the message says why."""

    def error(self, span: Offsets | None, where: Mapping[str, Any]) -> GradientError:
        """Return the error of a node; `where` has its node, operation and operands."""
        message = f"{self}, at node {where['node']} (`{where['operation']}`)"
        return DomainError(message, span, **where)


class Operation(NamedTuple):
    """A row of the table."""

    symbol: str
    name: str
    form: Form
    arity: int
    rule: Rule
    derived: bool = False
    """True if the operation can be built from primitives (CONTRACT.md R26)."""


# A row that is written as a call is a method of `Value`, too.


class Callee(Protocol):
    """An object with the calls as methods: a Value."""

    def _call(self, name: str, *others: Any) -> Any: ...


X = TypeVar("X", bound=Callee)


class Call:
    """`exp = Unary(rule)` in a class body is the row of `exp(x)` and the method `x.exp()`."""

    arity: int

    def __init__(self, rule: Rule) -> None:
        self.rule = rule

    def __set_name__(self, owner: type, name: str) -> None:
        derived = name in EXPANSIONS
        self.operation = Operation(name, name, "call", self.arity, self.rule, derived)
        method = self._method(name)
        method.__name__, method.__qualname__ = name, f"{owner.__name__}.{name}"
        method.__doc__ = self.rule.__doc__
        self.method = method

    def _method(self, name: str) -> Callable[..., Any]:
        """Make the method, whose parameters have the operands' names."""
        raise NotImplementedError

    def bound(self, x: Any) -> Callable[..., Any]:
        """Bind the method to an operand, if there is one."""
        return self.method if x is None else MethodType(self.method, x)


# At run time these two are alike; a type checker reads the methods' parameters from them.


class Unary(Call):
    """A call of one argument."""

    arity = 1

    def _method(self, name: str) -> Callable[..., Any]:
        return lambda x: x._call(name)  # noqa: SLF001 - the protocol's own

    @overload
    def __get__(self, x: None, owner: type[X]) -> Callable[[X], X]: ...
    @overload
    def __get__(self, x: X, owner: type[X]) -> Callable[[], X]: ...
    def __get__(self, x: Any, owner: Any) -> Any:
        return self.bound(x)


class Binary(Call):
    """A call of two arguments, the second of which may be a number in a method."""

    arity = 2

    def _method(self, name: str) -> Callable[..., Any]:
        return lambda x, y: x._call(name, y)  # noqa: SLF001 - the protocol's own

    @overload
    def __get__(self, x: None, owner: type[X]) -> Callable[[X, X | float], X]: ...
    @overload
    def __get__(self, x: X, owner: type[X]) -> Callable[[X | float], X]: ...
    def __get__(self, x: Any, owner: Any) -> Any:
        return self.bound(x)


# The rows


def _pow(x: float, c: float) -> Computed:
    if x == 0.0 and c < 0.0:
        raise OutsideDomain("0 has no negative power")
    if x < 0.0 and c % 1.0 != 0.0:
        raise OutsideDomain(f"a negative base has no fractional power{_real_root(c)}")
    return elementary.power(x, c), slope_of_power(x, c), None


def _real_root(c: float) -> str:
    """Suggest the real root of a negative number, if c is k/3, k/5, k/7 or k/9."""
    for order in (3.0, 5.0, 7.0, 9.0):
        times = floor(c * order + 0.5)
        if times / order == c:
            sign = "-" if times % 2 else ""
            return f"; where x < 0 the real one is `{sign}(-x) ** {c}`"
    return ""


def slope_of_power(x: float, c: float) -> float:
    """Return c * x**(c - 1), 0 if c is 0."""
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
    """Return x where x > 0, else 0."""
    return (x, 1.0) if x > 0.0 else (0.0, 0.0)


def _exp(x: float) -> Computed:
    """Return e**x."""
    out = elementary.exp(x)
    return out, out


def _log(x: float) -> Computed:
    """Return the natural logarithm."""
    if x <= 0.0:
        raise OutsideDomain("the logarithm exists for numbers above 0 only")
    return elementary.log(x), 1.0 / x


def _tanh(x: float) -> Computed:
    """Return the hyperbolic tangent."""
    out = elementary.tanh(x)
    return out, 1.0 - out * out


def _abs(x: float) -> Computed:
    """Return x without its sign."""
    return (x, 1.0) if x > 0.0 else (-x, -1.0) if x < 0.0 else (0.0, 0.0)


def _min(x: float, y: float) -> Computed:
    """Return the smaller of x and y."""
    return min(x, y), *shares(y - x)


def _max(x: float, y: float) -> Computed:
    """Return the larger of x and y."""
    return max(x, y), *shares(x - y)


def shares(lead: float) -> tuple[float, float]:
    """Return the operands' shares: 1 for the one that leads, or a half each."""
    return (1.0, 0.0) if lead > 0.0 else (0.0, 1.0) if lead < 0.0 else (0.5, 0.5)


def _sin(x: float) -> Computed:
    """Return the sine of x in radians."""
    return wave.sin(x), wave.cos(x)


def _cos(x: float) -> Computed:
    """Return the cosine of x in radians."""
    return wave.cos(x), -wave.sin(x)


def _atan(x: float) -> Computed:
    """Return the arctangent, in radians."""
    return near_zero.atan(x), 1.0 / (1.0 + x * x)


def _sqrt(x: float) -> Computed:
    """Return the square root."""
    if x < 0.0:
        raise OutsideDomain("a negative number has no square root")
    out = elementary.sqrt(x)
    return out, 0.5 / out if out else inf


def _sigmoid(x: float) -> Computed:
    """Return 1 / (1 + e**-x)."""
    out = logistic.sigmoid(x)
    return out, out * (1.0 - out)


def _softplus(x: float) -> Computed:
    """Return ln(1 + e**x)."""
    return logistic.softplus(x), logistic.sigmoid(x)


def _log1p(x: float) -> Computed:
    """Return ln(1 + x), with all digits also where x is near 0."""
    if x <= -1.0:
        raise OutsideDomain("ln(1 + x) exists for x above -1 only")
    return near_zero.log1p(x), 1.0 / (1.0 + x)


def _expm1(x: float) -> Computed:
    """Return e**x - 1, with all digits also where x is near 0."""
    return near_zero.expm1(x), elementary.exp(x)


# fmt: off
_OPERATORS = (
    #         symbol name   form    arity  data and local gradients
    Operation("+",   "add", "infix",  2, lambda x, y: (x + y, 1.0, 1.0)),
    Operation("*",   "mul", "infix",  2, lambda x, y: (x * y, y, x)),
    Operation("**",  "pow", "infix",  2, _pow),
    Operation("-",   "sub", "infix",  2, lambda x, y: (x - y, 1.0, -1.0)),
    Operation("/",   "div", "infix",  2, _div),
    Operation("neg", "neg", "prefix", 1, lambda x: (-x, -1.0)),
)
# fmt: on


class Calls:
    """The operations that are written as calls; a Value has them as methods."""

    __slots__ = ()

    relu = Unary(_relu)
    exp = Unary(_exp)
    log = Unary(_log)
    tanh = Unary(_tanh)
    abs = Unary(_abs)
    min = Binary(_min)
    max = Binary(_max)
    sin = Unary(_sin)
    cos = Unary(_cos)
    atan = Unary(_atan)
    sqrt = Unary(_sqrt)
    sigmoid = Unary(_sigmoid)
    softplus = Unary(_softplus)
    log1p = Unary(_log1p)
    expm1 = Unary(_expm1)


FUNCTIONS: dict[str, Operation] = {
    name: call.operation for name, call in vars(Calls).items() if isinstance(call, Call)
}
"""The operations that are written as calls, by name."""

NO_GRADIENT = ("**", 1)
"""Operation and slot of the one operand that no gradient flows into (CONTRACT.md R24)."""

OPERATIONS: dict[str, Operation] = {
    row.symbol: row._replace(derived=row.symbol in EXPANSIONS) for row in _OPERATORS
} | FUNCTIONS

# Custom operations: the caller gives data and local gradients. Such a row is valid at one point
# only: at the operands for which it was made.

CUSTOM = "custom"
"""Symbol of these operations in a document; each has a `name`, too."""


class StaleRow(OutsideDomain):
    """The operands of a custom operation, which the message names, have changed."""

    def error(self, _span: Offsets | None, where: Mapping[str, Any]) -> GradientError:
        """Return the error of a node."""
        return stale_custom(str(self), where["node"], where["operands"])


def custom_row(
    name: str, operands: Sequence[float], data: float, local_grads: Sequence[float | None]
) -> Operation:
    """Make the row of an operation with this data and these local gradients at `operands`."""
    there = tuple(operands)

    def rule(*at: float) -> Computed:
        if at != there:
            raise StaleRow(name)
        return data, *local_grads

    return Operation(CUSTOM, name, "call", len(there), rule)


def stale_custom(name: str, node: int, operands: Sequence[float]) -> StaleCustom:
    """Return the error for a custom operation whose operands have changed."""
    message = (
        f"`{name}` at node {node} is an operation of your own: its data and local gradients are "
        "known only where it was made, so it cannot be recomputed"
    )
    return StaleCustom(message, node=node, name=name, operands=[x + 0.0 for x in operands])
