"""Balls of exp, log, sin, cos, atan and powers, as narrow as their operands and p bits allow.

First come exp, log and the constants in fixed point: an integer n stands for n * 2**-q, and a
*unit* is 2**-q. `shifted`, `>>` and `//` round down, so each of them costs at most one unit.

A ball is computed to `q` bits after the point: p and a guard, more where the result is small.
"""

from math import isqrt

from engine_py.accuracy.ball import (
    FAR,
    KNOWN,
    ONE,
    ZERO,
    Ball,
    div,
    magnitude,
    mul,
    neg,
    of_double,
    sign,
    sqrt,
    sub,
    top,
    trim,
    widen,
)
from engine_py.numerics import exact, near_zero
from engine_py.numerics import wave as exact_wave
from engine_py.numerics.exact import NoNumber, exp_by_squarings, shifted, twice_atanh

GUARD_OF_CONSTANTS = 24
"""Extra bits with which a constant is computed."""
SHORT = 320
"""Up to this many bits a logarithm is a series; beyond, it corrects a shorter one."""
GUARD = 20
TOP_OF_EXP = 52
"""e**x is out of range for |x| >= 2**51 > 2**50 ln 2."""
TOP_OF_SINE = 4200
"""Sines and cosines of 2**4200 and more are out of range: they would cost as many bits."""
TOP_OF_LOG = 52
"""Above the bits of log2 |x| for any x in range."""
MAX_MULTIPLICATIONS = 1024
"""Largest exponent for which a power is computed by products."""
LEAST_ROOT = 16
"""Powers of x ** (1/16) are computed by roots and products; of further roots, by exp and log."""


def _ln2(q: int) -> int:
    """ln 2. The series is off by 4g < 2**17 of the smaller units; with the shift less than 2."""
    g = _kept(q)
    return exact.ln2(g) >> (g - q)


def _half_pi(q: int) -> int:
    """pi / 2. The series is off by 10g < 2**19 of the smaller units; with the shift less than 2."""
    g = _kept(q)
    return exact_wave.half_pi(g) >> (g - q)


def _kept(q: int) -> int:
    """Few precisions occur: 256, 512, 1024, ...; rarely more than 2**15."""
    return shifted(1, max(8, (q + GUARD_OF_CONSTANTS - 1).bit_length()))


def _exp_fixed(y: int, q: int) -> tuple[int, int]:
    """(n, k) with e**y = n * 2**k, n in [1, 2) up to the error. Off by less than 2 units.

    y = k ln 2 + r, and e**r by s squarings of e**(r / 2**s). With |y| < 2**w, |k| < 2**(w + 1).
    In units of 2**-g: k ln 2 is off by 2**(w + 2), r / 2**s by 2**(w + 2 - s) + 1; the series has
    less than 2**11 terms, each off by less than 2: all less than 2**12 + 2**(w + 3 - s) + 2. A
    squaring doubles the relative error and adds a unit: 2**(s + 14) + 2**(w + 5) in the end, which
    is less than a unit of 2**-q.
    """
    w = max(0, y.bit_length() - q)
    s = isqrt(q) // 2 + 2
    g = q + s + w + 16
    k, r = divmod(shifted(y, g - q), _ln2(g))
    return exp_by_squarings(r, s, g) >> (g - q), k


def _log_fixed(n: int, q: int) -> int:
    """ln n for n from 2/3 to 4/3. Off by less than 3 units.

    ln n = y + ln(n e**-y) for any y; a y of a third of the bits leaves a short series. n e**-y is
    off by less than 5 of the smaller units, its logarithm by 4g < 2**16 - 5:
    less than one unit.
    """
    g = q + 16
    one = shifted(1, q)
    if q <= SHORT:
        return twice_atanh(n - one, n + one, g) >> 16
    w = q // 3 + 16
    y = shifted(_log_fixed(n >> (q - w), w), q - w)
    m, k = _exp_fixed(-y << 16, g)
    rest = (n * shifted(m, k) >> q) - shifted(1, g)
    return y + (twice_atanh(rest, shifted(2, g) + rest, g) >> 16)


def _atan_fixed(n: int, q: int) -> int:
    """Arctangent of n for |n| < 2. Off by less than 3 units.

    atan n = y + atan((n - tan y) / (1 + n tan y)) for any y; a y of a third of the bits leaves a
    short series. The quotient is off by less than 4 g of the smaller units, an arctangent by
    16 g + 128: less than one unit.
    """
    g = q + q.bit_length() + 8
    if q <= SHORT:
        return near_zero.atan_fixed(shifted(n, g - q), g) >> (g - q)
    w = q // 3 + 16
    y = shifted(_atan_fixed(n >> (q - w), w), q - w)
    angle = shifted(y, g - q)
    s, c = exact_wave.sin_fixed(angle, g), exact_wave.cos_fixed(angle, g)
    rest = shifted(n * c - shifted(s, q), g) // (shifted(c, q) + n * s)
    return y + (near_zero.atan_series(rest, g) >> (g - q))


def _fixed(a: Ball, q: int) -> tuple[int, int]:
    """(n, error) in units of 2**-q. A shift rounds the midpoint down and the radius up."""
    m, r, e = a
    s = e + q
    if s >= 0:
        return shifted(m, s), shifted(r, s)
    return m >> -s, (r >> -s) + 2 if r else 1


def exp(a: Ball, p: int) -> Ball:
    """e**x. e**(y + d) is off from e**y by less than |d| + d**2 of it, for |d| < 1."""
    m, r, _ = a
    if not m and not r:
        return ONE
    if top(a) > TOP_OF_EXP:  # |x| >= 2**51 if x is known well
        known = r << 2 < abs(m)
        raise NoNumber("out_of_range" if known else "undecided", next_to_0=known and m < 0)
    q = p + GUARD
    y, off = _fixed(a, q)
    if off.bit_length() > q - 4:
        raise NoNumber("undecided")
    n, k = _exp_fixed(y, q)
    off = (off + (off * off >> q) + 1) * n >> q  # with a unit for each shift
    return trim(n, off + 4, k - q, p)


def log(a: Ball, p: int) -> Ball:
    """ln x = ln n + k ln 2 with n from 2/3 to 4/3.

    If x is near 1, extra bits are computed, as many as the logarithm has leading zeros. Errors: 3
    units from the series; one unit of n, which is 3/2 of its logarithm; 3 from k ln 2; and r / (m -
    r) from the radius.
    """
    m, r, e = a
    side = sign(a)
    if side != 1:
        raise NoNumber("undecided" if side is None else "domain")
    bits = (3 * m).bit_length() - 2  # m / 2**bits is from 2/3 to 4/3
    k, near = bits + e, 0
    if k == 0:
        rest = abs(m - shifted(1, bits))
        if not rest and not r:
            return ZERO
        near = bits - rest.bit_length()
    q = p + GUARD + near
    n = shifted(m, q - bits)
    w = k.bit_length()
    value = _log_fixed(n, q) + (k * _ln2(q + w) >> w)
    return trim(value, 8 + (shifted(r, q) // (m - r) + 1 if r else 0), -q, p)


def wave(a: Ball, p: int, ahead: int) -> Ball:
    """sin(x + ahead pi / 2), by the sine or the cosine of the rest x - j pi / 2.

    j < 2**(t + 1) multiplies the error of pi / 2, which is 2 units that are 2**(t + 8) times
    smaller: less than one unit. Roundings add two more, and a series is off by less than q.
    """
    m, r, _ = a
    if not m and not r:
        return (ZERO, ONE, ZERO, neg(ONE))[ahead % 4]
    _refuse_large(a)
    t = top(a)
    odd = ahead % 2 == 1
    if t < -p and not odd:  # |sin x - x| < |x| x**2
        return widen(a if ahead % 4 == 0 else neg(a), 2 * t, p)
    q = p + GUARD + (0 if odd else max(0, -t))
    g = q + max(0, t) + 8
    y, off = _fixed(a, g)
    off = (off >> (g - q)) + 4
    if off.bit_length() > q - 2:
        raise NoNumber("undecided")
    quarter = _half_pi(g)
    j = (2 * y + quarter) // (2 * quarter)
    x = (y - j * quarter) >> (g - q)
    n = exact_wave.sin_fixed(x, q) if (j + ahead) % 2 == 0 else exact_wave.cos_fixed(x, q)
    return trim(n if (j + ahead) % 4 in {0, 1} else -n, off + q, -q, p)


def _refuse_large(a: Ball) -> None:
    """Raise unless |x| < 2**4200 for certain."""
    m, r, e = a
    if (abs(m) + r).bit_length() + e > TOP_OF_SINE:
        known = (abs(m) - r).bit_length() + e > TOP_OF_SINE and abs(m) > r
        raise NoNumber("out_of_range" if known else "undecided")


def atan(a: Ball, p: int) -> Ball:
    """Arctangent, whose slope is at most 1; from 2 on pi / 2 less that of 1 / x.

    A small x has an error of |x| x**2.
    """
    m, r, e = a
    if not m and not r:
        return ZERO
    if m < 0:
        return neg(atan(neg(a), p))
    t = top(a)
    if t < -p:
        return widen(a, 2 * t, p)
    q = p + GUARD + max(0, -t)
    if m.bit_length() + e > 1:
        return sub((_half_pi(q), 2, -q), atan(div(ONE, a, q), q), p)
    n, off = _fixed(a, q)
    return trim(_atan_fixed(n, q), off + 3, -q, p)


def power(a: Ball, c: float, p: int) -> Ball:
    """x**c for a double c, by products and roots if they are few or exact, else e**(c ln |x|)."""
    if c == 0.0:
        return ONE
    side = sign(a)
    if side == 0:
        if c < 0.0:
            raise NoNumber("domain")
        return ZERO
    n, d = c.as_integer_ratio()
    if d > 1 and side != 1:
        raise NoNumber("domain" if side else "undecided")
    if side is None and c < 0.0:
        raise NoNumber("undecided")
    if d <= LEAST_ROOT and abs(n) <= MAX_MULTIPLICATIONS:
        return _short_power(a, n, d, p)
    if side is None:
        return _large_power_near_0(a, n)
    if (known := _known_power(a, n, d, p)) is not None:
        return known
    scale = of_double(c)
    # c ln |x| has as many bits after the point as its exponential needs.
    large = top(scale) + min(TOP_OF_LOG, abs(top(a)).bit_length() + 1)
    g = p + GUARD + min(TOP_OF_EXP, max(0, large))
    out = exp(mul(log(magnitude(a), g), scale, g), p)
    return neg(out) if side < 0 and n & 1 else out


def _large_power_near_0(a: Ball, n: int) -> Ball:
    """x**n for an x that may be 0, as a ball around 0 if that of x is one."""
    if top(a) >= 0:
        raise NoNumber("undecided")
    m = 1 if a[0] else 0
    return m, m + 1, max(top(a) * n, -FAR)


def _known_power(a: Ball, n: int, d: int, p: int) -> Ball | None:
    """x**(n / d), if x and that are exact, with at most `KNOWN` bits; else None."""
    m, r, e = a
    zeros = (m & -m).bit_length() - 1
    m, e = m >> zeros, e + zeros
    while not r and d > 1 and (m, e) != (1, 0):
        root = isqrt(m)
        if e & 1 or root * root != m:
            return None
        m, e, d = root, e >> 1, d >> 1
    size = abs(m).bit_length() - 1  # x**n has more than `size` * n bits
    if r or size * abs(n) > KNOWN or (size and n < 0):
        return None
    return _short_power((m, 0, e if n > 0 else -e), abs(n), 1, p)


def _short_power(a: Ball, n: int, d: int, p: int) -> Ball:
    """x**(n / d) for d = 1, 2, 4, 8 or 16."""
    g = p + GUARD + 2 * abs(n).bit_length()
    while d > 1:
        a, d = sqrt(a, g), d >> 1
    out, left = ONE, abs(n)
    while left:
        if left & 1:
            out = mul(out, a, g)
        left >>= 1
        if left:
            a = mul(a, a, g)
    return trim(*out, p) if n > 0 else div(ONE, out, p)
