"""Line of the protocol -> JSON value, the same as the twin reads, on every Python."""

import json
import re
from typing import NoReturn

MAX_NESTING = 100
"""Arrays and objects inside one another, the message included; `protocol.schema.json` says so."""

_STRING_OR_BRACKET = re.compile(r'"[^"\\]*+(?:\\[\s\S][^"\\]*+)*+"?|[\[\]{}]')


class Refused(Exception):
    """A line that is no message of the protocol; the text says why."""


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
    """Count how deep the brackets nest that are not inside strings."""
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
