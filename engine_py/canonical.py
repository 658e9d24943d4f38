"""JSON value -> canonical text (RFC 8785): equal values have equal texts, in every language.

No blanks, members sorted by UTF-16 code units, numbers as ECMAScript writes them. Numbers are
doubles: 10 and 10.0 are written `10`, -0.0 is written `0`.
"""

from collections.abc import Callable
from hashlib import sha256
from json.encoder import encode_basestring
from math import isfinite
from typing import Any

_EXACT = 2**53
"""Integers up to here are doubles."""

_PLAIN = range(-6, 21)
"""Exponents for which ECMAScript writes all digits."""


def digest(value: object) -> str:
    """Return the SHA-256 of the canonical text, 64 hex digits.

    Parsing a document and computing its digest again gives the same one, if the parser keeps every
    name and double. JavaScript's V8 (in Node 24 to 26 and Chrome) may not: `JSON.parse` can take an
    escaped name for another that it read before (nodejs/node#63785). Names in a program are never
    escaped; labels of Values can be. There, compute the digest of the text that was sent.
    """
    return sha256(canonical_text(value).encode()).hexdigest()


def canonical_text(value: object) -> str:
    """Write a JSON value of dict, list, str, int, float, bool and None.

    Raises:
        ValueError: a number is not a finite double, or a string holds an unpaired surrogate.
        TypeError: it contains something other than JSON values.
    """
    text = _WRITERS[type(value)](value)
    if not text.isascii():
        _refuse_half_pairs(text)
    return text


def _object(members: dict[str, Any]) -> str:
    # A name that is not a string makes `join` raise TypeError.
    ascii_only = "".join(members).isascii()
    names = sorted(members) if ascii_only else sorted(members, key=_utf16)
    written = [
        f"{encode_basestring(name)}:{_WRITERS[type(member := members[name])](member)}"
        for name in names
    ]
    return f"{{{','.join(written)}}}"


def _array(items: list[Any]) -> str:
    return f"[{','.join([_WRITERS[type(item)](item) for item in items])}]"


def _integer(number: int) -> str:
    if -_EXACT <= number <= _EXACT:
        return str(number)
    try:
        return _double(float(number))
    except OverflowError:
        raise ValueError("an integer beyond the doubles has no canonical text") from None


def _double(number: float) -> str:
    """Write a double as ECMAScript does; `repr` finds the same digits, the shortest."""
    text = repr(number)
    if text.endswith(".0"):
        return text[:-2] if number else "0"
    if "e" in text:
        return _with_exponent(text)
    if not isfinite(number):
        raise ValueError(f"{text} has no canonical text; a JSON number is finite")
    return text


def _with_exponent(text: str) -> str:
    """Write 1e-05 as 0.00001, 1e+16 as 10000000000000000 and 1e-07 as 1e-7."""
    mantissa, _, power = text.partition("e")
    exponent = int(power)
    if exponent not in _PLAIN:
        return f"{mantissa}e{exponent:+d}"
    sign, digits = mantissa[: text.startswith("-")], mantissa.strip("-").replace(".", "")
    if exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{digits}"
    return f"{sign}{digits:0<{exponent + 1}}"


def _utf16(name: str) -> bytes:
    return name.encode("utf-16-be", "surrogatepass")


def _refuse_half_pairs(text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError as fault:
        half = f"U+{ord(text[fault.start]):04X}"
        raise ValueError(f"{half} is an unpaired surrogate, which UTF-8 cannot encode") from None


class _Writers(dict[type, Callable[[Any], str]]):
    def __missing__(self, kind: type) -> Callable[[Any], str]:
        message = (
            f"a {kind.__name__} is not a JSON value; use dict, list, str, int, float, bool, None"
        )
        raise TypeError(message)


_WRITERS = _Writers(
    {
        str: encode_basestring,
        float: _double,
        int: _integer,
        bool: {False: "false", True: "true"}.__getitem__,
        type(None): {None: "null"}.__getitem__,
        dict: _object,
        list: _array,
    }
)
