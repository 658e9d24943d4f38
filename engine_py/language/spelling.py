"""What people write -> tokens in the spelling of the language, by schemas/rewrites.json."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from engine_py.deadline import NODES_PER_CHECK, Deadline
from engine_py.errors import SpanDict
from engine_py.operations import FUNCTIONS

_PLACES = (
    Path(__file__).parents[1] / "schemas" / "rewrites.json",  # as the wheel has it
    Path(__file__).parents[2] / "schemas" / "rewrites.json",
)
TABLES: dict[str, Any] = json.loads(next(filter(Path.exists, _PLACES)).read_text("utf-8"))


def _inverted(rows: dict[str, str], separator: str = "") -> dict[str, str]:
    """Map each character, or each word, to the key of its row."""
    words = {key: row.split(separator) if separator else row for key, row in rows.items()}
    return {word: key for key, row in words.items() for word in row}


def calling(name: str, count: int) -> str:
    """Return a call with so many arguments, for which there are three names."""
    return f"{name}({', '.join('xyz?'[:count])})"


FORMULAS: dict[str, str] = TABLES["formulas"] | {
    (call := calling(name, row.arity)): call for name, row in FUNCTIONS.items()
}
"""A call -> its formula, or the two that it has, of which one may not be there."""
WITHOUT = {word: reason for reason, row in TABLES["without"] for word in row.split(" ")}
"""Functions that have no formula -> why."""
_CHARACTERS = _inverted(TABLES["characters"])
_CHARACTERS |= {chr(ascii_code + 0xFEE0): chr(ascii_code) for ascii_code in range(0x21, 0x7F)}
_SPELLED = _inverted(TABLES["letters"]) | _inverted(TABLES["signs"])
_ALIASES, _LATEX = _inverted(TABLES["aliases"], " "), _inverted(TABLES["latex"], " ")
KNOWN = {*(call[: call.index("(")] for call in FORMULAS), *_ALIASES, *WITHOUT}
"""Functions that a text may call, whether the language has a formula for them or not."""

_BEYOND = re.compile("[\U00010000-\U0010ffff]")
_COMMENT = re.compile(r"#[^\n]*")
_DECIMAL_COMMA = re.compile(r"(?<=[0-9]),(?=(?:[0-9]{1,2}|[0-9]{4,})(?![0-9,.]))")
_HEAD = re.compile(TABLES["head"], re.ASCII)
_REFUSED = [(reason, re.compile(row, re.ASCII)) for reason, row in TABLES["refused"]]
_KINDS = (*TABLES["tokens"], "unknown")
_TOKEN = re.compile("|".join(f"({row})" for row in [*TABLES["tokens"].values(), r"[\s\S]"]))
_SYMBOLS = {"^": "**", ":=": "=", "\n": ";"}
_WRITTEN = {"**": "**", "=": "=", "{": "(", "}": ")"}
_GO_ON = ("-", "+", "*", "/", "**", ";", "=")
"""Behind them a line goes on."""


class Refused(Exception):
    """The text has no one program; `span` says where."""

    def __init__(self, reason: str, start: int, end: int) -> None:
        super().__init__(reason)
        self.reason, self.span = reason, SpanDict(start=start, end=end)


class Lexeme(NamedTuple):
    """A piece of the text, as the language spells it; or what is put in, which has no place.

    `kind` is number, name, letter, root, raised (a number above the line), end, or the symbol; of
    what is put in it is the reason. `path` is what stands before a name, such as `np`.
    """

    kind: str
    text: str
    start: int = 0
    end: int = 0
    path: str = ""
    place: int = -1

    def split(self, words: Iterable[str]) -> "list[Lexeme]":
        """Cut a name into these."""
        pieces, at = list[Lexeme](), self.start
        for word in words:
            pieces.append(self._replace(text=word, start=at, end=at + len(word)))
            at += len(word)
        return pieces


def key_of(word: str) -> str:
    """Return the one name of a function."""
    return word if f"{word}(x)" in FORMULAS else _ALIASES.get(word.lower(), word.lower())


def spell(text: str) -> str:
    """Return as many characters, in ASCII where they mean that; NUL stands for nothing."""
    plain = _COMMENT.sub(_nothing, _BEYOND.sub("\uffff", text))
    head = _HEAD.match(plain)
    if head and head[1] in KNOWN:
        raise Refused("comparison", *head.span())
    plain = _HEAD.sub(_nothing, plain, count=1)
    if "(" not in plain:
        plain = _DECIMAL_COMMA.sub(".", plain)
    for reason, pattern in _REFUSED:
        if found := pattern.search(plain):
            raise Refused(reason, *found.span())
    return "".join([_CHARACTERS.get(each, each) for each in plain])


def _nothing(found: re.Match[str]) -> str:
    return "\0" * len(found[0])


def scan(plain: str, deadline: Deadline) -> list[Lexeme]:
    """Cut the text into tokens, the last one being the end."""
    tokens: list[Lexeme] = []
    depth = 0
    for count, found in enumerate(_TOKEN.finditer(plain)):
        if count % NODES_PER_CHECK == 0:
            deadline.check()
        kind, (start, end) = _KINDS[(found.lastindex or 0) - 1], found.span()
        kind, text = _command(found[0]) if kind == "command" else (kind, found[0])
        text, path = "".join([_SPELLED.get(each, each) for each in text]), ""
        if kind == "unknown" or not text.isascii():
            raise Refused("unknown", start, end)
        if kind == "number":
            text = text.replace("_", "")
        elif kind in ("name", "letter"):
            path, _, text = text.replace("{", "").replace("}", "").rpartition(".")
        elif kind == "raised":
            tokens.append(Lexeme("**", "**", start, start))
        elif kind == "symbol":
            depth += (text in "({") - (text in ")}")
            if text == "\n" and (depth > 0 or not tokens or tokens[-1].kind in _GO_ON):
                continue
            separates = text[0] == "}" != text or (text == ";" and depth > 0)
            kind = "," if separates else _SYMBOLS.get(text, text)
            text = _WRITTEN.get(kind, text)
        if kind != "blank":
            tokens.append(Lexeme(kind, text, start, end, path))
    return [*tokens, Lexeme("end", "", len(plain), len(plain))]


def _command(text: str) -> tuple[str, str]:
    """Read a command of LaTeX: a name, or a symbol, or nothing."""
    word = text[1:]
    if word in _LATEX:
        return ("symbol" if _LATEX[word] else "blank"), _LATEX[word]
    known = re.split("[_{]", word, maxsplit=1)[0] in {*KNOWN, *TABLES["letters"]}
    return ("name" if known else "unknown"), word
