"""Outline + values -> the exact data and gradients of all nodes, by MPFR.

Nothing is rounded to a double before the end: a program is computed with some thousand bits, and
with the exact derivatives. It shares nothing with the engines and uses no enclosures: a result is
right if more bits give the same doubles.
"""

from collections.abc import Mapping
from typing import Any

import gmpy2

from parity_tests.oracle.operations import ONE, ROWS, Number, Row

FARTHEST = 2**28
"""The largest binary exponent of a result. MPFR has about four times as many."""


class TooFarError(ArithmeticError):
    """A number is beyond the range of exponents."""


def true_numbers(
    outline: Mapping[str, Any], values: Mapping[str, float], bits: int
) -> tuple[list[Number], list[Number]]:
    """Compute data and gradients by node, with `bits` bits; None if the real number does not exist.

    Raises:
        TooFarError: a number has an exponent beyond 2**28.
    """
    operands: list[list[int]] = [[] for _ in outline["nodes"]]
    for edge in outline["edges"]:
        operands[edge["to"]].append(edge["from"])
    data: list[Number] = []
    slopes: list[tuple[Number, ...]] = []
    with gmpy2.context(precision=bits, emax=2**31, emin=-(2**31)):
        for node, slots in zip(outline["nodes"], operands, strict=True):
            if node["operation"] is None:
                x = node["data"] if node["kind"] == "constant" else values[node["label"]]
                out, local = gmpy2.mpfr(x), ()
            else:
                out, local = _computed(ROWS[node["operation"]], [data[slot] for slot in slots])
            data.append(out)
            slopes.append(local)
        return data, _gradients(outline["root"], operands, slopes)


def _computed(row: Row, x: list[Number]) -> tuple[Number, tuple[Number, ...]]:
    """Compute an operation and its exact derivatives; None for an infinite one."""
    if None in x or row.outside(*x):
        return None, (None,) * len(x)
    if row.farthest and gmpy2.get_exp(x[0]) > row.farthest:
        raise TooFarError
    if row.kink and len(x) == 2 and not _counted(row.kink(*x), max(map(abs, x))):
        x = [x[0], x[0]]
    out = near(row.data(*x))
    if row.scale:
        out = _counted(out, row.scale(*x))
    slopes = row.true_grads(*x) if row.true_grads else row.local_grads(out, *x)
    at_zero = not all(x)
    return out, tuple(
        None if slope is None or (at_zero and gmpy2.is_infinite(slope)) else near(slope)
        for slope in slopes
    )


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
                scale = max(abs(grads[operand]), abs(sent))
                grads[operand] = _counted(grads[operand] + sent, scale)
    return grads


def _counted(total: Number, scale: Number) -> Number:
    """Return 0 if `total` is negligible relative to `scale`, otherwise `total`."""
    bits = min(4096, gmpy2.get_context().precision - 128)
    return total if abs(total) >= gmpy2.div_2exp(scale, bits) else total * 0


def near(x: Number) -> Number:
    """Return x. Raises TooFarError if its exponent is out of range."""
    if not gmpy2.is_finite(x) or (x and abs(gmpy2.get_exp(x)) > FARTHEST):
        raise TooFarError
    return x


def nearest_double(x: Number, bits: int) -> float | None:
    """Round once from `bits` bits to a double; None stays None, and an overflow is infinite.

    A value indistinguishable from the midpoint of two doubles rounds as that midpoint.
    """
    if x is None:
        return None
    with gmpy2.context(precision=min(4096, bits - 128), emax=2**31, emin=-(2**31)):
        x = gmpy2.mpfr(x)
    with gmpy2.context(gmpy2.ieee(64)):
        return float(gmpy2.mpfr(x)) + 0.0
