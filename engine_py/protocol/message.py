"""Line of the protocol -> checked message: a `start`, `run` or `stop` of `protocol.schema.json`."""

import json
import re
from typing import Any, NamedTuple, NoReturn

from engine_py.errors import json_words
from engine_py.lab.commands import LAB
from engine_py.limits import DEFAULT_LIMITS, Limits
from engine_py.request import as_double, described, quoted, utf16

MAX_NESTING = 100
"""Arrays and objects inside one another, the message included; `protocol.schema.json` says so."""

_STRING_OR_BRACKET = re.compile(r'"[^"\\]*+(?:\\[\s\S][^"\\]*+)*+"?|[\[\]{}]')


class Refused(Exception):
    """A line that is not a message of the protocol; the text says why."""


def read_line(line: bytes) -> object:
    """Read one JSON value in UTF-8, every number as a double.

    Raises:
        Refused: the line is not UTF-8, not JSON, or too deep.
    """
    try:
        text = line.decode()
    except UnicodeDecodeError:
        raise Refused("the line is not UTF-8") from None
    if _nesting(text) > MAX_NESTING:
        # Parsers differ in how deep they can read; Python's changes with its version.
        raise Refused(f"arrays and objects nest deeper than {MAX_NESTING}")
    try:
        return json.loads(text, parse_int=float, parse_constant=_refuse_constant)
    except ValueError:
        raise Refused("the line is not JSON") from None


def _nesting(text: str) -> int:
    """Return how deep brackets nest outside strings."""
    if text.count("[") + text.count("{") <= MAX_NESTING:
        return 0
    depth = deepest = 0
    for found in _STRING_OR_BRACKET.findall(text):
        if found in ("[", "{"):
            depth += 1
            deepest = max(deepest, depth)
        elif found in ("]", "}"):
            depth -= 1
    return deepest


def _refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which Python's parser reads by default."""
    raise ValueError(name)


# JSON value -> message

LARGEST = 2**53 - 1
"""Up to here every language represents integers exactly."""

_ON_PROGRAMS = (
    "introspect",
    "introspect_value",
    "parse",
    "rewrite",
    "canonicalize",
    "picture",
    "sweep",
    "accuracy",
    *LAB,
)
COMMANDS = (*_ON_PROGRAMS, "evaluate")

_MEMBERS = {
    "start": (["kind", "protocol"], []),
    "stop": (["kind"], []),
    **dict.fromkeys(_ON_PROGRAMS, (["kind", "sequence", "command", "request"], ["limits"])),
    "evaluate": (["kind", "sequence", "command", "request"], []),
}
"""Required and optional members, by kind; for `run`, by command."""

_BITS = re.compile(r"[0-9a-f]{16}")


class Message(NamedTuple):
    """A checked message. The members after `kind` belong to `run`."""

    kind: str
    sequence: int | None = None
    command: str = ""
    request: Any = None
    limits: Limits = DEFAULT_LIMITS


def check_message(value: object) -> Message:
    """Check a message against the schema.

    Raises:
        Refused: the value is not a message.
    """
    if not isinstance(value, dict):
        _refuse("a message", "an object", value)
    kind = value.get("kind")
    if kind == "run":
        return _check_run(value)
    if kind not in ("start", "stop"):
        _refuse("kind", '"start", "run" or "stop"', kind)
    _check_members(value, str(kind))
    if kind == "start" and not isinstance(value["protocol"], str):
        _refuse("protocol", "a string", value["protocol"])
    return Message(str(kind))


def sequence_of(value: object) -> int | None:
    return _whole(value.get("sequence")) if isinstance(value, dict) else None


def _check_run(value: dict[str, Any]) -> Message:
    sequence, command = _whole(value.get("sequence")), value.get("command")
    if sequence is None:
        _refuse("sequence", f"a whole number from 0 to {LARGEST}", value.get("sequence"))
    if not isinstance(command, str):
        _refuse("command", "a string", command)
    if command not in COMMANDS:  # its members are not checked
        return Message("run", sequence, command)
    _check_members(value, command)
    request = value["request"]
    if not isinstance(request, dict):
        _refuse("request", "an object", request)
    if command == "evaluate":
        _check_evaluation(request)
    return Message("run", sequence, command, request, _check_limits(value.get("limits", {})))


def _check_members(value: dict[str, Any], name: str) -> None:
    required, optional = _MEMBERS[name]
    for member in required:
        if member not in value:
            raise Refused(f"`{name}` needs the member `{member}`")
    _refuse_unknown_members(value, f"`{name}`", required + optional)


def _refuse_unknown_members(value: dict[str, Any], name: str, known: list[str]) -> None:
    if unknown := value.keys() - known:
        raise Refused(f"{name} has no member {quoted(min(unknown, key=utf16))}")


def _check_limits(limits: object) -> Limits:
    if not isinstance(limits, dict):
        _refuse("limits", "an object", limits)
    _refuse_unknown_members(limits, "`limits`", list(Limits._fields))
    bounds: dict[str, int] = {}
    for name in Limits._fields:
        if name in limits:
            bound = _whole(limits[name])
            if bound is None:
                _refuse(f"limits.{name}", f"a whole number from 0 to {LARGEST}", limits[name])
            bounds[name] = bound
    return Limits(**bounds)


def _check_evaluation(request: dict[str, Any]) -> None:
    for member in ("operation", "operands"):
        if member not in request:
            raise Refused(f"the request of `evaluate` needs the member `{member}`")
    _refuse_unknown_members(request, "the request of `evaluate`", ["operation", "operands"])
    if not isinstance(request["operation"], str):
        _refuse("operation", "a string", request["operation"])
    rows = request["operands"]
    if not (isinstance(rows, list) and all(map(_is_row, rows))):
        raise Refused("operands must be an array of arrays of 16 hex digits, 0-9 and a-f, each")


def _is_row(row: object) -> bool:
    return isinstance(row, list) and all(
        isinstance(bits, str) and _BITS.fullmatch(bits) for bits in row
    )


def _whole(value: object) -> int | None:
    double = as_double(value)
    return (
        int(double) if double is not None and 0 <= double <= LARGEST and double % 1 == 0 else None
    )


def _refuse(member: str, expected: str, value: object) -> NoReturn:
    raise Refused(json_words(f"{member} must be {expected}, not {described(value)}"))
