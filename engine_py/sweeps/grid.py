"""Ends and count -> the points of a grid, each the double nearest to the true one."""

from engine_py.numerics.exact import round_to_double

_BITS = 128
"""Bits of a quotient beyond its first: more than a double has, so one rounding decides."""


def grid(start: float, end: float, count: int) -> list[float]:
    """Give `count` points from start to end, evenly spaced; of one point, the start.

    Point i is start + (end - start) * i / (count - 1), rounded once (CONTRACT.md R39). So the ends
    are exact, a grid read backwards is the same, and from 0 to 1 in tenths has 0.3, where adding or
    multiplying steps has 0.30000000000000004.
    """
    if count == 1:
        return [start + 0.0]
    (first, one), (last, other) = start.as_integer_ratio(), end.as_integer_ratio()
    unit, steps = max(one, other), count - 1  # both are powers of two, and both divide it
    first, last, e = first * (unit // one), last * (unit // other), 1 - unit.bit_length()
    return [_rounded(first * (steps - i) + last * i, steps, e) for i in range(count)]


def _rounded(n: int, d: int, e: int) -> float:
    """Round n / d * 2**e once."""
    quotient, rest = divmod(abs(n) << _BITS, d)
    # A last bit that says "and some more" keeps what is left out from looking like nothing.
    quotient = quotient << 1 | (rest != 0)
    return round_to_double(-quotient if n < 0 else quotient, e - _BITS - 1) + 0.0
