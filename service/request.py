"""Bytes of a body, or a query -> JSON value -> checked request, or all errors in it."""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import partial
from itertools import accumulate, islice
from typing import IO, Any, NamedTuple, NoReturn
from wsgiref.types import WSGIEnvironment

from flask import Request
from marshmallow import Schema, ValidationError, fields, missing
from werkzeug.datastructures import MultiDict
from werkzeug.wsgi import get_content_length, get_input_stream

from engine_py import GradientError, Limits
from engine_py.errors import InvalidRequest, InvalidValue, UnexpectedToken, UnknownFunction
from engine_py.language.rewrite import check_names
from engine_py.request import (
    GradientRequest,
    View,
    check_expression,
    check_parameters,
    check_request,
    check_values,
    check_view,
    described,
    pointer_step,
)
from engine_py.sweeps.axes import Axes, check_axes
from service.errors import InvalidJson, PayloadTooLarge, UnsupportedMediaType

_SHOWN_LENGTH = 60
"""Characters of a client's text that a message quotes."""


# Body -> JSON value
#
# The standard library's parser can refuse duplicate members and keeps the sign of -0. orjson can do
# neither; it would save four microseconds per small request.

_ENCODING = "HTTP_CONTENT_ENCODING"

_DISCARDED, _PIECE = 32_000_000, 64_000
"""Bytes of an oversized body to read and drop, in total and at once."""

_LARGEST = 2**53 - 1
"""The largest integer that every JSON parser reads exactly."""


def read_body(environ: WSGIEnvironment, limit: int) -> bytes:
    """Read at most one byte more than `limit`, so that no body is truncated silently.

    Raises:
        PayloadTooLarge: the body has more than `limit` bytes.
    """
    # A server that ends the input itself needs no guard around the stream.
    terminated = environ.get("wsgi.input_terminated")
    stream: IO[bytes] = environ["wsgi.input"] if terminated else get_input_stream(environ)
    # A length with fewer digits than the limit is smaller; werkzeug would parse it more slowly.
    is_long = len(environ.get("CONTENT_LENGTH", "")) >= len(str(limit))
    if is_long and (announced := get_content_length(environ) or 0) > limit:
        if "HTTP_EXPECT" not in environ:  # such a client sends nothing before it is answered
            _discard(stream)
        message = f"the body has {announced} bytes; at most {limit} are accepted"
        raise PayloadTooLarge(message, limit=limit, actual=min(announced, _LARGEST))
    body = bytearray()
    # A chunked body has no announced length, and a read may return less than requested.
    while piece := stream.read(limit + 1 - len(body)):
        body += piece
        if len(body) > limit:
            _discard(stream)
            message = f"the body has more than {limit} bytes; at most {limit} are accepted"
            raise PayloadTooLarge(message, limit=limit, actual=None)
        if environ.get("CONTENT_LENGTH") == str(len(body)):
            break  # another read would let another thread run first
    return bytes(body)


def _discard(stream: IO[bytes]) -> None:
    """Read the rest, within bounds: many clients read no reply before they have sent everything."""
    for _ in range(_DISCARDED // _PIECE):
        if not stream.read(_PIECE):
            return


def check_media_type(request: Request) -> None:
    """Raise UnsupportedMediaType unless the headers announce JSON in UTF-8."""
    environ = request.environ
    if environ.get("CONTENT_TYPE") == "application/json" and _ENCODING not in environ:
        return
    media_type = request.mimetype
    if media_type != "application/json" and not (
        media_type.startswith("application/") and media_type.endswith("+json")
    ):
        found = f"`{media_type[:_SHOWN_LENGTH]}`" if media_type else "not given"
        message = f"the content type is {found}; send the header `Content-Type: application/json`"
        raise UnsupportedMediaType(message)
    charset = request.mimetype_params.get("charset", "utf-8")
    if charset.lower() not in ("utf-8", "utf8"):
        message = f"the charset is `{charset[:_SHOWN_LENGTH]}`; send JSON in UTF-8"
        raise UnsupportedMediaType(message)
    coding = environ.get(_ENCODING, "identity")
    if coding.lower() != "identity":
        message = f"the content encoding is `{coding[:_SHOWN_LENGTH]}`; send the body uncompressed"
        raise UnsupportedMediaType(message)


_DEEPEST = 64
"""The maximum number of nested levels. The standard library's limit differs between versions."""

_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_BRACKETS = b"[]{}"
_STEPS = bytes.maketrans(_BRACKETS, b"\x01\xff\x01\xff")
"""Brackets to signed bytes: 1 opens a level, -1 closes it."""

_STRING_OR_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*"|(-?Infinity|NaN)')


class _ConstantError(Exception):
    """Infinity or NaN, which are not JSON."""


def parse_json(body: bytes) -> Any:
    """Read one JSON text in UTF-8; all numbers become doubles (CONTRACT.md R7).

    Raises:
        InvalidJson: with line and column, if possible.
    """
    text = _decoded(body)
    _check_depth(body)
    try:
        value = _DECODER.decode(text)
        if "\\u" in text:
            # An escape can spell half a surrogate pair, which UTF-8 cannot encode in a reply.
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise _not_json(error) from None
    except _ConstantError as word:
        message = f"{word} is not a number in JSON, values must be finite"
        raise _not_json(json.JSONDecodeError(message, text, _place_of_constant(text))) from None
    except UnicodeEncodeError as error:
        half = ord(error.object[error.start])
        message = f"\\u{half:04x} in the body is half of a surrogate pair; write both or neither"
        raise InvalidJson(message) from None
    return value


def _decoded(body: bytes) -> str:
    if not body:
        message = 'the body is empty; send a request such as {"expression":"2*a","values":{"a":3}}'
        raise InvalidJson(message)
    try:
        # A byte order mark may be ignored (RFC 8259, section 8.1). The codec utf-8-sig is slow.
        return body.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        message = f"the body is not UTF-8: {error.reason} (byte {error.start})"
        raise InvalidJson(message) from None


def _check_depth(body: bytes) -> None:
    """Refuse deep nesting before the recursive parser sees it."""
    if body.count(b"[") + body.count(b"{") <= _DEEPEST:
        return  # the usual request: too few brackets to be nested deeper
    outside = _STRING.sub(b"", body)
    brackets = outside.translate(_STEPS, bytes(set(range(256)) - set(_BRACKETS)))
    depth = max(accumulate(memoryview(brackets).cast("b")), default=0)
    if depth > _DEEPEST:
        message = f"the body is nested {depth} levels deep; at most {_DEEPEST} are accepted"
        raise InvalidJson(f"{message}, and a request has two")


def _not_json(error: json.JSONDecodeError) -> InvalidJson:
    place = f"line {error.lineno}, column {error.colno}"
    return InvalidJson(f"the body is not JSON: {error.msg} ({place})")


def _place_of_constant(text: str) -> int:
    words = (match for match in _STRING_OR_CONSTANT.finditer(text) if match[1])
    return next(words).start()


def _refuse_constant(word: str) -> NoReturn:
    raise _ConstantError(word)


def _distinct_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        [(name, _)] = Counter(name for name, _ in pairs).most_common(1)
        message = f"the member {json.dumps(name[:_SHOWN_LENGTH])} is given twice in one object"
        raise InvalidJson(f"{message}; give it once")
    return members


_DECODER = json.JSONDecoder(
    object_pairs_hook=_distinct_members, parse_int=float, parse_constant=_refuse_constant
)


# Query of a URL -> the equivalent body

PARAMETERS = ("expression", "values", "parameters", "view", "format", "fields")
"""The parameters of the route. Every other name is a variable."""

_JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_PLUS_IN_EXPRESSION = re.compile(rb"(?:^|&)expression=[^&]*\+")


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
            message = f"{route} has no parameter {shown(name)}; {nearest(name, known)}"
            message += f"it takes {', '.join(known) or 'none'}"
            if route.startswith("POST"):
                message += "; the rest goes in the body"
            raise InvalidRequest(message, pointer=pointer_step(name))


def shown(text: str) -> str:
    """Quote a client's text in ASCII, a long one truncated."""
    return ascii(text[:_SHOWN_LENGTH])


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
        message = f"{shown(name)} is given {len(texts)} times; give it once"
        raise InvalidRequest(message, pointer=_pointer(name))
    return texts[0]


def _read_number(name: str, text: str) -> float:
    """Read a JSON number (CONTRACT.md R7); beyond the range of doubles it is infinity."""
    if _JSON_NUMBER.fullmatch(text):
        return float(text)
    message = (
        f"the value of {shown(name)} must be a number as JSON writes it, such as 2, "
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
            message = f"{shown(name)} is given by itself and in `values`; give it once"
            raise InvalidRequest(message, pointer=_pointer(name))
    return variables


def _pointer(name: str) -> str:
    return ("" if name in PARAMETERS else "/values") + pointer_step(name)


# JSON value -> checked request, or the errors of all its members
#
# marshmallow visits the members; the engine's own checks accept or refuse each of them.

MEMBERS = ("expression", "values", "parameters", "view")
"""In the order in which errors are reported (CONTRACT.md R31)."""

_KNOWN, _REQUIRED = frozenset(MEMBERS), frozenset(("expression", "values"))
_DEFAULTS = {"parameters": (), "view": "folded"}

_MAX_UNKNOWN = 20


class MemberError(NamedTuple):
    """An error, and the member that it is about as a JSON Pointer (RFC 6901)."""

    error: GradientError
    pointer: str


class InvalidBody(Exception):
    """A body with invalid members."""

    def __init__(self, errors: list[MemberError]) -> None:
        """Keep all errors; the first one decides the problem's code."""
        super().__init__(errors[0].error.message)
        self.errors = errors


class Checked(fields.Raw):
    """A member that one of the engine's checks accepts or refuses, even if it is null."""

    def __init__(self, name: str, check: Callable[[Any], Any], **options: Any) -> None:
        """Take `check`, which returns the checked value or raises a GradientError."""
        absent = InvalidRequest(f"the member `{name}` is missing; add it", pointer=f"/{name}")
        super().__init__(error_messages={"required": [absent]}, **options)
        self.check = check

    def deserialize(
        self,
        value: Any,
        attr: str | None = None,
        data: Mapping[str, Any] | None = None,
        **kwargs: Any,
    ) -> Any:
        """Check a member; marshmallow's messages are the errors themselves."""
        if value is missing:
            return super().deserialize(value, attr, data, **kwargs)
        try:
            return self.check(value)
        except GradientError as error:
            raise ValidationError(self.all_errors(error, value)) from None

    def all_errors(self, first: GradientError, _value: Any) -> list[GradientError]:
        """Return all errors of a member whose check raised `first`."""
        return [first]


class CheckedEntries(Checked):
    """An object whose invalid entries are all reported."""

    def all_errors(self, first: GradientError, value: Any) -> list[GradientError]:
        """Check every entry separately, since the engine names only the first (R31)."""
        if not isinstance(first, InvalidValue):
            return [first]
        others = [{name: value[name]} for name in value if name != first.data["name"]]
        return [first, *(error for entry in others if (error := self._error_of(entry)))]

    def _error_of(self, entry: dict[str, Any]) -> GradientError | None:
        try:
            self.check(entry)
        except GradientError as error:
            return error
        return None


def _expression(limits: Limits) -> Checked:
    return Checked("expression", partial(check_expression, limits=limits), required=True)


def _view() -> Checked:
    return Checked("view", check_view, load_default=lambda: "folded")


class Requests:
    """Checks requests. One instance serves all of them, since building a schema is slow."""

    def __init__(self, limits: Limits, *, with_values: bool = True) -> None:
        """Take the limits, and whether requests have `values`; without, `values` is empty."""
        self._limits, self._with_values = limits, with_values
        members: dict[str, fields.Field[Any]] = {
            "expression": _expression(limits),
            "values": CheckedEntries("values", partial(check_values, limits=limits), required=True),
            "parameters": Checked(
                "parameters", partial(check_parameters, limits=limits), load_default=list
            ),
            "view": _view(),
        }
        if not with_values:
            del members["values"]
        self._schema = Schema.from_dict(members)()

    def load(self, body: Any, others: Sequence[str] = ()) -> GradientRequest:
        """Check all members of a body.

        The engine's check takes a third of the schema's time, so it goes first. The error of an
        unknown member lists the known names and `others`, which the caller reads.

        Raises:
            InvalidBody: with an error for each invalid member, invalid value and unknown member.
        """
        if isinstance(body, dict) and self._with_values and _REQUIRED <= body.keys() <= _KNOWN:
            with suppress(GradientError):  # the schema finds all errors
                return check_request(**{**_DEFAULTS, **body}, limits=self._limits)
        return GradientRequest(**{"values": {}, **load_members(self._schema, body, others)})


def rewrite_schema(limits: Limits) -> Schema:
    """Return the schema of requests to rewrite a text."""
    members: dict[str, fields.Field[Any]] = {
        "expression": _expression(limits),
        "names": Checked("names", partial(check_names, limits=limits), load_default=None),
    }
    return Schema.from_dict(members)()


class SweepRequest(NamedTuple):
    """A checked request for a sweep."""

    expression: str
    values: Axes
    view: View


def sweep_schema(limits: Limits) -> Schema:
    """Return the schema of requests for sweeps."""
    members: dict[str, fields.Field[Any]] = {
        "expression": _expression(limits),
        "values": CheckedEntries("values", partial(check_axes, limits=limits), required=True),
        "view": _view(),
    }
    return Schema.from_dict(members)()


def split(body: Any, names: Sequence[str]) -> tuple[Any, dict[str, Any]]:
    """Split the members `names` off a body; a body that is not an object is refused later."""
    if not isinstance(body, dict):
        return body, {}
    request = {name: member for name, member in body.items() if name not in names}
    return request, {name: body[name] for name in names if name in body}


def load_members(schema: Schema, body: Any, others: Sequence[str] = ()) -> dict[str, Any]:
    """Check all members of a body by `schema`, with the arguments and errors of `Requests.load`."""
    if not isinstance(body, dict):
        required = " and ".join([name for name, field in schema.fields.items() if field.required])
        message = f"the body must be an object with {required}, not {described(body)}"
        raise InvalidBody([MemberError(InvalidRequest(message, pointer=""), "")])
    try:
        members: dict[str, Any] = schema.load(body)
    except ValidationError as refused:
        names = list(schema.fields)
        known = _known(refused.messages_dict, names)
        raise InvalidBody([*known, *_unknown(body, [*names, *others])]) from None
    return members


def _known(errors: dict[str, Any], members: list[str]) -> list[MemberError]:
    return [
        MemberError(error, error.data.get("pointer", f"/{member}"))
        for member in members
        for error in errors.get(member, ())
    ]


def _unknown(body: dict[str, Any], members: list[str]) -> list[MemberError]:
    """Report unknown members, at most `_MAX_UNKNOWN`."""
    errors = []
    names = (name for name in body if name not in members)
    for name in islice(names, _MAX_UNKNOWN):
        message = f"{shown(name)} is not a member of a request; {nearest(name, members)}"
        message += f"the members are {', '.join(members)}"
        pointer = pointer_step(name)
        errors.append(MemberError(InvalidRequest(message, pointer=pointer), pointer))
    return errors
