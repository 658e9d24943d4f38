"""What people and programs get wrong in a body of JSON."""

import gzip
import json
from collections.abc import Callable
from typing import Any

_WRONG_TYPES = b'true null [] {} "" "a" 0 -1 1.5 "2" [1] {"a":1} "constructor" "/~"'.split()
_NUMBERS = (
    b"NaN Infinity -Infinity 1e400 -1e400 1e-400 1e309 0x10 01 +1 .5 5. 1e 1_000 - --1".split()
)
_ESCAPES = rb'"\ud800" "\udc00\ud800" "\ud83d\ude00" \u0000 \x41 \ \uZZZZ'.split()
_MEMBERS = (
    b'"expression":1, | "values":{}, | "a":1,"a":2 | "__proto__":{} | "view":"primitive" | '
    b'"requests":[ | {"expression":"a*a","values":{"a":3}},'
).split(b" | ")

JSON_TEXTS = (
    *(*_WRONG_TYPES, *_NUMBERS, *_ESCAPES, *_MEMBERS),
    *(b"1" + b"0" * 400, b"1" + b"0" * 5000, b"[" * 50, b"]" * 50, b'{"a":' * 50, b"(" * 50),
    *(b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", "é😀".encode(), b"\xef\xbb\xbf"),
    *(b"\x00", b"\x7f", b"\x1b[31m", b"\r\n", b"\n\n", b"\t", b" ", b",", b":", b'"', b"'", b"}"),
    *(b"//", b"/**/", b"**", b"relu(", b"=", b";"),
)
"""Pieces to put where they do not belong."""


def _request(expression: str, values: dict[str, float], **more: Any) -> bytes:
    return json.dumps({"expression": expression, "values": values, **more}).encode()


_LARGE = (
    _request("(" * 2001, {}),
    _request("-" * 1999 + "a", {"a": 1}),
    _request("+".join("a" * 150), {"a": 1}),
    _request("a", dict.fromkeys(map(str, range(99)), 1)),
    _request("a", {f"a{number}": 1 for number in range(30)}),
    _request("a", {"a": 1}, parameters=["a"] * 30),
    b'{"requests":[' + b",".join([b"0"] * 5000) + b"]}",
)

_ENCODINGS = ("utf-16", "utf-16-le", "utf-32-be", "utf-7")

BODIES: tuple[Callable[[bytes], bytes], ...] = (
    *(lambda _, large=large: large for large in _LARGE),
    *(lambda body, name=name: body.decode("latin-1").encode(name) for name in _ENCODINGS),
    lambda body: b"\xef\xbb\xbf" + body,
    lambda body: b"\xef\xbb\xbf" * 2 + body,
    lambda body: gzip.compress(body, mtime=0),
    lambda body: body + body,
    lambda body: body + b"\n{}",
    lambda body: body.replace(b'"', b"'"),
    lambda body: body.replace(b"{", b'{"expression":"a",', 1),
    lambda body: body.replace(b"{", b'{"values":{"a":1,"a":2},', 1),
    lambda body: body.replace(b"}", b",}"),
    lambda body: body.replace(b":", b":\\ud800", 1),
    lambda body: body.replace(b'"values"', b'"Values"'),
    lambda body: body.replace(b'"', b'"\\ud834', 1),
    lambda body: body.replace(b"values", b"\\u0076alues"),
    lambda body: body.replace(b":", b": NaN, ", 1),
    lambda body: b"[" * 500 + body + b"]" * 500,
    lambda body: b"[" * 20_000 + body,
    lambda body: b'{"a":' * 1500 + body + b"}" * 1500,
    lambda body: b'{"expression":' + body + b"}",
    lambda body: b'{"requests":[' + body + b"]}",
    lambda body: b'{"requests":[' + b",".join([body] * 21) + b"]}",
    lambda body: b'{"requests":' + body + b',"more":1}',
    lambda body: b'{"requests":[{"requests":[' + body + b"]}]}",
    lambda body: body + b" " * 20_000,
    lambda _: b" \n\n\n",
    lambda _: b"\x00" * 9,
    lambda _: b"expression=a&values=%7B%7D",
    lambda _: b"",
)
"""Ways to write a body that are wrong, or as good as none."""
