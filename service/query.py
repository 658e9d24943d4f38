"""Query of a URL -> the body that it stands for."""

from typing import Any

from werkzeug.datastructures import MultiDict

from engine_py.errors import InvalidRequest, UnexpectedToken
from engine_py.request import pointer_step
from service.errors import InvalidJson
from service.strict_json import parse_json

_SHOWN_LENGTH = 40


def read_query(query: MultiDict[str, str]) -> dict[str, Any]:
    """Read `expression`, `values` (a JSON object), `parameters` (a name each time) and `view`.

    Raises:
        InvalidRequest: a member is given twice.
        InvalidJson: `values` is not JSON.
    """
    body: dict[str, Any] = {"values": {}}
    for name, texts in query.lists():
        if name == "parameters":
            body[name] = texts
        elif len(texts) > 1:
            message = f"{name[:_SHOWN_LENGTH]!a} is given {len(texts)} times; give it once"
            raise InvalidRequest(message, pointer=pointer_step(name))
        elif name != "format":
            body[name] = _parse_values(texts[0]) if name == "values" else texts[0]
    return body


def _parse_values(text: str) -> Any:
    try:
        return parse_json(text.encode()) if text else {}
    except InvalidJson as error:
        message = error.message.replace("the body", "`values` in the query", 1)
        raise InvalidJson(message) from None


def hint_at_plus(error: UnexpectedToken, query: bytes) -> UnexpectedToken:
    """Add what is likely wrong where `a+b` in a URL was read as `a b`."""
    if b"+" not in query:
        return error
    hint = "in a URL `+` stands for a blank: write %2B for a plus"
    return UnexpectedToken(f"{error.message}; {hint}", error.span)
