"""HTTP request -> the bytes of its body -> a JSON value, or an error that says what is wrong.

The standard library's parser can refuse a member that is given twice, and keeps the sign of -0.
orjson, which can do neither, would save four microseconds of a small request.
"""

import json
import re
from collections import Counter
from itertools import accumulate
from typing import IO, Any, NoReturn
from wsgiref.types import WSGIEnvironment

from flask import Request
from werkzeug.wsgi import get_content_length, get_input_stream

from service.errors import InvalidJson, PayloadTooLarge, UnsupportedMediaType

_ENCODING = "HTTP_CONTENT_ENCODING"
_SHOWN_LENGTH = 60

_DISCARDED, _PIECE = 32_000_000, 64_000
"""Bytes of a body that is too large, in all and at once."""

_LARGEST = 2**53 - 1
"""What every reader of JSON can count to."""


def read_body(environ: WSGIEnvironment, limit: int) -> bytes:
    """Read at most one byte more than the limit, so that a larger body is never cut short.

    Raises:
        PayloadTooLarge: the body is announced or found to be larger than the limit.
    """
    # A server that ends the input itself hands on what it has read: nothing is to be guarded.
    terminated = environ.get("wsgi.input_terminated")
    stream: IO[bytes] = environ["wsgi.input"] if terminated else get_input_stream(environ)
    # Of fewer digits than the limit's it is smaller; werkzeug's number takes longer than the body.
    is_long = len(environ.get("CONTENT_LENGTH", "")) >= len(str(limit))
    if is_long and (announced := get_content_length(environ) or 0) > limit:
        if "HTTP_EXPECT" not in environ:  # who expects an answer first sends nothing before it
            _discard(stream)
        message = f"the body has {announced} bytes; at most {limit} are accepted"
        raise PayloadTooLarge(message, limit=limit, actual=min(announced, _LARGEST))
    body = bytearray()
    # A chunked body has no announced length, and one read may give less than was asked for.
    while piece := stream.read(limit + 1 - len(body)):
        body += piece
        if len(body) > limit:
            _discard(stream)
            message = f"the body has more than {limit} bytes; at most {limit} are accepted"
            raise PayloadTooLarge(message, limit=limit, actual=None)
        if environ.get("CONTENT_LENGTH") == str(len(body)):
            break  # to find its end once more lets another thread go first
    return bytes(body)


def _discard(stream: IO[bytes]) -> None:
    """Read the rest, or a part: many clients read no reply before they have sent all."""
    for _ in range(_DISCARDED // _PIECE):
        if not stream.read(_PIECE):
            return


def check_media_type(request: Request) -> None:
    """Raise UnsupportedMediaType if the headers announce something else than JSON in UTF-8."""
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


_SHOWN_NAME = 40

_DEEPEST = 64
"""Levels of arrays and objects. Ours, because the standard library's limit differs by version."""

_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_BRACKETS = b"[]{}"
_STEPS = bytes.maketrans(_BRACKETS, b"\x01\xff\x01\xff")
"""As signed bytes: one level down, or one up."""

_STRING_OR_CONSTANT = re.compile(r'"(?:[^"\\]|\\.)*"|(-?Infinity|NaN)')


class _ConstantError(Exception):
    """A word for a number that JSON does not have."""


def parse_json(body: bytes) -> Any:
    """Read one JSON text in UTF-8. Who checks the value makes doubles of its ints (CONTRACT.md R7).

    Raises:
        InvalidJson: with the line and the column where there is one.
    """
    text = _decoded(body)
    _check_depth(body)
    try:
        value = _DECODER.decode(text)
        if "\\u" in text:
            # An escape can spell half a surrogate pair, which no reply in UTF-8 could repeat.
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as fault:
        raise _not_json(fault) from None
    except _ConstantError as word:
        message = f"{word} is not a number in JSON, values must be finite"
        raise _not_json(json.JSONDecodeError(message, text, _place_of_constant(text))) from None
    except UnicodeEncodeError as fault:
        half = ord(fault.object[fault.start])
        message = f"\\u{half:04x} in the body is half of a surrogate pair; write both or neither"
        raise InvalidJson(message) from None
    return value


def _decoded(body: bytes) -> str:
    if not body:
        message = 'the body is empty; send a request such as {"expression":"2*a","values":{"a":3}}'
        raise InvalidJson(message)
    try:
        # A byte order mark is allowed to be there, RFC 8259 section 8.1.
        return body.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        message = f"the body is not UTF-8: {fault.reason} (byte {fault.start})"
        raise InvalidJson(message) from None


def _check_depth(body: bytes) -> None:
    """Refuse what is nested too deeply, before a parser that recurses sees it."""
    if body.count(b"[") + body.count(b"{") <= _DEEPEST:
        return  # as in most requests: so few brackets cannot be nested deeper
    outside = _STRING.sub(b"", body)
    brackets = outside.translate(_STEPS, bytes(set(range(256)) - set(_BRACKETS)))
    depth = max(accumulate(memoryview(brackets).cast("b")), default=0)
    if depth > _DEEPEST:
        message = f"the body is nested {depth} levels deep; at most {_DEEPEST} are accepted"
        raise InvalidJson(f"{message}, and a request has two")


def _not_json(fault: json.JSONDecodeError) -> InvalidJson:
    place = f"line {fault.lineno}, column {fault.colno}"
    return InvalidJson(f"the body is not JSON: {fault.msg} ({place})")


def _place_of_constant(text: str) -> int:
    words = (match for match in _STRING_OR_CONSTANT.finditer(text) if match[1])
    return next(words).start()


def _refuse_constant(word: str) -> NoReturn:
    raise _ConstantError(word)


def _distinct_members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        [(name, _)] = Counter(name for name, _ in pairs).most_common(1)
        shown = json.dumps(name[:_SHOWN_NAME])
        raise InvalidJson(f"the member {shown} is given twice in one object; give it once")
    return members


_DECODER = json.JSONDecoder(
    object_pairs_hook=_distinct_members, parse_int=float, parse_constant=_refuse_constant
)
