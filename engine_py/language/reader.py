"""Tokens -> the tree of a program, with one choice of each kind of doubt.

The grammar is looser than the language's. Where a person could mean something else it asks: each
kind of doubt is asked by its name, and one reading takes one choice for all doubts of a kind.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import inf

from engine_py.deadline import NEVER, NODES_PER_CHECK, Deadline
from engine_py.language import trees
from engine_py.language.spelling import (
    FORMULAS,
    FRACTIONS,
    GREEK,
    KNOWN,
    PAIRS,
    ROOTS,
    TABLES,
    WITHOUT,
    Lexeme,
    Refused,
    calling,
    key_of,
)
from engine_py.language.trees import Node
from engine_py.language.words import CONSTANTS, DIFFERENTIAL, Doubt, Words
from engine_py.operations import FUNCTIONS

DEEPEST = 60
"""Parentheses, powers and calls in one another, which the reader recurs through."""
_PARTS, _PARTS_PER_CHARACTER = 400, 20
"""How large a tree a text may have: formulas in one another double theirs with each call."""
CUBIC = 3
"""The order of the root that a negative number has, too."""
SPELLED = frozenset(TABLES["spelled"].split())
"""Functions that are words of English, and take parentheses."""
_EULER = float(CONSTANTS["e"])
_LETTER = re.compile(r"[A-Za-z](?:_?[A-Za-z0-9]{1,2}|hat|bar)?(?:_[A-Za-z0-9]+)?")
"""A name that may stand next to another one in a product."""
_INDEXED = re.compile(r"[A-Za-z]_?[0-9]|[A-Za-z]_[A-Za-z0-9]+")
_ABOVE = re.compile(r"d[A-Za-z]?|d[A-Za-z0-9_]{3,}")
"""What is above the line of a derivative: d, dy, dloss."""
_SHORTEST_UNIT = 5
"""Letters of a word that is none of a formula, behind a number that it touches."""
_FLOAT_CALL = re.compile(r"\b[a-z]{3,8}f *\(")
"""`expf(` of C, where `0.5f` is a number."""
_CALLED_LETTERS = ("f", "g", "h", "F", "G", "H", "u", "phi", "psi", "sigma")
_SUFFIXES = ("f", "F", "L", "d", "D")
_SCALAR_PATHS = ("", "math", "Math", "std", "f32", "f64")
"""Where `max` takes numbers, and no array."""
_STRAY = {"=": "equation", "end": "ended", "break": "ended", ",": "comma", ")": "unexpected"}
_BEHIND = {",": "comma", ".": "attribute", "[": "vector", ")": "unopened", "]": "unopened"}
_BEHIND |= {"}": "unopened", "=": "equation"}
_UNCLOSED = {"=": "equation", "end": "unclosed", "break": "unclosed"}


class Reader:
    """Reads a text once."""

    def __init__(
        self,
        text: str,
        names: Sequence[str] | None,
        doubt: Doubt | None = None,
        deadline: Deadline = NEVER,
        cures: Mapping[str, str] | None = None,
    ) -> None:
        doubt = doubt or Doubt({})
        self.words = words = Words(text, names, doubt, deadline)
        self.text, self.names, self.deadline = text, names, deadline
        self.tokens, self.bound, self.is_latex = words.tokens, words.bound, words.is_latex
        self.formulas = {**FORMULAS, **cures} if cures else FORMULAS
        self.ask, self.cures = doubt.ask, cures
        self.depth, self.position, self.in_bars = 0, 0, False
        self.needs: list[Node | Lexeme] = []
        self.most = _PARTS + _PARTS_PER_CHARACTER * len(text)
        self.has_one_t = sum(each.text == "T" for each in self.tokens) == 1

    # Statements

    def program(self) -> list[Node | Lexeme]:
        """Read all statements; return what is written for them."""
        written, names, used = list[Node | Lexeme](), list[str](), set[str]()
        is_last = False
        while (first := self.peek()).kind != "end":
            if first.kind == "break":
                written.append(self.take())
                continue
            if is_last:
                raise Refused("two_results", first.start, len(self.words.plain))
            is_last = first.kind != "name" or self.at(1).kind != "="
            written += [] if is_last else [self.take(), self.take()]
            node = self.sum()
            after = self.peek()
            if after.kind not in ("end", "break"):
                raise Refused(_BEHIND.get(after.kind, "unexpected"), after.start, after.end)
            if not is_last and first.text in node.names and first.text not in names:
                raise Refused("cyclic", first.start, after.start)
            names += [] if is_last else [first.text]
            used |= node.names
            written.append(node)
        if not written:
            raise Refused("ended", 0, len(self.words.plain))
        if {*(names if is_last else names[:-1])} - used:
            raise Refused("two_results", 0, len(self.words.plain))
        return written

    def sum(self) -> Node:
        """Terms."""
        items = [("+", self.peek(), self.product())]
        while self.peek().kind in ("+", "-"):
            sign = self.take()
            items.append((sign.kind, sign, self.product()))
        node = trees.series("+", items) if len(items) > 1 else items[0][2]
        return self.over(node, self.take()) if self.peek().kind == "over" else node

    def over(self, above: Node, sign: Lexeme) -> Node:
        """Read what is below the line."""
        self.enter(sign)
        below = self.sum()
        self.depth -= 1
        return formula("x / y", [above, below], (above.start, below.end), "function")

    def product(self) -> Node:
        """Factors with and without signs; one behind a quotient may be below it."""
        items = [("*", self.peek(), self.factor())]
        while (token := self.peek()).kind in ("*", "/") or self.begins(token):
            if token.kind in ("*", "/"):
                self.take()
                items.append((token.kind, token, self.factor()))
                continue
            before = self.at(-1)
            self.neighbours(before, token)
            below = items[-1][0] == "/" and self.ask("quotient", before.start, token.end)
            sign = Lexeme("product", "*" if items[-1][2].end == token.start else " * ")
            item = ("*", sign, self.factor())
            if below:
                both = trees.series("*", [("*", token, items[-1][2]), item])
                items[-1] = (*items[-1][:2], both)
            else:
                items.append(item)
        if len(items) == 1:
            return items[0][2]
        for (_, _, above), (kind, _, below_it) in pairwise(items):
            if kind == "/" and self.is_derivative(above, _base(below_it).text):
                raise Refused("derivative", items[0][2].start, token.start)
        return trees.series("*", items)

    def is_derivative(self, above: Node, below: str) -> bool:
        """Return whether a quotient is `d/dx`, however it is written."""
        of, second = _letters(above), above.kind == "**" and above.arguments[0].text == "d"
        is_above = second or (_ABOVE.fullmatch(of) is not None and of not in self.bound)
        return is_above and DIFFERENTIAL.fullmatch(below) is not None and below not in self.bound

    def neighbours(self, before: Lexeme, token: Lexeme) -> None:
        """Refuse what stands side by side, but is no product: numbers, words, differences."""
        span = before.start, token.end
        if token.kind == "number" or before.kind == token.kind == "|":
            raise Refused("two_readings", *span)
        if token.kind != "name":
            return
        if before.text in ("Delta", "delta") and not token.gap:
            self.ask("difference", *span)
            raise Refused("two_readings", *span)
        is_name = before.kind == "name" and (before.run != token.run or not token.run)
        is_unit = token.gap or len(token.text) >= _SHORTEST_UNIT
        if not is_name and not (before.kind == "number" and is_unit):
            return
        free = {each.text for each in (before, token) if each.kind == "name"} - self.bound - GREEK
        free -= {*CONSTANTS, *FRACTIONS}
        if not self.is_latex and not all(map(_LETTER.fullmatch, free)):
            raise Refused("words", *span)

    def begins(self, token: Lexeme) -> bool:
        """Return whether an operand begins here."""
        if token.kind == "[":
            return token.gap or self.is_latex or self.at(-1).kind in ("number", ")", "]", "}")
        bar = token.kind == "|" and not self.in_bars
        return bar or token.kind in ("number", "name", "function", "(", "{", *ROOTS)

    def factor(self) -> Node:
        """A power with signs before it."""
        first, minus = self.peek(), self.minus_signs()
        node = self.powers(self.primary())
        is_sheet = self.text[:1] == "=" and len(minus) == 1
        is_power = is_sheet and node.kind == "**" and not node.inside
        if is_power and self.ask("spreadsheet", first.start, node.end):  # where -x^2 is a square
            base, exponent = node.arguments
            return trees.raised(trees.negative(minus[0], base), Lexeme("power", " ** "), exponent)
        for token in reversed(minus):
            node = trees.negative(token, node)
        return node

    # Powers

    def powers(self, base: Node) -> Node:
        """Read all exponents behind an operand."""
        while (sign := self.peek()).kind == "^":
            is_above = sign.start == sign.end
            self.take()
            minus = self.minus_signs()
            first = self.peek()
            exponent = self.primary()
            if first.kind not in PAIRS and not is_above:
                exponent = self.exponent(base, exponent, first)
            after = self.peek()
            if after.kind == "^" and not is_above and first.kind != "{":
                has_caret = self.words.plain[sign.start] != "*" and after.start != after.end
                if not (has_caret and self.ask("tower", sign.start, after.end)):
                    self.enter(after)
                    exponent = self.powers(exponent)
                    self.depth -= 1
            for token in reversed(minus):
                exponent = trees.negative(token, exponent)
            base = self.power(base, sign, exponent)
        return base

    def minus_signs(self) -> list[Lexeme]:
        """Read the signs before an operand; return each minus."""
        minus = list[Lexeme]()
        while self.peek().kind in ("-", "+"):
            token = self.take()
            minus += [token] if token.kind == "-" else []
        return minus

    def exponent(self, base: Node, exponent: Node, first: Lexeme) -> Node:
        """What touches an exponent may belong to it."""
        token, after = self.peek(), self.at(1)
        is_half = token.kind == "/" and first.kind == after.kind == "number" and first.text == "1"
        if is_half and self.at(-1) is first:
            if not self.ask("exponent", first.start, after.end):
                return exponent
            return trees.series("*", [("*", token, exponent), ("/", self.take(), self.primary())])
        items = [("*", token, exponent)]
        while self.begins(self.peek()) and not self.peek().gap and self.peek().kind != "number":
            before, token = self.at(-1), self.peek()
            if len(items) == 1:
                is_inside = base.number == _EULER or bool(before.run and before.run == token.run)
                if self.ask("exponent", first.start, token.end) == is_inside:
                    break
            items.append(("*", Lexeme("product", "*"), self.primary()))
        return trees.series("*", items) if len(items) > 1 else exponent

    def power(self, base: Node, sign: Lexeme, exponent: Node) -> Node:
        """Raise to a number, or by `exp` and `log`."""
        span = base.start, exponent.end
        is_transpose = exponent.text == "T" and base.kind == "name" and self.has_one_t
        if is_transpose and "T" not in self.bound:
            raise Refused("transpose", sign.start, exponent.end)
        is_exp = base.kind == "call" and base.text == "exp" and base.arguments[0].number == 1
        if base.number == _EULER or is_exp:
            is_complex = exponent.names & {"i", "j"} - self.bound
            if is_complex and not self.ask("imaginary", *span):
                raise Refused("two_readings", *span)
            return formula("exp(x)", [exponent.bare], span, "power")
        is_root = exponent.number is not None and exponent.number % 1 != 0
        if exponent.number is not None and not (is_root and (base.number or 0.0) < 0):
            return trees.raised(base, sign, exponent)
        if base.number is not None and base.number <= 0:
            raise Refused("negative_base", *span)
        if not trees.positive(base):
            self.needs += [base.bare, Lexeme("", " > 0\n")]
        return formula("exp(y * log(x))", [base, exponent], span, "power")

    # Operands

    def primary(self) -> Node:
        """A number, a name, a call, or what parentheses hold, with the methods behind it."""
        token = self.take()
        self.enter(token)
        made = self.methods(self.operand(token))
        if made.size > self.most:
            raise Refused("too_long", made.start, made.end)
        self.depth -= 1
        return made

    def enter(self, token: Lexeme) -> None:
        """Count what is read in one another."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise Refused("too_deep", token.start, token.end)

    def operand(self, token: Lexeme) -> Node:
        """Read what a token begins."""
        if token.kind in ROOTS:
            return self.bare(ROOTS[token.kind], token)
        read = {"number": self.number, "function": self.function, "name": self.name, "|": self.bars}
        return read.get(token.kind, self.parentheses)(token)

    def bars(self, token: Lexeme) -> Node:
        """Read an absolute value."""
        outer, self.in_bars = self.in_bars, True
        inner = self.sum()
        self.in_bars = outer
        if (closing := self.take()).kind != "|":
            raise Refused("unclosed", token.start, token.end)
        return formula("abs(x)", [inner], (token.start, closing.end), "bars")

    def parentheses(self, token: Lexeme) -> Node:
        """Read what parentheses, brackets or braces hold."""
        if token.kind not in PAIRS:
            raise Refused(_STRAY.get(token.kind, "unexpected"), token.start, token.end)
        (inner, *others), marks = self.group(token)
        span = token.start, marks[-1].end
        if others:
            is_pair = all(each.number is not None for each in (inner, *others))
            raise Refused("vector" if is_pair or token.kind == "[" else "comma", *span)
        if token.kind == "{":
            return inner._replace(start=span[0], end=span[1])
        return trees.enclosed(token, inner, marks[-1], *span)

    def number(self, token: Lexeme) -> Node:
        """Read a number, perhaps with the suffix that a literal of C or Python has."""
        after, number = self.peek(), float(token.text)
        if number == inf:
            raise Refused("too_large", token.start, token.end)
        if after.kind == "name" and not after.gap and after.text not in self.words.given:
            self.suffix(token, after)
        return trees.leaf(token, number)

    def suffix(self, token: Lexeme, after: Lexeme) -> None:
        """Skip a letter that may be a literal's suffix; each of them may be a name, too."""
        word, span = after.text, (token.start, after.end)
        joins = self.at(1).kind in ("name", "^", "(", "{")
        if word == "e" and "e" not in self.bound and not joins:
            raise Refused("number", *span)
        if word in ("i", "j") and not joins and not self.ask("imaginary", *span):
            raise Refused("two_readings", *span)
        is_literal = word in _SUFFIXES and not joins and (word not in "Dd" or "." in token.text)
        if not is_literal:
            if token.text.endswith("."):
                raise Refused("two_readings", *span)
            return
        uses = [a for a, b in pairwise(self.tokens) if b.text == word]
        literals = [a for a in uses if a.kind == "number" and "." in a.text]
        is_code = len(literals) > 1 or _FLOAT_CALL.search(self.text) is not None
        if (is_code and len(literals) == len(uses)) or not self.ask("suffix", *span):
            self.take()

    # Names and calls

    def name(self, token: Lexeme) -> Node:
        """Read a name that is no function, or the number that it stands for."""
        word, after = token.text, self.peek()
        if token.path or word in self.words.constants:
            return self.constant(token)
        if word in FRACTIONS:
            return self.fraction(token)
        is_power = after.kind == "." and key_of(self.at(1).text) == "pow"
        if word == "E" and is_power and word not in self.words.given:  # a constant of Rust
            return self.constant(token._replace(text="e"))
        is_indexed = after.kind == "[" and not after.gap and not self.is_latex
        if is_indexed and self.is_index():
            raise Refused("vector", token.start, after.end)
        if (after.kind == "(" or is_indexed) and word not in self.words.given:
            if word == "sigma" and not self.ask("sigma", token.start, token.end):
                return self.call("sigmoid", *self.group(self.take()), token)
            self.refuse_call(token, after)
        if not is_indexed:
            return trees.leaf(token)
        sign = Lexeme("product", "*")
        return trees.series("*", [("*", sign, trees.leaf(token)), ("*", sign, self.primary())])

    def constant(self, token: Lexeme) -> Node:
        """Read pi or e, as a name, of a module, or as a call of a spreadsheet."""
        word, span = token.text.lower() if token.path else token.text, (token.start, token.end)
        if word not in CONSTANTS:
            raise Refused("infinite" if word in ("inf", "infinity") else "attribute", *span)
        if self.peek().kind == "(" and not token.path:
            if self.at(1).kind == ")":
                self.take()
                self.take()
            elif word == "e" and self.ask("call", *span):  # or its exponent is lost
                raise Refused("unknown_function", *span)
        return trees.leaf(token._replace(text=CONSTANTS[word]), float(CONSTANTS[word]))

    def is_index(self) -> bool:
        """Return whether brackets hold an index: one number or name, or several."""
        first, after = self.at(1), self.at(2)
        return first.kind in ("number", "name") and after.kind in ("]", ",")

    def refuse_call(self, token: Lexeme, after: Lexeme) -> None:
        """Refuse a call of a possible function; a letter before parentheses may be a factor."""
        word, span = token.text, (token.start, token.end)
        is_factor = word in self.bound or word in self.words.free
        is_letter = len(word) == 1 or word in GREEK or _INDEXED.fullmatch(word)
        if not is_letter and word not in self.bound:
            raise Refused("unknown_function", *span)
        is_of_one = self.at(2).kind in (")", ",") and len(word) == 1
        is_e = word == "e" and "e" not in self.bound  # whose exponent may be lost
        if not is_e and (is_factor or not (word in _CALLED_LETTERS or is_of_one)):
            return
        if self.names is not None:
            raise Refused("no_value", *span)
        if self.ask("call", token.start, after.end):
            raise Refused("unknown_function", *span)

    def fraction(self, token: Lexeme) -> Node:
        """Read a command of LaTeX with what is above the line and below it."""
        above, below = self.primary(), self.primary()
        if self.is_derivative(above, _letters(below)):
            raise Refused("derivative", token.start, self.peek().start)
        return formula("x / y", [above.bare, below.bare], (token.start, below.end), "function")

    def methods(self, node: Node) -> Node:
        """Read `.tanh()` behind an operand, which is its first argument."""
        while self.peek().kind == ".":
            dot, name, opening = self.take(), self.take(), self.peek()
            key = key_of(name.text) if name.kind in ("name", "function") else None
            if opening.kind != "(" or key not in KNOWN or key is None or dot.gap:
                raise Refused("attribute", dot.start, name.end)
            self.take()
            is_empty = self.peek().kind == ")"
            arguments = [] if is_empty else self.group(opening, key)[0]
            if is_empty:
                self.take()
            if key in ("max", "min") and is_empty:
                raise Refused("vector", name.start, name.end)
            node = self.call(key, [node, *arguments], [], name._replace(place=-1))
        return node

    def group(self, opening: Lexeme, key: str = "") -> tuple[list[Node], list[Lexeme]]:
        """Read arguments up to the closing parenthesis; return them, and the marks around them."""
        outer, self.in_bars = self.in_bars, False
        if self.peek().kind == PAIRS[opening.kind]:
            raise Refused("arity" if key else "ended", opening.start, self.peek().end)
        arguments, marks = list[Node](), [opening]
        while marks[-1] is opening or marks[-1].kind == ",":
            self.keyword(key, len(arguments))
            if self.cures and self.peek().kind == "[" and key:
                inner, _ = self.group(self.take(), key)
                arguments += inner
                marks += [Lexeme("function", ", ")] * (len(inner) - 1)
            elif self.peek().text in ("True", "False") and arguments:
                self.take()
                marks.pop()
            else:
                arguments.append(self.sum())
            marks.append(self.take())
        self.in_bars = outer
        mark = marks[-1]
        if mark.kind != PAIRS[opening.kind]:
            raise Refused(_UNCLOSED.get(mark.kind, "unexpected"), mark.start, mark.end)
        return arguments, marks

    def keyword(self, key: str, count: int) -> None:
        """Skip `max=` before the argument that has its place."""
        token = self.peek()
        if self.at(1).kind != "=" or token.kind not in ("name", "function"):
            return
        names = TABLES["keywords"].get(key, "").split(" ")
        if token.text != "inplace" and names[count : count + 1] != [token.text]:
            raise Refused("equation", token.start, self.at(1).end)
        self.take()
        self.take()

    def function(self, token: Lexeme) -> Node:
        """Read a call, with an exponent at its name (`sin^2 x`), with and without parentheses."""
        key = key_of(token.text) or token.text
        if token.text == "sqrt" and self.peek().kind == "[" and self.is_latex:
            return self.root(token)
        above = self.power_of_name(token) if self.peek().kind == "^" else None
        after = self.peek()
        if after.kind in PAIRS and not (after.kind == "[" and after.gap):
            arguments, marks = self.group(self.take(), key)
            made = self.call(key, arguments, marks, token)
            made = made if above else self.methods(made)
        elif self.begins(after) or after.kind == "-":
            if key in SPELLED:
                raise Refused("words", token.start, after.end)
            made = self.bare(key, token)
        else:
            return trees.leaf(token._replace(kind="name"))
        return trees.raised(made, Lexeme("power", " ** "), above) if above else made

    def power_of_name(self, token: Lexeme) -> Node:
        """Read `^2` between a name and its argument."""
        sign = self.take()
        if self.peek().kind == "-":
            raise Refused("two_readings", token.start, self.at(1).end)  # an inverse, or 1 over it
        node = self.primary()
        is_operand = self.begins(self.peek()) or self.peek().kind == "["
        if node.kind != "number" or not node.text.isdigit() or not is_operand:
            raise Refused("two_readings", token.start, sign.end)
        return node

    def root(self, token: Lexeme) -> Node:
        """Read a root of LaTeX with its order in brackets."""
        (order, *_), _ = self.group(self.take())
        inner = self.primary()
        if order.number == CUBIC:
            return self.call("cbrt", [inner], [], token)
        exponent = formula("1 / x", [order], (order.start, order.end), "power")
        return self.power(inner, Lexeme("power", " ** ", token.start, token.end), exponent)

    def bare(self, key: str, token: Lexeme) -> Node:
        """Read an argument without parentheses: numbers and one factor; what follows is asked."""
        first, is_root = self.peek(), key in ("sqrt", "cbrt")
        minus = [self.take()] if first.kind == "-" else []
        is_closed = first.kind in (*PAIRS, "|")
        node = self.primary() if is_closed else self.argument(token)
        items, is_numeric = [("*", first, node)], node.number is not None
        while not is_closed and not (is_root and self.is_latex):
            after, before = self.peek(), self.at(-1)
            joins = self.begins(after) and after.kind not in ("number", "function", *ROOTS)
            if not (joins and is_numeric and not is_root):
                if not joins and (is_root or after.kind not in ("*", "/")):
                    break
                ends = before.kind in (")", "}", "|") or self.at(int(not joins)).kind == "function"
                is_inside = joins and not after.gap and not is_root
                if ends or self.ask("argument", token.start, after.end) == is_inside:
                    break
            touching = Lexeme("product", "*" if before.end == after.start else " * ")
            sign = touching if joins else self.take()
            more = self.argument(token)
            is_numeric = is_numeric and more.number is not None
            items.append(("*" if joins else sign.kind, sign, more))
        node = trees.series("*", items) if len(items) > 1 else node
        node = trees.negative(minus[0], node) if minus else node
        return self.call(key, [node], [], token)

    def argument(self, call: Lexeme) -> Node:
        """Read a factor of the argument of a bare call; a power may be one of the call."""
        node = self.primary()
        if self.peek().kind == "^" and not self.ask("argument", call.start, self.peek().end):
            return self.powers(node)
        return node

    def call(self, key: str, arguments: list[Node], marks: list[Lexeme], name: Lexeme) -> Node:
        """Write a call with what the language has."""
        span = min(name.start, arguments[0].start), max(self.at(-1).end, name.end)
        is_max = key in ("max", "min")
        of_array = is_max and name.text in ("max", "min") and name.path not in _SCALAR_PATHS
        is_cure = self.cures and calling(key, len(arguments)) in self.cures
        if (key in WITHOUT or of_array) and not is_cure:
            raise Refused(WITHOUT.get(key, "vector"), name.start, name.end)
        if key.startswith(("log_", "ln_")) and key not in KNOWN:
            low = key.partition("_")[2]
            number = float(low) if low.isdigit() else None
            arguments = [*arguments, trees.leaf(Lexeme("function", low), number)]
            key = "log"
        while is_max and len(arguments) > len("xy"):
            first = formula(f"{key}(x, y)", arguments[:2], span, "function")
            arguments, marks = [first, *arguments[2:]], []
        if key in FUNCTIONS and FUNCTIONS[key].arity == len(arguments):
            written = name._replace(kind="function", text=key)
            in_place = name.place >= 0 and (marks or not is_max)
            return trees.called(
                written if in_place else Lexeme("function", key), arguments, span, marks
            )
        return self.by_formula(key, arguments, span, name)

    def by_formula(
        self, key: str, arguments: Sequence[Node], span: tuple[int, int], name: Lexeme
    ) -> Node:
        """Write a function that the language does not have by one of its formulas."""
        first = arguments[0]
        is_order = key in ("root", "nthroot", "surd") and len(arguments) > 1
        if is_order and arguments[1].number == CUBIC:
            key, arguments = "cbrt", [first]
        found = self.formulas.get(calling(key, len(arguments)))
        if found is None:
            raise Refused("arity", *span)
        if key in ("logaddexp", "logsumexp") and first.number == 0:
            arguments, found = arguments[1:], "softplus(x)"
        forms = found.split(" | ")
        is_known = len(forms) == 1 or (key == "LOG" and self.text[:1] == "=")
        form = forms[0 if is_known else self.ask("function", *span, len(forms))].strip()
        if not form:
            raise Refused("two_readings", name.start, name.end)
        if form == "x ** y":
            return self.power(first, Lexeme("power", " ** "), arguments[1])
        if key in TABLES["needs"]:
            self.needs += [first.bare, Lexeme("", TABLES["needs"][key] + "\n")]
        return formula(form, arguments, span, "function")

    # Tokens

    def at(self, steps: int) -> Lexeme:
        """Return a token near the next one."""
        return self.tokens[max(0, min(self.position + steps, len(self.tokens) - 1))]

    def peek(self) -> Lexeme:
        """Return the next token."""
        return self.tokens[self.position]

    def take(self) -> Lexeme:
        """Return the next token, and go on to the one behind it."""
        if self.position % NODES_PER_CHECK == 0:
            self.deadline.check()
        token = self.tokens[self.position]
        self.position += self.position < len(self.tokens) - 1
        return token


def formula(text: str, arguments: Sequence[Node], span: tuple[int, int], reason: str) -> Node:
    """Return what a formula of the table, whose slots are x, y and z, makes of its arguments."""
    slots = dict(zip("xyz", arguments, strict=False))
    return trees.filled(_template_of(text), slots, span, reason)


@cache
def _template_of(text: str) -> Node:
    return Reader(text, ["x", "y", "z"]).sum()


def _base(node: Node) -> Node:
    return _base(node.arguments[0]) if node.kind in ("**", "neg") else node


def _letters(node: Node) -> str:
    """Return the letters of a product as one word: d*x is dx."""
    is_product = node.kind == "*" and "/" not in node.text
    factors: Iterable[Node] = node.arguments if is_product else [node]
    return "".join([_base(each).text for each in factors if _base(each).kind == "name"])
