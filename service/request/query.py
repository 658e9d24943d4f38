"""Query of a URL -> the equivalent body."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from werkzeug.datastructures import MultiDict

from engine_py import GradientError
from engine_py.errors import InvalidRequest, InvalidValue, UnexpectedToken, UnknownFunction
from engine_py.request import described, pointer_step
from service.errors import InvalidJson
from service.request.body import parse_json

PARAMETERS = ("expression", "values", "parameters", "view", "format", "fields")
"""The parameters of the route. Every other name is a variable."""

_JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_PLUS_IN_EXPRESSION = re.compile(rb"(?:^|&)expression=[^&]*\+")
_SHOWN_LENGTH = 40


def read_query(query: MultiDict[str, str]) -> dict[str, Any]:
    """Read `expression`, `values` (a JSON object), `parameters` (repeated), `view` and variables.

    Pointers in errors refer to the equivalent body: a variable `a` is `/values/a`.

    Raises:
        InvalidRequest: a name is given twice, or by itself and in `values`.
        InvalidValue: a variable's value is not written as a JSON number.
        InvalidJson: `values` is not JSON.
    """
    body: dict[str, Any] = {"values": {}}
    variables: dict[str, float] = {}
    for name, texts in query.lists():
        if name == "fields":
            continue
        if name == "parameters":
            body[name] = texts
            continue
        text = _only(name, texts)
        if name not in PARAMETERS:
            variables[name] = _read_number(name, text)
        elif name == "values":
            body[name] = _read_values(text)
        elif name != "format":
            body[name] = text
    if isinstance(body["values"], dict):
        body["values"] |= _disjoint(variables, body["values"])
    return body


def refuse_unknown(args: MultiDict[str, str], known: Sequence[str], route: str) -> None:
    """Raise InvalidRequest for a parameter that is not in `known`; it names the nearest."""
    for name in args:
        if name not in known:
            message = f"{route} has no parameter {name[:_SHOWN_LENGTH]!a}; {nearest(name, known)}"
            message += f"it takes {', '.join(known) or 'none'}"
            if route.startswith("POST"):
                message += "; the rest goes in the body"
            raise InvalidRequest(message, pointer=pointer_step(name))


def nearest(name: str, known: Sequence[str]) -> str:
    """Return "did you mean …? " with the most similar known name, or an empty string."""
    near = get_close_matches(name[:_SHOWN_LENGTH], known, n=1)
    return f"did you mean {near[0]}? " if near else ""


def hint_at_plus(error: GradientError, query: bytes) -> GradientError:
    """Add a hint if `a+b` in a URL was read as `a b`, or `a+(b)` as a call."""
    if not isinstance(error, UnexpectedToken | UnknownFunction):
        return error
    if not _PLUS_IN_EXPRESSION.search(query):
        return error
    hint = "in a URL `+` stands for a blank: write %2B for a plus"
    return type(error)(f"{error.message}; {hint}", error.span, **error.data)


def _only(name: str, texts: list[str]) -> str:
    if len(texts) > 1:
        message = f"{name[:_SHOWN_LENGTH]!a} is given {len(texts)} times; give it once"
        raise InvalidRequest(message, pointer=_pointer(name))
    return texts[0]


def _read_number(name: str, text: str) -> float:
    """Read a JSON number (CONTRACT.md R7); beyond the range of doubles it is infinity."""
    if _JSON_NUMBER.fullmatch(text):
        return float(text)
    message = (
        f"the value of {name[:_SHOWN_LENGTH]!a} must be a number as JSON writes it, such as 2, "
        f"-0.5 or 1e-3, not {described(text)}; {nearest(name, PARAMETERS)}every name but "
        f"{', '.join(PARAMETERS)} is a variable"
    )
    if " " in text:
        message += "; in a URL `+` stands for a blank"
    raise InvalidValue(message, name=name, pointer=_pointer(name))


def _read_values(text: str) -> Any:
    try:
        return parse_json(text.encode()) if text else {}
    except InvalidJson as error:
        message = error.message.replace("the body", "`values` in the query", 1)
        raise InvalidJson(message) from None


def _disjoint(variables: dict[str, float], values: dict[str, Any]) -> dict[str, float]:
    for name in variables:
        if name in values:
            message = f"{name[:_SHOWN_LENGTH]!a} is given by itself and in `values`; give it once"
            raise InvalidRequest(message, pointer=_pointer(name))
    return variables


def _pointer(name: str) -> str:
    return ("" if name in PARAMETERS else "/values") + pointer_step(name)
