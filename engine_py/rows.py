"""What a row of the table holds, and how a row that is written as a call is a method, too."""

from collections.abc import Callable
from types import MethodType
from typing import Any, Literal, NamedTuple, Protocol, TypeVar, overload

LocalGrads = tuple[float | None, ...]
Computed = tuple[float, *LocalGrads]
"""data, then a local gradient for each operand, left to right."""

Rule = Callable[..., Any]
"""(operands) -> Computed, whose length is known where the operation's arity is."""

Apply = Callable[..., Any]
"""(symbol, *operands) -> the operation's result; an operand is a term or a plain number."""

Formulas = Callable[..., tuple[Any, ...]]
"""(apply, out, *operands) -> local gradients; terms have a `data`. None as in LocalGrads."""

Form = Literal["infix", "prefix", "call"]
"""How an operation is written: `x + y`, `-x`, `exp(x)`."""

Expansion = Callable[..., Any]
"""(build, *operands) -> result. `build(symbol, *operands)` applies a primitive to operands, results
and plain numbers, and gives its result."""


class OutsideDomain(ArithmeticError):
    """The operation has no value at these operands; the text says why."""


class Operation(NamedTuple):
    """A row of the table.

    `formulas` are the local gradients that `rule` computes, written in the calculus itself, so that
    they can be computed from other operands than `out` was, and be differentiated in their turn.
    `expansion` builds a derived operation from primitives.
    """

    symbol: str
    name: str
    form: Form
    arity: int
    rule: Rule
    formulas: Formulas
    expansion: Expansion | None = None

    @property
    def derived(self) -> bool:
        """True where the operation can be built from others."""
        return self.expansion is not None


class Callee(Protocol):
    """What has the calls as methods: a Value."""

    def _call(self, name: str, *others: Any) -> Any: ...


X = TypeVar("X", bound=Callee)


class Call:
    """`exp = Unary(rule, ...)` in a class body is the row of `exp(x)` and the method `x.exp()`."""

    arity: int

    def __init__(self, rule: Rule, formulas: Formulas, expansion: Expansion | None = None) -> None:
        self.rule, self._rest = rule, (formulas, expansion)

    def __set_name__(self, owner: type, name: str) -> None:
        self.operation = Operation(name, name, "call", self.arity, self.rule, *self._rest)

        method = self._method(name)
        method.__name__, method.__qualname__ = name, f"{owner.__name__}.{name}"
        method.__doc__ = self.rule.__doc__
        self.method = method

    def _method(self, name: str) -> Callable[..., Any]:
        """Make the method, with the operands that it takes by name."""
        raise NotImplementedError

    def bound(self, x: Any) -> Callable[..., Any]:
        """Give the method of an operand, or of the class where there is none."""
        return self.method if x is None else MethodType(self.method, x)


# At run time these two are alike; a type checker reads from them what the methods take.


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
