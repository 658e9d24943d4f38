"""The reference: a program's whole document, computed by other means than the engines'.

It shares no code and no algorithm with them: recursive descent instead of stacks, the lessons'
recursive `Value` instead of columns, MPFR instead of integers. `gmpy2.ieee(64)` rounds every
operation once to a double, subnormals included, which is the contract's R1. Programs must be valid:
it checks documents, not errors.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import gmpy2

from parity_tests.kit.contract import contract_version
from parity_tests.kit.worker import Json
from parity_tests.oracle.operations import ONE, ROWS, Formula, Number

# Text -> trees: one function per rule of the grammar

_TOKEN = re.compile(
    r"(?P<blank>[ \t\r]+|#[\t\r -~]*)|(?P<line>\n)"
    r"|(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)|(?P<sign>\*\*|[-+*/()=,;])"
)


class Span(NamedTuple):
    """Offsets into the text."""

    start: int
    end: int

    def to(self, other: Span) -> Span:
        """Return the span from here to the end of another."""
        return Span(self.start, other.end)


class Token(NamedTuple):
    """A word of the text; `kind` is number, name or sign."""

    kind: str
    text: str
    span: Span


class Tree(NamedTuple):
    """An expression. `kind` is number, name, or the operation's symbol."""

    kind: str
    text: str
    span: Span
    parts: tuple[Tree, ...] = ()
    cover: Span | None = None
    """The span including surrounding parentheses or a prefix +, if there are any."""

    @property
    def outside(self) -> Span:
        """The part of the text that an operation on this tree covers."""
        return self.cover or self.span


def read(text: str) -> list[tuple[str | None, Tree]]:
    """Read the statements, each with the name that it binds."""
    return [_Statement(tokens).read() for tokens in _statements(text)]


def _statements(text: str) -> list[list[Token]]:
    """Split at `;`, and at a newline after an operand and outside parentheses."""
    found: list[list[Token]] = [[]]
    depth = position = 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        assert match is not None
        assert match.lastgroup is not None
        kind, word, span = match.lastgroup, match.group(), Span(position, match.end())
        position = match.end()
        depth += (word == "(") - (word == ")")
        before = found[-1][-1] if found[-1] else None
        complete = before is not None and (before.kind != "sign" or before.text == ")")
        if word == ";" or (kind == "line" and complete and depth == 0):
            found.append([])
        elif kind not in ("blank", "line"):
            found[-1].append(Token(kind, word, span))
    return [tokens for tokens in found if tokens]


class _Statement:
    def __init__(self, tokens: list[Token]) -> None:
        self.rest = tokens[::-1]

    def read(self) -> tuple[str | None, Tree]:
        name = None
        if self.sees("=", ahead=1):
            name = self.rest.pop().text
            self.rest.pop()
        tree = self.sum()
        assert not self.rest, f"left over: {self.rest}"
        return name, tree

    def sees(self, *words: str, ahead: int = 0) -> bool:
        return len(self.rest) > ahead and self.rest[-1 - ahead].text in words

    def sees_number(self) -> bool:
        return bool(self.rest) and self.rest[-1].kind == "number"

    def sum(self) -> Tree:
        return self.left_to_right(self.product, "+", "-")

    def product(self) -> Tree:
        return self.left_to_right(self.prefixed, "*", "/")

    def left_to_right(self, operand: Callable[[], Tree], *signs: str) -> Tree:
        left = operand()
        while self.sees(*signs):
            sign = self.rest.pop().text
            right = operand()
            left = Tree(sign, sign, left.outside.to(right.outside), (left, right))
        return left

    def prefixed(self) -> Tree:
        if not self.sees("-", "+"):
            return self.power()
        sign = self.rest.pop()
        if sign.text == "-" and self.sees_number() and not self.sees("**", ahead=1):
            return self.number(sign)
        inner = self.prefixed()
        span = sign.span.to(inner.outside)
        return inner._replace(cover=span) if sign.text == "+" else Tree("neg", "-", span, (inner,))

    def power(self) -> Tree:
        base = self.atom()
        if not self.sees("**"):
            return base
        self.rest.pop()
        exponent = self.number(self.rest.pop() if self.sees("-", "+") else None)
        return Tree("**", "**", base.outside.to(exponent.span), (base, exponent))

    def number(self, sign: Token | None = None) -> Tree:
        token = self.rest.pop()
        if sign is None:
            return Tree("number", token.text, token.span)
        return Tree("number", sign.text + token.text, sign.span.to(token.span))

    def atom(self) -> Tree:
        if self.sees_number():
            return self.number()
        first = self.rest.pop()
        if first.text != "(" and not self.sees("("):
            return Tree("name", first.text, first.span)
        if first.text != "(":
            self.rest.pop()
        inner = [self.sum()]
        while self.sees(","):
            self.rest.pop()
            inner.append(self.sum())
        span = first.span.to(self.rest.pop().span)
        if first.text == "(":
            return inner[0]._replace(cover=span)
        return Tree(first.text, first.text, span, tuple(inner))


# Trees -> values

ZERO = gmpy2.mpfr(0)


class NoAnswerError(ArithmeticError):
    """A number is infinite or NaN, so the expected response is an error, which the oracle lacks."""


class Value:
    """A scalar that remembers how it was computed."""

    def __init__(self, kind: str, span: Span, data: Number, label: str | None = None) -> None:
        """Hold a leaf's data."""
        self.kind, self.span, self.data, self.label = kind, span, _finite(data), label
        self.fed = kind in ("input", "parameter")
        self.op: str | None = None
        self.children: tuple[Value, ...] = ()
        self.local_grads: tuple[Number, ...] = ()
        self.grad = ZERO
        self.ledger: list[tuple[Number, ...]] = []
        """For each child: incoming gradient, local gradient, contribution, the child's new grad."""

    @classmethod
    def of(cls, op: str, span: Span, *children: Value) -> Value:
        """Compute an operation."""
        operands = [child.data for child in children]
        value = cls("operation", span, ROWS[op].data(*operands))
        value.op, value.children = op, children
        value.fed = any(child.fed for child in children)
        value.local_grads = ROWS[op].local_grads(value.data, *operands)
        return value

    def backward(self) -> list[Value]:
        """Fill in gradients and ledgers; return the nodes in topological order."""
        order: list[Value] = []
        visited: set[int] = set()

        def build(value: Value) -> None:
            if id(value) not in visited:
                visited.add(id(value))
                for child in value.children:
                    build(child)
                order.append(value)

        build(self)
        self.grad = ONE
        for value in reversed(order):
            for child, local_grad in zip(value.children, value.local_grads, strict=True):
                value.push(child, local_grad)
        return order

    def push(self, child: Value, local_grad: Number | None) -> None:
        """Add to the gradient of a child and record the row; nothing flows into an exponent.

        A child that no variable feeds may get an infinite gradient or NaN.
        """
        if local_grad is None:
            self.ledger.append((self.grad, None, None, None))
            return
        contribution = self.grad * local_grad
        child.grad += contribution
        if child.fed:
            _finite(child.grad)
        self.ledger.append((self.grad, local_grad, contribution, child.grad))


def _finite(number: Number) -> Number:
    if not gmpy2.is_finite(number):
        raise NoAnswerError
    return number


# Values -> document


def reference_document(
    expression: str,
    values: Mapping[str, float],
    parameters: Sequence[str] = (),
    view: str = "folded",
) -> Json:
    """Compute the document of a valid request. Raises NoAnswerError if an error is expected."""
    with gmpy2.context(gmpy2.ieee(64)), _deep_recursion():
        builder = _Builder(values, parameters, primitive=view == "primitive")
        order = builder.run(expression).backward()
        ids = list(range(len(order)))
        variables = [value for value in order if value.kind in ("input", "parameter")]
        return {
            "contract": contract_version(),
            "expression": expression,
            "values": {str(value.label): _double(value.data) for value in variables},
            "unused_values": sorted(set(values) - {value.label for value in variables}),
            "view": view,
            "root": ids[-1],
            "result": _double(order[-1].data),
            "gradients": {str(value.label): _double(value.grad) for value in variables},
            "nodes": _nodes(order),
            "edges": _edges(order),
            "topological_order": ids,
            "backward_order": ids[::-1],
        }


class _Builder:
    """Trees -> values. With `primitive`, derived operations are built from primitives."""

    def __init__(
        self, values: Mapping[str, float], parameters: Sequence[str], *, primitive: bool
    ) -> None:
        self.values, self.parameters, self.primitive = values, parameters, primitive
        self.names: dict[str, Value] = {}

    def run(self, expression: str) -> Value:
        return [self.bind(name, tree) for name, tree in read(expression)][-1]

    def bind(self, name: str | None, tree: Tree) -> Value:
        value = self.build(tree)
        if name is not None:
            self.names[name] = value
            value.label = value.label or name
        return value

    def build(self, tree: Tree) -> Value:
        if tree.kind == "number":
            return Value("constant", tree.span, gmpy2.mpfr(tree.text))
        if tree.kind == "name":
            if tree.text not in self.names:
                kind = "parameter" if tree.text in self.parameters else "input"
                data = gmpy2.mpfr(self.values[tree.text])
                self.names[tree.text] = Value(kind, tree.span, data, tree.text)
            return self.names[tree.text]
        children = [self.build(part) for part in tree.parts]
        expansion = ROWS[tree.kind].expansion
        if self.primitive and expansion:
            return _expanded(expansion, tree.span, *children)
        return Value.of(tree.kind, tree.span, *children)


def _expanded(expansion: Formula, span: Span, *operands: Value) -> Value:
    """Apply the primitives of R26, each with the span of the derived operation."""

    def apply(op: str, *parts: Value | float) -> Value:
        children = [
            part if isinstance(part, Value) else Value("constant", span, gmpy2.mpfr(part))
            for part in parts
        ]
        return Value.of(op, span, *children)

    result: Value = expansion(apply, *operands)
    return result


def _nodes(order: list[Value]) -> list[Json]:
    exponents = {id(value.children[1]) for value in order if value.op == "**"}
    return [
        {
            "id": id_,
            "kind": value.kind,
            "operation": value.op,
            "label": value.label,
            "data": _double(value.data),
            "grad": None if id(value) in exponents else _double(value.grad),
            "derived": bool(value.op and ROWS[value.op].expansion),
            "span": {"start": value.span.start, "end": value.span.end},
        }
        for id_, value in enumerate(order)
    ]


def _edges(order: list[Value]) -> list[Json]:
    ids = {id(value): id_ for id_, value in enumerate(order)}
    steps = ("incoming_grad", "local_grad", "contribution", "running_grad")
    edges: list[Json] = [
        {
            "from": ids[id(child)],
            "to": ids[id(value)],
            "slot": slot,
            "differentiable": row[1] is not None,
            **{step: _double(number) for step, number in zip(steps, row, strict=True)},
        }
        for value in order
        for slot, (child, row) in enumerate(zip(value.children, value.ledger, strict=True))
    ]
    return [{"id": id_, **edge} for id_, edge in enumerate(edges)]


def _double(number: Number | None) -> float | None:
    """Return a double, with 0 for -0; None if the number is infinite or NaN."""
    return float(number) + 0.0 if number is not None and gmpy2.is_finite(number) else None


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Allow deep recursion, which makes the oracle different from the engines."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(400_000)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
