"""A line -> a checked message of the protocol, or why it is none."""

import json
import re
import struct

import calculus
from checks import DEFAULTS
from faults import Refusal, Skip

DEEPEST = 100
LARGEST = 2.0**53 - 1
ON_PROGRAMS = (
    *("introspect", "parse", "canonicalize", "picture", "sweep"),
    *("experiment", "paths", "accuracy", "descend", "hessian"),
)
STRINGS = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
BITS = re.compile(r"[0-9a-f]{16}")


def parsed(line):
    try:
        text = line.decode("utf-8")
        depth(text)
        return json.loads(text, parse_int=float, parse_constant=no_constant)
    except (UnicodeDecodeError, ValueError) as fault:
        raise Refusal(f"not a line of JSON, {fault}") from None


def depth(text):
    deep = 0
    for each in STRINGS.sub("", text):
        deep += (each in "[{") - (each in "]}")
        if deep > DEEPEST:
            raise Refusal("too deep")


def no_constant(name):
    raise ValueError(name)


def check(message):
    need(type(message) is dict, "the message")
    kind = message.get("kind")
    if kind == "run":
        check_run(message)
        return
    need(kind in ("start", "stop"), "kind")
    members(message, ["kind", "protocol"] if kind == "start" else ["kind"])
    need(kind == "stop" or type(message["protocol"]) is str, "protocol")


def check_run(message):
    need(whole(message.get("sequence")) is not None, "sequence")
    command = message.get("command")
    need(type(command) is str, "command")
    if command not in (*ON_PROGRAMS, "evaluate"):
        return
    optional = ["limits"] if command != "evaluate" else []
    members(message, ["kind", "sequence", "command", "request"], optional)
    need(type(message["request"]) is dict, "request")
    limits = message.get("limits", {})
    need(type(limits) is dict, "limits")
    members(limits, [], list(DEFAULTS))
    need(all(whole(bound) is not None for bound in limits.values()), "a limit")
    if command == "evaluate":
        check_rows(message["request"])


def check_rows(request):
    members(request, ["operation", "operands"])
    need(type(request["operation"]) is str, "operation")
    rows = request["operands"]
    need(type(rows) is list and all(type(row) is list for row in rows), "operands")
    for row in rows:
        need(all(type(each) is str and BITS.fullmatch(each) for each in row), "an operand")


def members(given, required, optional=()):
    for name in required:
        need(name in given, name)
    for name in given:
        need(name in required or name in optional, name)


def need(good, what):
    if not good:
        raise Refusal(f"{what[:40]!a} is missing, unknown or wrong")


def whole(value):
    if type(value) is float and 0.0 <= value <= LARGEST and value == value // 1.0:
        return int(value)
    return None


def limits_of(message):
    given = message.get("limits", {})
    return {name: int(given.get(name, most)) for name, most in DEFAULTS.items()}


def evaluate(request):
    symbol, rows = request["operation"], request["operands"]
    if symbol not in calculus.ARITY:
        raise Skip(ascii(symbol[:40]))
    need(all(len(row) == calculus.ARITY[symbol] for row in rows), "the length of a row")
    return [applied(symbol, row) for row in rows]


def applied(symbol, row):
    result = calculus.evaluate(symbol, [read_bits(bits) for bits in row])
    return None if result is None else struct.pack(">d", result).hex()


def read_bits(bits):
    return struct.unpack(">d", bytes.fromhex(bits))[0]
