"""The calculus on columns: (columns of operands) -> column of data, columns of local gradients.

A row of the table without a form for columns here is computed element by element. Outside its
domain an operation is NaN.
"""

from collections.abc import Callable
from functools import partial
from math import isfinite, nan

import numpy as np

from engine_py.operations import Operation, OutsideDomain, Rule
from engine_py.sweeps.columns import elementary, logistic, wave
from engine_py.sweeps.columns.decided import Column, Lanes

__all__ = ["Column", "ColumnRule", "Lanes", "LocalGrad", "column_rule"]

LocalGrad = Column | float | None
"""A column, a number that is the same at every point, or None where no gradient flows."""

ColumnRule = Callable[..., tuple[Column, *tuple[LocalGrad, ...]]]


def column_rule(operation: Operation) -> ColumnRule:
    """Give the form for columns of a row."""
    return _RULES.get(operation.symbol) or partial(_one_by_one, operation.rule)


def _pow(x: Column, c: Column) -> tuple[Column, LocalGrad, None]:
    exponent = float(c[0])  # a number in the text, so the same at every point
    out = elementary.power(x, exponent)
    if exponent == 0.0:
        return out, 0.0, None
    slope = exponent * elementary.power(np.abs(x), exponent - 1.0)
    return out, np.where(x < 0.0, -slope, slope) if exponent % 2.0 == 0.0 else slope, None


def _div(x: Column, y: Column) -> tuple[Column, Column, Column]:
    out = x / y
    return out, 1.0 / y, -(out / y)


def _relu(x: Column) -> tuple[Column, Column]:
    above = x > 0.0
    return np.where(above, x, 0.0), above.astype(np.float64)


def _exp(x: Column) -> tuple[Column, Column]:
    out = elementary.exp(x)
    return out, out


def _log(x: Column) -> tuple[Column, Column]:
    return elementary.log(x), 1.0 / x


def _tanh(x: Column) -> tuple[Column, Column]:
    out = elementary.tanh(x)
    return out, 1.0 - out * out


def _abs(x: Column) -> tuple[Column, Column]:
    return np.abs(x), np.where(x > 0.0, 1.0, np.where(x < 0.0, -1.0, 0.0))


def _min(x: Column, y: Column) -> tuple[Column, Column, Column]:
    return np.minimum(x, y), *_shares(y - x)


def _max(x: Column, y: Column) -> tuple[Column, Column, Column]:
    return np.maximum(x, y), *_shares(x - y)


def _shares(lead: Column) -> tuple[Column, Column]:
    first = np.where(lead > 0.0, 1.0, np.where(lead < 0.0, 0.0, 0.5))
    return first, 1.0 - first


def _sqrt(x: Column) -> tuple[Column, Column]:
    out = elementary.power(x, 0.5)
    return out, 0.5 / out


def _sin(x: Column) -> tuple[Column, Column]:
    return wave.sin(x), wave.cos(x)


def _cos(x: Column) -> tuple[Column, Column]:
    return wave.cos(x), -wave.sin(x)


def _sigmoid(x: Column) -> tuple[Column, Column]:
    out = logistic.sigmoid(x)
    return out, out * (1.0 - out)


def _softplus(x: Column) -> tuple[Column, Column]:
    return logistic.softplus(x), logistic.sigmoid(x)


_RULES: dict[str, ColumnRule] = {
    "+": lambda x, y: (x + y, 1.0, 1.0),
    "-": lambda x, y: (x - y, 1.0, -1.0),
    "*": lambda x, y: (x * y, y, x),
    "/": _div,
    "neg": lambda x: (-x, -1.0),
    "**": _pow,
    "relu": _relu,
    "exp": _exp,
    "log": _log,
    "tanh": _tanh,
    "abs": _abs,
    "min": _min,
    "max": _max,
    "sqrt": _sqrt,
    "sin": _sin,
    "cos": _cos,
    "sigmoid": _sigmoid,
    "softplus": _softplus,
}


def _one_by_one(rule: Rule, *operands: Column) -> tuple[Column, *tuple[LocalGrad, ...]]:
    """Compute a row that has no form for columns."""
    rows = zip(*(column.tolist() for column in np.broadcast_arrays(*operands)), strict=True)
    data, *local_grads = np.array([_computed(rule, row) for row in rows]).T
    return data, *local_grads


def _computed(rule: Rule, row: tuple[float, ...]) -> list[float]:
    """Give data and local gradients, as NaN where there are none."""
    nothing = [nan] * (1 + len(row))
    if not all(map(isfinite, row)):
        return nothing
    try:
        data, *local_grads = rule(*row)
    except OutsideDomain:
        return nothing
    return [data, *(nan if local is None else local for local in local_grads)]
