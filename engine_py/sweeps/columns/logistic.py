"""Column -> column: sigmoid and softplus of many numbers, to the bits of `numerics.logistic`.

The steps are those of that module, whose docstrings derive the errors.
"""

from collections.abc import Callable

import numpy as np

from engine_py.numerics import logistic
from engine_py.numerics.logistic import SMALL, SOFTPLUS_ERROR
from engine_py.numerics.quick import EXP_ERROR
from engine_py.sweeps.columns.decided import Column, Pair, rounded_pair, settle
from engine_py.sweeps.columns.elementary import exp_pair, log_pair, power_of_two, product


def sigmoid(x: Column) -> Column:
    """1 / (1 + e**-x)."""
    return _by_pair(_sigmoid_pair, logistic.sigmoid, x)


def softplus(x: Column) -> Column:
    """ln(1 + e**x)."""
    return _by_pair(_softplus_pair, logistic.softplus, x)


def _by_pair(
    pair: Callable[[Column], Pair], function: Callable[[float], float], x: Column
) -> Column:
    inside = (x > -600.0) & (x < 40.0)
    rounded, decided = rounded_pair(*pair(np.where(inside, x, 0.0)))
    return settle(function, x, rounded, decided & inside)


def _sigmoid_pair(x: Column) -> Pair:
    e, e_low = _power_of_e(x)
    d = 1.0 + e
    d_low = (e - (d - 1.0)) + e_low
    above = x > 0.0
    n, n_low = np.where(above, 1.0, e), np.where(above, 0.0, e_low)
    high = n / d
    back, back_low = product(high, d)
    low = (((n - back) - back_low) + (n_low - high * d_low)) / d
    return high, low, EXP_ERROR * high


def _softplus_pair(x: Column) -> Pair:
    e, e_low = _power_of_e(x)
    d = 1.0 + e
    high, low, error = log_pair(d)
    low += ((e - (d - 1.0)) + e_low) / d
    small = e < SMALL
    high = np.where(small, e, high)
    low = np.where(small, e_low - e * e * (0.5 - e * (1 / 3 - e * 0.25)), low)
    error = np.where(small, 0.0, 1.25 * error) + SOFTPLUS_ERROR * e
    total = x + high
    rest = np.where(x > high, high - (total - x), x - (total - high))
    above = x > 0.0
    error += np.where(above, EXP_ERROR * total, 0.0)
    return np.where(above, total, high), np.where(above, low + rest, low), error


def _power_of_e(x: Column) -> tuple[Column, Column]:
    high, low, k = exp_pair(-np.abs(x), 0.0)
    e, scale = high + low, power_of_two(k)
    return e * scale, (low - (e - high)) * scale
