"""The worker: newline-delimited JSON on stdin and stdout (`protocol.schema.json`)."""

import json
import platform
import struct
import sys
import traceback
from math import isfinite
from typing import Any

from engine_py.accuracy.answer import MEMBERS, accuracy_of_text
from engine_py.canonical import canonical_text, digest
from engine_py.document import CONTRACT, Document
from engine_py.errors import GradientError
from engine_py.introspect import introspect, outline
from engine_py.lab.commands import LAB
from engine_py.operations import OPERATIONS, Operation, OutsideDomain
from engine_py.picture.draw import draw
from engine_py.picture.layout import lay_out
from engine_py.protocol.line import Refused, read_line
from engine_py.protocol.message import COMMANDS, Message, check_message, sequence_of
from engine_py.protocol.values import value_of
from engine_py.request import quoted
from engine_py.sweeps.sweep import sweep
from engine_py.value import introspect_value

PROTOCOL = "1"
PROFILES = (
    *("core", "values", "functions", "picture", "outline", "sweep"),
    *("experiment", "paths", "accuracy", "descent", "hessian"),
)
"""What this engine claims of the contract: all of it."""

Json = dict[str, Any]


def main() -> None:
    """Answer one line at a time until `stop` or the end of the input."""
    for line in sys.stdin.buffer:  # bytes, whatever the locale says
        response = answer(line)
        print(json.dumps(response, allow_nan=False, separators=(",", ":")), flush=True)
        if response["kind"] == "stopped":
            return


def answer(line: bytes) -> Json:
    """Answer one line; an exception that is no error of the contract gives `crashed`."""
    value: object = None
    try:
        value = read_line(line)
        return _answer_message(check_message(value))
    except Refused as reason:
        return {"kind": "refused", "sequence": sequence_of(value), "reason": str(reason)}
    except GradientError as error:
        return {"kind": "error", "sequence": sequence_of(value), "error": error.as_dict()}
    except Exception as fault:  # noqa: BLE001 - every exception is reported to the harness
        text = f"{type(fault).__name__}: {fault}"
        crashed = {"message": text, "traceback": traceback.format_exc()}
        return {"kind": "crashed", "sequence": sequence_of(value), **crashed}


def _answer_message(message: Message) -> Json:
    if message.kind == "start":
        return _started()
    if message.kind == "stop":
        return {"kind": "stopped"}
    sequence, command = message.sequence, message.command
    if command not in COMMANDS:
        return _skipped(sequence, f"does not have the command {quoted(command)}")
    if command != "evaluate":
        return {"kind": "result", "sequence": sequence, "result": _introspect(message)}
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


def _introspect(message: Message) -> Any:
    request = message.request
    if message.command == "introspect_value":
        named = {name: request[name] for name in ("parameters",) if name in request}
        return introspect_value(value_of(request), **named, limits=message.limits)
    expression, values = request.get("expression"), request.get("values")
    options = {name: request[name] for name in ("parameters", "view") if name in request}
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
        work, members = LAB[message.command]
        given = {name: request[name] for name in members if name in request}
        return work(document, **given, limits=message.limits)
    return _written(message.command, document)


def _written(command: str, document: Document) -> Any:
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
