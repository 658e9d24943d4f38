"""Text -> trees, by recursive descent (R8 to R19). Newlines are tokens; the parser skips those that
are blanks. A tree has the graph's structure already, but no ids, no data and no expansions.
"""

import re
from math import isfinite

from calculus import ARITY, DERIVED, FUNCTIONS
from checks import too_large
from faults import Fault

LEXEME = re.compile(
    r"(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z_0-9]*)"
    r"|(?P<sign>\*\*|[-+*/()=,;\n])"
)
BLANKS = " \t\r"


class Token:
    def __init__(self, kind, text, start):
        self.kind, self.text, self.start, self.end = kind, text, start, start + len(text)
        self.span = self.start, self.end


class Tree:
    """A leaf or an operation. `operands` are trees; `data` is that of a constant."""

    def __init__(self, symbol, operands, span, data=None, label=None):
        self.symbol, self.operands, self.span = symbol, operands, span
        self.data, self.label, self.variable = data, label, False


class Part:
    """A tree, and the text that it covers with its parentheses and signs."""

    def __init__(self, tree, start, end):
        self.tree, self.start, self.end = tree, start, end


def lexemes(text):
    found, place = [], 0
    while place < len(text):
        if text[place] in BLANKS:
            place += 1
            continue
        match = LEXEME.match(text, place)
        if not match:
            raise Fault("unexpected_character", (place, place + 1))
        kind = match[0] if match.lastgroup == "sign" else match.lastgroup
        found.append(Token(kind, match[0], place))
        place = match.end()
    return [*found, Token("end", "", len(text))]


class Parser:
    def __init__(self, text, view, most):
        self.tokens, self.place, self.depth = lexemes(text), 0, 0
        self.view, self.most, self.count = view, most, 0
        self.scope, self.variables, self.bound = {}, [], []

    def peek(self, ahead=0):
        """Look past newlines inside of parentheses."""
        place = self.place
        while True:
            while self.depth and self.tokens[place].kind == "\n":
                place += 1
            if not ahead or self.tokens[place].kind == "end":
                return self.tokens[place]
            ahead, place = ahead - 1, place + 1

    def take(self):
        token = self.peek()
        self.place = self.tokens.index(token, self.place) + 1
        return token

    def skip_newlines(self):
        while self.tokens[self.place].kind == "\n":
            self.place += 1

    def skip_separators(self):
        while self.tokens[self.place].kind in ("\n", ";"):
            self.place += 1

    def program(self):
        self.skip_separators()
        while True:
            named = self.peek().kind == "name" and self.peek(1).kind == "="
            name = self.take() if named else None
            if named:
                self.take()
            root = self.sum().tree
            if self.peek().kind not in ("end", ";", "\n"):
                raise Fault("unexpected_token", self.peek().span)
            if named:
                self.bind(name, root)
            self.skip_separators()
            if self.peek().kind == "end":
                return root
            if not named:
                raise Fault("unexpected_token", self.peek().span)

    def bind(self, name, tree):
        if name.text in self.scope:
            raise Fault("duplicate_name", name.span, name=name.text)
        self.scope[name.text] = tree
        self.bound.append((name, tree))
        if tree.label is None:
            tree.label = name.text

    def sum(self):
        left = self.product()
        while self.peek().kind in ("+", "-"):
            sign = self.take()
            right = self.product()
            left = self.operation(sign.kind, left.start, right.end, left, right)
        return left

    def product(self):
        left = self.prefixed()
        while self.peek().kind in ("*", "/"):
            sign = self.take()
            right = self.prefixed()
            left = self.operation(sign.kind, left.start, right.end, left, right)
        return left

    def prefixed(self):
        self.skip_newlines()
        sign = self.peek()
        if sign.kind == "-" and self.is_negative_literal():
            self.take()
            return self.after_operand(self.constant(self.number_after_sign(), sign))
        if sign.kind in ("+", "-"):
            self.take()
            inner = self.prefixed()
            if sign.kind == "-":
                return self.operation("neg", sign.start, inner.end, inner)
            return Part(inner.tree, sign.start, inner.end)
        return self.power()

    def is_negative_literal(self):
        """A sign, newlines, a number, and no power after it."""
        place = self.tokens.index(self.peek(), self.place) + 1
        while self.tokens[place].kind == "\n":
            place += 1
        if self.tokens[place].kind != "number":
            return False
        place += 1
        while self.depth and self.tokens[place].kind == "\n":
            place += 1
        return self.tokens[place].kind != "**"

    def number_after_sign(self):
        self.skip_newlines()
        return self.take()

    def power(self):
        base = self.atom()
        if self.peek().kind != "**":
            return base
        self.take()
        self.skip_newlines()
        first = self.peek()
        if first.kind in ("+", "-"):
            self.take()
            self.skip_newlines()
        number = self.peek()
        if number.kind != "number":
            raise wrong_exponent(number)
        self.take()
        if self.peek().kind == "**":
            raise wrong_exponent(self.peek())
        exponent = self.constant(number, first)
        power = self.operation("**", base.start, exponent.end, base, exponent)
        return self.after_operand(power)

    def atom(self):
        token = self.take()
        if token.kind == "number":
            return self.after_operand(self.constant(token, token))
        if token.kind == "name" and self.peek().kind == "(":
            return self.after_operand(self.call(token))
        if token.kind == "name":
            return self.after_operand(Part(self.variable(token), token.start, token.end))
        if token.kind == "(":
            self.depth += 1
            inner = self.sum()
            end = self.closing().end
            self.depth -= 1
            return self.after_operand(Part(inner.tree, token.start, end))
        raise unexpected(token)

    def call(self, name):
        if name.text not in FUNCTIONS:
            raise Fault("unknown_function", name.span, name=name.text)
        self.take()
        self.depth += 1
        arguments = [] if self.peek().kind == ")" else [self.sum()]
        while arguments and self.peek().kind == ",":
            self.take()
            arguments.append(self.sum())
        end = self.closing().end
        self.depth -= 1
        if len(arguments) != ARITY[name.text]:
            counts = {"expected": ARITY[name.text], "actual": len(arguments)}
            raise Fault("wrong_arity", (name.start, end), name=name.text, **counts)
        return self.operation(name.text, name.start, end, *arguments)

    def closing(self):
        token = self.take()
        if token.kind != ")":
            raise unexpected(token)
        return token

    def after_operand(self, part):
        """Refuse what can never follow an operand before any operation is complete."""
        follows = self.peek()
        if follows.kind in ("name", "number", "(", "="):
            raise unexpected(follows)
        return part

    def variable(self, name):
        if name.text not in self.scope:
            self.counted(1, name.span)
            leaf = Tree(None, [], name.span, label=name.text)
            leaf.variable = True
            self.variables.append(leaf)
            self.scope[name.text] = leaf
        return self.scope[name.text]

    def constant(self, number, first):
        span, double = (first.start, number.end), float(number.text)
        if not isfinite(double):
            nothing = {"node": None, "operation": None, "operands": [], "slot": None}
            raise Fault("non_finite", span, stage="literal", **nothing)
        self.counted(1, span)
        return Part(Tree(None, [], span, -double if first.kind == "-" else double), *span)

    def operation(self, symbol, start, end, *parts):
        size = DERIVED.get(symbol, 1) if self.view == "primitive" else 1
        self.counted(size, (start, end))
        assert len(parts) == ARITY[symbol]
        return Part(Tree(symbol, [part.tree for part in parts], (start, end)), start, end)

    def counted(self, nodes, span):
        self.count += nodes
        if self.count > self.most:
            raise too_large("nodes", self.most, self.most + 1, span)


def unexpected(token):
    return Fault("unexpected_end" if token.kind == "end" else "unexpected_token", token.span)


def wrong_exponent(token):
    begins_an_operand = token.kind in ("name", "number", "(", "+", "-", "**")
    return Fault("exponent_not_literal", token.span) if begins_an_operand else unexpected(token)
