"""Text -> tokens."""

import re
from string import ascii_letters, digits
from typing import NamedTuple

from engine_py.errors import Span, UnexpectedCharacter

_PIECE = re.compile(
    r"""
    [ \t\r]+ | \# [\t\r -~]*
  | (?: [0-9]+ \.? [0-9]* | \.[0-9]+ ) (?: [eE] [+-]? [0-9]+ )?
  | [A-Za-z_] [A-Za-z0-9_]*
  | \*\*
  | .  # a newline, any other symbol, or a character outside the language
    """,
    re.VERBOSE | re.DOTALL,
)

_KINDS = {
    **dict.fromkeys(" \t\r#", "blank"),  # a comment separates tokens like a blank
    **dict.fromkeys(digits + ".", "number"),
    **dict.fromkeys(ascii_letters + "_", "name"),
    "\n": "newline",
    **{symbol: symbol for symbol in "-+*/()=,;"},
}
"""Kind of a piece, by its first character."""


class Token(NamedTuple):
    """A piece of the text. `kind` is number, name, end, or the symbol itself."""

    kind: str
    text: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        """Position of the token."""
        return Span(self.start, self.end)


class Tokens(NamedTuple):
    """All tokens of a text as columns, the last one being the end.

    An object per token would take a third of the time that tokenizing does.
    """

    kinds: list[str]
    texts: list[str]
    starts: list[int]

    def at(self, index: int) -> Token:
        """Return one token, for an error."""
        text, start = self.texts[index], self.starts[index]
        return Token(self.kinds[index], text, start, start + len(text))


def tokenize(text: str) -> Tokens:
    """Cut the text into tokens, the last one being the end.

    A newline becomes `;` where it can end a statement: outside parentheses, after an operand.
    """
    kinds, texts, starts = tokens = Tokens([], [], [])
    before, depth, end = "", 0, 0
    for piece in _PIECE.findall(text):  # which together are the text
        start, end = end, end + len(piece)
        kind = _KINDS.get(piece[0])
        if kind == "blank":
            continue
        if kind is None or piece == ".":
            raise _unexpected_character(piece, start)
        if kind == "newline":
            if depth > 0 or before not in ("number", "name", ")"):
                continue
            kind = ";"
        elif kind == "(":
            depth += 1
        elif kind == ")":
            depth -= 1
        elif piece == "**":
            kind = piece
        before = kind
        kinds.append(kind)
        texts.append(piece)
        starts.append(start)
    kinds.append("end")
    texts.append("")
    starts.append(end)
    return tokens


_ASCII = "use ASCII letters, digits, _ and + - * / ** ( ) = , ;"


def _unexpected_character(character: str, position: int) -> UnexpectedCharacter:
    shown = f"`{character}`" if " " < character <= "~" else f"U+{ord(character):04X}"
    message = f"{shown} at offset {position} is not part of the language; {_ASCII}"
    return UnexpectedCharacter(message, Span(position, position + 1))
