"""The protocols of Python and of notebooks: conversion, comparison, copies, pickles, pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from typing import Any, Protocol

from engine_py.document import GradientDocument
from engine_py.errors import GradientError
from engine_py.operations import OPERATIONS
from engine_py.picture.display import html_of, svg_of
from engine_py.value_graph import differentiate_values, topological_order

_LEAF = ("_data", "grad", "label", "_symbol")
_OPERANDS = ("_left", "_right")
_LOCAL_GRADS = ("_left_grad", "_right_grad")

Fields = dict[str, Any]
"""Attributes by name."""


class _Number(Protocol):
    @property
    def data(self) -> float: ...


class Numeric:
    """A Value is converted and compared as its data. Equality stays identity: sets need it."""

    __slots__ = ()

    def __float__(self: _Number) -> float:
        return self.data

    def item(self: _Number) -> float:
        return self.data

    def __format__(self: _Number, form: str) -> str:
        """Format the data; without a form, return what `repr` does."""
        return format(self.data, form) if form else repr(self)

    def __lt__(self: _Number, other: Any) -> bool:
        return self.data < float(other)

    def __le__(self: _Number, other: Any) -> bool:
        return self.data <= float(other)

    def __gt__(self: _Number, other: Any) -> bool:
        return self.data > float(other)

    def __ge__(self: _Number, other: Any) -> bool:
        return self.data >= float(other)


class Displayed:
    """A notebook shows the picture of its graph, or the `repr` if there is no picture."""

    __slots__ = ()

    def _repr_svg_(self: Any) -> str | None:
        return _shown(self, svg_of)

    def _repr_html_(self: Any) -> str | None:
        return _shown(self, html_of)


def _shown(root: Any, write: Callable[[GradientDocument], str | None]) -> str | None:
    try:
        return write(differentiate_values(root))
    except GradientError:
        return None


class Copies:
    """The methods that `copy` and `pickle` call. Attributes that a caller added are copied, too.

    Copies are made node by node, because a graph may be deeper than recursion goes.
    """

    __slots__ = ()

    def __copy__(self: Any) -> Any:
        return _node(type(self), _fields(self) | _operands(self), vars(self))

    def __deepcopy__(self: Any, memo: dict[int, Any]) -> Any:
        for value in topological_order(self):
            if id(value) not in memo:
                operands = {name: memo.get(id(each)) for name, each in _operands(value).items()}
                added = vars(value) and deepcopy(vars(value), memo)
                memo[id(value)] = _node(type(value), _fields(value) | operands, added)
        return memo[id(self)]

    def __reduce__(self: Any) -> tuple[Any, ...]:
        """Write a leaf by itself, since graphs may share it, and an operation with all below it."""
        if not self._symbol:
            return _node, (type(self), _fields(self), vars(self))
        index: dict[int, int] = {}
        rows: list[Any] = []
        for value in topological_order(self):
            operands = {name: index.get(id(each)) for name, each in _operands(value).items()}
            index[id(value)] = len(rows)
            row = (type(value), _fields(value), vars(value), operands)
            rows.append(row if value._symbol else value)
        return _graph, (rows,)


def _fields(value: Any) -> Fields:
    """Return all but the operands."""
    names: tuple[str, ...] = _LEAF
    if value._symbol:
        names += _LOCAL_GRADS if value._symbol in OPERATIONS else (*_LOCAL_GRADS, "_custom")
    return {name: getattr(value, name) for name in names}


def _operands(value: Any) -> Fields:
    return {name: getattr(value, name) for name in _OPERANDS} if value._symbol else {}


def _node(kind: Any, fields: Fields, added: Fields) -> Any:
    value = kind.__new__(kind)
    for name, content in fields.items():
        setattr(value, name, content)
    if added:
        vars(value).update(added)
    return value


def _graph(rows: Sequence[Any]) -> Any:
    """Build the nodes from rows, whose operands are indices of rows; return the last, the root."""
    nodes: list[Any] = []
    for row in rows:
        if not isinstance(row, tuple):  # a leaf
            nodes.append(row)
            continue
        kind, fields, added, indices = row
        operands = {name: None if at is None else nodes[at] for name, at in indices.items()}
        nodes.append(_node(kind, fields | operands, added))
    return nodes[-1]
