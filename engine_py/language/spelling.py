"""What people write -> tokens in the spelling of the language, by schemas/rewrites.json."""

import json
import re
from collections.abc import Container, Iterable
from math import isfinite
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
    """Return a call with `count` arguments, for which there are three names."""
    return f"{name}({', '.join('xyz?'[:count])})"


FORMULAS: dict[str, str] = TABLES["formulas"] | {
    (call := calling(name, row.arity)): call for name, row in FUNCTIONS.items()
}
"""A call -> its formula, or the two that it has, of which one may be missing."""
WITHOUT = {word: reason for reason, row in TABLES["without"] for word in row.split(" ")}
"""Functions that have no formula -> why."""
LETTERS = _inverted(TABLES["letters"])
GREEK = {*TABLES["letters"]}
RAISED: dict[str, str] = TABLES["raised"]
ALIASES = _inverted(TABLES["aliases"], " ")
GLUED: list[str] = TABLES["glued"].split(" ")
FRACTIONS = ("frac", "dfrac", "tfrac")
ROOTS = {"√": "sqrt", "∛": "cbrt"}
PAIRS = {"(": ")", "[": "]", "{": "}"}
WITH = {call[: call.index("(")] for call in FORMULAS}
"""Functions that have one."""
KNOWN = {*WITH, *ALIASES, *WITHOUT} - {"sigma"}
"""Functions that a text may call, whether the language has a formula for them or not."""

_CHARACTERS = _inverted(TABLES["characters"])
_CHARACTERS |= {chr(ascii_code + 0xFEE0): chr(ascii_code) for ascii_code in range(0x21, 0x7F)}
_LATEX = _inverted(TABLES["latex"], " ")
_WORDS = _inverted(TABLES["words"], " ")
_HALVES: dict[str, str] = TABLES["halves"]
_SYMBOLS = {"**": "^", ":=": "=", "<-": "=", ".*": "*", "./": "/", ".^": "^"}
_WRITTEN = {"^": "**", "=": "=", "{": "(", "}": ")", "[": "(", "]": ")"}
_ALLOWED = ("+", "-", "*", "/", "^", "(", ")", "{", "}", "[", "]", "|", "=", ",", ".", *ROOTS)
_MARKS = {"hat": "hat", "widehat": "hat", "bar": "bar", "overline": "bar", "tilde": "tilde"}
_VARIANTS = ("varepsilon", "vartheta", "varphi", "varrho", "varsigma")
_GO_ON = ("-", "+", "*", "/", "^", "break", "=")
"""Behind them a line goes on."""
_CALLED = ("diff", "deriv", "gradient", "derivative", "integrate")
"""Words that are names unless they are called."""

_BEYOND = re.compile("[\U00010000-\U0010ffff]")
_COMMENT = re.compile(r"#[^\n]*")
_FRAME = re.compile(TABLES["frame"], re.ASCII)
_STATEMENT = re.compile(TABLES["statement"], re.ASCII)
_SOLVED = {*TABLES["solved"].split(" ")}
_TOKEN = "|".join(f"({row})" for row in TABLES["tokens"].values())
"""Compiled at its first use, as the head of a text is: that takes 4 ms."""
_KINDS = (*TABLES["tokens"],)
_LATEX_WORD = re.compile(TABLES["latex_word"])
_INDEXED = re.compile(r"[A-Za-z](?:_\{[A-Za-z0-9]+\}|_[A-Za-z0-9])?")
_SUBSCRIPT = re.compile(r"\\(?:text|mathrm|rm)|[{}\\ ]")
_LOG_OF_BASE = re.compile(r"(?:log|ln)_[A-Za-z0-9]+")
_WRAPPED = re.compile(r"\\([a-z]+)\*?[ \t\n\r]*([\s\S]*)")
_NOT_ZERO = re.compile(r"[0.]*[1-9]")
_SUFFIX = re.compile(r"_?f(?:32|64)$")


class Refused(Exception):
    """The text has no one program; `span` says where."""

    def __init__(self, reason: str, start: int, end: int) -> None:
        super().__init__(reason)
        self.reason, self.span = reason, SpanDict(start=start, end=end)


class Lexeme(NamedTuple):
    """A piece of the text, as the language spells it; or what is put in, which has no place.

    `kind` is number, name, function, break, end, or the symbol; that of an insertion is its reason.
    `path` is what stands before a name, such as `np`; `gap` says that a blank does. Pieces of one
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
        """Cut a word into pieces, each a kind and a text."""
        tokens, at = list[Lexeme](), self.start
        for kind, text in pieces:
            end, run = at + len(text), self.start + 1
            tokens.append(Lexeme(kind, text, at, end, "", self.gap and not tokens, run))
            at = end
        return tokens


def key_of(word: str) -> str | None:
    """Return the one name of a function, None where there is none of this name."""
    for each in (word, word.lower()):
        if each in WITHOUT or (each in WITH and each != "sigma"):
            return each
        if each in ALIASES:
            return ALIASES[each]
    if _LOG_OF_BASE.fullmatch(word):
        return word
    return key_of(word[:-1]) if word[-1:] == "f" and word[:-1] in KNOWN else None  # tanhf of C


def as_double(number: str) -> str:
    """Return a number as it was written, unless its double is another integer, or 0."""
    double = float(number)
    if double == 0:
        return "0" if _NOT_ZERO.match(number) else number
    is_other = number.isdigit() and isfinite(double) and number.lstrip("0") != f"{double:.0f}"
    return f"{double:.0f}" if is_other else number


def spell(text: str) -> tuple[str, str]:
    """Return as many characters, in ASCII where they mean that; NUL stands for nothing.

    The second text is the head `sin(x) = `, if the text defines a function that the language has.
    """
    plain = _COMMENT.sub(_nothing, _BEYOND.sub("\uffff", text))
    plain = _FRAME.sub(_nothing, plain)
    heads = re.compile(TABLES["head"], re.ASCII)
    head = heads.match(plain)
    defined = head[0] if head and head[1] in _SOLVED else ""
    plain = heads.sub(_nothing, plain, count=1)
    plain = _STATEMENT.sub(_nothing, plain)
    return "".join([_CHARACTERS.get(each, each) for each in plain]), defined


def _nothing(found: re.Match[str]) -> str:
    return "".join(["\n" if each == "\n" else "\0" for each in found[0]])


def scan(plain: str, given: Container[str], deadline: Deadline, *, is_latex: bool) -> list[Lexeme]:
    """Cut the text into tokens, the last one being the end."""
    tokens: list[Lexeme] = []
    at = count = depth = single = 0
    gap = False
    while at < len(plain):
        if count % NODES_PER_CHECK == 0:
            deadline.check()
        start, count = at, count + 1
        kind, text = _next(plain, at, tokens, is_latex=is_latex)
        if single and kind != "blank":  # `\frac12` is 1/2
            single = single - 1 if kind in ("number", "name", "command") else 0
            text = text[0] if kind in ("number", "name") and text[0] != "." else text
        at += len(text)
        token = _token(kind, text, Lexeme("", "", start, at, gap=gap), given, plain)
        depth += (token.kind in PAIRS) - (token.kind in PAIRS.values())
        gap = not token.kind
        if kind == "raised":
            tokens += _raised(token)
        elif token.kind == "break":
            tokens += _separator(token, tokens, depth)
        elif token.kind:
            tokens.append(token)
        if kind == "command":
            single = 2 if token.text in FRACTIONS else token.text == "sqrt"
    while tokens and tokens[-1].kind == "break":
        tokens.pop()
    return [*tokens, Lexeme("end", "", len(plain), len(plain))]


def _next(plain: str, at: int, before: list[Lexeme], *, is_latex: bool) -> tuple[str, str]:
    """Return the kind and the text of the token at a place."""
    found = re.compile(_TOKEN, re.ASCII).match(plain, at)
    kind, text = _KINDS[found.lastindex - 1], found[0]  # type: ignore[index,operator,union-attr]
    if text == "||":
        if not before or before[-1].kind in ("=", "(", *_GO_ON):
            raise Refused("norm", at, at + 2)
        return kind, "|"
    is_word = kind == "name" and is_latex and text.isascii()
    return kind, _latex_word(plain, at, text) if is_word else text


def _separator(token: Lexeme, before: list[Lexeme], depth: int) -> list[Lexeme]:
    """Return the end of a statement or of an argument; nothing where it goes on."""
    if token.text == ";" and depth > 0:
        return [token._replace(kind=",", text=",")]
    return [] if depth > 0 or not before or before[-1].kind in _GO_ON else [token]


def _latex_word(plain: str, at: int, text: str) -> str:
    """Return as much of a word as LaTeX sets as one name: an index is one character or braces."""
    if text[0] == "_":
        raise Refused("unknown", at, at + 1)
    text = text if "_" not in text else (_LATEX_WORD.match(text) or _KEEP)[0]
    follows = plain[at + len(text) : at + len(text) + 1]
    if text[-1:] == "_" or (follows == "_" and "_" not in text):
        text = (_INDEXED.match(plain, at) or _KEEP)[0]
    return text


_KEEP = ("_",)


def _raised(token: Lexeme) -> list[Lexeme]:
    """Return what stands above the line as a power: a sign, digits or a name."""
    made, start = [token._replace(kind="^", text="**", end=token.start)], token.start
    for piece in re.findall("[-+]|[0-9]+|[a-z]", token.text):
        kind = "number" if piece.isdigit() else "name" if piece.isalpha() else piece
        made.append(Lexeme(kind, piece, start, start + len(piece)))
        start += len(piece)
    return made


def _token(kind: str, text: str, at: Lexeme, given: Container[str], plain: str) -> Lexeme:
    """Spell one token as the language does; a blank has no kind."""
    if kind in ("name", "letter"):
        return _name(text, at, given, plain)
    if kind in ("symbol", "bad"):
        return _symbol(kind, _SYMBOLS.get(text, text), at)
    if kind in ("wrapped", "command"):
        return _wrapped(text, at) if kind == "wrapped" else _command(text[1:], at)
    if kind == "number":
        text = _SUFFIX.sub("", text).replace("_", "")
        text = text if text in _HALVES else as_double(text)
    text = {
        "blank": "",
        "break": "\n" if text == "\n" else ";",
        "number": _HALVES.get(text, text),
        "raised": "".join([RAISED.get(each, "") for each in text]),
    }[kind]
    return at._replace(kind=kind if text else "", text=text)


def _symbol(kind: str, text: str, at: Lexeme) -> Lexeme:
    """Read a sign, which may be one that no formula has."""
    reason = "number" if kind == "bad" else TABLES["symbols"].get(text)
    if reason or text not in _ALLOWED:
        raise Refused(reason or "unknown", at.start, at.end)
    return at._replace(kind=text, text=_WRITTEN.get(text, text))


def _wrapped(text: str, at: Lexeme) -> Lexeme:
    r"""Read `\operatorname{...}`, `\hat{...}` and the like as a name."""
    what, inner = _WRAPPED.findall(text)[0]
    base, _, low = _SUBSCRIPT.sub("", inner).partition("_")
    if (base in WITHOUT and low) or not base[:1].isalpha():
        raise Refused(WITHOUT.get(base, "unknown"), at.start, at.end)
    base += _MARKS.get(what, "")
    return at._replace(kind="name", text=f"{base}_{low}" if low else base)


def _command(text: str, at: Lexeme) -> Lexeme:
    """Read a command of LaTeX: a name, perhaps with an index, or a symbol, or nothing."""
    word, line, index = text.partition("_")
    if reason := TABLES["commands"].get(word):
        raise Refused(reason, at.start, at.end)
    if text in _LATEX:
        symbol = _LATEX[text]
        return at._replace(kind=symbol, text=symbol)
    if word == "over" and not line:
        return at._replace(kind="over", text="/")
    word = word.removeprefix("var") if word in _VARIANTS else word
    if word not in KNOWN and word not in GREEK and word not in FRACTIONS and word != "ell":
        raise Refused("unknown_function", at.start, at.end)
    return at._replace(kind="name", text=word + line + _SUBSCRIPT.sub("", index))


def _name(text: str, at: Lexeme, given: Container[str], plain: str) -> Lexeme:
    """Read a word, with its path, its index and its letters of other scripts."""
    path, _, word = _SUBSCRIPT.sub("", text).replace("::", ".").rpartition(".")
    word = word.replace("$", "")
    word = "".join([LETTERS.get(each, _CHARACTERS.get(each, each)) for each in word])
    reason = _WORDS.get(word)
    called = word not in _CALLED or plain[at.end : at.end + 1] == "("
    if reason and called and word not in given and not (word == "mod" and path):
        raise Refused(reason, at.start, at.end)
    if not word.isascii():
        raise Refused("unknown", at.start, at.end)
    return at._replace(kind="name", text=word, path=path)
