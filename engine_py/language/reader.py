"""Tokens -> the tree of a program, with one choice of each kind of doubt.

The grammar is looser than the language's. Where a text is ambiguous, the reader asks its `Doubt` by
the kind of ambiguity; one reading makes the same choice for all doubts of a kind.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import inf

from engine_py.deadline import NEVER, NODES_PER_CHECK, Deadline
from engine_py.errors import Span
from engine_py.language import spelling, trees
from engine_py.language.spelling import PAIRS, ROOTS, TABLES, Lexeme, Placed, Refused, key_of
from engine_py.language.trees import Node
from engine_py.language.words import CONSTANTS, DIFFERENTIAL, SUFFIXES, Doubt, Words
from engine_py.operations import FUNCTIONS

DEEPEST = 60
"""The deepest nesting of parentheses, powers and calls; the reader recurses through it."""
_PARTS, _PARTS_PER_CHARACTER = 400, 20
"""Bounds on the size of a tree, which nested formulas can double with each call."""
CUBIC = 3
"""The order of the root that negative numbers have, too."""
_EULER, _PI = float(CONSTANTS["e"]), float(CONSTANTS["pi"])
_LETTER = re.compile(r"[A-Za-z](?:_?[A-Za-z0-9]{1,2}|hat|bar)?(?:_[A-Za-z0-9]+)?")
"""A name that may stand next to another one in a product."""
_INDEXED = re.compile(r"[A-Za-z]_?[0-9]|[A-Za-z]_[A-Za-z0-9]+")
_ABOVE = re.compile(r"d[A-Za-z]?|d[A-Za-z0-9_]{3,}")
"""The numerator of a derivative: d, dy, dloss."""
_SHORTEST_UNIT = 5
"""Length from which a word directly after a number is text and not a factor."""
_FLOAT_CALL = re.compile(r"\b[a-z]{3,8}f *\(")
"""C's `expf(`; with it, `0.5f` is a number."""
_SCALAR_PATHS = ("", "math", "Math", "std", "f32", "f64")
"""Modules whose `max` takes numbers, not an array."""
_STRAY: dict[str, dict[str, str]] = TABLES["stray"]
"""Why a token is refused instead of an operand, after a statement, or in parentheses."""


class Reader(Words):
    """Reads a text once."""

    def __init__(
        self,
        text: str,
        names: Sequence[str] | None,
        doubt: Doubt | None = None,
        deadline: Deadline = NEVER,
        cures: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(text, names, doubt or Doubt({}), deadline)
        self.deadline, self.cures = deadline, cures or {}
        self.depth, self.position, self.in_bars = 0, 0, False
        self.needs: list[Node | Lexeme] = []
        self.most = _PARTS + _PARTS_PER_CHARACTER * len(text)

    # Statements

    def program(self) -> list[Node | Lexeme]:
        """Read all statements; return the parts of the program."""
        written, names, used = list[Node | Lexeme](), list[str](), set[str]()
        is_last, whole = False, Span(0, len(self.plain))
        while (first := self.peek()).kind != "end":
            if first.kind == "break":
                written.append(self.take())
                continue
            if is_last:
                raise Refused("two_results", first, whole)
            is_last = first.kind != "name" or self.at(1).kind != "="
            written += [] if is_last else [self.take(), self.take()]
            node = self.sum()
            after = self.peek()
            if after.kind not in ("end", "break"):
                raise Refused(_STRAY["behind"].get(after.kind, "unexpected"), after)
            if not is_last and first.text in node.names and first.text not in names:
                raise Refused("cyclic", Span(first.start, after.start))
            names += [] if is_last else [first.text]
            used |= node.names
            written.append(node)
        if not written:
            raise Refused("ended", whole)
        if {*(names if is_last else names[:-1])} - used:
            raise Refused("two_results", whole)
        return written

    def sum(self) -> Node:
        """Read terms, and the denominator if a fraction line follows them."""
        nodes, signs = [self.product()], list[Lexeme]()
        while self.peek().kind in ("+", "-"):
            signs.append(self.take())
            nodes.append(self.product())
        above = trees.series("+", nodes, signs)
        if self.peek().kind != "over":
            return above
        self.enter(self.take())
        below = self.sum()
        self.depth -= 1
        return formula("x / y", [above, below], Span(above.start, below.end), "function")

    def product(self) -> Node:
        """Read factors, with or without signs; one after a quotient may be its denominator's."""
        nodes, signs = [self.factor()], list[Lexeme]()
        while (token := self.peek()).kind in ("*", "/") or self.begins(token):
            if token.kind in ("*", "/"):
                signs.append(self.take())
                nodes.append(self.factor())
                continue
            before = self.at(-1)
            self.neighbours(before, token)
            is_quotient = bool(signs) and signs[-1].kind == "/"
            is_below = is_quotient and self.ask("quotient", before, token)
            sign = _times(nodes[-1], token)
            if is_below:
                nodes[-1] = trees.series("*", [nodes[-1], self.factor()], [sign])
            else:
                signs.append(sign)
                nodes.append(self.factor())
        for (above, below), sign in zip(pairwise(nodes), signs, strict=True):
            if sign.kind == "/" and self.is_derivative(above, _base(below).text):
                raise Refused("derivative", Span(nodes[0].start, token.start))
        return trees.series("*", nodes, signs)

    def is_derivative(self, above: Node, below: str) -> bool:
        """Return whether a quotient is `d/dx`, however it is written."""
        of, is_second = _letters(above), above.kind == "**" and above.arguments[0].text == "d"
        is_above = is_second or (_ABOVE.fullmatch(of) is not None and of not in self.bound)
        return is_above and DIFFERENTIAL.fullmatch(below) is not None and below not in self.bound

    def neighbours(self, before: Lexeme, token: Lexeme) -> None:
        """Refuse neighbours that are not factors of a product: numbers, words, differences."""
        is_difference = token.kind == "name" and before.text in ("Delta", "delta") and not token.gap
        if is_difference:
            self.ask("difference", before, token)
        if is_difference or token.kind == "number" or before.kind == token.kind == "|":
            raise Refused("two_readings", before, token)
        is_name = before.kind == "name" and (before.run != token.run or not token.run)
        is_unit = token.gap or len(token.text) >= _SHORTEST_UNIT
        if token.kind != "name" or not (is_name or (before.kind == "number" and is_unit)):
            return
        free = {each.text for each in (before, token) if each.kind == "name"} - self.bound
        free = free - spelling.GREEK - {*CONSTANTS, *spelling.FRACTIONS}
        if not self.is_latex and not all(map(_LETTER.fullmatch, free)):
            raise Refused("words", before, token)

    def begins(self, token: Lexeme) -> bool:
        """Return whether an operand begins here."""
        if token.kind == "[":
            return token.gap or self.is_latex or self.at(-1).kind in ("number", ")", "]", "}")
        bar = token.kind == "|" and not self.in_bars
        return bar or token.kind in ("number", "name", "function", "(", "{", *ROOTS)

    def factor(self) -> Node:
        """Read a power and the signs before it."""
        first, minus = self.peek(), self.minus_signs()
        node = self.powers(self.primary())
        is_sheet = self.text[:1] == "=" and len(minus) == 1
        is_power = is_sheet and node.kind == "**" and not node.parentheses
        if is_power and self.ask("spreadsheet", first, node):  # there -x^2 is (-x)^2
            base, exponent = node.arguments
            return trees.raised(trees.negative(minus, base), _POWER, exponent)
        return trees.negative(minus, node)

    # Powers

    def powers(self, base: Node) -> Node:
        """Read all exponents after an operand."""
        while (sign := self.peek()).kind == "^":
            is_above = sign.start == sign.end
            self.take()
            minus, first = self.minus_signs(), self.peek()
            exponent = self.primary()
            if first.kind not in PAIRS and not is_above:
                exponent = self.exponent(base, exponent, first)
            after = self.peek()
            if after.kind == "^" and not is_above and first.kind != "{":
                has_caret = self.plain[sign.start] != "*" and after.start != after.end
                if not (has_caret and self.ask("tower", sign, after)):
                    self.enter(after)
                    exponent = self.powers(exponent)
                    self.depth -= 1
            base = self.power(base, sign, trees.negative(minus, exponent))
        return base

    def minus_signs(self) -> list[Lexeme]:
        """Read the signs before an operand; return each minus."""
        signs = list[Lexeme]()
        while self.peek().kind in ("-", "+"):
            signs.append(self.take())
        return [each for each in signs if each.kind == "-"]

    def exponent(self, base: Node, exponent: Node, first: Lexeme) -> Node:
        """Read what directly follows an exponent and may belong to it."""
        token, after = self.peek(), self.at(1)
        is_half = token.kind == "/" and first.kind == after.kind == "number" and first.text == "1"
        if is_half and self.at(-1) is first:
            if not self.ask("exponent", first, after):
                return exponent
            self.take()
            return trees.series("*", [exponent, self.primary()], [token])
        nodes, signs = [exponent], list[Lexeme]()
        while self.begins(self.peek()) and not self.peek().gap and self.peek().kind != "number":
            before, token = self.at(-1), self.peek()
            if not signs:
                is_inside = base.number == _EULER or bool(before.run and before.run == token.run)
                is_call = token.kind in ("function", *ROOTS) and exponent.kind == "number"
                if (is_call and not is_inside) or self.ask("exponent", first, token) == is_inside:
                    break
            signs.append(Lexeme("product", "*"))
            nodes.append(self.primary())
        return trees.series("*", nodes, signs)

    def power(self, base: Node, sign: Lexeme, exponent: Node) -> Node:
        """Raise to a power: by `**` if it is a number, else by `exp` and `log`."""
        span, number = Span(base.start, exponent.end), exponent.number
        has_one_t = exponent.text == "T" and [each.text for each in self.tokens].count("T") == 1
        is_vector = base.kind == "name" or base.number == _PI  # pi may be a policy
        if has_one_t and is_vector and "T" not in self.bound:
            raise Refused("transpose", sign, exponent)
        is_exp = base.kind == "call" and base.text == "exp" and base.arguments[0].number == 1
        is_e = base.text == "E" and number is None and "E" not in self.bound
        if base.number == _EULER or is_exp or (is_e and not self.ask("euler", base, exponent)):
            is_complex = exponent.names & {"i", "j"} - self.bound
            if is_complex and not self.ask("imaginary", span, span):
                raise Refused("two_readings", span)
            return formula("exp(x)", [exponent], span, "power")
        is_root = number is not None and number % 1 != 0
        if number is not None and not (is_root and (base.number or 0.0) < 0):
            return trees.raised(base, sign, exponent)
        if base.number is not None and base.number <= 0:
            raise Refused("negative_base", span)
        if not trees.positive(base):
            self.needs += [base.bare, Lexeme("", " > 0\n")]
        return formula("exp(y * log(x))", [base, exponent], span, "power")

    # Operands

    def primary(self) -> Node:
        """Read a number, a name, a call or parentheses, and the methods after it."""
        token = self.take()
        self.enter(token)
        made = self.methods(self.operand(token))
        if made.size > self.most:
            raise Refused("too_long", made)
        self.depth -= 1
        return made

    def enter(self, token: Lexeme) -> None:
        """Enter another level of nesting."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise Refused("too_deep", token)

    def operand(self, token: Lexeme) -> Node:
        """Read the operand that a token begins."""
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
            raise Refused("unclosed", token)
        return formula("abs(x)", [inner], Span(token.start, closing.end), "bars")

    def parentheses(self, token: Lexeme) -> Node:
        """Read the content of parentheses, brackets or braces."""
        if token.kind not in PAIRS:
            raise Refused(_STRAY["operand"].get(token.kind, "unexpected"), token)
        (inner, *others), marks = self.group(token)
        if others:
            is_pair = all(each.number is not None for each in (inner, *others))
            raise Refused("vector" if is_pair or token.kind == "[" else "comma", token, marks[-1])
        if token.kind == "{":
            return inner._replace(start=token.start, end=marks[-1].end)
        return trees.enclosed(token, inner, marks[-1])

    def number(self, token: Lexeme) -> Node:
        """Read a number, perhaps with a suffix as in C or Python."""
        after, number = self.peek(), float(token.text)
        if number == inf:
            raise Refused("too_large", token)
        if after.kind == "name" and not after.gap and after.text not in self.given:
            self.suffix(token, after)
        return trees.leaf(token, number)

    def suffix(self, token: Lexeme, after: Lexeme) -> None:
        """Skip a letter that may be a literal's suffix; every such letter may be a name, too."""
        word = after.text
        if self.at(1).kind in ("name", "^", "(", "{"):
            word = ""  # more than a letter
        if word == "e" and "e" not in self.bound:
            raise Refused("number", token, after)
        is_unit = word in ("i", "j") and not self.ask("imaginary", token, after)
        is_literal = word in SUFFIXES and (word not in "dD" or "." in token.text)
        if is_unit or (not is_literal and token.text.endswith(".")):
            raise Refused("two_readings", token, after)
        if not is_literal:
            return
        uses = [each for each, following in pairwise(self.tokens) if following.text == word]
        literals = [each for each in uses if each.kind == "number" and "." in each.text]
        is_code = len(literals) > 1 or _FLOAT_CALL.search(self.text) is not None
        if (is_code and len(literals) == len(uses)) or not self.ask("suffix", token, after):
            self.take()

    # Names and calls

    def name(self, token: Lexeme) -> Node:
        """Read a name that is not a function, or the number that it stands for."""
        word, after = token.text, self.peek()
        if token.path or word in self.constants:
            return self.constant(token)
        if word in spelling.FRACTIONS:
            return self.fraction(token)
        is_power = after.kind == "." and key_of(self.at(1).text) == "pow"
        if word == "E" and is_power and word not in self.given:  # Rust's constant
            return self.constant(token._replace(text="e"))
        is_indexed = after.kind == "[" and not after.gap and not self.is_latex
        has_operand = self.at(1).kind in ("number", "name")
        if is_indexed and has_operand and self.at(2).kind in ("]", ","):
            raise Refused("vector", token, after)
        if (after.kind == "(" or is_indexed) and word not in self.given:
            if word == "sigma" and not self.ask("sigma", token, token):
                return self.call("sigmoid", *self.group(self.take()), token)
            self.refuse_call(token, after)
        node = trees.leaf(token)
        return trees.series("*", [node, self.primary()], [_TOUCHING]) if is_indexed else node

    def constant(self, token: Lexeme) -> Node:
        """Read pi or e, written as a name, as `math.pi`, or as a call in a spreadsheet."""
        word = token.text.lower() if token.path else token.text
        if word not in CONSTANTS:
            raise Refused("infinite" if word in ("inf", "infinity") else "attribute", token)
        if self.peek().kind == "(" and not token.path:
            if self.at(1).kind == ")":
                self.take()
                self.take()
            elif word == "e" and self.ask("call", token, token):  # or its exponent was lost
                raise Refused("unknown_function", token)
        return trees.leaf(token._replace(text=CONSTANTS[word]), float(CONSTANTS[word]))

    def refuse_call(self, token: Lexeme, after: Lexeme) -> None:
        """Refuse a call of a possible function; a letter before parentheses may be a factor."""
        word, is_bound = token.text, token.text in self.bound
        is_letter = len(word) == 1 or word in spelling.GREEK or _INDEXED.fullmatch(word)
        if not is_letter and not is_bound:
            raise Refused("unknown_function", token)
        is_of_one = self.at(2).kind in (")", ",") and len(word) == 1
        is_called = word in TABLES["called_letters"].split(" ") or is_of_one
        is_e = word == "e" and not is_bound  # its exponent may have been lost
        if not is_e and (is_bound or word in self.free or not is_called):
            return
        if self.names is not None:
            raise Refused("no_value", token)
        if self.ask("call", token, after):
            raise Refused("unknown_function", token)

    def fraction(self, token: Lexeme) -> Node:
        """Read a LaTeX fraction: the command, the numerator and the denominator."""
        above, below = self.primary(), self.primary()
        if self.is_derivative(above, _letters(below)):
            raise Refused("derivative", Span(token.start, self.peek().start))
        return formula("x / y", [above.bare, below.bare], Span(token.start, below.end), "function")

    def methods(self, node: Node) -> Node:
        """Read `.tanh()` after an operand, which is its first argument."""
        while self.peek().kind == ".":
            dot, name, opening = self.take(), self.take(), self.peek()
            key = key_of(name.text) if name.kind in ("name", "function") else None
            if opening.kind != "(" or key is None or key not in spelling.KNOWN or dot.gap:
                raise Refused("attribute", dot, name)
            self.take()
            is_empty = self.peek().kind == ")"
            arguments = [] if is_empty else self.group(opening, key)[0]
            if is_empty:
                self.take()
            if key in ("max", "min") and is_empty:
                raise Refused("vector", name)
            node = self.call(key, [node, *arguments], [], name._replace(place=-1))
        return node

    def group(self, opening: Lexeme, key: str = "") -> tuple[list[Node], list[Lexeme]]:
        """Read arguments up to the closing parenthesis; return them and the marks around them."""
        outer, self.in_bars = self.in_bars, False
        if self.peek().kind == PAIRS[opening.kind]:
            raise Refused("arity" if key else "ended", opening, self.peek())
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
        if marks[-1].kind != PAIRS[opening.kind]:
            raise Refused(_STRAY["inside"].get(marks[-1].kind, "unexpected"), marks[-1])
        return arguments, marks

    def keyword(self, key: str, count: int) -> None:
        """Skip `max=` before the argument at its position."""
        token = self.peek()
        if self.at(1).kind != "=" or token.kind not in ("name", "function"):
            return
        names = TABLES["keywords"].get(key, "").split(" ")
        if token.text != "inplace" and names[count : count + 1] != [token.text]:
            raise Refused("equation", token, self.at(1))
        self.take()
        self.take()

    def function(self, token: Lexeme) -> Node:
        """Read a call, with or without parentheses or an exponent after its name (`sin^2 x`)."""
        key = key_of(token.text) or token.text
        if token.text == "sqrt" and self.peek().kind == "[" and self.is_latex:
            return self.root(token)
        above = self.power_of_name(token) if self.peek().kind == "^" else None
        after = self.peek()
        if after.kind in PAIRS and not (after.kind == "[" and after.gap):
            made = self.call(key, *self.group(self.take(), key), token)
            made = made if above else self.methods(made)
        elif self.begins(after) or after.kind == "-":
            if key in TABLES["spelled"].split(" "):  # a word of English
                raise Refused("words", token, after)
            made = self.bare(key, token)
        else:
            return trees.leaf(token._replace(kind="name"))
        return trees.raised(made, _POWER, above) if above else made

    def power_of_name(self, token: Lexeme) -> Node:
        """Read `^2` between a name and its argument."""
        sign = self.take()
        if self.peek().kind == "-":
            raise Refused("two_readings", token, self.at(1))  # an inverse, or 1 over it
        node = self.primary()
        is_operand = self.begins(self.peek()) or self.peek().kind == "["
        if node.kind != "number" or not node.text.isdigit() or not is_operand:
            raise Refused("two_readings", token, sign)
        return node

    def root(self, token: Lexeme) -> Node:
        """Read a LaTeX root with its order in brackets."""
        (order, *_), _ = self.group(self.take())
        inner = self.primary()
        if order.number == CUBIC:
            return self.call("cbrt", [inner], [], token)
        exponent = formula("1 / x", [order], order, "power")
        return self.power(inner, _POWER._replace(start=token.start, end=token.end), exponent)

    def bare(self, key: str, token: Lexeme) -> Node:
        """Read an argument without parentheses: numbers and one factor; more of it is a doubt."""
        first, is_root = self.peek(), key in ("sqrt", "cbrt")
        minus = [self.take()] if first.kind == "-" else []
        is_closed = first.kind in (*PAIRS, "|")
        nodes, signs = [self.primary() if is_closed else self.argument(token)], list[Lexeme]()
        while not is_closed and not (is_root and self.is_latex):
            after, before = self.peek(), self.at(-1)
            joins = self.begins(after) and after.kind not in ("number", "function", *ROOTS)
            is_numeric = all(each.number is not None for each in nodes)
            if not (joins and is_numeric and not is_root):
                if not joins and (is_root or after.kind not in ("*", "/")):
                    break
                ends = before.kind in (")", "}", "|") or self.at(int(not joins)).kind == "function"
                is_inside = joins and not after.gap and not is_root
                if ends or self.ask("argument", token, after) == is_inside:
                    break
            signs.append(_times(before, after) if joins else self.take())
            nodes.append(self.argument(token))
        node = trees.negative(minus, trees.series("*", nodes, signs))
        return self.call(key, [node], [], token)

    def argument(self, call: Lexeme) -> Node:
        """Read a factor of a bare call's argument; an exponent may apply to the call instead."""
        node = self.primary()
        if self.peek().kind == "^" and not self.ask("argument", call, self.peek()):
            return self.powers(node)
        return node

    def call(self, key: str, arguments: list[Node], marks: list[Lexeme], name: Lexeme) -> Node:
        """Make a call from the functions that the language has."""
        start = min(name.start, arguments[0].start)
        span, is_max = Span(start, max(self.at(-1).end, name.end)), key in ("max", "min")
        of_array = is_max and name.text in ("max", "min") and name.path not in _SCALAR_PATHS
        if (key in spelling.WITHOUT or of_array) and spelling.calling(
            key, len(arguments)
        ) not in self.cures:
            raise Refused(spelling.WITHOUT.get(key, "vector"), name)
        if key.startswith(("log_", "ln_")) and key not in spelling.KNOWN:
            low = key.partition("_")[2]
            number = float(low) if low.isdigit() else None
            arguments = [*arguments, trees.leaf(Lexeme("function", low), number)]
            key = "log"
        while is_max and len(arguments) > len("xy"):
            first = formula(f"{key}(x, y)", arguments[:2], span, "function")
            arguments, marks = [first, *arguments[2:]], []
        if key in FUNCTIONS and FUNCTIONS[key].arity == len(arguments):
            in_place = name.place >= 0 and (marks or not is_max)
            written = name._replace(kind="function", text=key)
            written = written if in_place else Lexeme("function", key)
            return trees.called(written, arguments, span, marks)
        return self.by_formula(key, arguments, span, name)

    def by_formula(self, key: str, arguments: Sequence[Node], span: Placed, name: Lexeme) -> Node:
        """Replace a function that the language does not have by one of its formulas."""
        first = arguments[0]
        is_order = key in ("root", "nthroot", "surd") and len(arguments) > 1
        if is_order and arguments[1].number == CUBIC:
            key, arguments = "cbrt", [first]
        call = spelling.calling(key, len(arguments))
        found = self.cures.get(call) or spelling.FORMULAS.get(call)
        if found is None:
            raise Refused("arity", span)
        if key in ("logaddexp", "logsumexp") and first.number == 0:
            arguments, found = arguments[1:], "softplus(x)"
        forms = found.split(" | ")
        is_known = len(forms) == 1 or (key == "LOG" and self.text[:1] == "=")
        form = forms[0 if is_known else self.ask("function", span, span, len(forms))].strip()
        if not form:
            raise Refused("two_readings", name)
        if form == "x ** y":
            return self.power(first, _POWER, arguments[1])
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
        """Return the next token and advance."""
        if self.position % NODES_PER_CHECK == 0:
            self.deadline.check()
        token = self.tokens[self.position]
        self.position += self.position < len(self.tokens) - 1
        return token


_POWER, _TOUCHING = Lexeme("power", " ** "), Lexeme("product", "*")
"""Signs that the reader inserts."""


def _times(before: Placed, after: Placed) -> Lexeme:
    """Return the sign to insert into a product that has none."""
    return _TOUCHING if before.end == after.start else Lexeme("product", " * ")


def formula(text: str, arguments: Sequence[Node], span: Placed, reason: str) -> Node:
    """Fill a formula of the table, whose slots are x, y and z, with arguments."""
    slots = dict(zip("xyz", arguments, strict=False))
    return trees.filled(_template_of(text), slots, span, reason)


@cache
def _template_of(text: str) -> Node:
    return Reader(text, ["x", "y", "z"]).sum()


def _base(node: Node) -> Node:
    return _base(node.arguments[0]) if node.kind in ("**", "neg") else node


def _letters(node: Node) -> str:
    """Join the letters of a product into one word: d*x is dx."""
    is_product = node.kind == "*" and "/" not in node.text
    factors = map(_base, node.arguments if is_product else [node])
    return "".join([each.text for each in factors if each.kind == "name"])
