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
        kind, found, start, position = match.lastgroup, match.group(), position, match.end()
        if kind == "symbol":
            depth += (found == "(") - (found == ")")
            tokens.append(Token(found, found, start, position))
        elif kind == "newline":
            if depth <= 0 and tokens and tokens[-1].kind in ("number", "name", ")"):
                tokens.append(Token(";", found, start, position))
        elif kind != "blank":
            tokens.append(Token(kind or "", found, start, position))
    tokens.append(Token("end", "", position, position))
    return tokens


def _unexpected_character(character: str, position: int) -> UnexpectedCharacter:
    shown = f"`{character}`" if " " < character <= "~" else f"U+{ord(character):04X}"
    cure = cure_of_character(character)
    message = f"{shown} at offset {position} is not part of the language; {cure}"
    return UnexpectedCharacter(message, Span(position, position + 1))
