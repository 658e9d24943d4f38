"""Text -> the words of a reading: one word, as people write it, may be a product of names.

Where a text is ambiguous, the reader asks its `Doubt` by the kind of ambiguity; one reading makes
the same choice for all doubts of a kind.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from engine_py.deadline import Deadline
from engine_py.errors import Span
from engine_py.language import spelling
from engine_py.language.spelling import GLUED, GREEK, PAIRS, TABLES, Lexeme, Placed, Refused
from engine_py.operations import FUNCTIONS

CONSTANTS: dict[str, str] = TABLES["constants"]
SUFFIXES: list[str] = TABLES["suffixes"].split(" ")
"""Letters that C allows after a literal."""
DIFFERENTIAL = re.compile(r"d[A-Za-z]|d[a-z]{3,}")
_LONGEST_SPLIT = 40
"""The maximum number of characters of a word that is split into a product of names."""
_MAX_WAYS = 3
"""The maximum number of ways to split a word that are tried."""
_DECIMAL: re.Pattern[str] = re.compile(TABLES["decimal_comma"])
_GLUED = re.compile(rf"([a-z]{{0,2}}?)({'|'.join(GLUED)})([0-9]*)([a-z]?)")
_SEMICOLONS = re.compile(r"\([^()]*(?:[0-9],[0-9][^()]*;|;[^()]*[0-9],[0-9])")

Pieces = list[tuple[str, str]]
"""The pieces of a word, each with its kind and its text."""


def _names_in(word: str, pattern: str) -> Pieces:
    return [("name", each) for each in re.findall(pattern, word)]


def glued_pieces(word: str, *, begins: bool) -> Pieces:
    """Split a word that may be a bare call, such as `sin2x`, or indexed letters, `w_1x_1`."""
    if re.fullmatch(r"[A-Za-z]?(?:[A-Za-z]_?[0-9]){2,}", word):
        return _names_in(word, "[A-Za-z](?:_?[0-9])?")
    if re.fullmatch("[a-z][A-Z]{2}|[a-z][xyt][23]", word):  # the digit may be an exponent
        return _names_in(word, "[A-Za-z][23]?")
    found = _GLUED.fullmatch(word)
    if word in spelling.KNOWN or not found or not (found[3] or found[4] or (found[1] and begins)):
        return []
    pieces = [*_names_in(found[1], "."), ("function", found[2])]
    return pieces + [row for row in (("number", found[3]), ("name", found[4])) if row[1]]


class Doubt:
    """The doubts that a reading meets: kind -> number of choices, and the first one's span."""

    def __init__(self, fixed: Mapping[str, int]) -> None:
        self.fixed = fixed
        self.asked: dict[str, tuple[int, Span]] = {}

    def ask(self, kind: str, first: Placed, last: Placed, choices: int = 2) -> int:
        """Record a doubt, and return this reading's choice; 0 is the most likely one."""
        most, span = self.asked.get(kind, (choices, Span(first.start, last.end)))
        self.asked[kind] = max(choices, most), span
        return min(self.fixed.get(kind, 0), choices - 1)


class Words:
    """The tokens of a text in one reading, and facts about its names.

    `bound` holds the names that have values or statements, `constants` those that stand for
    numbers; `defined` is the head of a statement that defines a function of the language, such as
    `sin(x) =`.
    """

    def __init__(
        self, text: str, names: Sequence[str] | None, doubt: Doubt, deadline: Deadline
    ) -> None:
        self.text, self.names, self.ask = text, names, doubt.ask
        self.is_latex = re.search(r"\\[A-Za-z]", text) is not None
        self.given = frozenset(names or ())
        spelled, self.defined = spelling.spell(text)
        self.plain = self.decimals(spelled)
        raw = spelling.scan(self.plain, self.given, deadline, is_latex=self.is_latex)
        around = [*zip([raw[-1], *raw], raw, [*raw[1:], raw[-1]], strict=False)]
        self.bound = self.given | {
            token.text
            for before, token, after in around
            if after.kind == "=" and token.kind == "name" and before.kind in ("end", "break")
        }
        self.words = {each.text for each in raw if each.kind == "name"}
        differentials = [each for each in self.words if DIFFERENTIAL.fullmatch(each)]
        self.has_quotient = bool(self.words & {"d", *spelling.FRACTIONS}) or len(differentials) > 1
        self.is_mathematical = names is None and self.has_products(raw)
        pieces = [piece for each in around for piece in self.pieces(*each)]
        self.tokens = [token._replace(place=place) for place, token in enumerate(pieces)]
        self.free = {each.text for each, after in pairwise(self.tokens) if after.kind != "("}
        is_power = names is not None or self.has_exponential()
        self.constants = {*CONSTANTS} - self.bound - (set() if is_power else {"e"})

    def decimals(self, plain: str) -> str:
        """Read `0,5` as one number or two; with three digits, perhaps as thousands."""
        found = _DECIMAL.search(plain)
        if found is None:
            return plain
        ways = [","] if "(" in plain and not _SEMICOLONS.search(plain) else []
        ways += [".", "_"] if re.search("[0-9],[0-9]{3}$", found[0]) else ["."]
        span = Span(*found.span())
        way = ways[self.ask("comma", span, span, len(ways))]
        return _DECIMAL.sub(lambda each: each[0].replace(",", way), plain)

    def has_products(self, raw: Sequence[Lexeme]) -> bool:
        """Return whether adjacent letters may be a product: not in code, unless others are."""
        if self.is_latex or any(each.path or each.kind == "." for each in raw):
            return self.is_latex
        is_raised = any(each.kind == "^" and each.start == each.end for each in raw)
        is_code = "*" in self.text or self.text.rstrip(" \t\n\r").endswith(";")
        return not is_code or is_raised or any(map(_is_product, raw, raw[1:]))

    def has_exponential(self) -> bool:
        """Return whether `e` has an exponent other than a number."""
        tokens = self.tokens
        for place, (token, after) in enumerate(pairwise(tokens)):
            if token.text != "e" or token.kind != "name" or after.kind != "^":
                continue
            at = place + 2 + (tokens[place + 2].kind in ("-", "+"))
            follows = tokens[min(at + 1, len(tokens) - 1)]
            joins = follows.kind in ("name", "function", "(") and not follows.gap
            if tokens[at].kind != "number" or joins:
                return True
        return False

    def pieces(self, before: Lexeme, token: Lexeme, after: Lexeme) -> list[Lexeme]:
        """Split a word into names, constants, functions and their arguments."""
        word = token.text
        if token.kind != "name" or word in self.bound or word in spelling.FRACTIONS:
            return [token]
        key = spelling.key_of(word)
        opens = after.kind in PAIRS and not (after.kind == "[" and after.gap)
        begins = opens or after.kind in ("name", "number", "|", "^", *spelling.ROOTS)
        begins = begins or (self.names is not None and after.kind == "-" and word in FUNCTIONS)
        if self.has_quotient and DIFFERENTIAL.fullmatch(word) and not key:
            return [token]  # in dy/dx
        is_function = begins and word not in GREEK and (word.islower() or self.is_latex)
        if token.path or (key and (opens or is_function)):
            return [token._replace(kind="function" if key and begins else "name")]
        if word in GREEK or word in CONSTANTS:
            return [token]
        if before.kind == "^" and re.fullmatch("T[A-Za-z]{1,2}", word):
            raise Refused("transpose", Span(token.start, token.start + 1))
        glued = [] if key else glued_pieces(word, begins=begins)
        return self.indexed(token) or self.split(token, glued, opens=opens)

    def indexed(self, token: Lexeme) -> list[Lexeme]:
        """Read `x2` as x_2 if that has a value, else as the square of an x of the text."""
        word = token.text
        index = re.sub("([0-9])", r"_\1", word, count=1)
        if index in self.given and index != word:
            return [token._replace(text=index)]
        lost = re.fullmatch("([A-Za-z])([23])", word)
        if not lost or lost[1] not in (self.words | self.given) - {word}:
            return []
        if self.ask("superscript", token, token):
            return [token]
        last = token.end - 1
        above = Lexeme("^", "**", last, last, run=token.start + 1)
        exponent = Lexeme("number", lost[2], last, token.end)
        return [*token.split([("name", lost[1])]), above, exponent]

    def split(self, token: Lexeme, glued: Pieces, *, opens: bool) -> list[Lexeme]:
        """Read a word as a product of names that have values, as a call, or letter by letter."""
        word = token.text
        if self.names is not None and (ways := self.ways(word, opens=opens)):
            choice = self.ask("split", token, token, len(ways)) if len(ways) > 1 else 0
            return token.split(ways[choice])
        if glued:
            return [token] if self.ask("glued", token, token) else token.split(glued)
        if not self.is_mathematical or opens or not re.fullmatch("[A-Za-z]{2,3}", word):
            return [token]
        is_certain = self.is_latex and len(word) == len("kx")  # LaTeX sets letters apart
        if not is_certain and self.ask("letters", token, token):
            return [token]
        return token.split(_names_in(word, "pi|[A-Za-z]"))

    def ways(self, word: str, *, opens: bool) -> list[Pieces]:
        """Return the ways to compose a word of names that have values, constants and functions."""
        if len(word) > _LONGEST_SPLIT:
            return []
        found: list[list[Pieces]] = [[[]]]
        for end in range(1, len(word) + 1):
            ways = list[Pieces]()
            for start in range(end):
                piece = word[start:end]
                is_name = piece in self.bound or piece in CONSTANTS
                is_call = piece in GLUED and (end < len(word) or opens)
                kind = "name" if is_name else "function" if is_call else "number"
                for way in found[start]:
                    is_number = piece.isdigit() and bool(way) and way[-1][0] == "function"
                    if is_name or is_call or is_number:
                        ways.append([*way, (kind, piece)])
            found.append(ways[:_MAX_WAYS])
        return found[-1]


def _is_product(token: Lexeme, after: Lexeme) -> bool:
    """Return whether two adjacent tokens are factors with no sign between them."""
    if "." in token.text and after.text in SUFFIXES:  # a literal's suffix
        return False
    is_operand = token.kind in ("number", ")", "]")
    is_name = token.kind == "name" and (after.kind == "name" or after.gap)
    is_call = after.kind == "(" and token.text in spelling.KNOWN
    return (is_operand or is_name) and after.kind in ("name", "(") and not is_call
