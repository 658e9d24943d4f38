"""Tokens -> graph, by explicit stacks: nesting is bounded by the limits, not by recursion.

`operands` holds finished expressions; `pending` holds what still waits for one: binary operators
with a left side, prefix signs, open parentheses and calls. After `a * -(b` they are

    operands   a  b
    pending    *  neg  (
"""

from functools import cache
from math import isfinite
from typing import NamedTuple

from engine_py.errors import DuplicateName, NonFinite, Span
from engine_py.graph import Graph
from engine_py.language import syntax
from engine_py.language.tokens import Token, Tokens, tokenize
from engine_py.limits import DEFAULT_LIMITS, Limits
from engine_py.operations import FUNCTIONS, OPERATIONS
from engine_py.request import View
from engine_py.tables import EXPANSIONS

OPEN, SUM, PRODUCT, PREFIX = range(4)
"""How tightly a pending operator binds; nothing binds across an open parenthesis."""

BINARY = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT}


# Plain tuples: naming their members would cost a third of the time that parsing takes.
Operand = tuple[int, int, int]
"""A finished expression: (node, start, end). Parentheses widen the text, not the node's span."""

Pending = tuple[int, str, int, int]
"""An operator, call or parenthesis that waits for its last operand: (precedence, symbol, token,
base). `token` is its index, `base` counts the operands below an open parenthesis."""


class Binding(NamedTuple):
    """A statement `name = expression`."""

    name: str
    node: int
    span: Span


class Parsed(NamedTuple):
    """The graph of a text. The root is the node of the last statement."""

    graph: Graph
    root: int
    bindings: list[Binding]


def parse(tokens: Tokens, view: View, limits: Limits) -> Parsed:
    """Build the graph as it is written, every operand before its operation."""
    parser = _Parser(tokens, view, limits)
    root = parser.program()
    return Parsed(parser.graph, root, parser.bindings)


@cache
def expansion_of(symbol: str) -> Graph:
    """Parse a derived operation's expansion of x, y and primitives (schemas/operations.json)."""
    return parse(tokenize(EXPANSIONS[symbol]), "folded", DEFAULT_LIMITS).graph


class _Parser:
    def __init__(self, tokens: Tokens, view: View, limits: Limits) -> None:
        self.tokens = tokens
        self.kinds, self.texts, self.starts = tokens
        self.position = 0
        self.view = view
        self.graph = Graph(limits)
        self.bindings: list[Binding] = []
        self.names: dict[str, int] = {}  # bound names and variables alike
        self.operands: list[Operand] = []
        self.pending: list[Pending] = []

    def program(self) -> int:
        """Read all statements; only the last may lack a name."""
        self.skip_separators()
        while True:
            name = self.position
            bound = self.kinds[name] == "name" and self.kinds[name + 1] == "="
            self.position += 2 if bound else 0
            root = self.expression()
            if bound:
                self.bind(self.tokens.at(name), root)
            self.skip_separators()
            if self.kinds[self.position] == "end":
                return root
            if not bound:
                first, before = self.tokens.at(name), self.tokens.at(name - 1)
                raise syntax.not_the_last(self.next_token(), first, before)

    def bind(self, name: Token, node: int) -> None:
        """Bind a name to a node; a variable keeps its own name as label."""
        if name.text in self.names:
            message = f"`{name.text}` already has a meaning; bind another name"
            raise DuplicateName(message, name.span, name=name.text)
        self.names[name.text] = node
        self.bindings.append(Binding(name.text, node, name.span))
        if self.graph.labels[node] is None:
            self.graph.labels[node] = name.text

    def expression(self) -> int:
        """Read an operand, then operators and operands while an operator requires another."""
        self.read_operand()
        while self.read_operators():
            self.read_operand()
        self.reduce(SUM)
        if self.pending:
            opened = self.tokens.at(self.pending[-1][2])
            raise syntax.unclosed(self.next_token(), opened)
        return self.operands.pop()[0]

    def read_operand(self) -> None:
        """Read one leaf; signs, calls and parentheses before it become pending."""
        kinds = self.kinds
        while True:
            token = self.position
            kind = kinds[token]
            self.position += 1
            if kind == "name" and kinds[token + 1] != "(":
                return self.push_variable(token)
            if kind == "number":
                return self.push_constant(token, token)
            if kind == "name":
                self.open_call(token)
            elif kind == "(":
                self.pending.append((OPEN, "(", token, len(self.operands)))
            elif kind == "-" and self.negative_literal_follows():
                self.position += 1
                return self.push_constant(token, token + 1)
            elif kind in ("-", "+"):
                self.pending.append((PREFIX, "neg" if kind == "-" else "+", token, 0))
            else:
                raise syntax.operand_expected(self.tokens.at(token), self.tokens.at(token - 1))

    def read_operators(self) -> bool:
        """Read what may follow an operand; return whether another operand must follow."""
        while True:
            token = self.position
            kind = self.kinds[token]
            if precedence := BINARY.get(kind):
                self.position += 1
                self.reduce(precedence)
                self.pending.append((precedence, kind, token, 0))
                return True
            if kind in ("end", ";"):
                return False
            self.position += 1
            if kind == "**":
                self.raise_to_exponent()
            elif kind == ")":
                self.close(token)
            elif kind == "," and self.in_call():
                return True
            else:
                at = self.tokens.at
                raise syntax.operator_expected(at(token), at(token - 1))

    # Leaves

    def negative_literal_follows(self) -> bool:
        """Return whether a minus is part of a number; it is not if that is the base of a power."""
        return self.kinds[self.position] == "number" and self.kinds[self.position + 1] != "**"

    def push_constant(self, first: int, number: int) -> None:
        """Add a number, with the sign token before it, if any."""
        text = self.texts[number]
        span = self.starts[first], self.starts[number] + len(text)
        literal = float(text)
        if not isfinite(literal):
            message = "the number is beyond the largest double, 1.7976931348623157e308"
            raise NonFinite(
                message, span, stage="literal", node=None, operation=None, operands=[], slot=None
            )
        literal = -literal if self.kinds[first] == "-" else literal
        self.operands.append((self.graph.add_constant(literal, span), *span))

    def push_variable(self, name: int) -> None:
        """Push the node of this name; the first use of a variable creates it."""
        text, start = self.texts[name], self.starts[name]
        end = start + len(text)
        if text not in self.names:
            self.names[text] = self.graph.add_variable(text, (start, end))
        self.operands.append((self.names[text], start, end))

    # Operations

    def reduce(self, precedence: int) -> None:
        """Finish all pending operations that bind at least as tightly as `precedence`."""
        pending, operands = self.pending, self.operands
        while pending and pending[-1][0] >= precedence:
            held, symbol, token, _ = pending.pop()
            right, _, end = operands.pop()
            if held != PREFIX:
                left, start, _ = operands.pop()
                self.push_operation(symbol, (left, right), start, end)
            elif symbol == "neg":
                self.push_operation("neg", (right,), self.starts[token], end)
            else:
                operands.append((right, self.starts[token], end))

    def push_operation(self, symbol: str, nodes: tuple[int, ...], start: int, end: int) -> None:
        """Add an operation; in the primitive view, its expansion."""
        operation, graph = OPERATIONS[symbol], self.graph
        if self.view == "primitive" and operation.derived:
            node = graph.add_expansion(expansion_of(symbol), nodes, (start, end))
        else:
            node = graph.add_operation(operation, nodes, (start, end))
        self.operands.append((node, start, end))

    def raise_to_exponent(self) -> None:
        """`**` binds tightest, so its base is the last operand; its exponent comes next."""
        sign = number = self.position
        if self.kinds[sign] in ("-", "+"):
            number += 1
        if self.kinds[number] != "number":
            raise syntax.exponent_expected(self.tokens.at(number))
        self.position = number + 1
        if self.kinds[self.position] == "**":
            raise syntax.exponent_expected(self.next_token())
        base, start, _ = self.operands.pop()
        self.push_constant(sign, number)
        exponent, _, end = self.operands.pop()
        self.push_operation("**", (base, exponent), start, end)

    def open_call(self, name: int) -> None:
        """Read the function's name and its parenthesis."""
        text = self.texts[name]
        if text not in FUNCTIONS:
            raise syntax.unknown_function(self.tokens.at(name))
        self.position += 1
        self.pending.append((OPEN, text, name, len(self.operands)))
        if self.kinds[self.position] == ")":
            raise syntax.wrong_arity(self.tokens.at(name), self.next_token(), 0)

    def in_call(self) -> bool:
        """Finish the argument before a comma; return False if no call is open."""
        self.reduce(SUM)
        return bool(self.pending) and self.pending[-1][1] in FUNCTIONS

    def close(self, closing: int) -> None:
        """Finish a parenthesis or a call."""
        self.reduce(SUM)
        if not self.pending:
            raise syntax.unopened(self.tokens.at(closing))
        _, symbol, opened, base = self.pending.pop()
        start, end = self.starts[opened], self.starts[closing] + 1
        if symbol == "(":
            inside, *_ = self.operands.pop()
            self.operands.append((inside, start, end))
            return
        nodes = tuple([node for node, *_ in self.operands[base:]])
        del self.operands[base:]
        if len(nodes) != OPERATIONS[symbol].arity:
            name, last = self.tokens.at(opened), self.tokens.at(closing)
            raise syntax.wrong_arity(name, last, len(nodes))
        self.push_operation(symbol, nodes, start, end)

    # Tokens

    def next_token(self) -> Token:
        return self.tokens.at(self.position)

    def skip_separators(self) -> None:
        while self.kinds[self.position] == ";":
            self.position += 1
