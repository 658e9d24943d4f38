"""The names and the constructor's forms that a Value shares with micrograd."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import isfinite
from typing import Any, Never

from engine_py.operands import (
    check_grads,
    checked_data,
    exponent_not_literal,
    fixed,
    infinite_data,
    no_value,
)
from engine_py.operations import CUSTOM, NO_GRADIENT, OPERATIONS

_MAX_OPERANDS = 2
_OWN_OPERATION = "write Value(data, children, local_grads) for an operation of your own"


class MicrogradForms:
    """`_op`, `_prev` and `_backward`. They cannot change how a Value was computed."""

    __slots__ = ()

    @property
    def _op(self: Any) -> str:
        """The operation's symbol or name; for a leaf, the name that its caller gave."""
        name: str = self._symbol or vars(self).get("_op", "")
        return name

    @_op.setter
    def _op(self: Any, name: str) -> None:
        if self._symbol:
            raise fixed("operation", "a name to show is its label")
        vars(self)["_op"] = name

    @property
    def _prev(self: Any) -> set[Any]:
        """The operands without repetition, including an exponent."""
        return set(self._children)

    @_prev.setter
    def _prev(self: Any, operands: Iterable[Any]) -> None:
        if self._symbol or [*operands]:
            raise fixed("operands", _OWN_OPERATION)

    @property
    def _backward(self: Any) -> Callable[[], None]:
        """A function that adds this node's contributions to its operands' grads."""

        def send_gradients() -> None:
            check_grads([self, *self._children])
            self._send_gradients([self])

        return send_gradients

    @_backward.setter
    def _backward(self, _function: object) -> Never:
        raise fixed("backward step", _OWN_OPERATION)


def remember_as_given(value: Any, children: Any, local_grads: Any, name: Any) -> None:
    """Turn a leaf into the result of an operation, either of the table or the caller's own.

    Args:
        value: a new leaf, whose data the caller computed.
        children: one or two Values. Without any of the three, the leaf stays a leaf.
        local_grads: one for each child, or none for an operation of the table.
        name: of the operation. The name alone makes a leaf that micrograd would draw with it.

    Raises:
        TypeError: the arguments have none of these forms.
        GradientError: a number is not finite, or an exponent is not a constant.
    """
    if isinstance(children, str) and not children:  # Value(data, _op=name)
        children = ()
    lists = isinstance(children, tuple | list) and isinstance(local_grads, tuple | list)
    if not (lists and isinstance(name, str)):
        raise no_value()
    if not (children or local_grads):
        if name in OPERATIONS:
            raise no_value()
        if name:
            value._op = name
        return
    row = OPERATIONS.get(name)
    expected = len(local_grads) if row is None else 0 if local_grads else row.arity
    known = all(isinstance(child, MicrogradForms) for child in children)
    if not (known and 1 <= len(children) == expected <= _MAX_OPERANDS):
        raise no_value()
    if row is None:
        name = name or CUSTOM
        grads = _remember_custom(value, children, local_grads, name)
    elif (name, 1) == NO_GRADIENT and (children[1]._symbol or children[1].label):
        raise exponent_not_literal()
    else:
        grads = children[0]._call(name, *children[1:])._local_grads
    value._symbol = name
    value._left, value._right = (*children, None)[:2]
    value._left_grad, value._right_grad = (*grads, None)[:2]


def _remember_custom(value: Any, children: Any, local_grads: Any, name: str) -> list[float]:
    operands = [child.data for child in children]
    for slot, x in enumerate(operands):
        if not isfinite(x):
            raise infinite_data(CUSTOM, children, slot)
    doubles = [checked_data(each, value.label, "a local gradient") for each in local_grads]
    value._custom = (name, operands, value.data, doubles)
    return doubles
