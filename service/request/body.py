"""HTTP request -> the bytes of its body -> a JSON value, or the error in it.

The standard library's parser can refuse duplicate members and keeps the sign of -0. orjson can do
neither; it would save four microseconds per small request.
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


_SHOWN_NAME = 40

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
        shown = json.dumps(name[:_SHOWN_NAME])
        raise InvalidJson(f"the member {shown} is given twice in one object; give it once")
    return members


_DECODER = json.JSONDecoder(
    object_pairs_hook=_distinct_members, parse_int=float, parse_constant=_refuse_constant
)
