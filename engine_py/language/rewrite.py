"""What people write -> a program that means the same, where it has one reading (CONTRACT.md R42).

The text is read by a looser grammar than the language's, with the two stacks of its parser. Where
it has two readings it is read twice.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypedDict

from engine_py.deadline import NEVER, NODES_PER_CHECK, Deadline
from engine_py.errors import GradientError, SpanDict
from engine_py.language import parts, spelling
from engine_py.language.parser import parse
from engine_py.language.parts import ATOM, BARE, OPEN, POWER, PREFIX, PRODUCT, SUM, Part, held
from engine_py.language.spelling import FORMULAS, KNOWN, TABLES, Lexeme, Refused, key_of
from engine_py.language.tokens import tokenize
from engine_py.limits import DEFAULT_LIMITS, Limits
from engine_py.request import check_expression, check_parameters

_CLOSERS = {"(": ")", "{": "}", "|": "|"}
_BEGIN = ("name", "letter", "root", "number", *_CLOSERS)
_LETTER = re.compile(r"[A-Za-z](?:_?[0-9]+)?")
_SHORT = re.compile(r"[A-Za-z]{2,3}")
"""A name that may be a product of letters."""
_LONGEST_SPLIT = 40
"""Characters of a name that is read as a product of names."""
_EXPONENTIAL = re.compile(TABLES["exponential"])
_MATHEMATICAL = re.compile(TABLES["mathematical"], re.ASCII)
_STRAY = {"=": "comparison", "end": "ended", ".": "attribute"}
_EULER = float(TABLES["constants"]["e"])


class RefusedDict(TypedDict):
    """Why there is no program, and where."""

    reason: str
    span: SpanDict


class _Found(TypedDict):
    """A program, what changes, and what it needs."""

    expression: str
    changes: list[parts.ChangeDict]
    needs: list[str]


class Rewritten(TypedDict):
    """The program, or why there is none; `readings` are programs where there are two."""

    expression: str | None
    changes: list[parts.ChangeDict]
    needs: list[str]
    refused: RefusedDict | None
    readings: list[str]


def rewrite(
    text: str,
    names: Sequence[str] | None = None,
    limits: Limits = DEFAULT_LIMITS,
    deadline: Deadline = NEVER,
) -> Rewritten:
    """Return the program that a text means, with what changes; a program is returned as it is.

    Args:
        text: what was written, such as `2x^2`.
        names: the names that have values; None where they are not known.
        limits: how large the text and the program may be.
        deadline: when it has to be done.

    Raises:
        GradientError: the text is none or too long, or the names are none or too many.
        DeadlineExceeded: the deadline has passed.
    """
    check_expression(text, limits)
    check_names(names, limits)
    found: list[_Found] = []
    doubts: list[Refused] = []
    variables = _variables(text, limits)
    if variables is not None and (names is None or variables <= {*names}):
        found.append({"expression": text, "changes": [], "needs": []})
    for second in (False, True):
        if found and not doubts:
            return {**found[0], "refused": None, "readings": []}
        try:
            found.append(_Reader(text, names, doubts, deadline, second=second).program(limits))
        except Refused as error:
            doubts.append(error)
    readings = [*dict.fromkeys(each["expression"] for each in found)]
    refused: RefusedDict = {"reason": doubts[0].reason, "span": doubts[0].span}
    return {
        "expression": None,
        "changes": [],
        "needs": [],
        "refused": refused,
        "readings": readings,
    }


def check_names(names: object, limits: Limits) -> list[str] | None:
    """Accept names as those of parameters, or None."""
    return None if names is None else check_parameters(names, limits, "names")


def _variables(text: str, limits: Limits) -> set[str] | None:
    """Return the variables of a program, None where the text is none."""
    try:
        return {*parse(tokenize(text), "folded", limits).graph.variables}
    except GradientError:
        return None


class Pending(NamedTuple):
    """What waits for its last operand. `base` counts the operands below an open parenthesis.

    The token is the operator, the parenthesis, or the name of a call.
    """

    level: int
    symbol: str
    token: Lexeme
    base: int = 0


class _Reader:
    """Reads a text: where it has two readings, the first or the second, noting the doubt."""

    def __init__(
        self,
        text: str,
        names: Sequence[str] | None,
        doubts: list[Refused],
        deadline: Deadline,
        *,
        second: bool,
    ) -> None:
        self.text, self.names, self.doubts, self.second = text, names, doubts, second
        self.deadline = deadline
        self.plain = spelling.spell(text)
        tokens = spelling.scan(self.plain, deadline)
        given = {*(names or ())}
        self.bound = given | {name.text for name, after in pairwise(tokens) if after.kind == "="}
        self.mathematical = names is None and _MATHEMATICAL.search(text) is not None
        pairs = pairwise([*tokens, tokens[-1]])
        pieces = [piece for name, after in pairs for piece in self.letters(name, after)]
        self.tokens = [token._replace(place=place) for place, token in enumerate(pieces)]
        free = {name.text for name, after in pairwise(pieces) if after.kind not in ("(", "{")}
        self.variables = self.bound | (free - KNOWN)
        exponential = names is not None or _EXPONENTIAL.search(self.plain) is not None
        self.constants = {"pi", *(["e"] if exponential else [])} - self.bound
        self.position = 0
        self.operands: list[Part] = []
        self.pending: list[Pending] = []
        self.opened: list[str] = []
        self.needs: list[Part | Lexeme] = []

    def either(self, start: int, end: int) -> bool:
        """Return whether to take the second reading of what has two."""
        self.doubts.append(Refused("two_readings", start, end))
        return self.second

    def letters(self, token: Lexeme, after: Lexeme) -> list[Lexeme]:
        """Split a name without a value into names that have one, or into letters."""
        word = token.text
        known = word in self.bound or key_of(word) in KNOWN or word in TABLES["letters"]
        if token.kind != "name" or token.path or known or len(word) > _LONGEST_SPLIT:
            return [token]
        if self.names is None:
            short = self.mathematical and after.kind != "(" and _SHORT.fullmatch(word)
            return token.split(word) if short and self.either(token.start, token.end) else [token]
        ways: list[list[list[str]]] = [[[]]]
        for end in range(1, len(word) + 1):
            found = [(ways[start], word[start:end]) for start in range(end)]
            split = [[*way, last] for before, last in found if last in self.bound for way in before]
            ways.append(split[:2])
        if len(ways[-1]) > 1:
            raise Refused("two_readings", token.start, token.end)
        return token.split(ways[-1][0]) if ways[-1] else [token]

    # Statements and expressions

    def program(self, limits: Limits) -> _Found:
        """Read all statements, the last one being the result, and write the program."""
        program, most = Part(SUM, 0, len(self.text), (*self.statements(),)), limits.characters
        written = parts.lexemes_of(program, most, self.deadline)
        expression, changes = parts.aligned(self.text, self.plain, self.tokens, written)
        if _variables(expression, limits) is None:
            raise Refused("no_program", 0, len(self.text))
        needed = parts.lexemes_of(program._replace(content=(*self.needs,)), most, self.deadline)
        needs = "".join([token.text for token in needed]).split("\n")[:-1]
        return {"expression": expression, "changes": changes, "needs": [*dict.fromkeys(needs)]}

    def statements(self) -> Iterator[Lexeme | Part]:
        """Read each, with what is before and behind it."""
        named = True
        while (token := self.peek()).kind != "end":
            if token.kind == ";":
                yield self.take()
                continue
            if not named:
                raise Refused("two_results", token.start, token.end)
            named = self.tokens[self.position + 1].kind == "=" and token.kind in ("name", "letter")
            if named:
                yield self.take()
                yield self.take()
            yield self.expression()

    def expression(self) -> Part:
        """An operand, then operators for as long as another must follow."""
        expected = True
        while expected or self.peek().kind not in ("end", ";"):
            if expected:
                expected = self.read_operand(self.take())
            elif self.begins(self.peek()):
                expected = self.product("", self.peek())
            else:
                expected = self.read_operator(self.take())
        self.finish(SUM)
        if self.pending:
            raise Refused("unclosed", self.peek().start, self.peek().end)
        return self.operands.pop()

    def begins(self, token: Lexeme) -> bool:
        """True where an operand begins."""
        return token.kind in _BEGIN and (token.kind != "|" or self.opened[-1:] != ["|"])

    def read_operand(self, token: Lexeme) -> bool:
        """Read a leaf, or what comes before one, and tell whether one is still expected."""
        if token.kind in ("name", "letter", "root"):
            return self.name(token)
        if token.kind in ("number", "raised"):
            return self.leaf(token, float(token.text))
        if token.kind in _CLOSERS:
            return self.open(token, token)
        if token.kind not in ("-", "+"):
            raise Refused(_STRAY.get(token.kind, "unexpected"), token.start, token.end)
        level = POWER if self.pending and self.pending[-1].level == POWER else PREFIX
        return self.wait(level, "sign", token)

    def read_operator(self, token: Lexeme) -> bool:
        """Read what may follow an operand, and tell whether another one must come."""
        if token.kind in ("*", "/"):
            return self.product(token.kind, token)
        if token.kind == "**":
            return self.raise_to(token)
        if token.kind == ".":
            return self.method(token)
        if token.kind in _CLOSERS.values():
            return self.close(token)
        if token.kind not in ("+", "-", ","):
            raise Refused(_STRAY.get(token.kind, "unexpected"), token.start, token.end)
        self.finish(SUM)
        if token.kind != ",":
            return self.wait(SUM, token.kind, token)
        if not self.pending or self.pending[-1].token.kind != "name":
            raise Refused("comma", token.start, token.end)
        return True

    def wait(self, level: int, symbol: str, token: Lexeme, before: int = 0) -> bool:
        """Keep what needs an operand to come, and may have some before."""
        self.pending.append(Pending(level, symbol, token, len(self.operands) - before))
        return True

    def leaf(self, token: Lexeme, number: float | None) -> bool:
        """Add a name or a number; no operand is expected behind it."""
        self.operands.append(Part(ATOM, token.start, token.end, (token,), number))
        return False

    # Operators

    def product(self, symbol: str, token: Lexeme) -> bool:
        """Read `*`, `/` or a product without a sign, which what holds the operand may take in."""
        before, after = self.tokens[self.position - 1 - len(symbol)], self.peek()
        level = PRODUCT
        while self.pending and self.pending[-1].level >= PRODUCT:
            if self.takes(self.pending[-1], symbol, before, after):
                level = self.pending[-1].level + 1
                break
            self.finish_last()
        if not symbol and before.kind == after.kind == "name" and after.text not in KNOWN:
            free = {before.text, after.text} - self.bound - TABLES["letters"].keys()
            if not all(map(_LETTER.fullmatch, free)):
                self.either(before.start, after.end)
        if not symbol and (after.kind == "number" or after.kind == before.kind == "|"):
            raise Refused("two_readings", before.start, after.end)
        return self.wait(level, symbol, token)

    def takes(self, holder: Pending, symbol: str, before: Lexeme, after: Lexeme) -> bool:
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
            asked = not symbol and holder.level == PRODUCT and holder.symbol == "/"
        end = before.end if symbol else after.end
        return asked and self.either(self.operands[-2].start, end)

    def raise_to(self, token: Lexeme) -> bool:
        """Read `**`, `^` or a number above the line; what stands before it is its base."""
        holder = self.pending[-1] if self.pending else None
        if holder and holder.level in (BARE, BARE + 1):
            call = self.pending[-1 if holder.level == BARE else -2].token
            if self.either(call.start, token.end):
                self.finish(BARE)
        elif holder and holder.level == POWER and self.text[token.start] != "*":
            if self.either(self.operands[-1].start, token.end):
                self.finish(POWER)
        elif holder and holder.symbol == "sign" and self.text[0] == "=":  # where -x^2 is a square
            raise Refused("two_readings", holder.token.start, token.end)
        return self.wait(POWER, "**", token)

    def finish(self, level: int) -> None:
        """Finish all that holds its operand at least as tightly as what comes."""
        while self.pending and self.pending[-1].level >= level:
            self.finish_last()

    def finish_last(self) -> None:
        """Finish what waits for the last operand."""
        (_, symbol, token, _), right = self.pending.pop(), self.operands.pop()
        if symbol == "call":
            self.call(token, [right], right.end)
        elif symbol == "raised":
            raised = held(right, ATOM), Lexeme("power", f" ** {token.text}")
            self.operands.append(Part(POWER, right.start, right.end, raised))
        elif symbol == "sign":
            number, signed = parts.computed(token.kind, 0.0, right.number), held(right, PREFIX)
            self.operands.append(Part(PREFIX, token.start, right.end, (token, signed), number))
        elif symbol == "**":
            self.power(self.operands.pop(), token, right)
        else:
            self.infix(self.operands.pop(), token, right)

    def infix(self, left: Part, token: Lexeme, right: Part) -> None:
        """Join two operands; a product without a sign gets one."""
        level = SUM if token.kind in ("+", "-") else PRODUCT
        if token.kind not in ("+", "-", "*", "/"):
            token = Lexeme("product", "*" if left.end == right.start else " * ")
        number = parts.computed(token.text.strip(), left.number, right.number)
        content = held(left, level), token, held(right, level + 1)
        self.operands.append(Part(level, left.start, right.end, content, number))

    def power(self, base: Part, sign: Lexeme, exponent: Part) -> None:
        """Raise to a number, or by `exp` and `log`."""
        span = base.start, exponent.end
        if base.number == _EULER:
            made = parts.filled("exp(x)", [exponent], span, "power")
        elif exponent.number is not None:
            decimal = Lexeme("power", parts.decimal(exponent))
            made = Part(POWER, *span, (held(base, ATOM), sign, decimal))
        elif base.number is not None and base.number <= 0:
            raise Refused("negative_base", *span)
        else:
            self.needs += [base.bare, Lexeme("", " > 0\n")] if base.number is None else []
            made = parts.filled("exp(y * log(x))", [base, exponent], span, "power")
        self.operands.append(made)

    # Names and calls

    def name(self, token: Lexeme) -> bool:
        """Read a name; true where it is a call, whose argument is to come."""
        word, after = token.text, self.peek()
        opens = after.kind in ("(", "{")
        known = token.kind == "name" and word not in self.bound and key_of(word) in KNOWN
        function = known and (opens or word not in TABLES["letters"])
        if function and opens:
            return self.open(self.take(), token)
        if function and after.kind == "**" and not token.path:
            raised = self.take(), self.take()
            if not raised[1].text.isdigit() or not self.begins(self.peek()):
                raise Refused("two_readings", token.start, raised[1].end)
            self.wait(POWER + 1, "raised", raised[1])
            return self.name(token)
        if token.kind == "root" or (function and word.islower() and self.begins(after)):
            return self.wait(BARE, "call", token)
        return self.variable(token, after)

    def variable(self, token: Lexeme, after: Lexeme) -> bool:
        """Add a name that is no function, or the number that it stands for."""
        word, span = token.text, (token.start, token.end)
        constant = TABLES["constants"].get(word.lower() if token.path else word)
        if token.path or word in self.constants:
            if constant is None:
                raise Refused("unknown_function" if after.kind == "(" else "attribute", *span)
            return self.leaf(token._replace(text=constant), float(constant))
        if after.kind == "(" and word not in self.variables:
            function = token.kind == "name" and len(word) > 1
            raise Refused("unknown_function" if function else "two_readings", *span)
        return self.leaf(token, None)

    def method(self, dot: Lexeme) -> bool:
        """Read `.tanh()` behind an operand, which is its first argument."""
        before, name, opening = self.tokens[self.position - 2], self.take(), self.take()
        if name.kind != "name" or opening.kind != "(" or before.end != dot.start:
            raise Refused("attribute", dot.start, name.end)
        self.open(opening, name._replace(path="."), before=1)
        return self.peek().kind != ")" or self.close(self.take())

    def open(self, token: Lexeme, name: Lexeme, before: int = 0) -> bool:
        """Open a parenthesis or a call, which may have an argument before it."""
        if name.kind == "name" and not before and self.peek().kind == _CLOSERS[token.kind]:
            raise Refused("arity", name.start, self.peek().end)
        self.opened.append(token.kind)
        return self.wait(OPEN, token.kind, name, before)

    def close(self, token: Lexeme) -> bool:
        """Finish a parenthesis, bars or a call."""
        self.finish(SUM)
        if not self.pending:
            raise Refused("unopened", token.start, token.end)
        waiting = self.pending.pop()
        if _CLOSERS[self.opened.pop()] != token.kind:
            raise Refused("unexpected", token.start, token.end)
        arguments = self.operands[waiting.base :]
        del self.operands[waiting.base :]
        span, inner = (waiting.token.start, token.end), arguments[0]
        if waiting.token.kind == "name":
            self.call(waiting.token, arguments, token.end)
        elif token.kind == "|":
            self.operands.append(parts.filled("abs(x)", arguments, span, "bars"))
        else:
            content = waiting.token, inner, token
            self.operands.append(Part(ATOM, *span, content, inner.number, inner.bare))
        return False

    def call(self, name: Lexeme, arguments: list[Part], end: int) -> None:
        """Write a call with what the language has."""
        key, first = key_of(name.text), arguments[0]
        span = min(name.start, first.start), end
        of_array = name.text in ("max", "min") and name.path not in ("", "math", "Math")
        if key in spelling.WITHOUT or of_array:
            raise Refused(spelling.WITHOUT.get(key, "vector"), name.start, name.end)
        if key in ("max", "min"):
            for other in arguments[1:-1]:
                first = parts.filled(f"{key}(x, y)", [first, other], span, "function")
            arguments = [first, *arguments[1:][-1:]]
        formula = FORMULAS.get(spelling.calling(key, len(arguments)))
        if formula is None:
            raise Refused("arity", *span)
        readings = formula.split(" | ")
        template = readings[-1] if len(readings) > 1 and self.either(*span) else readings[0]
        if not template:
            raise Refused("two_readings", *span)
        if template == "x ** y":
            self.power(first, Lexeme("power", " ** "), arguments[1])
            return
        self.operands.append(parts.filled(template, arguments, span, "function"))
        if key in TABLES["needs"]:
            self.needs += [first.bare, Lexeme("", TABLES["needs"][key] + "\n")]

    # Tokens

    def peek(self) -> Lexeme:
        return self.tokens[self.position]

    def take(self) -> Lexeme:
        if self.position % NODES_PER_CHECK == 0:
            self.deadline.check()
        token = self.tokens[self.position]
        self.position += self.position < len(self.tokens) - 1
        return token
