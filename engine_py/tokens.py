"""Text -> tokens."""

import re
from typing import NamedTuple

from engine_py.cures import cure_of_character
from engine_py.errors import Span, UnexpectedCharacter

_TOKEN = re.compile(
    r"""
    (?P<blank>   [ \t\r]+ )
  | (?P<number>  (?: [0-9]+ \.? [0-9]* | \.[0-9]+ ) (?: [eE] [+-]? [0-9]+ )? )
  | (?P<name>    [A-Za-z_] [A-Za-z0-9_]* )
  | (?P<newline> \n )
  | (?P<symbol>  \*\* | [-+*/()=,;] )
    """,
    re.VERBOSE,
)


class Token(NamedTuple):
    """A piece of the text. `kind` is number, name, end, or the symbol itself."""

    kind: str
    text: str
    start: int
    end: int

    @property
    def span(self) -> Span:
        """Where the token stands."""
        return Span(self.start, self.end)


_new = tuple.__new__
"""Makes a Token in half of the time that its constructor takes."""


def tokenize(text: str) -> list[Token]:
    """Cut the text into tokens, the last one being the end.

    A newline becomes `;` where it can end a statement: outside parentheses, after an operand.
    """
    tokens: list[Token] = []
    position = depth = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise _unexpected_character(text[position], position)
        kind, start, position = match.lastgroup, position, match.end()
        if kind == "blank":
            continue
        found = match.group()
        if kind == "symbol":
            depth += (found == "(") - (found == ")")
            kind = found
        elif kind == "newline":
            if depth > 0 or not tokens or tokens[-1].kind not in ("number", "name", ")"):
                continue
            kind = ";"
        tokens.append(_new(Token, (kind, found, start, position)))
    tokens.append(Token("end", "", position, position))
    return tokens


def _unexpected_character(character: str, position: int) -> UnexpectedCharacter:
    shown = f"`{character}`" if " " < character <= "~" else f"U+{ord(character):04X}"
    cure = cure_of_character(character)
    message = f"{shown} at offset {position} is not part of the language; {cure}"
    return UnexpectedCharacter(message, Span(position, position + 1))
