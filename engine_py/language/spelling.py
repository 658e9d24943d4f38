"""Text as people write it -> tokens as the language spells them, by schemas/rewrites.json."""

import json
import re
from collections.abc import Container, Iterable
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from engine_py.deadline import NODES_PER_CHECK, Deadline
from engine_py.errors import Span
from engine_py.operations import FUNCTIONS

_PLACES = (
    Path(__file__).parents[1] / "schemas" / "rewrites.json",  # as the wheel has it
    Path(__file__).parents[2] / "schemas" / "rewrites.json",
)
TABLES: dict[str, Any] = json.loads(next(filter(Path.exists, _PLACES)).read_text("utf-8"))


def _inverted(name: str, separator: str | None = " ") -> dict[str, str]:
    """Map each word, or each character, of a table to the key of its row."""
    rows = TABLES[name].items() if isinstance(TABLES[name], dict) else TABLES[name]
    return {word: key for key, row in rows for word in (row.split(separator) if separator else row)}


def calling(name: str, count: int) -> str:
    """Return a call with `count` placeholders for arguments: x, y and z."""
    return f"{name}({', '.join('xyz?'[:count])})"


FORMULAS: dict[str, str] = TABLES["formulas"] | {
    (call := calling(name, row.arity)): call for name, row in FUNCTIONS.items()
}
"""A call -> its formula, or two alternatives, one of which may be missing."""
WITHOUT = _inverted("without")
"""Functions that have no formula -> why."""
GREEK = {*TABLES["letters"]}
GLUED: list[str] = TABLES["glued"].split(" ")
FRACTIONS: list[str] = TABLES["fractions"].split(" ")
ROOTS = {"√": "sqrt", "∛": "cbrt"}
PAIRS = {"(": ")", "[": "]", "{": "}"}
_ALIASES = _inverted("aliases")
_WITH = {call[: call.index("(")] for call in FORMULAS}
"""Functions that have a formula."""
KNOWN = {*_WITH, *_ALIASES, *WITHOUT} - {"sigma"}
"""Functions that a text may call, whether the language has a formula for them or not."""

_CHARACTERS = _inverted("characters", None)
_CHARACTERS |= {chr(code + 0xFEE0): chr(code) for code in range(0x21, 0x7F)}
_PLAIN = str.maketrans(_CHARACTERS)
_LETTERS = str.maketrans(_CHARACTERS | _inverted("letters", None))
_LATEX, _WORDS, _MARKS = _inverted("latex"), _inverted("words"), _inverted("marks")
_SIGNS = {
    spelling: (kind, row.split(" ")[0])
    for kind, row in TABLES["signs"].items()
    for spelling in (kind, *row.split(" ")[1:])
}
"""A sign -> the kind of its token, and how the language writes it."""
_GO_ON = ("-", "+", "*", "/", "^", "break", "=")
"""After these, a statement continues on the next line."""

_CALLED = TABLES["called"].split(" ")
"""Words that are names unless they are called."""

_BEYOND = re.compile("[\U00010000-\U0010ffff]")
_FRAME = re.compile(TABLES["frame"], re.ASCII)
_STATEMENT = re.compile(TABLES["statement"], re.ASCII)
_TOKEN = "|".join(f"({row})" for row in TABLES["tokens"].values())
"""Compiled at its first use, like `TABLES["head"]`, because that takes 4 ms."""
_KINDS = (*TABLES["tokens"],)
_INDEXED = re.compile(r"[A-Za-z](?:_\{[A-Za-z0-9]+\}|_[A-Za-z0-9])?")
_SUBSCRIPT = re.compile(r"\\(?:text|mathrm|rm)|[{}\\ ]")
_LOG_OF_BASE = re.compile(r"(?:log|ln)_[A-Za-z0-9]+")
_WRAPPED = re.compile(r"\\([a-z]+)\*?[ \t\n\r]*([\s\S]*)")
_NOT_ZERO = re.compile(r"[0.]*[1-9]")
_SUFFIX = re.compile(r"_?f(?:32|64)$")


class Placed(Protocol):
    """Anything with a position in the text."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


class Refused(Exception):
    """The text has no single meaning; `span` says where: from one piece to another."""

    def __init__(self, reason: str, first: Placed, last: Placed | None = None) -> None:
        super().__init__(reason)
        self.reason, self.span = reason, Span(first.start, (last or first).end)


class Lexeme(NamedTuple):
    """A piece of the text, as the language spells it, or an insertion, which has no place.

    `kind` is number, name, function, break, end, or the symbol; for an insertion, its reason.
    `path` is the module before a name, such as `np`; `gap` is true after a blank. Pieces of one
    word have the same `run`, which is not 0.
    """

    kind: str
    text: str
    start: int = 0
    end: int = 0
    path: str = ""
    gap: bool = False
    run: int = 0
    place: int = -1

    def split(self, pieces: Iterable[tuple[str, str]]) -> "list[Lexeme]":
        """Split a word into pieces, each a kind and a text."""
        tokens, at = list[Lexeme](), self.start
        for kind, text in pieces:
            gap, end = self.gap and not tokens, at + len(text)
            tokens.append(Lexeme(kind, text, at, end, gap=gap, run=self.start + 1))
            at = end
        return tokens


def key_of(word: str) -> str | None:
    """Return a function's main name, or None if `word` names no function."""
    for each in (word, word.lower()):
        if each in WITHOUT or (each in _WITH and each != "sigma"):
            return each
        if each in _ALIASES:
            return _ALIASES[each]
    if _LOG_OF_BASE.fullmatch(word):
        return word
    return key_of(word[:-1]) if word[-1:] == "f" and word[:-1] in KNOWN else None  # C's tanhf


def as_double(number: str) -> str:
    """Return a number as it was written, unless its double is another integer or 0."""
    double = float(number)
    if double == 0:
        return "0" if _NOT_ZERO.match(number) else number
    is_other = number.isdigit() and isfinite(double) and number.lstrip("0") != f"{double:.0f}"
    return f"{double:.0f}" if is_other else number


def spell(text: str) -> tuple[str, str]:
    """Replace characters by ASCII ones that mean the same; NUL replaces a skipped one.

    The second text is the head `sin(x) = `, if the text defines a function that the language has.
    """
    plain = _FRAME.sub(_nothing, _BEYOND.sub("\uffff", text))
    head = re.match(TABLES["head"], plain, re.ASCII)
    if not head:  # which may be empty
        return plain, ""
    plain = _STATEMENT.sub(_nothing, _nothing(head) + plain[head.end() :])
    defined = head[0] if head[1] in TABLES["solved"].split(" ") else ""
    return plain.translate(_PLAIN), defined


def _nothing(found: re.Match[str]) -> str:
    return re.sub("[^\n]", "\0", found[0])


def scan(plain: str, given: Container[str], deadline: Deadline, *, is_latex: bool) -> list[Lexeme]:
    """Cut the text into tokens, the last one being the end."""
    tokens: list[Lexeme] = []
    at = count = depth = single = 0
    gap, pattern = False, re.compile(_TOKEN, re.ASCII)
    while found := pattern.match(plain, at):
        if count % NODES_PER_CHECK == 0:
            deadline.check()
        start, count = at, count + 1
        kind, text = _next(found, tokens, is_latex=is_latex)
        if single and kind != "blank":  # `\frac12` is 1/2
            single = single - 1 if kind in ("number", "name", "command") else 0
            text = text[0] if kind in ("number", "name") and text[0] != "." else text
        at += len(text)
        token = _token(kind, text, Lexeme("", "", start, at, gap=gap), given, plain)
        depth += (token.kind in PAIRS) - (token.kind in PAIRS.values())
        gap = not token.kind
        if kind == "command":
            single = 2 if token.text in FRACTIONS else token.text == "sqrt"
        if kind == "raised":
            tokens += _raised(token)
        elif token.text == ";" and depth > 0:
            tokens.append(token._replace(kind=",", text=","))
        elif token.kind == "break":  # unless the statement continues
            ends = depth <= 0 and tokens and tokens[-1].kind not in _GO_ON
            tokens += [token] if ends else []
        elif token.kind:
            tokens.append(token)
    while tokens and tokens[-1].kind == "break":
        tokens.pop()
    return [*tokens, Lexeme("end", "", len(plain), len(plain))]


def _next(found: re.Match[str], before: list[Lexeme], *, is_latex: bool) -> tuple[str, str]:
    """Return the kind and the text of a token."""
    plain, at, text = found.string, found.start(), found[0]
    kind = _KINDS[(found.lastindex or 1) - 1]
    if text == "||":
        if not before or before[-1].kind in ("(", *_GO_ON):
            raise Refused("norm", Span(at, at + 2))
        return kind, "|"
    if kind != "name" or not is_latex or not text.isascii():
        return kind, text
    if text[0] == "_":
        raise Refused("unknown", Span(at, at + 1))
    word = re.match(TABLES["latex_word"], text) if "_" in text else None  # an index is short
    text = word[0] if word else text
    follows = plain[at + len(text) : at + len(text) + 1]
    if text[-1] == "_" or (follows == "_" and "_" not in text):
        indexed = _INDEXED.match(plain, at)
        text = indexed[0] if indexed else text
    return kind, text


def _raised(token: Lexeme) -> list[Lexeme]:
    """Return superscripts as a power: a sign, digits or a name."""
    found = re.findall("[-+]|[0-9]+|[a-z]", token.text)
    kinds = ["number" if each.isdigit() else "name" if each.isalpha() else each for each in found]
    sign = token._replace(kind="^", text="**", end=token.start)
    return [sign, *token.split(zip(kinds, found, strict=True))]


def _token(kind: str, text: str, at: Lexeme, given: Container[str], plain: str) -> Lexeme:
    """Spell one token as the language does; a blank has no kind."""
    if kind in ("name", "letter"):
        return _name(text, at, given, plain)
    if kind == "wrapped":
        return _wrapped(text, at)
    if kind == "command":
        return _command(text[1:], at)
    if kind in ("symbol", "bad"):
        if text not in _SIGNS:
            reason = "number" if kind == "bad" else TABLES["symbols"].get(text, "unknown")
            raise Refused(reason, at)
        kind, text = _SIGNS[text]
    elif kind == "raised":
        text = "".join([TABLES["raised"][each] for each in text])
    elif kind == "number":
        digits = _SUFFIX.sub("", text).replace("_", "")
        text = TABLES["halves"].get(text) or as_double(digits)
    elif kind == "break":
        text = "\n" if text == "\n" else ";"
    return at if kind == "blank" else at._replace(kind=kind, text=text)


def _wrapped(text: str, at: Lexeme) -> Lexeme:
    r"""Read `\operatorname{...}`, `\hat{...}` and the like as a name."""
    macro, inner = _WRAPPED.findall(text)[0]
    base, _, low = _SUBSCRIPT.sub("", inner).partition("_")
    if (base in WITHOUT and low) or not base[:1].isalpha():
        raise Refused(WITHOUT.get(base, "unknown"), at)
    return at._replace(kind="name", text=base + _MARKS.get(macro, "") + (low and f"_{low}"))


def _command(text: str, at: Lexeme) -> Lexeme:
    """Read a LaTeX command: a name, perhaps with an index, or a symbol, or nothing."""
    word, line, index = text.partition("_")
    if reason := TABLES["commands"].get(word):
        raise Refused(reason, at)
    if text in _LATEX:
        return at._replace(kind=_LATEX[text], text=_LATEX[text])
    word = word.removeprefix("var") if word in TABLES["variants"].split(" ") else word
    if word not in KNOWN and word not in GREEK and word not in FRACTIONS and word != "ell":
        raise Refused("unknown_function", at)
    return at._replace(kind="name", text=word + line + _SUBSCRIPT.sub("", index))


def _name(text: str, at: Lexeme, given: Container[str], plain: str) -> Lexeme:
    """Read a word, with its path, its index and its letters of other scripts."""
    path, _, word = _SUBSCRIPT.sub("", text).replace("::", ".").rpartition(".")
    word = word.replace("$", "").translate(_LETTERS)
    reason = _WORDS.get(word)
    is_called = word not in _CALLED or plain[at.end : at.end + 1] == "("
    if reason and is_called and word not in given and not (word == "mod" and path):
        raise Refused(reason, at)
    if not word.isascii():
        raise Refused("unknown", at)
    return at._replace(kind="name", text=word, path=path)
