"""Pairs -> column: rounded where the pair decides, and computed one by one elsewhere.

The forms for columns take the steps of `numerics` with numpy's + - * /, comparisons and exact
scalings, each of which rounds every element as Python does one. Where a step does not decide, or
has no pair, the function of one number computes the element.

A column is a one-dimensional array of doubles. Elements may be infinite or NaN, where a point went
wrong before; they become NaN or anything that is not finite, or a number that no one reads.
"""

from collections.abc import Callable
from functools import cache
from math import isfinite, nan
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

Column = NDArray[np.float64]
Lanes = NDArray[np.bool_]
Pair = tuple[Column, Column, Column | float]
"""high, low and the error, as in `numerics.quick`."""


def rounded_pair(high: Column, low: Column, error: Column | float) -> tuple[Column, Lanes]:
    """high + low as doubles, and where the error leaves no doubt of them (Ziv's test)."""
    rounded = high + (low + error)
    return rounded, rounded == high + (low - error)


def settle(
    function: Callable[[float], float], x: Column, rounded: Column, decided: Lanes
) -> Column:
    """Compute one by one what is not decided."""
    for lane in np.flatnonzero(~decided).tolist():
        each = float(x[lane])
        rounded[lane] = function(each) if isfinite(each) else nan
    return rounded


@cache
def table(module: ModuleType, name: str) -> list[Column]:
    """Give the columns of a table, made at its first use."""
    getattr(module, f"fill_{name.lower()}")()
    return [np.ascontiguousarray(column) for column in np.array(getattr(module, name)).T]
