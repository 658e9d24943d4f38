"""Column -> column: functions of many numbers, bit-identical to those of `numerics`.

They take the steps of `numerics`, whose docstrings derive the errors, with numpy's + - * /,
comparisons and exact scalings, which round each element as Python does. If a step does not decide
an element, or has no pair for it, the scalar function computes it.

A column is a one-dimensional array of doubles. Elements may be infinite or NaN at points that
failed before; they become NaN, another number that is not finite, or a number that is not used.
"""

from collections.abc import Callable
from functools import cache
from math import isfinite, nan
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from engine_py.deadline import NEVER, NODES_PER_CHECK, Deadline
from engine_py.numerics import elementary, logistic, quick, wave
from engine_py.numerics.elementary import ALMOST_1, NORMAL, POWER_ERROR, SHORT_ERROR, SPLIT
from engine_py.numerics.exact import TINY
from engine_py.numerics.logistic import SMALL, SOFTPLUS_ERROR
from engine_py.numerics.quick import (
    BITS_0,
    BITS_26,
    BITS_30,
    EIGHT_U,
    EXP_ERROR,
    FOUR_U,
    LN2_HIGH,
    LN2_LOW,
    LOG_ERROR,
    STEP_HIGH,
    STEP_LOW,
    STEPS,
    TANH_ERROR,
)
from engine_py.numerics.wave import QUARTER, TURN, WAVE_ERROR, WAVE_LEAST

Column = NDArray[np.float64]
Lanes = NDArray[np.bool_]
ColumnPair = tuple[Column, Column, Column | float]
"""high, low and the error, as in `numerics.quick`."""


def rounded_pair(high: Column, low: Column, error: Column | float) -> tuple[Column, Lanes]:
    """Round high + low, and say which elements the error cannot change (Ziv's test)."""
    rounded = high + (low + error)
    return rounded, rounded == high + (low - error)


def compute_undecided(
    function: Callable[[float], float],
    x: Column,
    rounded: Column,
    decided: Lanes,
    deadline: Deadline,
) -> Column:
    """Compute the undecided elements one by one."""
    for lane in deadline.over(np.flatnonzero(~decided).tolist(), NODES_PER_CHECK):
        each = float(x[lane])
        rounded[lane] = function(each) if isfinite(each) else nan
    return rounded


@cache
def table(module: ModuleType, name: str) -> list[Column]:
    """Return the columns of a table, which is filled at its first use."""
    getattr(module, f"fill_{name.lower()}")()
    return [np.ascontiguousarray(column) for column in np.array(getattr(module, name)).T]


def exp(x: Column, deadline: Deadline = NEVER) -> Column:
    """e**x, and infinity beyond the largest double."""
    inside = (x > -708.0) & (x < 709.0)
    high, low, k = exp_pair(np.where(inside, x, 0.0), 0.0)
    rounded, decided = rounded_pair(high, low, EXP_ERROR * high)
    return compute_undecided(
        elementary.exp, x, rounded * power_of_two(k), inside & decided, deadline
    )


def log(x: Column, deadline: Deadline = NEVER) -> Column:
    """Natural logarithm; NaN for x <= 0."""
    inside = (x > 0.0) & (x < np.inf)
    rounded, decided = rounded_pair(*log_pair(np.where(inside, x, 1.0)))
    return compute_undecided(elementary.log, x, np.where(inside, rounded, nan), decided, deadline)


def tanh(x: Column, deadline: Deadline = NEVER) -> Column:
    """Hyperbolic tangent."""
    size = np.abs(x)
    inside = (size >= 0.03125) & (size < 4.0)
    rounded, decided = rounded_pair(*_tanh_pair(np.where(inside, size, 1.0)))
    outside = np.flatnonzero(~inside)
    if len(outside):
        rounded[outside], decided[outside] = _tanh_outside(size[outside])
    return compute_undecided(elementary.tanh, x, np.copysign(rounded, x), decided, deadline)


_AT_ONCE: dict[float, Callable[[Column], Column]] = {
    -1.0: lambda x: 1.0 / x,
    0.0: np.ones_like,
    1.0: lambda x: x,
    2.0: lambda x: x * x,
}
"""Powers that the processor rounds once, by exponent."""


def power(x: Column, c: float, deadline: Deadline = NEVER) -> Column:
    """x**c; NaN for x = 0 and c < 0, and for x < 0 unless c is an integer."""
    if c in _AT_ONCE:
        return _AT_ONCE[c](x)
    size = np.abs(x)
    if c == 0.5:
        inside = size >= NORMAL
        rounded, decided = _root(np.where(inside, size, 1.0))
    elif c in {3.0, 4.0}:
        inside = (size > 1e-60) & (size < 1e60)
        rounded, decided = rounded_pair(*_short_power(np.where(inside, size, 1.0), c))
    else:
        inside = (size > 0.0) & (size < np.inf) & (size != 1.0)
        rounded, decided = _power_by_log(np.where(inside, size, 2.0), c)
    if c % 2.0 == 1.0:
        rounded = np.copysign(rounded, x)
    zero, outside = x == 0.0, (x < 0.0) & (c % 1.0 != 0.0)
    rounded[zero], rounded[outside] = (0.0 if c > 0.0 else nan), nan
    decided = (decided & inside) | zero | outside
    return compute_undecided(lambda each: elementary.power(each, c), x, rounded, decided, deadline)


product: Callable[[Column, Column], tuple[Column, Column]] = elementary.product  # type: ignore[assignment]
"""Its + - * work on columns, too."""


def power_of_two(k: NDArray[np.int64]) -> Column:
    """2**k for the exponents of normal doubles, from its bits."""
    return ((k + 1023) << 52).view(np.float64)


def exp_pair(y: Column, rest: Column | float) -> tuple[Column, Column, NDArray[np.int64]]:
    """e**(y + rest) as (high + low) * 2**k, for -708 < y < 709."""
    steps = (y * STEPS + BITS_0) - BITS_0
    r = y - steps * STEP_HIGH
    less = steps * STEP_LOW - rest
    s = r - less
    q = s * s * (0.5 + s * (1 / 6 + s * (1 / 24 + s * (1 / 120))))
    r_high = (r + BITS_26) - BITS_26
    j = steps.astype(np.int64)
    t_high, t_low = (column[j & 255] for column in table(quick, "EXP"))
    high = t_high + t_high * r_high
    return high, t_low + (t_low * (s + q) + t_high * ((r - r_high) + (q - less))), j >> 8


def log_pair(x: Column) -> ColumnPair:
    """Natural logarithm of finite x > 0."""
    m, k = np.frexp(x)
    j = (m * 1024.0 + 0.5).astype(np.int64) - 512
    r, t_high, t_low = (column[j] for column in table(quick, "LOG"))
    m_high = (m + BITS_30) - BITS_30
    z_high = m_high * r - 1.0
    z_low = (m - m_high) * r
    z = z_high + z_low
    high = (k * LN2_HIGH + t_high) + z_high
    rest = z_low + (k * LN2_LOW + t_low)
    error: Column | float = LOG_ERROR
    near = (x >= 0.99951171875) & (x < 1.0009765625)
    if near.any():
        z = np.where(near, x - 1.0, z)
        high, rest = np.where(near, z, high), np.where(near, 0.0, rest)
        error = np.where(near, FOUR_U * z * z, LOG_ERROR)
    square = z * z
    bend = square * (z * (1 / 3 + z * (-0.25 + z * (0.2 + z * (-1 / 6)))) - 0.5)
    return high, rest + bend, error


def _tanh_pair(x: Column) -> ColumnPair:
    j = (x * 128.0 + 0.5).astype(np.int64)
    r = x - j * 0.0078125
    t_high, t_low, d_high, d_low = (column[j] for column in table(quick, "TANH"))
    square = r * r
    v = r * square * (-1 / 3 + square * (2 / 15 - square * (17 / 315)))
    t_r = r + v
    w = t_high * t_r
    bend = v - w * t_r / (1.0 + w)
    r_high = (r + BITS_26) - BITS_26
    high = t_high + d_high * r_high
    low = t_low + (d_low * (r + bend) + d_high * ((r - r_high) + bend))
    return high, low, TANH_ERROR * high


def _tanh_outside(x: Column) -> tuple[Column, Lanes]:
    """Hyperbolic tangent below 1/32 and from 4 on, rounded, and which elements are decided."""
    q = x * x
    low = x * q * (-1 / 3 + q * (2 / 15 + q * (-17 / 315 + q * (62 / 2835 - q * (1382 / 155925)))))
    high, error = x, EIGHT_U * low
    large = x > 1.0
    if large.any():
        near_1, near_1_low, near_1_error = _tanh_pair_near_1(np.where(x <= 20.0, x, 20.0))
        high, low = np.where(large, near_1, high), np.where(large, near_1_low, low)
        error = np.where(large, near_1_error, error)
    rounded, decided = rounded_pair(high, low, error)
    tiny, huge = x < TINY, x > 20.0
    return np.where(tiny, x, np.where(huge, 1.0, rounded)), decided | tiny | huge


def _tanh_pair_near_1(x: Column) -> ColumnPair:
    high, low, k = exp_pair(x + x, 0.0)
    q = 2.0 / ((high + low) * power_of_two(k) + 1.0)
    high = 1.0 - q
    return high, (1.0 - high) - q, FOUR_U * q


def _power_by_log(x: Column, c: float) -> tuple[Column, Lanes]:
    """x**c for x > 0, rounded, and which elements are decided."""
    high, low, log_error = log_pair(x)
    total = high + low
    scaled = SPLIT * total
    total = scaled - (scaled - total)
    scaled_c = SPLIT * c
    c_high = scaled_c - (scaled_c - c)
    y = c * (high + low)
    inside = (y > -708.0) & (y < 709.0)
    rest = (c - c_high) * total + c * ((high - total) + low)
    high, low, k = exp_pair(np.where(inside, c_high * total, 0.0), np.where(inside, rest, 0.0))
    relative = POWER_ERROR + abs(c) * log_error
    rounded, decided = rounded_pair(high, low, relative * high)
    return rounded * power_of_two(k), inside & decided


def _root(x: Column) -> tuple[Column, Lanes]:
    """Square root of x >= NORMAL, and which elements are decided."""
    root = np.sqrt(x)
    scaled = SPLIT * root
    high = scaled - (scaled - root)
    d = (x - high * high) / (root + high) - (root - high)
    return root, root + ALMOST_1 * d == root


def _short_power(x: Column, c: float) -> ColumnPair:
    square, rest = product(x, x)
    if c == 3.0:
        high, low = product(square, x)
        return high, low + rest * x, SHORT_ERROR * high
    high, low = product(square, square)
    return high, low + 2.0 * square * rest, SHORT_ERROR * high


def sigmoid(x: Column, deadline: Deadline = NEVER) -> Column:
    """1 / (1 + e**-x)."""
    return _by_pair(_sigmoid_pair, logistic.sigmoid, x, deadline)


def softplus(x: Column, deadline: Deadline = NEVER) -> Column:
    """ln(1 + e**x)."""
    return _by_pair(_softplus_pair, logistic.softplus, x, deadline)


def _by_pair(
    pair: Callable[[Column], ColumnPair],
    function: Callable[[float], float],
    x: Column,
    deadline: Deadline,
) -> Column:
    inside = (x > -600.0) & (x < 40.0)
    rounded, decided = rounded_pair(*pair(np.where(inside, x, 0.0)))
    return compute_undecided(function, x, rounded, decided & inside, deadline)


def _sigmoid_pair(x: Column) -> ColumnPair:
    e, e_low = _power_of_e(x)
    d = 1.0 + e
    d_low = (e - (d - 1.0)) + e_low
    above = x > 0.0
    n, n_low = np.where(above, 1.0, e), np.where(above, 0.0, e_low)
    high = n / d
    back, back_low = product(high, d)
    low = (((n - back) - back_low) + (n_low - high * d_low)) / d
    return high, low, EXP_ERROR * high


def _softplus_pair(x: Column) -> ColumnPair:
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


def sin(x: Column, deadline: Deadline = NEVER) -> Column:
    """Sine."""
    size = np.abs(x)
    tiny, inside = size < TINY, size < 200.0
    each = np.where(inside & ~tiny, x, 1.0)
    high, low, error = _wave_pair(each, 0)
    near = size < 0.015625
    if near.any():
        pair = wave.sin_pair_near_0(each)  # type: ignore[arg-type]  # + - * / alone
        both = zip(pair, (high, low, error), strict=True)
        high, low, error = (np.where(near, one, other) for one, other in both)
    rounded, decided = rounded_pair(high, low, error)
    return compute_undecided(
        wave.sin, x, np.where(tiny, x, rounded), decided & inside | tiny, deadline
    )


def cos(x: Column, deadline: Deadline = NEVER) -> Column:
    """Cosine."""
    size = np.abs(x)
    tiny, inside = size < TINY, size < 200.0
    rounded, decided = rounded_pair(*_wave_pair(np.where(inside, x, 1.0), QUARTER))
    return compute_undecided(
        wave.cos, x, np.where(tiny, 1.0, rounded), decided & inside | tiny, deadline
    )


def _wave_pair(x: Column, ahead: int) -> ColumnPair:
    steps = (x * wave.STEPS + BITS_0) - BITS_0
    r = x - steps * wave.STEP_HIGH
    less = steps * wave.STEP_LOW
    s = r - less
    q = s * s
    w = q * (q * (1 / 24 - q * (1 / 720)) - 0.5)
    v = s * q * (q * (1 / 120 - q * (1 / 5040)) - 1 / 6)
    j = steps.astype(np.int64) + ahead
    s_high, s_low = (column[j & TURN - 1] for column in table(wave, "WAVE"))
    cosine, c_low = (column[j + QUARTER & TURN - 1] for column in table(wave, "WAVE"))
    c_high = (cosine + BITS_26) - BITS_26
    c_low += cosine - c_high
    r_high = (r + BITS_26) - BITS_26
    high = s_high + c_high * r_high
    low = s_low + ((s_high + s_low) * w + (c_low * (s + v) + c_high * ((r - r_high) + (v - less))))
    return high, low, WAVE_ERROR * np.abs(s_high) + WAVE_LEAST
