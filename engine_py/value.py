"""Value: the lessons' object, on the same operations table.

    a = Value(2.0, label="a")
    b = Value(-3.0, label="b")
    c = a * b + a
    c.backward()
    a.grad  # -2.0: 1 through the sum and -3 through the product

For a custom operation, the caller computes data and local gradients:

    Value(math.asinh(a.data), (a,), (1 / math.hypot(1, a.data),), "asinh")

As in the lessons, gradients accumulate: set `grad` to 0 before the next `backward()`. A second pass
without that adds stale inner gradients, too, so it does more than double the leaves' gradients.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite
from typing import Any, overload

from engine_py.operands import (
    assigned_data,
    check_grads,
    checked_data,
    domain_error,
    exponent_not_literal,
    infinite_data,
    no_value,
    non_finite,
    non_finite_grad,
    value_as_data,
)
from engine_py.operations import (
    CUSTOM,
    OPERATIONS,
    Calls,
    LocalGrads,
    Operation,
    OutsideDomain,
    custom_row,
)
from engine_py.request import Real
from engine_py.value_forms import MicrogradForms, remember_as_given
from engine_py.value_graph import topological_order
from engine_py.value_protocols import Copies, Displayed, Numeric

_RULES = {symbol: row.rule for symbol, row in OPERATIONS.items()}


class Value(Calls, Numeric, Copies, Displayed, MicrogradForms):
    """A scalar that remembers how it was computed.

    It has the operators + - * / **, and the functions of the operations' table as methods:
    `x.tanh()`. A result has the class of its operands; that class's `__init__` is not called.
    """

    # Two operands in fields of their own, since tuples of operands and local gradients would be two
    # more objects for the garbage collector to visit. The dictionary for attributes that a caller
    # adds is made when there is one.
    __slots__ = (
        *("_data", "grad", "label", "_symbol", "_left", "_left_grad", "_right", "_right_grad"),
        *("_custom", "__dict__"),
    )

    _symbol: str
    """The symbol or the name of the operation; empty for a leaf, which has no operands."""
    _left: Any
    _left_grad: Any
    _right: Any
    """The second operand, or None."""
    _right_grad: Any
    """None for an exponent, too, which gets no gradient."""
    _custom: tuple[str, list[float], float, list[float]]
    """The arguments of `custom_row`, for an operation of the caller's own."""

    @overload
    def __init__(self, data: Real, label: str = "") -> None: ...
    @overload
    def __init__(
        self,
        data: Real,
        _children: Sequence[Value],
        _local_grads: Sequence[Real],
        _op: str = CUSTOM,
        label: str = "",
    ) -> None: ...
    @overload
    def __init__(
        self, data: Real, _children: Sequence[Value], _op: str = "", label: str = ""
    ) -> None: ...
    def __init__(  # type: ignore[misc]  # the second argument is a label or children
        self,
        data: Real,
        _children: Any = "",
        _local_grads: Any = (),
        _op: str = "",
        label: Any = "",
    ) -> None:
        """Make a leaf, or the result of an operation.

        A leaf with a label is a variable, one without is a constant. One or two children with a
        local gradient each make an operation of the caller's own, under any name that is not in the
        table. An operation of the table, as in micrograd's `Value(data, (a, b), "+")`, has its own
        local gradients. The data is stored as given; True is 1, as in `(x.data > 0) * x`.

        Raises:
            GradientError: the data or a local gradient is not a finite number.
            TypeError: the arguments have none of these forms.
        """
        if isinstance(_local_grads, str):  # micrograd's Value(data, children, operation, label)
            _local_grads, _op, label = (), _local_grads, label or _op
        if isinstance(_children, str):
            label = label or _children
        elif label is None:
            label = ""
        if isinstance(data, Value):
            raise value_as_data()
        if not isinstance(label, str):
            raise no_value()
        self._data = checked_data(data, label)
        self.grad = 0.0
        self.label = label
        self._symbol = ""
        if _op or _local_grads or not isinstance(_children, str):
            remember_as_given(self, _children, _local_grads, _op)

    @property
    def data(self) -> float:
        """The number. It may be set to any number; operations refuse infinity and NaN."""
        return self._data

    @data.setter
    def data(self, number: Real) -> None:
        self._data = assigned_data(number, self.label)

    def __repr__(self) -> str:
        label = f", label={self.label!r}" if self.label else ""
        return f"Value(data={self.data!r}, grad={self.grad!r}{label})"

    # An operation is computed at once.

    def __add__(self, other: Value | Real) -> Value:
        return _binary("+", self, other)

    def __radd__(self, other: Real) -> Value:
        return _binary("+", other, self)

    def __sub__(self, other: Value | Real) -> Value:
        return _binary("-", self, other)

    def __rsub__(self, other: Real) -> Value:
        return _binary("-", other, self)

    def __mul__(self, other: Value | Real) -> Value:
        return _binary("*", self, other)

    def __rmul__(self, other: Real) -> Value:
        return _binary("*", other, self)

    def __truediv__(self, other: Value | Real) -> Value:
        return _binary("/", self, other)

    def __rtruediv__(self, other: Real) -> Value:
        return _binary("/", other, self)

    def __pow__(self, exponent: Real) -> Value:
        """Raise to a constant power."""
        if isinstance(exponent, Value):
            raise exponent_not_literal()  # a type checker refuses it, too
        return _binary("**", self, exponent)

    def __rpow__(self, base: Real) -> Value:
        raise exponent_not_literal()

    def __pos__(self) -> Value:
        """Return the same Value: a prefix + adds no node."""
        return self

    def __neg__(self) -> Value:
        return _unary("neg", self)

    def __abs__(self) -> Value:
        return self.abs()

    def _call(self, name: str, *others: Value | Real) -> Value:
        """Compute relu, exp or another method of `Calls`."""
        return _binary(name, self, *others) if others else _unary(name, self)

    # How it was computed.

    @property
    def _children(self) -> tuple[Value, ...]:
        """The operands, left to right."""
        if not self._symbol:
            return ()
        return (self._left,) if self._right is None else (self._left, self._right)

    @property
    def _local_grads(self) -> LocalGrads:
        """A local gradient for each operand, None for an exponent."""
        return (self._left_grad, self._right_grad)[: len(self._children)] if self._symbol else ()

    @property
    def _operation(self) -> Operation | None:
        """The operation's row, of the table or the caller's own; None for a leaf."""
        if not self._symbol:
            return None
        return OPERATIONS.get(self._symbol) or custom_row(*self._custom)

    # Gradients go from the root to the leaves.

    def backward(self) -> None:
        """Add d self / d node to the grad of every node that self depends on."""
        order = topological_order(self)
        self.grad = 1.0
        check_grads(order)
        self._send_gradients(reversed(order))

    def zero_grad(self) -> None:
        """Set the grad of self and of every node that it depends on to 0."""
        for value in topological_order(self):
            value.grad = 0.0

    @staticmethod
    def _send_gradients(nodes: Iterable[Value]) -> None:
        """Add each node's contributions to the grads of its operands, left to right."""
        for node in nodes:
            if not node._symbol:
                continue
            grad, left, right_grad = node.grad, node._left, node._right_grad
            left.grad = total = left.grad + grad * node._left_grad
            if not isfinite(total):
                raise non_finite_grad(node, 0)
            if right_grad is not None:
                right = node._right
                right.grad = total = right.grad + grad * right_grad
                if not isfinite(total):
                    raise non_finite_grad(node, 1)


def _unary(symbol: str, operand: Any) -> Value:
    x = operand._data
    if not isfinite(x):
        raise infinite_data(symbol, (operand,), 0)
    try:
        data, local_grad = _RULES[symbol](x)
    except OutsideDomain as reason:
        raise domain_error(str(reason), symbol, (operand,)) from None
    return _made(type(operand), data, symbol, operand, local_grad, None, None)


def _binary(symbol: str, left: Any, right: Any) -> Value:
    kind = type(left)
    if type(right) is not kind:
        left, right, kind = _alike(left, right)
    x, y = left._data, right._data
    if not (isfinite(x) and isfinite(y)):
        raise infinite_data(symbol, (left, right), int(isfinite(x)))
    try:
        data, left_grad, right_grad = _RULES[symbol](x, y)
    except OutsideDomain as reason:
        raise domain_error(str(reason), symbol, (left, right)) from None
    return _made(kind, data, symbol, left, left_grad, right, right_grad)


def _alike(left: Value | Real, right: Value | Real) -> tuple[Value, Value, type[Value]]:
    """Make the number a leaf; the result has the more derived of the two classes."""
    if not isinstance(left, Value):
        left = _leaf(type(right), left)  # type: ignore[arg-type]  # one of the two is a Value
    if not isinstance(right, Value):
        right = _leaf(type(left), right)
    return left, right, type(right) if isinstance(right, type(left)) else type(left)


def _leaf(kind: type[Value], number: Real) -> Value:
    return _made(kind, checked_data(number, ""), "", None, None, None, None)


def _made(  # noqa: PLR0913, PLR0917 - the fields of a Value
    kind: Any, data: float, symbol: str, left: Any, left_grad: Any, right: Any, right_grad: Any
) -> Value:
    value: Value = Value.__new__(kind)
    value._data = data
    value.grad = 0.0
    value.label = ""
    value._symbol = symbol
    value._left = left
    value._left_grad = left_grad
    value._right = right
    value._right_grad = right_grad
    if not isfinite(data):
        raise non_finite("data", symbol, value._children)
    return value
