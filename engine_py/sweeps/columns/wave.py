"""Column -> column: sin and cos of many numbers, to the bits of `numerics.wave`.

The steps are those of that module, whose docstrings derive the errors.
"""

import numpy as np

from engine_py.numerics import wave
from engine_py.numerics.exact import TINY
from engine_py.numerics.quick import BITS_0, BITS_26
from engine_py.numerics.wave import (
    QUARTER,
    STEP_HIGH,
    STEP_LOW,
    STEPS,
    TURN,
    WAVE_ERROR,
    WAVE_LEAST,
)
from engine_py.sweeps.columns.decided import Column, Pair, rounded_pair, settle, table


def sin(x: Column) -> Column:
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
    return settle(wave.sin, x, np.where(tiny, x, rounded), decided & inside | tiny)


def cos(x: Column) -> Column:
    """Cosine."""
    size = np.abs(x)
    tiny, inside = size < TINY, size < 200.0
    rounded, decided = rounded_pair(*_wave_pair(np.where(inside, x, 1.0), QUARTER))
    return settle(wave.cos, x, np.where(tiny, 1.0, rounded), decided & inside | tiny)


def _wave_pair(x: Column, ahead: int) -> Pair:
    steps = (x * STEPS + BITS_0) - BITS_0
    r = x - steps * STEP_HIGH
    less = steps * STEP_LOW
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
