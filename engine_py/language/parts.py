"""What becomes of a text that is rewritten: parts of it, and the changes that they make."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypedDict

from engine_py.errors import SpanDict
from engine_py.language.spelling import Refused, Token

OPEN, SUM, PRODUCT, BARE, PREFIX, POWER, ATOM = range(0, 14, 2)
"""How tightly an operand is held. BARE is a call without parentheses; a product that one of these
takes in, as `1/2x` may be `1/(2x)`, is one above it."""

_BLANKS = re.compile(r" {2,}")
_INSIDE = re.compile(r"\([^()]*\)")
_OPERATORS = {" + ": SUM, " - ": SUM, " * ": PRODUCT, " / ": PRODUCT, "-": PREFIX, " ** ": POWER}
_LEAST, _MOST = 1e-4, 1e15
"""Between them every language writes a double alike."""


class ChangeDict(TypedDict):
    """A change as the result writes it."""

    span: SpanDict
    replacement: str
    reason: str


class Part(NamedTuple):
    """What becomes of `text[start:end]`: tokens as they are spelled, parts, and what is put in.

    `level` is how tightly it holds together, `number` its value where it is one, and `inside` what
    its parentheses hold.
    """

    level: int
    start: int
    end: int
    content: tuple["Part | Token | str", ...]
    reason: str = ""
    number: float | None = None
    inside: "Part | None" = None

    @property
    def bare(self) -> "Part":
        """The part without its parentheses."""
        return self.inside or self


def held(part: Part, level: int) -> Part:
    """Put parentheses around what would come apart."""
    if part.level >= level:
        return part
    content = ("(", part, ")")
    return Part(ATOM, part.start, part.end, content, "parentheses", None, part)


def level_of(template: str) -> int:
    """Return how tightly a formula holds together, by its outermost operators."""
    flat, before = template, ""
    while flat != before:
        flat, before = _INSIDE.sub("", flat), flat
    return next((level for sign, level in _OPERATORS.items() if sign in flat), ATOM)


def computed(sign: str, left: float | None, right: float | None) -> float | None:
    """Return the result of an operation on two numbers."""
    if left is None or right is None or (sign == "/" and right == 0):
        return None
    if sign == "/":
        return left / right
    return left * right if sign == "*" else left + right if sign == "+" else left - right


def decimal(part: Part) -> str:
    """Write a number that was computed, where every language writes it alike."""
    number = part.number or 0.0
    if number and not _LEAST <= abs(number) < _MOST:
        raise Refused("exponent", part.start, part.end)
    return repr(number + 0.0).removesuffix(".0")


def _pieces(part: Part, most: int) -> Iterator[tuple[str | Token, str]]:
    """Walk a part that is no longer than this: each token or string with its reason."""
    waiting: list[tuple[str | Token | Part, str]] = [(part, "")]
    while waiting:
        each, reason = waiting.pop()
        if isinstance(each, Part):
            waiting += [(inner, each.reason) for inner in reversed(each.content)]
            continue
        most -= len(text_of(each))
        if most < 0:
            raise Refused("too_long", part.start, part.end)
        yield each, reason


def text_of(piece: str | Token) -> str:
    """Return what is written for it."""
    return piece if isinstance(piece, str) else piece.text


def written(part: Part, most: int) -> str:
    """Write a part by itself."""
    return "".join([text_of(each) for each, _ in _pieces(part, most)])


def aligned(
    text: str, plain: str, tokens: Sequence[Token], whole: Part, most: int
) -> tuple[str, list[ChangeDict]]:
    """Return the program, and what changes; a token that keeps its order stays where it is."""
    result: list[str] = []
    changes: list[ChangeDict] = []
    at, last, new, why = 0, -1, "", "character"

    def put(end: int, replacement: str, reason: str) -> None:
        """Write this for the text up to there; other blanks are no change."""
        nonlocal at
        old = text[at:end]
        if replacement.replace(" ", "") == old.replace(" ", ""):
            replacement = old
        elif changes and changes[-1]["span"]["end"] == at:
            changes[-1]["span"]["end"] = end
            changes[-1]["replacement"] += replacement
        else:
            span: SpanDict = {"start": at, "end": end}
            changes.append({"span": span, "replacement": replacement, "reason": reason})
        result.append(replacement)
        at = end

    for piece, reason in [*_pieces(whole, most), (tokens[-1], "")]:
        if isinstance(piece, str) or piece.place <= last:
            new += text_of(piece)
            why = reason or why
            continue
        replaces = piece.place > last + 1 and not new.startswith(")")
        lead = plain[at : tokens[last + 1].start] if replaces else ""
        end = tokens[piece.place - 1].end if piece.place else 0
        trail = "" if new.endswith("(") else plain[max(at, end) : piece.start]
        between = f"{lead}{new}{trail}".replace("\0", "")
        put(piece.start, _BLANKS.sub(" ", between) if new else between, why)
        put(piece.end, piece.text, piece.kind if piece.kind.isalpha() else "sign")
        last, new, why = piece.place, "", "character"
    return "".join(result), changes
