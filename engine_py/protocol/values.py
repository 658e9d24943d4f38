"""A request of `introspect_value` -> the Values that it names, made one after the other."""

from typing import Any

from engine_py.lab.checks import refuse
from engine_py.operations import CUSTOM, NO_GRADIENT, OPERATIONS
from engine_py.request import as_double
from engine_py.value import Value

Json = dict[str, Any]


def value_of(request: Json) -> Value:
    """Make the nodes, then assign data; give the last node (CONTRACT.md R29).

    Raises:
        GradientError: a member is wrong, or a Value cannot be made.
    """
    nodes, assigned = request.get("nodes"), request.get("assign", [])
    if not isinstance(nodes, list) or not nodes:
        refuse("nodes", "an array of one node or more", nodes)
    values: list[Value] = []
    for place, node in enumerate(nodes):
        values.append(_make(f"nodes/{place}", node, values))
    if not isinstance(assigned, list):
        refuse("assign", "an array of objects", assigned)
    for place, each in enumerate(assigned):
        member = f"assign/{place}"
        if not isinstance(each, dict):
            refuse(member, "an object", each)
        value = _check_place(f"{member}/node", each.get("node"), values)
        value.data = each.get("data")  # type: ignore[assignment]  # judged where it is used
    return values[-1]


def _make(member: str, node: Any, values: list[Value]) -> Value:
    """Make a leaf, an operation of the table or a custom one."""
    if not isinstance(node, dict):
        refuse(member, "an object", node)
    label, symbol = node.get("label", ""), node.get("operation")
    if not isinstance(label, str):
        refuse(f"{member}/label", "a text", label)
    if symbol is None:
        return Value(node.get("data"), label)  # type: ignore[arg-type]  # Value judges it
    if symbol == CUSTOM:
        return _make_custom(member, node, values, label)
    row = OPERATIONS.get(symbol) if isinstance(symbol, str) else None
    if row is None:
        refuse(f"{member}/operation", "a symbol of the table, or custom", symbol)
    is_power = symbol == NO_GRADIENT[0]
    count = row.arity - is_power
    x, *others = _check_operands(member, node.get("operands"), values, count, count)
    value = x._call(symbol, *([node.get("exponent")] if is_power else others))  # noqa: SLF001
    value.label = label
    return value


def _make_custom(member: str, node: Json, values: list[Value], label: str) -> Value:
    operands = _check_operands(member, node.get("operands"), values, 1, 2)
    name, local_grads = node.get("name", CUSTOM), node.get("local_grads")
    if not isinstance(name, str) or not name or name in OPERATIONS:
        refuse(f"{member}/name", "a name that no operation of the table has", name)
    if not isinstance(local_grads, list) or len(local_grads) != len(operands):
        refuse(f"{member}/local_grads", "an array with a number for each operand", local_grads)
    return Value(node.get("data"), operands, local_grads, name, label)  # type: ignore[arg-type]


def _check_operands(
    member: str, operands: Any, values: list[Value], least: int, most: int
) -> list[Value]:
    """Accept the places of so many nodes that are there already."""
    if not isinstance(operands, list) or not least <= len(operands) <= most:
        what = f"{least}" if least == most else f"{least} or {most}"
        refuse(f"{member}/operands", f"an array of {what} of the nodes before", operands)
    return [
        _check_place(f"{member}/operands/{slot}", operand, values)
        for slot, operand in enumerate(operands)
    ]


def _check_place(member: str, place: Any, values: list[Value]) -> Value:
    double = as_double(place)
    if double is None or double % 1 != 0 or not 0 <= double < len(values):
        refuse(member, "the place of a node before it, counted from 0", place)
    return values[int(double)]
