"""Outline + values -> the true data and gradients of all nodes, by MPFR.

Nothing is rounded to a double before the end: a program is computed with some thousand bits, the
derivatives are the true ones. It knows nothing of the engines, and nothing of enclosures: it is
right where more bits give the same doubles.
"""

from collections.abc import Callable, Mapping
from typing import Any

import gmpy2

Number = Any
"""A gmpy2.mpfr, which has no types; or None, where the real number does not exist."""

FARTHEST = 2**28
"""Binary exponents. MPFR has about four times as many."""
FARTHEST_OPERAND = {"sin": 4000, "cos": 4000} | dict.fromkeys(
    ("exp", "tanh", "sigmoid", "softplus"), 27
)
"""The same of operands."""


class TooFarError(ArithmeticError):
    """MPFR has no exponents for this number."""


def side(x: Number) -> Number:
    """Give 1, 0 or -1."""
    return gmpy2.mpfr(gmpy2.sign(x))


def power_slope(x: Number, c: Number) -> Number:
    """c x**(c - 1), which is infinite at 0 for 0 < c < 1."""
    if c == 0 or (x == 0 and c > 1):
        return gmpy2.mpfr(0)
    if x == 0:
        return gmpy2.mpfr(1) if c == 1 else None
    return c * x**c / x


def less(x: Number, y: Number) -> Number:
    """x - y, or 0 where they are as good as equal."""
    return counted(x - y, x, y)


def counted(total: Number, *terms: Number) -> Number:
    """Let what is as good as 0, beside what it was made of, count as 0."""
    bits = min(4096, gmpy2.get_context().precision - 128)
    return total if abs(total) >= gmpy2.div_2exp(max(map(abs, terms)), bits) else total * 0


Formula = Callable[..., Any]

ONE = gmpy2.mpfr(1)
ROWS: dict[str, tuple[Formula, Formula]] = {
    "+": (lambda x, y: counted(x + y, x, y), lambda x, y: (ONE, ONE)),
    "-": (less, lambda x, y: (ONE, -ONE)),
    "*": (lambda x, y: x * y, lambda x, y: (y, x)),
    "/": (lambda x, y: x / y, lambda x, y: (1 / y, -x / y / y)),
    "**": (lambda x, c: x**c, lambda x, c: (power_slope(x, c), None)),
    "neg": (lambda x: -x, lambda x: (-ONE,)),
    "relu": (lambda x: max(x, 0 * x), lambda x: (max(side(x), 0 * x),)),
    "abs": (abs, lambda x: (side(x),)),
    "min": (min, lambda x, y: ((1 - side(less(x, y))) / 2, (1 + side(less(x, y))) / 2)),
    "max": (max, lambda x, y: ((1 + side(less(x, y))) / 2, (1 - side(less(x, y))) / 2)),
    "exp": (gmpy2.exp, lambda x: (gmpy2.exp(x),)),
    "log": (lambda x: counted(gmpy2.log(x), ONE), lambda x: (1 / x,)),
    "sqrt": (gmpy2.sqrt, lambda x: (1 / (2 * gmpy2.sqrt(x)) if x else None,)),
    "sin": (lambda x: counted(gmpy2.sin(x), min(ONE, x)), lambda x: (gmpy2.cos(x),)),
    "cos": (lambda x: counted(gmpy2.cos(x), ONE), lambda x: (-gmpy2.sin(x),)),
    "tanh": (gmpy2.tanh, lambda x: (1 / gmpy2.cosh(x) ** 2,)),
    "sigmoid": (lambda x: 1 / (1 + gmpy2.exp(-x)), lambda x: (1 / (2 * gmpy2.cosh(x / 2)) ** 2,)),
    "softplus": (lambda x: gmpy2.log1p(gmpy2.exp(x)), lambda x: (1 / (1 + gmpy2.exp(-x)),)),
}
OUTSIDE: dict[str, Formula] = {
    "/": lambda x, y: y == 0,
    "log": lambda x: x <= 0,
    "sqrt": lambda x: x < 0,
    "**": lambda x, c: (x == 0 and c < 0) or (x < 0 and not gmpy2.is_integer(c)),
}


def true_numbers(
    outline: Mapping[str, Any], values: Mapping[str, float], bits: int
) -> tuple[list[Number], list[Number]]:
    """Give data and gradients by node, computed with so many bits.

    Raises:
        TooFarError: a number has an exponent beyond 2**28.
    """
    with gmpy2.context(precision=bits, emax=2**31, emin=-(2**31)):
        return _true_numbers(outline, values)


def _true_numbers(
    outline: Mapping[str, Any], values: Mapping[str, float]
) -> tuple[list[Number], list[Number]]:
    nodes = outline["nodes"]
    operands: list[list[int]] = [[] for _ in nodes]
    for edge in outline["edges"]:
        operands[edge["to"]].append(edge["from"])
    data: list[Number] = []
    slopes: list[tuple[Number, ...]] = []
    for node, slots in zip(nodes, operands, strict=True):
        numbers = [data[slot] for slot in slots]
        row, outside = ROWS.get(node["operation"]), OUTSIDE.get(node["operation"])
        if row is None:
            x = node["data"] if node["kind"] == "constant" else values[node["label"]]
            data.append(gmpy2.mpfr(x))
            slopes.append(())
        elif None in numbers or (outside and outside(*numbers)):
            data.append(None)
            slopes.append((None,) * len(slots))
        else:
            farthest = FARTHEST_OPERAND.get(node["operation"])
            if farthest and gmpy2.get_exp(numbers[0]) > farthest:
                raise TooFarError
            data.append(near(row[0](*numbers)))
            slopes.append(tuple(slope and near(slope) for slope in row[1](*numbers)))
    return data, _gradients(outline["root"], operands, slopes)


def _gradients(
    root: int, operands: list[list[int]], slopes: list[tuple[Number, ...]]
) -> list[Number]:
    grads: list[Number] = [0 * ONE for _ in slopes]
    grads[root] = ONE
    for node in range(root, -1, -1):
        for operand, slope in zip(operands[node], slopes[node], strict=True):
            if None in (grads[operand], grads[node], slope):
                grads[operand] = None
            else:
                sent = near(grads[node] * slope)
                grads[operand] = counted(grads[operand] + sent, grads[operand], sent)
    return grads


def near(x: Number, farthest: int = FARTHEST) -> Number:
    """Refuse a number that is too far away."""
    if not gmpy2.is_finite(x) or (x and abs(gmpy2.get_exp(x)) > farthest):
        raise TooFarError
    return x


def nearest_double(x: Number, bits: int) -> float | None:
    """Round a number of so many bits once, and what is as good as a middle of two doubles as that.

    Beyond the doubles it is infinite. None stays None.
    """
    if x is None:
        return None
    with gmpy2.context(precision=min(4096, bits - 128), emax=2**31, emin=-(2**31)):
        x = gmpy2.mpfr(x)
    with gmpy2.context(gmpy2.ieee(64)):
        return float(gmpy2.mpfr(x)) + 0.0
