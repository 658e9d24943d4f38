"""Data and grad of Values, which a caller may set -> doubles, or an error naming the operand."""

from collections.abc import Iterable, Sequence
from math import inf, isfinite
from typing import Any, Protocol

from engine_py.backward import stage_of
from engine_py.errors import DomainError, ExponentNotLiteral, GradientError, InvalidValue, NonFinite
from engine_py.forward import fault_of_number
from engine_py.operations import CUSTOM, LocalGrads, Operation
from engine_py.request import as_double, described, is_number

_BOOLEANS = ("bool", "bool_")
"""Names of the boolean types of Python and numpy."""


class Operand(Protocol):
    """The numbers and the label of a Value."""

    data: float
    grad: float
    label: str


class OperationNode(Operand, Protocol):
    """A Value that is the result of an operation."""

    @property
    def _operation(self) -> Operation | None: ...
    @property
    def _children(self) -> Sequence[Operand]: ...
    @property
    def _local_grads(self) -> LocalGrads: ...


def checked_data(data: object, label: str, quantity: str = "the data") -> float:
    """Return the data of a new Value as a double; refuse anything but a finite number."""
    if type(data) is float and isfinite(data):
        return data
    if type(data).__name__ in _BOOLEANS and quantity == "the data":
        return float(data)  # type: ignore[arg-type]  # as in micrograd's (x.data > 0) * x
    double = as_double(data)
    if double is None:
        raise no_number(data, label, quantity)
    return double


def no_number(data: object, label: str, quantity: str = "the data") -> InvalidValue:
    message = f"{quantity} of a Value must be a finite number, not {described(data)}"
    return InvalidValue(message, name=label, pointer="")


def assigned_data(data: object, label: str) -> float:
    """Return a number to set as data: as a double, or infinity if it is too large for one."""
    if type(data) is float:
        return data
    return inf if is_number(data) and as_double(data) is None else checked_data(data, label)


def infinite_data(symbol: str, children: Sequence[Operand], slot: int) -> NonFinite:
    """Return the error for an operand whose data was set to infinity or NaN."""
    quantity = f"the data of operand {slot}{_named(children[slot])} of `{symbol}`"
    message = f"{quantity} is not finite; if training set it, use a smaller learning rate"
    return NonFinite(message, stage="data", **_at(symbol, children), slot=slot)


def checked_grad(value: Operand) -> float:
    """Return a grad as a double; refuse anything but a finite number."""
    if (double := as_double(value.grad)) is not None:
        return double
    quantity, hint = f"the grad{_named(value)} before backward()", "set it to 0"
    if not is_number(value.grad):
        message = f"{quantity} must be a finite number, not {described(value.grad)}; {hint}"
        raise InvalidValue(message, name=value.label, pointer="")
    where: dict[str, Any] = {"node": None, "operation": None, "operands": [], "slot": None}
    raise NonFinite(f"{quantity} is not finite; {hint}", stage="grad", **where)


def check_grads(values: Iterable[Operand]) -> None:
    """Make every grad a finite double, or raise the error that names the Value."""
    for value in values:
        grad = value.grad
        if type(grad) is not float or not isfinite(grad):
            value.grad = checked_grad(value)


def _at(symbol: str, children: Sequence[Operand]) -> dict[str, Any]:
    operands = [child.data + 0.0 if isfinite(child.data) else None for child in children]
    return {"node": None, "operation": symbol, "operands": operands}


def _named(value: Operand) -> str:
    return f" (`{value.label}`)" if value.label else ""


def non_finite(
    stage: str, symbol: str, children: Sequence[Operand], slot: int | None = None
) -> NonFinite:
    """Return the error for data, or a number of an operand's row, that is not finite."""
    where = (
        f"`{symbol}`" if slot is None else f"operand {slot}{_named(children[slot])} of `{symbol}`"
    )
    place = _at(symbol, children)
    message = f"the {stage} of {where} {fault_of_number(stage, symbol, place['operands'])}"
    return NonFinite(message, stage=stage, **place, slot=slot)


def non_finite_grad(node: OperationNode, slot: int) -> NonFinite:
    """Return the error for a non-finite gradient that `node` sends to its operand at `slot`."""
    local_grad = node._local_grads[slot]
    contribution = None if local_grad is None else node.grad * local_grad
    symbol = node._operation.symbol if node._operation else CUSTOM
    return non_finite(stage_of(local_grad, contribution), symbol, node._children, slot)


def domain_error(reason: str, symbol: str, children: Sequence[Operand]) -> DomainError:
    return DomainError(reason, **_at(symbol, children))


def exponent_not_literal() -> GradientError:
    message = (
        "the exponent must be a plain number: power differentiates only its base, so a Value as "
        "exponent would silently get the gradient 0; write (b * a.log()).exp() for a ** b"
    )
    return ExponentNotLiteral(message)


def no_value() -> TypeError:
    """Return the error for arguments from which no Value can be made."""
    message = (
        "a Value is made as Value(data, label), as Value(data, children, local_grads, name) with a "
        "local gradient for each of one or two Values, or as Value(data, children, operation), "
        "with an operation of the table, such as + or tanh, and as many operands as it takes; "
        "a name of your own is not one of these"
    )
    return TypeError(message)


def value_as_data() -> TypeError:
    message = (
        "the data of a Value must be a number, not a Value, whose gradient would be lost; take the "
        "Value itself, or write Value(x.data) for a leaf of its own"
    )
    return TypeError(message)


def fixed(member: str, cure: str) -> AttributeError:
    """Return the error for replacing the operation, operands or backward step of a Value."""
    message = (
        f"the {member} of a Value cannot be replaced: its gradients come from its local gradients, "
        f"as those of its document do; {cure}"
    )
    return AttributeError(message)
