"""Value: the lessons' object, on the same operations table.

    a = Value(2.0, label="a")
    b = Value(-3.0, label="b")
    c = a * b + a
    c.backward()
    a.grad  # -2.0: 1 by the sum and -3 by the product

An operation of one's own has data and local gradients that its caller computed:

    Value(math.atan(a.data), (a,), (1 / (1 + a.data**2),), "atan")

As in the lessons, gradients accumulate: set `grad` to 0 before the next `backward()`. A second pass
without that adds stale inner gradients, too, so it does more than double the leaves' gradients.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from math import isfinite
from typing import Any, Never, overload

from engine_py.backward import stage_of
from engine_py.deadline import NEVER, Deadline
from engine_py.document import GradientDocument
from engine_py.errors import DuplicateName, GradientError, InvalidRequest
from engine_py.graph import Graph
from engine_py.introspect import Prepared, differentiate, introspect, prepare_graph
from engine_py.limits import DEFAULT_LIMITS, Limits, check_limits
from engine_py.operands import (
    assigned_data,
    checked_data,
    checked_grad,
    domain_error,
    exponent_not_literal,
    fixed,
    infinite_data,
    no_value,
    non_finite,
    value_as_data,
)
from engine_py.operations import (
    CUSTOM,
    NO_GRADIENT,
    OPERATIONS,
    Calls,
    LocalGrads,
    Operation,
    OutsideDomain,
    custom_row,
)
from engine_py.picture.display import html_of, svg_of
from engine_py.request import GradientRequest, Real, View, check_parameters

Values = Mapping[str, Real]
"""Numbers by name."""

_RULES = {symbol: row.rule for symbol, row in OPERATIONS.items()}
_MOST_OPERANDS = 2
_OWN_OPERATION = "write Value(data, children, local_grads) for an operation of your own"
_FIELDS = (
    *("_data", "grad", "label", "_symbol", "_left", "_left_grad", "_right", "_right_grad"),
    "_custom",
)
_OPERANDS = (_FIELDS.index("_left"), _FIELDS.index("_right"))


class Value(Calls):
    """A scalar that remembers how it was computed.

    It has the operators + - * / **, and the calls of the operations' table as methods: `x.tanh()`.
    A result is of the class of its operands, and is made without that class's `__init__`.
    """

    # The dictionary, for attributes of one's own, is not made before there is one. Tuples of
    # operands and local gradients would be two more objects for the garbage collector to visit.
    __slots__ = (*_FIELDS, "__dict__")

    _symbol: str
    """The symbol or the name of the operation; empty for a leaf, which has no operands."""
    _left: Any
    _left_grad: Any
    _right: Any
    """The second operand, or None."""
    _right_grad: Any
    """None for an exponent, too, which gets no gradient."""
    _custom: tuple[str, list[float], float, list[float]]
    """What makes the row of an operation of one's own, which is in no table."""

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
        local gradient each make an operation of one's own, whose name may be any but those of the
        table. An operation of the table, as in micrograd's `Value(data, (a, b), "+")`, has its own
        local gradients. The data is taken as it is given; True is 1, as in `(x.data > 0) * x`.

        Raises:
            GradientError: the data or a local gradient is no finite number.
            TypeError: the arguments have none of these forms.
        """
        if isinstance(_children, str):  # Value(data, label)
            label = label or _children
        if isinstance(_local_grads, str):  # micrograd's Value(data, children, operation, label)
            _local_grads, _op, label = (), _local_grads, label or _op
        if isinstance(data, Value):
            raise value_as_data()
        label = "" if label is None else label
        if not isinstance(label, str):
            raise no_value()
        self._data = checked_data(data, label)
        self.grad = 0.0
        self.label = label
        self._symbol = ""
        if not (_children or _local_grads) and _op and _op not in OPERATIONS:
            self._op, _op = _op, ""  # a leaf, which micrograd takes a name to draw for
        if _op or _local_grads or not isinstance(_children, str):
            _remember_as_given(self, _children, _local_grads, _op)

    @property
    def data(self) -> float:
        """The number. It is set to a number; infinity and NaN are refused where they are used."""
        return self._data

    @data.setter
    def data(self, number: Real) -> None:
        self._data = assigned_data(number, self.label)

    def __repr__(self) -> str:
        """Show data and gradient, and the label where there is one."""
        label = f", label={self.label!r}" if self.label else ""
        return f"Value(data={self.data!r}, grad={self.grad!r}{label})"

    def __add__(self, other: Value | Real) -> Value:
        """Add."""
        return _binary("+", self, other)

    def __radd__(self, other: Real) -> Value:
        """Add to a number."""
        return _binary("+", other, self)

    def __sub__(self, other: Value | Real) -> Value:
        """Subtract."""
        return _binary("-", self, other)

    def __rsub__(self, other: Real) -> Value:
        """Subtract from a number."""
        return _binary("-", other, self)

    def __mul__(self, other: Value | Real) -> Value:
        """Multiply."""
        return _binary("*", self, other)

    def __rmul__(self, other: Real) -> Value:
        """Multiply a number."""
        return _binary("*", other, self)

    def __truediv__(self, other: Value | Real) -> Value:
        """Divide."""
        return _binary("/", self, other)

    def __rtruediv__(self, other: Real) -> Value:
        """Divide a number."""
        return _binary("/", other, self)

    def __pow__(self, exponent: Real) -> Value:
        """Raise to a constant power."""
        if isinstance(exponent, Value):
            raise exponent_not_literal()  # which a type checker refuses, too
        return _binary("**", self, exponent)

    def __rpow__(self, base: Real) -> Value:
        """Refuse a Value as exponent."""
        raise exponent_not_literal()

    def __pos__(self) -> Value:
        """Return the same Value: a prefix + adds no node."""
        return self

    def __neg__(self) -> Value:
        """Negate."""
        return _unary("neg", self)

    def __abs__(self) -> Value:
        """Take the value without its sign."""
        return self.abs()

    def _call(self, name: str, *others: Value | Real) -> Value:
        """Compute relu, exp and the other methods of `Calls`."""
        return _binary(name, self, *others) if others else _unary(name, self)

    def __float__(self) -> float:
        """Return the data."""
        return self.data

    def item(self) -> float:
        """Return the data."""
        return self.data

    def __format__(self, form: str) -> str:
        """Write the data in a form such as `.4f`, without one what `repr` shows."""
        return format(self.data, form) if form else repr(self)

    # Values are in the order of their data; equality stays identity, as sets of nodes need it.

    def __lt__(self, other: Value | Real) -> bool:
        return self.data < _data_beside(other)

    def __le__(self, other: Value | Real) -> bool:
        return self.data <= _data_beside(other)

    def __gt__(self, other: Value | Real) -> bool:
        return self.data > _data_beside(other)

    def __ge__(self, other: Value | Real) -> bool:
        return self.data >= _data_beside(other)

    def zero_grad(self) -> None:
        """Set the grad of every node that self depends on, and its own, to 0."""
        for value in _topological_order(self):
            value.grad = 0.0

    # Copies and pickles are made of the list of the nodes: a graph may be deeper than recursion.

    def __copy__(self) -> Value:
        return _rebuilt(*_remembered(self), vars(self))

    def __deepcopy__(self, memo: dict[int, Any]) -> Value:
        for value in _topological_order(self):
            if id(value) not in memo:
                kind, fields = _remembered(value)
                for place in _OPERANDS if value._symbol else ():
                    fields[place] = memo.get(id(fields[place]))
                attributes = vars(value)
                memo[id(value)] = _rebuilt(kind, fields, attributes and deepcopy(attributes, memo))
        copied: Value = memo[id(self)]
        return copied

    def __reduce__(self) -> tuple[Any, ...]:
        """Write a leaf, which others may share, or the operations below it as rows."""
        if not self._symbol:
            return _rebuilt, (*_remembered(self), vars(self))
        places: dict[int, int] = {}
        rows: list[Any] = []
        for value in _topological_order(self):
            kind, fields = _remembered(value)
            for place in _OPERANDS if value._symbol else ():
                fields[place] = places.get(id(fields[place]))
            places[id(value)] = len(rows)
            rows.append((kind, fields, vars(value)) if value._symbol else value)
        return _rebuilt_graph, (rows,)

    def backward(self) -> None:
        """Add d self / d node to the grad of every node that self depends on."""
        order = _topological_order(self)
        self.grad = 1.0
        _check_grads(order)
        _send_gradients(reversed(order))

    # What readers of micrograd look at: its names and meanings.

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
    def _op(self) -> str:
        """The symbol or the name of the operation; of a leaf what was written there."""
        return self._symbol or vars(self).get("_op", "")

    @_op.setter
    def _op(self, name: str) -> None:
        if self._symbol:
            raise fixed("operation", "a name to show is its label")
        vars(self)["_op"] = name

    @property
    def _prev(self) -> set[Value]:
        """The operands, an exponent among them; one that is used twice is there once."""
        return set(self._children)

    @_prev.setter
    def _prev(self, operands: Iterable[Value]) -> None:
        if self._symbol or [*operands]:
            raise fixed("operands", _OWN_OPERATION)

    @property
    def _backward(self) -> Callable[[], None]:
        """Add to the operands' grads what this node alone sends them."""

        def send_gradients() -> None:
            _check_grads([self, *self._children])
            _send_gradients([self])

        return send_gradients

    @_backward.setter
    def _backward(self, _step: object) -> Never:
        raise fixed("backward step", _OWN_OPERATION)

    # What a notebook shows of the document; None, for it to show the text, where there is none.

    def _repr_svg_(self) -> str | None:
        return _shown(self, svg_of)

    def _repr_html_(self) -> str | None:
        return _shown(self, html_of)


# An operation is computed at once, and remembered with its operands and local gradients.


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
    """Make a leaf of a number beside a Value; the result is of the more derived class."""
    if not isinstance(left, Value):
        left = _leaf(type(right), left)  # type: ignore[arg-type]  # one of the two is a Value
    if not isinstance(right, Value):
        right = _leaf(type(left), right)
    return left, right, type(right) if isinstance(right, type(left)) else type(left)


def _leaf(kind: type[Value], number: Real) -> Value:
    return _made(kind, checked_data(number, ""), "", None, None, None, None)


def _made(  # noqa: PLR0913, PLR0917 - what a Value remembers
    kind: type[Value],
    data: float,
    symbol: str,
    left: Value | None,
    left_grad: float | None,
    right: Value | None,
    right_grad: float | None,
) -> Value:
    value = Value.__new__(kind)
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


def _remember_as_given(value: Value, children: Any, local_grads: Any, name: Any) -> None:
    """Make a leaf the result of an operation, of the caller's own or of the table."""
    lists = isinstance(children, tuple | list) and isinstance(local_grads, tuple | list)
    if not (lists and isinstance(name, str)):
        raise no_value()
    if not (children or local_grads or name):
        return
    row = OPERATIONS.get(name)
    expected = len(local_grads) if row is None else 0 if local_grads else row.arity
    known = all(isinstance(child, Value) for child in children)
    if not (known and 1 <= len(children) == expected <= _MOST_OPERANDS):
        raise no_value()
    if row is None:
        operands = [child.data for child in children]
        if (
            slot := next((at for at, x in enumerate(operands) if not isfinite(x)), None)
        ) is not None:
            raise infinite_data(CUSTOM, children, slot)
        doubles = [checked_data(each, value.label, "a local gradient") for each in local_grads]
        value._custom = (name or CUSTOM, operands, value.data, doubles)
        value._left_grad, value._right_grad = (*doubles, None)[:2]
    elif (name, 1) == NO_GRADIENT and (children[1]._symbol or children[1].label):
        raise exponent_not_literal()
    else:
        made = children[0]._call(name, *children[1:])
        value._left_grad, value._right_grad = made._left_grad, made._right_grad
    value._symbol = name or CUSTOM
    value._left, value._right = (*children, None)[:2]


def _data_beside(other: Value | Real) -> float:
    return other.data if isinstance(other, Value) else float(other)


def _remembered(value: Value) -> tuple[type[Value], list[Any]]:
    """Return the class, and as many of the fields as there are."""
    fields: list[Any] = [value._data, value.grad, value.label, value._symbol]
    if value._symbol:
        fields += [value._left, value._left_grad, value._right, value._right_grad]
        fields += [] if value._symbol in OPERATIONS else [value._custom]
    return type(value), fields


def _rebuilt(kind: type[Value], fields: Sequence[Any], attributes: Mapping[str, Any]) -> Value:
    """Make a node again."""
    value = kind.__new__(kind)
    for name, content in zip(_FIELDS, fields, strict=False):
        setattr(value, name, content)
    if attributes:
        vars(value).update(attributes)
    return value


def _rebuilt_graph(rows: Sequence[Any]) -> Value:
    """Make the last of the nodes again; rows are leaves, or operations with operands by place."""
    made: list[Value] = []
    for row in rows:
        if isinstance(row, Value):
            made.append(row)
            continue
        kind, fields, attributes = row
        for place in _OPERANDS:
            fields[place] = None if fields[place] is None else made[fields[place]]
        made.append(_rebuilt(kind, fields, attributes))
    return made[-1]


# Gradients go from the root to the leaves.


def _topological_order(root: Value) -> list[Value]:
    """List what the root depends on in the order of `order.py`, without numbering it first.

    While its first operand is listed, an operation waits on the stack, followed by None, below its
    second.
    """
    order: list[Value] = []
    seen: set[Value] = set()
    stack: list[Any] = [root]
    while stack:
        value = stack.pop()
        if value is None:
            order.append(stack.pop())
            continue
        while value not in seen:
            seen.add(value)
            if not value._symbol:
                order.append(value)
                break
            right = value._right
            stack += (value, None) if right is None else (value, None, right)
            value = value._left
    return order


def _check_grads(values: Iterable[Value]) -> None:
    for value in values:
        grad = value.grad
        if type(grad) is not float or not isfinite(grad):
            value.grad = checked_grad(value)


def _send_gradients(nodes: Iterable[Value]) -> None:
    """Add each node's contributions to the grads of its operands, left to right."""
    for node in nodes:
        if not node._symbol:
            continue
        grad, left, right_grad = node.grad, node._left, node._right_grad
        left.grad = total = left.grad + grad * node._left_grad
        if not isfinite(total):
            raise _non_finite_grad(node, 0)
        if right_grad is not None:
            right = node._right
            right.grad = total = right.grad + grad * right_grad
            if not isfinite(total):
                raise _non_finite_grad(node, 1)


def _non_finite_grad(node: Value, slot: int) -> GradientError:
    local_grad = node._local_grads[slot]
    contribution = None if local_grad is None else node.grad * local_grad
    symbol = _row_of(node).symbol
    return non_finite(stage_of(local_grad, contribution), symbol, node._children, slot)


def _row_of(value: Value) -> Operation:
    """Return the operation of a Value that is no leaf."""
    return OPERATIONS.get(value._symbol) or custom_row(*value._custom)


# The document of a Value is computed anew.


def introspect_value(
    root: Value,
    *,
    parameters: Sequence[str] = (),
    limits: Limits = DEFAULT_LIMITS,
    deadline: Deadline = NEVER,
) -> GradientDocument:
    """Return the document of a graph of Values, with expression and spans null.

    Data and gradients are computed anew from the leaves' data; the Values stay as they are.

    Raises:
        GradientError: the graph has no answer, or two leaves have one label.
        DeadlineExceeded: the deadline has passed.
    """
    prepared, request = prepare_value(root, parameters, limits)
    document = differentiate(prepared, request, owned=True, deadline=deadline)
    return {**document, "expression": None}


def prepare_value(
    root: Value, parameters: Sequence[str] = (), limits: Limits = DEFAULT_LIMITS
) -> tuple[Prepared, GradientRequest]:
    """Do for a graph of Values what comes before its passes; `expression` is empty."""
    names = check_parameters(parameters, check_limits(limits))
    graph, leaves = value_graph(root, limits)
    prepared = prepare_graph(graph, list(range(len(graph.operations))))
    return prepared, GradientRequest("", leaves, names, "folded")


def document_of(  # noqa: PLR0913 - a request, its limits and its deadline
    subject: GradientDocument | Value | str,
    values: Values | None = None,
    *,
    parameters: Sequence[str] = (),
    view: View = "folded",
    limits: Limits = DEFAULT_LIMITS,
    deadline: Deadline = NEVER,
) -> GradientDocument:
    """Return the document of a text at values or of a graph of Values; a document as it is.

    Raises:
        GradientError: the text or the graph has none, or what is no text comes with values.
        DeadlineExceeded: the deadline has passed.
    """
    if isinstance(subject, str):
        return introspect(
            subject,
            values or {},
            parameters=parameters,
            view=view,
            limits=limits,
            deadline=deadline,
        )
    refuse_values(values)
    if isinstance(subject, Value):
        return introspect_value(subject, parameters=parameters, limits=limits, deadline=deadline)
    return subject


def refuse_values(values: Values | None) -> None:
    """Refuse values beside what is no text."""
    if values:
        raise InvalidRequest("values are those of a text; this has its own", pointer="/values")


def value_graph(root: Value, limits: Limits = DEFAULT_LIMITS) -> tuple[Graph, dict[str, float]]:
    """Write a graph of Values as columns in topological order; and the labelled leaves' data."""
    graph = Graph(limits)
    nodes: dict[Value, int] = {}
    leaves: dict[str, float] = {}
    for value in _topological_order(root):
        if value._symbol:
            operands = tuple(nodes[child] for child in value._children)
            nodes[value] = graph.add_operation(_row_of(value), operands, None)
            graph.labels[nodes[value]] = value.label or None
        elif not value.label:
            nodes[value] = graph.add_constant(checked_data(value.data, ""), None)
        elif value.label in leaves:
            message = f"two leaves are labelled `{value.label}`; give each its own label"
            raise DuplicateName(message, name=value.label)
        else:
            leaves[value.label] = checked_data(value.data, value.label)
            nodes[value] = graph.add_variable(value.label, None)
    return graph, leaves


def _shown(root: Value, write: Callable[[GradientDocument], str | None]) -> str | None:
    try:
        return write(introspect_value(root))
    except GradientError:
        return None
