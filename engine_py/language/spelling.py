"""What people write -> tokens in the spelling of the language."""

import re
from collections.abc import Collection, Iterable
from typing import NamedTuple

from engine_py.language.tables import CHARACTERS, KNOWN, LATEX, LETTERS, SIGNS, TABLES

_LONGEST_SPLIT = 40
"""Characters of a name that is read as a product of names."""

_BEYOND = re.compile("[\U00010000-\U0010ffff]")
_COMMENT = re.compile(r"#[^\n]*")
_COMMAND = re.compile(r"\\([A-Za-z]+|[^A-Za-z])")
_DECIMAL_COMMA = re.compile(r"(?<=[0-9]),(?=(?:[0-9]{1,2}|[0-9]{4,})(?![0-9,.]))")
_HEAD = re.compile(TABLES["head"], re.ASCII)
_REFUSED = [(reason, re.compile(row, re.ASCII)) for reason, row in TABLES["refused"]]
_KINDS = (*TABLES["tokens"], "unknown")
_TOKEN = re.compile("|".join(f"({row})" for row in [*TABLES["tokens"].values(), r"[\s\S]"]))
_SYMBOLS = {"^": "**", ":=": "=", "{": "(", "}": ")", "\n": ";"}
_GO_ON = ("-", "+", "*", "/", "**", ";", "=")
"""Behind them a line goes on."""


class Refused(Exception):
    """The text has no one program; `start` and `end` say where."""

    def __init__(self, reason: str, start: int, end: int) -> None:
        super().__init__(reason)
        self.reason, self.start, self.end = reason, start, end


class Token(NamedTuple):
    """A piece of the text, as the language spells it.

    `kind` is number, name, letter, root, raised (a number above the line), end, or the symbol;
    `path` is what stands before a name, such as `np`, and `place` the token's index.
    """

    kind: str
    text: str
    start: int
    end: int
    path: str = ""
    place: int = -1


def spell(text: str) -> str:
    """Return as many characters, in ASCII where they mean that; NUL stands for nothing."""
    plain = _COMMENT.sub(_nothing, _BEYOND.sub("\uffff", text))
    if len(plain) > 1 and plain[0] == plain[-1] == "$":
        plain = f"\0{plain[1:-1]}\0"
    head = _HEAD.match(plain)
    if head and head[1] in KNOWN:
        raise Refused("comparison", *head.span())
    plain = _HEAD.sub(_nothing, plain, count=1)
    if "(" not in plain:
        plain = _DECIMAL_COMMA.sub(".", plain)
    for reason, pattern in _REFUSED:
        if found := pattern.search(plain):
            raise Refused(reason, *found.span())
    return _COMMAND.sub(_command, "".join([CHARACTERS.get(each, each) for each in plain]))


def _nothing(found: re.Match[str]) -> str:
    return "\0" * len(found[0])


def _command(found: re.Match[str]) -> str:
    """Spell a command of LaTeX."""
    word = found[1]
    if word in KNOWN or word in TABLES["letters"]:
        return f"\0{word}"
    if word not in LATEX:
        raise Refused("unknown", *found.span())
    return LATEX[word].ljust(len(found[0]), "\0")


def tokenize(plain: str, names: Collection[str]) -> list[Token]:
    """Cut the text into tokens, the last one being the end."""
    tokens: list[Token] = []
    depth = 0
    for found in _TOKEN.finditer(plain):
        kind, text, (start, end) = _KINDS[(found.lastindex or 0) - 1], found[0], found.span()
        if kind == "unknown" or (kind == "letter" and text[0] not in LETTERS):
            raise Refused("unknown", start, end)
        path = ""
        if kind == "number":
            text = text.replace("_", "")
        elif kind in ("name", "letter"):
            path, _, text = text.replace("{", "").replace("}", "").rpartition(".")
            text = LETTERS.get(text[0], text[0]) + text[1:]
        elif kind == "sign":
            text = SIGNS[text]
            kind = "root" if text.isalpha() else "number"
        elif kind == "raised":
            tokens.append(Token("**", "**", start, start))
            text = "".join(["0123456789+-"[TABLES["raised"].index(each)] for each in text])
        elif kind == "symbol":
            depth += (text in "({") - (text in ")}")
            if text == "\n" and (depth > 0 or not tokens or tokens[-1].kind in _GO_ON):
                continue
            symbol = _SYMBOLS.get(text, text)
            kind, text = text if text in "{}" else symbol, text if text == "\n" else symbol
        if kind != "blank":
            tokens += _pieces(Token(kind, text, start, end, path), names)
    return [*tokens, Token("end", "", len(plain), len(plain))]


def _pieces(token: Token, names: Collection[str]) -> list[Token]:
    """Split a name that has no value into names that have one, where there is one way."""
    word = token.text
    whole = token.kind != "name" or token.path or word in KNOWN or word in names
    if whole or len(word) > _LONGEST_SPLIT:
        return [token]
    ways: list[list[list[str]]] = [[[]]]
    for end in range(1, len(word) + 1):
        found = [[*way, word[i:end]] for i in range(end) if word[i:end] in names for way in ways[i]]
        ways.append(found[:2])
    if len(ways[-1]) > 1:
        raise Refused("two_readings", token.start, token.end)
    return split(token, ways[-1][0]) if ways[-1] else [token]


def split(token: Token, words: Iterable[str]) -> list[Token]:
    """Cut a name into these."""
    pieces, at = list[Token](), token.start
    for word in words:
        pieces.append(token._replace(text=word, start=at, end=at + len(word)))
        at += len(word)
    return pieces
