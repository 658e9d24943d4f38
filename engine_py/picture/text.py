"""What a picture says: numbers shortened, labels made fit for XML, widths by a table."""

import re
from zlib import crc32

from engine_py.canonical import canonical_text

_LEAST_PLAIN = -4
"""The least exponent of a number that is written out."""
_BLANKS = "\t\n\r"
_UNFIT = (
    *((0x00, 0x1F), (0x7F, 0x9F), (0xD800, 0xDFFF), (0xFFFE, 0xFFFF)),
    *((0x200E, 0x200F), (0x2028, 0x202E), (0x2066, 0x2069)),
)
"""Code points that XML does not allow or that turn the direction of the text around them."""
_WIDE = re.compile("[^\x20-\u052f\u2010-\u2027\u2190-\u22ff]")
"""All but the Latin, Greek, Cyrillic and mathematics that a monospaced font draws one column wide.

They are counted as two columns, which leaves some of them more room than they need.
"""


def shortened(value: float, most: int) -> str:
    """Write a double with at most so many digits, halves away from zero.

    What is rounded is the canonical text. A text that is about as short already stays as it is.
    """
    text = canonical_text(abs(value))
    if len(text) > most + 2:
        text = _rounded(text, most)
    return ("−" if value < 0 else "") + text.replace("e+", "e").replace("-", "−")


def visible(text: str, most: int) -> str:
    """Give a text that XML can hold, cut to so many columns."""
    text = text[: most + 1]
    if not (text.isascii() and text.isprintable()):
        text = "".join([_visible_character(character) for character in text])
    if width(text) <= most:
        return text
    kept, left = "", most - 1
    for character in text:
        left -= width(character)
        if left < 0:
            break
        kept += character
    return f"{kept}…"


def width(text: str) -> int:
    """Count the columns of a text."""
    return len(text) + len(_WIDE.findall(text))


def escaped(text: str) -> str:
    """Write a text as XML does, within an element or an attribute."""
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(character, entity)
    return text


def checksum(text: str) -> str:
    """Give the CRC-32 of the text in UTF-16, little-endian, as 8 hex digits."""
    return f"{crc32(text.encode('utf-16-le')):08x}"


def _rounded(text: str, most: int) -> str:
    mantissa, _, power = text.partition("e")
    whole, _, part = mantissa.partition(".")
    digits = (whole + part).lstrip("0")
    exponent = int(power or 0) + len(digits) - len(part) - 1
    if len(digits) > most:
        rounded = str(int(digits[:most]) + (digits[most] >= "5"))
        exponent += len(rounded) - most
        digits = rounded
    digits = digits.rstrip("0")
    if not _LEAST_PLAIN <= exponent < most:
        return f"{_pointed(digits, 1)}e{exponent}"
    if exponent < 0:
        return f"0.{'0' * (-exponent - 1)}{digits}"
    return _pointed(digits.ljust(exponent + 1, "0"), exponent + 1)


def _pointed(digits: str, place: int) -> str:
    return f"{digits[:place]}.{digits[place:]}" if digits[place:] else digits


def _visible_character(character: str) -> str:
    if character in _BLANKS:
        return " "
    return "\N{REPLACEMENT CHARACTER}" if _within(ord(character), _UNFIT) else character


def _within(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(first <= code <= last for first, last in ranges)
