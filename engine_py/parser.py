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


class Operand(NamedTuple):
    """A finished expression. Parentheses widen the text it covers, not its node's span."""

    node: int
    start: int
    end: int


class Pending(NamedTuple):
    """What waits for its last operand. `base` counts the operands below an open parenthesis."""

    symbol: str
    precedence: int
    token: Token
    base: int = 0


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
        self.tokens = tokens
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
            raise syntax.unclosed(self.peek(), self.pending[-1].token)
        return self.operands.pop().node

    def read_operand(self) -> None:
        """Read up to the end of one leaf; what stands before it becomes pending."""
        while True:
            token = self.take()
            if token.kind == "number":
                return self.push_constant(token, token)
            if token.kind == "name" and self.peek().kind == "(":
                self.open_call(token)
            elif token.kind == "name":
                return self.push_variable(token)
            elif token.kind == "(":
                self.pending.append(Pending("(", OPEN, token, len(self.operands)))
            elif token.kind == "-" and self.negative_literal_follows():
                return self.push_constant(token, self.take())
            elif token.kind in ("-", "+"):
                symbol = "neg" if token.kind == "-" else "+"
                self.pending.append(Pending(symbol, PREFIX, token))
            else:
                raise syntax.operand_expected(token)

    def read_operators(self) -> bool:
        """Read what may follow an operand. True when another operand must come."""
        while True:
            token = self.peek()
            if token.kind in ("end", ";"):
                return False
            self.position += 1
            if token.kind == "**":
                self.raise_to_exponent()
            elif token.kind == ")":
                self.close(token)
            elif token.kind in BINARY:
                self.reduce(BINARY[token.kind])
                self.pending.append(Pending(token.kind, BINARY[token.kind], token))
                return True
            elif token.kind == "," and self.in_call():
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
        self.operands.append(Operand(self.graph.add_constant(literal, span), *span))

    def push_variable(self, name: Token) -> None:
        """Use the one node of this name; the first use of a variable makes it."""
        if name.text not in self.names:
            self.names[name.text] = self.graph.add_variable(name.text, name.span)
        self.operands.append(Operand(self.names[name.text], *name.span))

    # Operations

    def reduce(self, precedence: int) -> None:
        """Finish all that holds its operand at least as tightly as what comes."""
        while self.pending and self.pending[-1].precedence >= precedence:
            waiting = self.pending.pop()
            right = self.operands.pop()
            if waiting.precedence != PREFIX:
                left = self.operands.pop()
                self.push_operation(waiting.symbol, (left.node, right.node), left.start, right.end)
            elif waiting.symbol == "neg":
                self.push_operation("neg", (right.node,), waiting.token.start, right.end)
            else:
                self.operands.append(Operand(right.node, waiting.token.start, right.end))

    def push_operation(self, symbol: str, nodes: tuple[int, ...], start: int, end: int) -> None:
        """Add an operation; in the primitive view, its expansion."""
        operation, span = OPERATIONS[symbol], Span(start, end)
        expansion = operation.expansion if self.view == "primitive" else None
        node = (
            self.graph.add_expansion(expansion, nodes, span)
            if expansion
            else self.graph.add_operation(operation, nodes, span)
        )
        self.operands.append(Operand(node, start, end))

    def raise_to_exponent(self) -> None:
        """`**` binds tightest, so its base is the last operand and its exponent stands here."""
        sign = self.take() if self.peek().kind in ("-", "+") else self.peek()
        number = self.take()
        if number.kind != "number":
            raise syntax.exponent_expected(number)
        if self.peek().kind == "**":
            raise syntax.exponent_expected(self.peek())
        base = self.operands.pop()
        self.push_constant(sign, number)
        exponent = self.operands.pop()
        self.push_operation("**", (base.node, exponent.node), base.start, exponent.end)

    def open_call(self, name: Token) -> None:
        """Read the function's name and its parenthesis."""
        if name.text not in FUNCTIONS:
            raise syntax.unknown_function(name)
        self.position += 1
        self.pending.append(Pending(name.text, OPEN, name, len(self.operands)))
        if self.peek().kind == ")":
            raise syntax.wrong_arity(name, self.peek(), 0)

    def in_call(self) -> bool:
        """Finish the argument before a comma; False where no call is open."""
        self.reduce(SUM)
        return bool(self.pending) and self.pending[-1].symbol in FUNCTIONS

    def close(self, token: Token) -> None:
        """Finish a parenthesis or a call."""
        self.reduce(SUM)
        if not self.pending:
            raise syntax.unopened(token)
        opened = self.pending.pop()
        inner = self.operands[opened.base :]
        del self.operands[opened.base :]
        if opened.symbol == "(":
            self.operands.append(Operand(inner[0].node, opened.token.start, token.end))
        elif len(inner) == OPERATIONS[opened.symbol].arity:
            nodes = tuple(argument.node for argument in inner)
            self.push_operation(opened.symbol, nodes, opened.token.start, token.end)
        else:
            raise syntax.wrong_arity(opened.token, token, len(inner))

    # Tokens

    def peek(self, ahead: int = 0) -> Token:
        """Look at a token to come; beyond the last there is only the end."""
        return self.tokens[min(self.position + ahead, len(self.tokens) - 1)]

    def take(self) -> Token:
        """Read a token."""
        token = self.peek()
        self.position += 1
        return token

    def skip_separators(self) -> None:
        """Skip empty statements."""
        while self.peek().kind == ";":
            self.position += 1
