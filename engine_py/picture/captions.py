"""Document -> captions: the texts of cards and arrows, shortened and safe in XML."""

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple
from zlib import crc32

from engine_py.canonical import canonical_text
from engine_py.deadline import NODES_PER_CHECK, Deadline
from engine_py.document import GradientDocument
from engine_py.template import Edge, Node

_LONGEST_LABEL = 24
_CARD_DIGITS, _STEP_DIGITS = 6, 4
_SIGNS = {"*": "×", "/": "÷", "-": "−", "neg": "−"}
_TAGS = {"input": "", "parameter": "param", "constant": "const", "operation": ""}
_LEAST_PLAIN = -4
"""Numbers with a smaller exponent are written in scientific notation."""
_BLANKS = "\t\n\r"
_UNFIT = (
    *((0x00, 0x1F), (0x7F, 0x9F), (0xD800, 0xDFFF), (0xFFFE, 0xFFFF)),
    *((0x200E, 0x200F), (0x2028, 0x202E), (0x2066, 0x2069)),
)
"""Code points that XML forbids, or that change the direction of the text around them."""
_WIDE = re.compile("[^\x20-\u052f\u2010-\u2027\u2190-\u22ff]")
"""Characters other than the Latin, Greek, Cyrillic and mathematical ones, which a monospaced font
draws one column wide.

They count as two columns, although some of them are narrower.
"""

Shorten = Callable[[float, int], str]


class Card(NamedTuple):
    """The texts of a card."""

    name: str
    """A label, a number, an operation, or `label = operation`."""
    tag: str
    data: str
    grad: str


class Captions(NamedTuple):
    """Cards by node id, and steps by edge id."""

    cards: list[Card]
    steps: list[str]
    """`incoming × local = contribution` of each edge."""


def write_captions(document: GradientDocument, deadline: Deadline) -> Captions:
    """Return all captions, with shortened numbers."""
    shorten = cache(shortened)  # most numbers appear several times
    cards = [_card(node, shorten) for node in deadline.over(document["nodes"], NODES_PER_CHECK)]
    edges = deadline.over(document["edges"], NODES_PER_CHECK)
    return Captions(cards, [step_of(edge, lambda x: shorten(x, _STEP_DIGITS)) for edge in edges])


def _card(node: Node, shorten: Shorten) -> Card:
    operation, label = node["operation"], node["label"]
    data = shorten(node["data"], _CARD_DIGITS)
    names = [] if label is None else [visible(label, _LONGEST_LABEL)]
    if operation is not None:
        names.append(_SIGNS.get(operation, visible(node.get("name", operation), _LONGEST_LABEL)))
    tag = "derived" if node["derived"] else _TAGS[node["kind"]]
    grad = "none" if node["grad"] is None else shorten(node["grad"], _CARD_DIGITS)
    return Card(" = ".join(names) or data, tag, data, grad)


def step_of(edge: Edge, write: Callable[[float], str]) -> str:
    """Return `incoming × local = contribution` with written numbers, or `no gradient`."""
    incoming, local = edge["incoming_grad"], edge["local_grad"]
    contribution = edge["contribution"]
    if incoming is None or local is None or contribution is None:
        return "no gradient"
    return f"{write(incoming)} × {write(local)} = {write(contribution)}"


def shortened(value: float, most: int) -> str:
    """Format a double with at most `most` digits, rounding halves away from zero.

    The digits of the canonical text are rounded. A text of at most `most + 2` characters is kept.
    """
    text = canonical_text(abs(value))
    if len(text) > most + 2:
        text = _rounded(text, most)
    return ("−" if value < 0 else "") + text.replace("e+", "e").replace("-", "−")


def visible(text: str, most: int) -> str:
    """Replace characters that XML forbids, and truncate to `most` columns."""
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
    """Escape a text for an element or an attribute of XML."""
    for character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;")):
        text = text.replace(character, entity)
    return text


def checksum(text: str) -> str:
    """Compute the CRC-32 of the text in UTF-16, little-endian, as 8 hex digits."""
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
