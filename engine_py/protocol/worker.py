"""The worker: newline-delimited JSON on stdin and stdout (`protocol.schema.json`)."""

import json
import platform
import struct
import sys
import traceback
from math import isfinite
from typing import Any

from engine_py.accuracy.accuracy import MEMBERS, accuracy_of_text
from engine_py.canonical import canonical_text, digest
from engine_py.document import CONTRACT, GradientDocument
from engine_py.errors import GradientError
from engine_py.introspect import introspect, outline
from engine_py.lab.checks import refuse
from engine_py.lab.commands import LAB
from engine_py.language.rewrite import rewrite
from engine_py.operands import no_number
from engine_py.operations import CUSTOM, NO_GRADIENT, OPERATIONS, Operation, OutsideDomain
from engine_py.picture.draw import draw
from engine_py.picture.layout import lay_out
from engine_py.protocol.message import (
    COMMANDS,
    Message,
    Refused,
    check_message,
    read_line,
    sequence_of,
)
from engine_py.request import as_double, quoted
from engine_py.subject import introspect_value
from engine_py.sweeps.program import sweep
from engine_py.value import Value

PROTOCOL = "1"
PROFILES = (
    *("core", "values", "functions", "picture", "outline", "rewrite", "sweep", "accuracy"),
    *(command.result for command in LAB.values()),
)
"""The parts of the contract that this engine implements: all."""

Json = dict[str, Any]


def main() -> None:
    """Answer one line at a time until `stop` or the end of the input."""
    for line in sys.stdin.buffer:  # bytes, whatever the locale says
        response = answer(line)
        print(json.dumps(response, allow_nan=False, separators=(",", ":")), flush=True)
        if response["kind"] == "stopped":
            return


def answer(line: bytes) -> Json:
    """Answer one line; an exception that is not in the contract gives `crashed`."""
    value: object = None
    try:
        value = read_line(line)
        return _respond(check_message(value))
    except Refused as reason:
        return {"kind": "refused", "sequence": sequence_of(value), "reason": str(reason)}
    except GradientError as error:
        return {"kind": "error", "sequence": sequence_of(value), "error": error.as_dict()}
    except Exception as fault:  # noqa: BLE001 - every exception is reported to the harness
        text = f"{type(fault).__name__}: {fault}"
        crashed = {"message": text, "traceback": traceback.format_exc()}
        return {"kind": "crashed", "sequence": sequence_of(value), **crashed}


def _respond(message: Message) -> Json:
    if message.kind == "start":
        return _started()
    if message.kind == "stop":
        return {"kind": "stopped"}
    sequence, command = message.sequence, message.command
    if command not in COMMANDS:
        return _skipped(sequence, f"does not have the command {quoted(command)}")
    if command != "evaluate":
        return {"kind": "result", "sequence": sequence, "result": _run(message)}
    symbol = message.request["operation"]
    operation = OPERATIONS.get(symbol)
    if operation is None:
        return _skipped(sequence, f"does not have the operation {quoted(symbol)}")
    results = _evaluate(operation, message.request["operands"])
    return {"kind": "result", "sequence": sequence, "result": results}


def _started() -> Json:
    implementation = {
        "name": "engine_py",
        "language": "Python",
        "version": CONTRACT,
        "runtime": f"{platform.python_implementation()} {platform.python_version()}",
    }
    return {
        "kind": "started",
        "protocol": PROTOCOL,
        "contract": CONTRACT,
        "profiles": PROFILES,
        "implementation": implementation,
    }


def _skipped(sequence: int | None, reason: str) -> Json:
    return {"kind": "skipped", "sequence": sequence, "reason": reason}


def _run(message: Message) -> Any:  # noqa: PLR0911 - one for each kind of command
    request = message.request
    if message.command == "introspect_value":
        named = {name: request[name] for name in ("parameters",) if name in request}
        return introspect_value(value_of(request), **named, limits=message.limits)
    expression, values = request.get("expression"), request.get("values")
    options = {name: request[name] for name in ("parameters", "view") if name in request}
    if message.command == "rewrite":
        return rewrite(expression, request.get("names"), message.limits)
    if message.command == "parse":
        return outline(expression, **options, limits=message.limits)
    if message.command == "sweep":
        options.pop("parameters", None)
        return sweep(expression, values, **options, limits=message.limits)
    if message.command == "accuracy":
        options |= {name: request[name] for name in MEMBERS if name in request}
        return accuracy_of_text(expression, values, **options, limits=message.limits)
    document = introspect(expression, values, **options, limits=message.limits)
    if message.command in LAB:
        of_lab = LAB[message.command]
        given = {name: request[name] for name in of_lab.members if name in request}
        return of_lab.run(document, **given, limits=message.limits)
    return _written(message.command, document)


def _written(command: str, document: GradientDocument) -> Any:
    if command == "canonicalize":
        return {"text": canonical_text(document), "digest": digest(document)}
    if command == "picture":
        return {"svg": draw(document), "layout": lay_out(document)}
    return document


def _evaluate(operation: Operation, rows: list[list[str]]) -> list[str | None]:
    """Apply one operation to rows of operands given as bits; null outside its domain."""
    arity = operation.arity
    for row in rows:
        if len(row) != arity:
            name = f"`{operation.symbol}`"
            raise Refused(f"the rows of {name} have a length of {arity}, not {len(row)}")
    operands = [[struct.unpack(">d", bytes.fromhex(bits))[0] for bits in row] for row in rows]
    return [_apply(operation, *row) for row in operands]


def _apply(operation: Operation, *operands: float) -> str | None:
    if not all(map(isfinite, operands)):  # an operation's domain is among the finite doubles
        return None
    try:
        return struct.pack(">d", operation.rule(*operands)[0]).hex()
    except OutsideDomain:
        return None


# A request of `introspect_value` -> the Value that it describes


def value_of(request: Json) -> Value:
    """Make the nodes one after the other, then assign data; return the last node (CONTRACT.md R29).

    Raises:
        GradientError: a member is wrong, or a Value cannot be made.
    """
    nodes, assigned = request.get("nodes"), request.get("assign", [])
    if not isinstance(nodes, list) or not nodes:
        refuse("nodes", "an array of one node or more", nodes)
    values: list[Value] = []
    for place, node in enumerate(nodes):
        values.append(_make_value(f"nodes/{place}", node, values))
    if not isinstance(assigned, list):
        refuse("assign", "an array of objects", assigned)
    for place, each in enumerate(assigned):
        member = f"assign/{place}"
        if not isinstance(each, dict):
            refuse(member, "an object", each)
        value = _check_place(f"{member}/node", each.get("node"), values)
        data = each.get("data")  # checked where it is used; true and false are not numbers (R7)
        value._data = None if isinstance(data, bool) else data  # type: ignore[assignment]  # noqa: SLF001
    return values[-1]


def _make_value(member: str, node: Any, values: list[Value]) -> Value:
    """Make a leaf, an operation of the table or a custom one."""
    if not isinstance(node, dict):
        refuse(member, "an object", node)
    label, symbol = node.get("label", ""), node.get("operation")
    if not isinstance(label, str):
        refuse(f"{member}/label", "a text", label)
    if symbol is None:
        return Value(_number(node, "data", label), label)
    if symbol == CUSTOM:
        return _make_custom(member, node, values, label)
    row = OPERATIONS.get(symbol) if isinstance(symbol, str) else None
    if row is None:
        refuse(f"{member}/operation", "a symbol of the table, or custom", symbol)
    is_power = symbol == NO_GRADIENT[0]
    count = row.arity - is_power
    x, *others = _check_operands(member, node.get("operands"), values, count, count)
    value = x._call(symbol, *([_number(node, "exponent", "")] if is_power else others))  # noqa: SLF001
    value.label = label
    return value


def _make_custom(member: str, node: Json, values: list[Value], label: str) -> Value:
    operands = _check_operands(member, node.get("operands"), values, 1, 2)
    name, local_grads = node.get("name", CUSTOM), node.get("local_grads")
    if not isinstance(name, str) or not name or name in OPERATIONS:
        refuse(f"{member}/name", "a name that no operation of the table has", name)
    if not isinstance(local_grads, list) or len(local_grads) != len(operands):
        refuse(f"{member}/local_grads", "an array with a number for each operand", local_grads)
    return Value(_number(node, "data", label), operands, local_grads, name, label)


def _number(node: Json, member: str, label: str) -> Any:
    """Return a number for Value to check; true and false are refused here (R7)."""
    number = node.get(member)
    if isinstance(number, bool):
        raise no_number(number, label)
    return number


def _check_operands(
    member: str, operands: Any, values: list[Value], least: int, most: int
) -> list[Value]:
    """Return the Values at the given places; refuse a place of no earlier node."""
    if not isinstance(operands, list) or not least <= len(operands) <= most:
        count = f"{least}" if least == most else f"{least} or {most}"
        refuse(f"{member}/operands", f"an array of {count} earlier nodes", operands)
    return [
        _check_place(f"{member}/operands/{slot}", operand, values)
        for slot, operand in enumerate(operands)
    ]


def _check_place(member: str, place: Any, values: list[Value]) -> Value:
    double = as_double(place)
    if double is None or double % 1 != 0 or not 0 <= double < len(values):
        refuse(member, "the place of an earlier node, counted from 0", place)
    return values[int(double)]
