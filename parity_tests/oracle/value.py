"""The oracle's objects: the lessons' recursive `Value`, computing with MPFR.

The active gmpy2 context decides how a result is rounded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gmpy2

from parity_tests.oracle.text import Span

Number = Any
"""A gmpy2.mpfr, which has no types."""

ZERO, ONE = gmpy2.mpfr(0), gmpy2.mpfr(1)

# Data and local gradients (R3). Outside the domain MPFR answers NaN or infinity.
FORMULAS: dict[str, Callable[..., tuple[Number, tuple[Number, ...]]]] = {
    "+": lambda x, y: (x + y, (ONE, ONE)),
    "-": lambda x, y: (x - y, (ONE, -ONE)),
    "*": lambda x, y: (x * y, (y, x)),
    "/": lambda x, y: (x / y, (1 / y, -((x / y) / y))),
    "**": lambda x, c: (x**c, (c * x ** (c - 1) if c else ZERO, None)),
    "neg": lambda x: (-x, (-ONE,)),
    "relu": lambda x: (x, (ONE,)) if x > 0 else (ZERO, (ZERO,)),
    "exp": lambda x: (gmpy2.exp(x), (gmpy2.exp(x),)),
    "log": lambda x: (gmpy2.log(x), (1 / x,)),
    "tanh": lambda x: (gmpy2.tanh(x), (1 - gmpy2.tanh(x) * gmpy2.tanh(x),)),
}


class NoAnswerError(ArithmeticError):
    """Something is infinite or NaN, so the answer is an error, which the oracle does not word."""


class Value:
    """A scalar that remembers how it was computed."""

    def __init__(self, kind: str, span: Span, data: Number, label: str | None = None) -> None:
        """Hold a leaf's data."""
        self.kind, self.span, self.data, self.label = kind, span, _finite(data), label
        self.op: str | None = None
        self.children: tuple[Value, ...] = ()
        self.local_grads: tuple[Number, ...] = ()
        self.grad = ZERO
        self.ledger: list[tuple[Number, ...]] = []
        """For each child: incoming gradient, local gradient, contribution, the child's new grad."""

    @classmethod
    def of(cls, op: str, span: Span, *children: Value) -> Value:
        """Compute an operation."""
        data, local_grads = FORMULAS[op](*(child.data for child in children))
        value = cls("operation", span, data)
        value.op, value.children, value.local_grads = op, children, local_grads
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
        """Send the gradient to a child and note each step; nothing flows into an exponent."""
        if local_grad is None:
            self.ledger.append((self.grad, None, None, None))
            return
        contribution = _finite(self.grad * _finite(local_grad))
        child.grad = _finite(child.grad + contribution)
        self.ledger.append((self.grad, local_grad, contribution, child.grad))


def _finite(number: Number) -> Number:
    if not gmpy2.is_finite(number):
        raise NoAnswerError
    return number
