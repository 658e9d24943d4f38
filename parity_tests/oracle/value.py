"""The oracle's objects: the lessons' recursive `Value`, computing with MPFR.

The active gmpy2 context decides how a result is rounded.
"""

from __future__ import annotations

import gmpy2

from parity_tests.oracle.operations import ROWS, Number
from parity_tests.oracle.text import Span

ZERO, ONE = gmpy2.mpfr(0), gmpy2.mpfr(1)


class NoAnswerError(ArithmeticError):
    """Something is infinite or NaN, so the answer is an error, which the oracle does not word."""


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
        """Fill in gradients and ledgers; give the nodes in topological order."""
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
        """Send the gradient to a child and note each step; nothing flows into an exponent.

        What no variable feeds may get what is no double.
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
