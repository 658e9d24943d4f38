"""Text -> trees, by recursive descent, for the oracle: one function a rule of the grammar.

Programs are correct here, so nothing is refused: the oracle judges documents, not errors.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

_TOKEN = re.compile(
    r"(?P<blank>[ \t\r]+)|(?P<line>\n)"
    r"|(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<sign>\*\*|[-+*/()=,;])"
)


class Span(NamedTuple):
    """Offsets into the text."""

    start: int
    end: int

    def to(self, other: Span) -> Span:
        """Stretch to the end of another."""
        return Span(self.start, other.end)


class Token(NamedTuple):
    """A word of the text; `kind` is number, name or sign."""

    kind: str
    text: str
    span: Span


class Tree(NamedTuple):
    """An expression. `kind` is number, name, or the operation's symbol."""

    kind: str
    text: str
    span: Span
    parts: tuple[Tree, ...] = ()
    cover: Span | None = None
    """The span with parentheses or a prefix + around it, where there are any."""

    @property
    def outside(self) -> Span:
        """What an operation on this tree covers."""
        return self.cover or self.span


def read(text: str) -> list[tuple[str | None, Tree]]:
    """Give the statements, each with the name that it binds."""
    return [_Statement(tokens).read() for tokens in _statements(text)]


def _statements(text: str) -> list[list[Token]]:
    """Cut at `;`, and at a newline after an operand and outside parentheses."""
    found: list[list[Token]] = [[]]
    depth = position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        assert match is not None
        assert match.lastgroup is not None
        kind, word, span = match.lastgroup, match.group(), Span(position, match.end())
        position = match.end()
        depth += (word == "(") - (word == ")")
        before = found[-1][-1] if found[-1] else None
        complete = before is not None and (before.kind != "sign" or before.text == ")")
        if word == ";" or (kind == "line" and complete and depth == 0):
            found.append([])
        elif kind not in ("blank", "line"):
            found[-1].append(Token(kind, word, span))
    return [tokens for tokens in found if tokens]


class _Statement:
    def __init__(self, tokens: list[Token]) -> None:
        self.rest = tokens[::-1]

    def read(self) -> tuple[str | None, Tree]:
        name = None
        if self.sees("=", ahead=1):
            name = self.rest.pop().text
            self.rest.pop()
        tree = self.sum()
        assert not self.rest, f"left over: {self.rest}"
        return name, tree

    def sees(self, *words: str, ahead: int = 0) -> bool:
        return len(self.rest) > ahead and self.rest[-1 - ahead].text in words

    def sees_number(self) -> bool:
        return bool(self.rest) and self.rest[-1].kind == "number"

    def sum(self) -> Tree:
        return self.left_to_right(self.product, "+", "-")

    def product(self) -> Tree:
        return self.left_to_right(self.prefixed, "*", "/")

    def left_to_right(self, operand: Callable[[], Tree], *signs: str) -> Tree:
        left = operand()
        while self.sees(*signs):
            sign = self.rest.pop().text
            right = operand()
            left = Tree(sign, sign, left.outside.to(right.outside), (left, right))
        return left

    def prefixed(self) -> Tree:
        if not self.sees("-", "+"):
            return self.power()
        sign = self.rest.pop()
        if sign.text == "-" and self.sees_number() and not self.sees("**", ahead=1):
            return self.number(sign)
        inner = self.prefixed()
        span = sign.span.to(inner.outside)
        return inner._replace(cover=span) if sign.text == "+" else Tree("neg", "-", span, (inner,))

    def power(self) -> Tree:
        base = self.atom()
        if not self.sees("**"):
            return base
        self.rest.pop()
        exponent = self.number(self.rest.pop() if self.sees("-", "+") else None)
        return Tree("**", "**", base.outside.to(exponent.span), (base, exponent))

    def number(self, sign: Token | None = None) -> Tree:
        token = self.rest.pop()
        if sign is None:
            return Tree("number", token.text, token.span)
        return Tree("number", sign.text + token.text, sign.span.to(token.span))

    def atom(self) -> Tree:
        if self.sees_number():
            return self.number()
        first = self.rest.pop()
        if first.text != "(" and not self.sees("("):
            return Tree("name", first.text, first.span)
        if first.text != "(":
            self.rest.pop()
        inner = [self.sum()]
        while self.sees(","):
            self.rest.pop()
            inner.append(self.sum())
        span = first.span.to(self.rest.pop().span)
        if first.text == "(":
            return inner[0]._replace(cover=span)
        return Tree(first.text, first.text, span, tuple(inner))
