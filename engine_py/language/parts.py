"""What becomes of a text that is rewritten: parts of it, and the changes that they make."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple, TypedDict

from engine_py.deadline import NODES_PER_CHECK, Deadline
from engine_py.errors import SpanDict
from engine_py.language.spelling import Lexeme, Refused

OPEN, SUM, PRODUCT, BARE, PREFIX, POWER, ATOM = range(0, 14, 2)
"""How tightly an operand is held. BARE is a call without parentheses; a product that one of these
takes in, as `1/2x` may be `1/(2x)`, is one above it."""

_SLOT = re.compile(r"\b([xyz])\b")
_BLANKS = re.compile(r" {2,}")
_NO_BLANK = re.compile(r"[^ \t\r\n]")
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
    """What becomes of `text[start:end]`: tokens and parts.

    `level` is how tightly it holds together, `number` its value where it is one, and `inside` what
    its parentheses hold.
    """

    level: int
    start: int
    end: int
    content: tuple["Part | Lexeme", ...]
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
    content = Lexeme("parentheses", "("), part, Lexeme("parentheses", ")")
    return Part(ATOM, part.start, part.end, content, None, part)


def filled(template: str, arguments: Sequence[Part], span: tuple[int, int], reason: str) -> Part:
    """Return what a formula makes of its arguments."""
    content: list[Lexeme | Part] = []
    pieces = _SLOT.split(template)
    for place, piece in enumerate(pieces):
        if place % 2 == 0:
            content.append(Lexeme(reason, piece))
            continue
        part = arguments["xyz".index(piece)]
        alone = pieces[place - 1].endswith(("(", ", ")) and pieces[place + 1][:1] in (",", ")")
        content.append(part.bare if alone else held(part, ATOM))
    return Part(_level_of(template), *span, tuple(content))


@cache
def _level_of(template: str) -> int:
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


def lexemes_of(part: Part, most: int, deadline: Deadline) -> Iterator[Lexeme]:
    """Walk a part, for which so many characters may be written."""
    waiting: list[Lexeme | Part] = [part]
    count = 0
    while waiting:
        if count % NODES_PER_CHECK == 0:
            deadline.check()
        each, count = waiting.pop(), count + 1
        if isinstance(each, Part):
            waiting += reversed(each.content)
            continue
        most -= len(each.text)
        if most < 0:
            raise Refused("too_long", part.start, part.end)
        yield each


def aligned(
    text: str, plain: str, tokens: Sequence[Lexeme], written: Iterable[Lexeme]
) -> tuple[str, list[ChangeDict]]:
    """Return the program, and what changes; a token that keeps its order stays where it is."""
    result: list[str] = []
    changes: list[ChangeDict] = []
    at, last, new, why = 0, -1, "", "character"
    for token in [*written, tokens[-1]]:
        if token.place <= last:
            new += token.text
            why = token.kind if token.place < 0 else why
            continue
        before = max(at, tokens[token.place - 1].end if token.place else 0)
        skips = token.place > last + 1 and not new.startswith(")")
        lead = _NO_BLANK.sub("", plain[at : tokens[last + 1].start]) if skips else ""
        trail = "" if new.endswith("(") else _NO_BLANK.sub("", plain[before : token.start])
        between = _BLANKS.sub(" ", lead + new + trail) if new else lead + trail
        kind = token.kind if token.kind.isalpha() else "sign"
        for end, replacement, reason in (token.start, between, why), (token.end, token.text, kind):
            old = text[at:end]
            is_same = replacement.replace(" ", "") == old.replace(" ", "")  # but for blanks
            if not is_same:
                span = SpanDict(start=at, end=end)
                changes.append(ChangeDict(span=span, replacement=replacement, reason=reason))
            result.append(old if is_same else replacement)
            at = end
        last, new, why = token.place, "", "character"
    return "".join(result), changes
