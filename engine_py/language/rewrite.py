"""What people write -> a program that means the same, where it has one reading (CONTRACT.md R42).

The text is read by a looser grammar than the language's, with the two stacks of its parser.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import NamedTuple, TypedDict

from engine_py.errors import GradientError, SpanDict
from engine_py.language import parts, spelling, tables
from engine_py.language.parser import parse
from engine_py.language.parts import ATOM, BARE, OPEN, POWER, PREFIX, PRODUCT, SUM, Part, held
from engine_py.language.spelling import Refused, Token
from engine_py.language.tables import CONSTANTS, FORMULAS, KNOWN, TABLES, TWO_READINGS
from engine_py.language.tokens import tokenize
from engine_py.limits import DEFAULT_LIMITS, Limits
from engine_py.operations import FUNCTIONS
from engine_py.request import check_expression, check_parameters

_CLOSERS = {"(": ")", "{": "}", "|": "|"}
_BEGIN = ("name", "letter", "root", "number", *_CLOSERS)
_SLOT = re.compile(r"\{([0-9])\}")
_SHORT = re.compile(r"[A-Za-z]{2,3}")
"""A name that may be a product of letters."""
_LETTER = re.compile(r"[A-Za-z](?:_?[0-9]+)?")
_EXPONENTIAL = re.compile(TABLES["exponential"])
_MATHEMATICAL = re.compile(TABLES["mathematical"], re.ASCII)
_STRAY = {"=": "comparison", "end": "ended", ".": "attribute"}


_Found = tuple[str, list[parts.ChangeDict], list[str]]
"""A program, what changes, and what it needs."""


class RefusedDict(TypedDict):
    """Why there is no program, and where."""

    reason: str
    span: SpanDict


class Rewritten(TypedDict):
    """The program, or why there is none; `readings` are programs where there are two."""

    expression: str | None
    changes: list[parts.ChangeDict]
    needs: list[str]
    refused: RefusedDict | None
    readings: list[str]


def rewrite(
    text: str, names: Sequence[str] | None = None, limits: Limits = DEFAULT_LIMITS
) -> Rewritten:
    """Return the program that a text means, with what changes; a program is returned as it is.

    Args:
        text: what was written, such as `2x^2`.
        names: the names that have values; None where they are not known.
        limits: how large the text and the program may be.

    Raises:
        GradientError: the text is none or too long, or the names are none or too many.
    """
    check_expression(text, limits)
    check_names(names, limits)
    found: _Found | None = (text, [], [])
    refused: RefusedDict | None = None
    readings: dict[str, None] = {}
    variables = _variables(text, limits)
    if variables is None or (names is not None and not variables <= {*names}):
        try:
            found = _read(text, names, None, limits)
        except Refused as error:
            span: SpanDict = {"start": error.start, "end": error.end}
            found, refused = None, {"reason": error.reason, "span": span}
            for second in (0, 1) if error.reason == "two_readings" else ():
                with suppress(Refused):
                    readings[_read(text, names, second, limits)[0]] = None
    expression, changes, needs = found or (None, [], [])
    return Rewritten(
        expression=expression, changes=changes, needs=needs, refused=refused, readings=[*readings]
    )


def check_names(names: object, limits: Limits) -> list[str] | None:
    """Accept names as those of parameters, or None."""
    return None if names is None else check_parameters(names, limits, "names")


def _variables(text: str, limits: Limits) -> set[str] | None:
    """Return the variables of a program, None where the text is none."""
    try:
        return {*parse(tokenize(text), "folded", limits).graph.variables}
    except GradientError:
        return None


def _read(text: str, names: Sequence[str] | None, second: int | None, limits: Limits) -> _Found:
    reader = _Reader(text, names, second)
    whole, most = reader.program(), limits.characters
    expression, changes = parts.aligned(text, reader.plain, reader.tokens, whole, most)
    if _variables(expression, limits) is None:
        raise Refused("no_program", 0, len(text))
    needs: dict[str, None] = {}
    for part, rest in reader.needs:
        need = parts.written(part, most) + rest
        needs[need] = None
        most -= len(need)
    return expression, changes, [*needs]


class Pending(NamedTuple):
    """What waits for its last operand. `base` counts the operands below an open parenthesis.

    A call has its name, and the `power` of `sin^2`.
    """

    level: int
    symbol: str
    token: Token
    base: int = 0
    call: Token | None = None
    power: str = ""


class _Reader:
    def __init__(self, text: str, names: Sequence[str] | None, second: int | None) -> None:
        self.text, self.second = text, second
        self.plain = spelling.spell(text)
        given = {*(names or ())}
        tokens = spelling.tokenize(self.plain, given)
        self.bound = given | {name.text for name, after in pairwise(tokens) if after.kind == "="}
        if names is None and _MATHEMATICAL.search(text):
            pairs = pairwise([*tokens, tokens[-1]])
            tokens = [piece for token, after in pairs for piece in self.letters(token, after.kind)]
        self.tokens = [token._replace(place=place) for place, token in enumerate(tokens)]
        free = {name.text for name, after in pairwise(tokens) if after.kind not in ("(", "{")}
        self.variables = self.bound | (free - KNOWN)
        exponential = names is not None or _EXPONENTIAL.search(self.plain) is not None
        self.euler = "e" not in self.bound and exponential
        self.sheet = text.startswith("=")
        self.position = 0
        self.operands: list[Part] = []
        self.pending: list[Pending] = []
        self.opened: list[str] = []
        self.needs: list[tuple[Part, str]] = []

    def either(self, start: int, end: int) -> int:
        """Return whether to take the second reading of what has two."""
        if self.second is None:
            raise Refused("two_readings", start, end)
        return self.second

    def letters(self, token: Token, after: str) -> list[Token]:
        """Take a short name for one or for a product of letters."""
        word = token.text
        known = word in self.bound or key_of(word) in KNOWN or word in TABLES["letters"]
        short = token.kind == "name" and after != "(" and _SHORT.fullmatch(word)
        if known or not short or not self.either(token.start, token.end):
            return [token]
        return spelling.split(token, word)

    # Statements and expressions

    def program(self) -> Part:
        """Read all statements; the last one is the result."""
        content: list[Token | Part] = []
        named = True
        while (token := self.peek()).kind != "end":
            if token.kind == ";":
                content.append(self.take())
                continue
            if not named:
                raise Refused("two_results", token.start, token.end)
            named = self.tokens[self.position + 1].kind == "=" and token.kind in ("name", "letter")
            content += [self.take(), self.take()] if named else []
            content.append(self.expression())
        return Part(SUM, 0, len(self.text), tuple(content))

    def expression(self) -> Part:
        """An operand, then operators for as long as another must follow."""
        expected = True
        while expected or not self.ends():
            token = self.peek()
            if expected:
                expected = self.read_operand(self.take())
            elif self.begins(token):
                expected = self.product("", token)
            else:
                expected = self.read_operator(self.take())
        self.reduce(SUM)
        if self.pending:
            raise Refused("unclosed", self.peek().start, self.peek().end)
        return self.operands.pop()

    def ends(self) -> bool:
        """True where a statement ends."""
        return self.peek().kind == "end" or (self.peek().kind == ";" and not self.opened)

    def begins(self, token: Token) -> bool:
        """True where an operand begins."""
        return token.kind in _BEGIN and (token.kind != "|" or self.opened[-1:] != ["|"])

    def read_operand(self, token: Token) -> bool:
        """Read a leaf, or what comes before one, and tell whether one is still expected."""
        if token.kind in ("number", "raised"):
            self.leaf(token, float(token.text))
        elif token.kind in ("name", "letter", "root"):
            return self.name(token)
        elif token.kind in _CLOSERS:
            self.open(token)
        elif token.kind in ("-", "+"):
            level = POWER if self.pending and self.pending[-1].level == POWER else PREFIX
            self.pending.append(Pending(level, "sign", token))
        else:
            raise Refused(_STRAY.get(token.kind, "unexpected"), token.start, token.end)
        return token.kind not in ("number", "raised")

    def read_operator(self, token: Token) -> bool:
        """Read what may follow an operand, and tell whether another one must come."""
        if token.kind in ("+", "-"):
            self.reduce(SUM)
            self.pending.append(Pending(SUM, token.kind, token))
        elif token.kind in ("*", "/"):
            self.product(token.kind, token)
        elif token.kind == "**":
            self.raise_to(token)
        elif token.kind in (",", ";"):
            self.separate(token)
        elif token.kind == ".":
            return self.method(token)
        elif token.kind in _CLOSERS.values():
            return self.close(token)
        else:
            raise Refused(_STRAY.get(token.kind, "unexpected"), token.start, token.end)
        return True

    # Operators

    def product(self, symbol: str, token: Token) -> bool:
        """Read `*`, `/` or a product without a sign, which what holds the operand may take in."""
        before, after = self.tokens[self.position - 1 - len(symbol)], self.peek()
        level = PRODUCT
        for holding in (POWER, BARE, PRODUCT):
            self.reduce(holding + 1)
            holder = self.pending[-1] if self.pending else None
            if holder and holder.level == holding and self.takes(holder, symbol, before, after):
                level = holding + 1
                break
        self.reduce(level)
        if not symbol and before.kind == after.kind == "name" and after.text not in KNOWN:
            free = {before.text, after.text} - self.bound - TABLES["letters"].keys()
            if not all(map(_LETTER.fullmatch, free)):
                self.either(before.start, after.end)
        if not symbol and (after.kind == "number" or after.kind == before.kind == "|"):
            raise Refused("two_readings", before.start, after.end)
        self.pending.append(Pending(level, symbol, token))
        return True

    def takes(self, holder: Pending, symbol: str, before: Token, after: Token) -> int:
        """Tell whether a factor belongs to an exponent, to a bare call, or below a quotient."""
        if holder.level == BARE:
            if after.text in KNOWN or (symbol and holder.token.kind == "root"):
                return False
            numeric = self.operands[-1].number is not None and before.kind not in (")", "}", "|")
            if numeric and not symbol and holder.token.text not in ("sqrt", "cbrt"):
                return True
            return self.either(holder.token.start, after.end)
        if holder.level == POWER:
            touching = not symbol and before.kind == "number" and before.end == after.start
            half = symbol == "/" and before.text == "1" and after.kind == "number"
            asked = touching or half
        else:
            asked = not symbol and holder.symbol == "/"
        end = before.end if symbol else after.end
        return self.either(self.operands[-2].start, end) if asked else False

    def raise_to(self, token: Token) -> None:
        """Read `**`, `^` or a number above the line; what stands before it is its base."""
        holder = self.pending[-1] if self.pending else None
        if holder and holder.level in (BARE, BARE + 1):
            call = self.pending[-1 if holder.level == BARE else -2].token
            if self.either(call.start, token.end):
                self.reduce(BARE)
        elif holder and holder.level == POWER and self.text[token.start] != "*":
            if self.either(self.operands[-1].start, token.end):
                self.reduce(POWER)
        elif holder and holder.symbol == "sign" and self.sheet:  # where -x^2 is a square
            raise Refused("two_readings", holder.token.start, token.end)
        self.pending.append(Pending(POWER, "**", token))

    def reduce(self, level: int) -> None:
        """Finish all that holds its operand at least as tightly as what comes."""
        while self.pending and self.pending[-1].level >= level:
            waiting, right = self.pending.pop(), self.operands.pop()
            token, symbol = waiting.token, waiting.symbol
            if waiting.call:
                self.apply(waiting.call, [right], waiting.power, right.end)
            elif symbol == "sign":
                number = parts.computed(token.kind, 0.0, right.number)
                content = token, held(right, PREFIX)
                self.operands.append(Part(PREFIX, token.start, right.end, content, "", number))
            elif symbol == "**":
                self.power(self.operands.pop(), token, right)
            else:
                self.infix(self.operands.pop(), waiting, right)

    def infix(self, left: Part, waiting: Pending, right: Part) -> None:
        """Join two operands; a product without a sign gets one."""
        level = SUM if waiting.level == SUM else PRODUCT
        number = parts.computed(waiting.symbol or "*", left.number, right.number)
        sign = waiting.token if waiting.symbol else "*" if left.end == right.start else " * "
        content = held(left, level), sign, held(right, level + 1)
        self.operands.append(Part(level, left.start, right.end, content, "product", number))

    def power(self, base: Part, sign: Token | None, exponent: Part) -> None:
        """Raise to a number, or by `exp` and `log`."""
        span = base.start, exponent.end
        if base.content == ("exp(1)",):
            self.formula(span, "exp({0})", [exponent], "power")
        elif exponent.number is not None:
            content = held(base, ATOM), sign or " ** ", parts.decimal(exponent)
            self.operands.append(Part(POWER, *span, content, "power"))
        elif base.number is not None and base.number <= 0:
            raise Refused("negative_base", *span)
        else:
            self.needs += [(base.bare, " > 0")] if base.number is None else []
            self.formula(span, "exp({1} * log({0}))", [base, exponent], "power")

    # Names and calls

    def name(self, token: Token) -> bool:
        """Read a name; True where it is a call, whose argument is to come."""
        word, after = token.text, self.peek()
        opens = after.kind in ("(", "{")
        known = token.kind == "name" and word not in self.bound and key_of(word) in KNOWN
        function = known and (opens or word not in TABLES["letters"])
        bare = function and word.islower() and self.begins(after)
        if function and opens:
            self.open(self.take(), token)
        elif function and after.kind == "**" and not token.path:
            self.function_power(token)
        elif token.kind == "root" or bare:
            self.pending.append(Pending(BARE, "call", token, call=token))
        else:
            self.variable(token, after)
            return False
        return True

    def variable(self, token: Token, after: Token) -> None:
        """Add a name that is no function, or the number that it stands for."""
        word, span = token.text, (token.start, token.end)
        constant = CONSTANTS.get(word.lower() if token.path else word, "")
        if after.kind == "(" and word not in self.variables and not constant:
            function = token.kind == "name" and len(word) > 1
            raise Refused("unknown_function" if function else "two_readings", *span)
        if token.path and not constant:
            raise Refused("attribute", *span)
        if token.path or (word == "pi" and word not in self.bound):
            self.leaf(token._replace(text=constant), float(constant))
        elif word == "e" and self.euler:
            self.operands.append(Part(ATOM, *span, ("exp(1)",), "power"))
        else:
            self.leaf(token, None)

    def leaf(self, token: Token, number: float | None) -> None:
        """Add a name or a number."""
        self.operands.append(Part(ATOM, token.start, token.end, (token,), "", number))

    def function_power(self, name: Token) -> None:
        """Read `sin^2(x)` or `sin² x` up to the argument."""
        self.take()
        power = self.take()
        if not power.text.isdigit() or not self.begins(self.peek()):
            raise Refused("two_readings", name.start, power.end)
        if self.peek().kind == "(":
            self.open(self.take(), name, power.text)
        else:
            self.pending.append(Pending(BARE, "call", name, 0, name, power.text))

    def method(self, dot: Token) -> bool:
        """Read `.tanh()` behind an operand, which is its first argument."""
        before, name, opening = self.tokens[self.position - 2], self.take(), self.take()
        if name.kind != "name" or opening.kind != "(" or before.end != dot.start:
            raise Refused("attribute", dot.start, name.end)
        self.open(opening, name._replace(path="."), before=1)
        return self.peek().kind != ")" or self.close(self.take())

    def open(
        self, token: Token, name: Token | None = None, power: str = "", before: int = 0
    ) -> None:
        """Open a parenthesis or a call, which may have arguments before it."""
        base = len(self.operands) - before
        self.pending.append(Pending(OPEN, token.kind, name or token, base, name, power))
        self.opened.append(token.kind)
        if name and not before and self.peek().kind == _CLOSERS[token.kind]:
            raise Refused("arity", name.start, self.peek().end)

    def separate(self, token: Token) -> None:
        """Finish an argument."""
        self.reduce(SUM)
        if not self.pending or not self.pending[-1].call:
            raise Refused("comma", token.start, token.end)

    def close(self, token: Token) -> bool:
        """Finish a parenthesis, bars or a call; True where a fraction's denominator is to come."""
        self.reduce(SUM)
        if not self.pending:
            raise Refused("unopened", token.start, token.end)
        waiting = self.pending.pop()
        arguments = self.operands[waiting.base :]
        if _CLOSERS[waiting.symbol] != token.kind:
            raise Refused("unexpected", token.start, token.end)
        if waiting.token.text == "frac" and len(arguments) == 1 and self.peek().kind == "{":
            self.pending.append(waiting)
            self.take()
            return True
        self.opened.pop()
        del self.operands[waiting.base :]
        span, inner = (waiting.token.start, token.end), arguments[0]
        if waiting.call:
            self.apply(waiting.call, arguments, waiting.power, token.end)
        elif token.kind == "|":
            self.formula(span, "abs({0})", arguments, "bars")
        else:
            content = waiting.token, inner, token
            self.operands.append(Part(ATOM, *span, content, "", inner.number, inner.bare))
        return False

    def apply(self, name: Token, arguments: list[Part], power: str, end: int) -> None:
        """Write a call with what the language has, and the power of `sin^2` behind it."""
        key, first = key_of(name.text), arguments[0]
        span = min(name.start, first.start), end
        if key in tables.NO_FORMULA:
            raise Refused("no_formula", name.start, name.end)
        of_array = name.text in ("max", "min") and name.path not in ("", "math", "Math")
        if key in tables.VECTOR or of_array:
            raise Refused("vector", name.start, name.end)
        if key == "pow" and len(arguments) == 2:  # noqa: PLR2004 - base and exponent
            self.power(first, None, arguments[1])
            return
        self.formula(span, self.template(key, arguments, span), arguments, "function")
        if key in tables.NEEDS:
            self.needs.append((first.bare, tables.NEEDS[key]))
        if power:
            content = held(self.operands.pop(), ATOM), f" ** {power}"
            self.operands.append(Part(POWER, *span, content, "power"))

    def template(self, key: str, arguments: list[Part], span: tuple[int, int]) -> str:
        """Return the formula of a call."""
        count = len(arguments)
        if key in TWO_READINGS and count == 1:
            readings = TWO_READINGS[key]
            if not readings or self.either(*span) >= len(readings):
                raise Refused("two_readings", *span)
            return readings[self.second or 0]
        slots = [f"{{{place}}}" for place in range(count)]
        if key in ("max", "min") and count > 1:
            rest = "".join([f", {slot})" for slot in slots[1:]])
            return f"{key}(" * (count - 1) + slots[0] + rest
        if key in FUNCTIONS and FUNCTIONS[key].arity == count:
            return f"{key}({', '.join(slots)})"
        numeric = ["x" if each.number is None else "n" for each in arguments]
        for letters in (numeric, [*"xyz"][:count]):
            if template := FORMULAS.get(f"{key}({', '.join(letters)})"):
                return template
        raise Refused("arity", *span)

    # Parts and tokens

    def formula(
        self, span: tuple[int, int], template: str, arguments: list[Part], reason: str
    ) -> None:
        """Add what a formula makes of its arguments."""
        content: list[str | Part] = []
        pieces = _SLOT.split(template)
        for place, piece in enumerate(pieces):
            if place % 2 == 0:
                content.append(piece)
                continue
            part = arguments[int(piece)]
            alone = pieces[place - 1].endswith(("(", ", ")) and pieces[place + 1][:1] in (",", ")")
            content.append(part.bare if alone else held(part, ATOM))
        self.operands.append(Part(parts.level_of(template), *span, tuple(content), reason))

    def peek(self) -> Token:
        return self.tokens[self.position]

    def take(self) -> Token:
        token = self.tokens[self.position]
        self.position += self.position < len(self.tokens) - 1
        return token


def key_of(word: str) -> str:
    """Return the one name of a function."""
    return word if word in TWO_READINGS else tables.ALIASES.get(word.lower(), word.lower())
