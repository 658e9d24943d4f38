"""Tokens -> graph, by explicit stacks: nesting is bounded by the limits, not by recursion.

`operands` holds finished expressions; `pending` holds what still waits for one: binary operators
with a left side, prefix signs, open parentheses and calls. After `a * -(b` they are

    operands   a  b
    pending    *  neg  (
"""

from math import isfinite
from typing import NamedTuple

from engine_py import syntax
from engine_py.errors import DuplicateName, NonFinite, Span
from engine_py.graph import Graph
from engine_py.limits import Limits
from engine_py.operations import FUNCTIONS, OPERATIONS
from engine_py.request import View
from engine_py.tokens import Token

OPEN, SUM, PRODUCT, PREFIX = range(4)
"""How tightly what is pending holds its operand; an open parenthesis lets nothing out."""

BINARY = {"+": SUM, "-": SUM, "*": PRODUCT, "/": PRODUCT}


# Plain tuples: naming their members would cost a third of the time that parsing takes.
Operand = tuple[int, int, int]
"""A finished expression: (node, start, end). Parentheses widen the text, not the node's span."""

Pending = tuple[int, str, Token, int]
"""What waits for its last operand: (precedence, symbol, token, base). `base` counts the operands
below an open parenthesis."""


class Binding(NamedTuple):
    """A statement `name = expression`."""

    name: str
    node: int
    span: Span


class Program(NamedTuple):
    """What the text says. The root is the node of the last statement."""

    graph: Graph
    root: int
    bindings: list[Binding]


def parse(tokens: list[Token], view: View, limits: Limits) -> Program:
    """Build the graph as it is written, every operand before its operation."""
    parser = _Parser(tokens, view, limits)
    root = parser.program()
    return Program(parser.graph, root, parser.bindings)


class _Parser:
    def __init__(self, tokens: list[Token], view: View, limits: Limits) -> None:
        self.tokens = [*tokens, tokens[-1]]  # one more end, to look ahead at
        self.position = 0
        self.view = view
        self.graph = Graph(limits)
        self.bindings: list[Binding] = []
        self.names: dict[str, int] = {}  # bound names and variables alike
        self.operands: list[Operand] = []
        self.pending: list[Pending] = []

    def program(self) -> int:
        """Statements; only the last may go without a name."""
        self.skip_separators()
        while True:
            name, equals = self.peek(), self.peek(1)
            bound = name.kind == "name" and equals.kind == "="
            self.position += 2 if bound else 0
            root = self.expression()
            if bound:
                self.bind(name, root)
            self.skip_separators()
            if self.peek().kind == "end":
                return root
            if not bound:
                raise syntax.not_the_last(self.peek())

    def bind(self, name: Token, node: int) -> None:
        """Give a node a name; a variable keeps its own as label."""
        if name.text in self.names:
            message = f"`{name.text}` has a meaning already; bind another name"
            raise DuplicateName(message, name.span, name=name.text)
        self.names[name.text] = node
        self.bindings.append(Binding(name.text, node, name.span))
        if self.graph.labels[node] is None:
            self.graph.labels[node] = name.text

    def expression(self) -> int:
        """An operand, then operators for as long as they ask for another."""
        self.read_operand()
        while self.read_operators():
            self.read_operand()
        self.reduce(SUM)
        if self.pending:
            raise syntax.unclosed(self.peek(), self.pending[-1][2])
        return self.operands.pop()[0]

    def read_operand(self) -> None:
        """Read up to the end of one leaf; what stands before it becomes pending."""
        while True:
            token = self.take()
            kind = token.kind
            if kind == "number":
                return self.push_constant(token, token)
            if kind == "name" and self.peek().kind != "(":
                return self.push_variable(token)
            if kind == "name":
                self.open_call(token)
            elif kind == "(":
                self.pending.append((OPEN, "(", token, len(self.operands)))
            elif kind == "-" and self.negative_literal_follows():
                return self.push_constant(token, self.take())
            elif kind in ("-", "+"):
                self.pending.append((PREFIX, "neg" if kind == "-" else "+", token, 0))
            else:
                raise syntax.operand_expected(token)

    def read_operators(self) -> bool:
        """Read what may follow an operand. True when another operand must come."""
        while True:
            token = self.tokens[self.position]
            kind = token.kind
            if kind in ("end", ";"):
                return False
            self.position += 1
            if kind in BINARY:
                precedence = BINARY[kind]
                self.reduce(precedence)
                self.pending.append((precedence, kind, token, 0))
                return True
            if kind == "**":
                self.raise_to_exponent()
            elif kind == ")":
                self.close(token)
            elif kind == "," and self.in_call():
                return True
            else:
                raise syntax.operator_expected(token, self.tokens[self.position - 2])

    # Leaves

    def negative_literal_follows(self) -> bool:
        """A minus belongs to a number, unless the number is the base of a power."""
        return self.peek().kind == "number" and self.peek(1).kind != "**"

    def push_constant(self, first: Token, number: Token) -> None:
        """Add a number, with the sign token before it where there is one."""
        span = Span(first.start, number.end)
        literal = float(number.text)
        if not isfinite(literal):
            message = "the number is beyond the largest double, 1.7976931348623157e308"
            raise NonFinite(
                message, span, stage="literal", node=None, operation=None, operands=[], slot=None
            )
        literal = -literal if first.kind == "-" else literal
        self.operands.append((self.graph.add_constant(literal, span), *span))

    def push_variable(self, name: Token) -> None:
        """Use the one node of this name; the first use of a variable makes it."""
        _, text, start, end = name
        if text not in self.names:
            self.names[text] = self.graph.add_variable(text, Span(start, end))
        self.operands.append((self.names[text], start, end))

    # Operations

    def reduce(self, precedence: int) -> None:
        """Finish all that holds its operand at least as tightly as what comes."""
        while self.pending and self.pending[-1][0] >= precedence:
            held, symbol, token, _ = self.pending.pop()
            right, _, end = self.operands.pop()
            if held != PREFIX:
                left, start, _ = self.operands.pop()
                self.push_operation(symbol, (left, right), start, end)
            elif symbol == "neg":
                self.push_operation("neg", (right,), token.start, end)
            else:
                self.operands.append((right, token.start, end))

    def push_operation(self, symbol: str, nodes: tuple[int, ...], start: int, end: int) -> None:
        """Add an operation; in the primitive view, its expansion."""
        operation, span = OPERATIONS[symbol], Span(start, end)
        expansion = operation.expansion if self.view == "primitive" else None
        node = (
            self.graph.add_expansion(expansion, nodes, span)
            if expansion
            else self.graph.add_operation(operation, nodes, span)
        )
        self.operands.append((node, start, end))

    def raise_to_exponent(self) -> None:
        """`**` binds tightest, so its base is the last operand and its exponent stands here."""
        sign = self.take() if self.peek().kind in ("-", "+") else self.peek()
        number = self.take()
        if number.kind != "number":
            raise syntax.exponent_expected(number)
        if self.peek().kind == "**":
            raise syntax.exponent_expected(self.peek())
        base, start, _ = self.operands.pop()
        self.push_constant(sign, number)
        exponent, _, end = self.operands.pop()
        self.push_operation("**", (base, exponent), start, end)

    def open_call(self, name: Token) -> None:
        """Read the function's name and its parenthesis."""
        if name.text not in FUNCTIONS:
            raise syntax.unknown_function(name)
        self.position += 1
        self.pending.append((OPEN, name.text, name, len(self.operands)))
        if self.peek().kind == ")":
            raise syntax.wrong_arity(name, self.peek(), 0)

    def in_call(self) -> bool:
        """Finish the argument before a comma; False where no call is open."""
        self.reduce(SUM)
        return bool(self.pending) and self.pending[-1][1] in FUNCTIONS

    def close(self, token: Token) -> None:
        """Finish a parenthesis or a call."""
        self.reduce(SUM)
        if not self.pending:
            raise syntax.unopened(token)
        _, symbol, opened, base = self.pending.pop()
        nodes = tuple([node for node, *_ in self.operands[base:]])
        del self.operands[base:]
        if symbol == "(":
            self.operands.append((nodes[0], opened.start, token.end))
        elif len(nodes) == OPERATIONS[symbol].arity:
            self.push_operation(symbol, nodes, opened.start, token.end)
        else:
            raise syntax.wrong_arity(opened, token, len(nodes))

    # Tokens

    def peek(self, ahead: int = 0) -> Token:
        """Look at a token to come; one beyond the end there is another."""
        return self.tokens[self.position + ahead]

    def take(self) -> Token:
        """Read a token."""
        token = self.tokens[self.position]
        self.position += 1
        return token

    def skip_separators(self) -> None:
        """Skip empty statements."""
        while self.peek().kind == ";":
            self.position += 1
