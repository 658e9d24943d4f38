"""Real numbers as balls of integers: (m, r, e) guarantees |x - m * 2**e| <= r * 2**e.

r = 0 is an exact number: sums, products, quotients and roots stay exact as long as they are
integers of at most p bits times a power of two. m = 0 with r > 0 is a number that may be 0.

Each operation takes the precision p of its result. A `unit` is the last bit of an m.
"""

from math import isqrt, ldexp

from engine_py.numerics.exact import NoNumber, round_to_double, shifted

Ball = tuple[int, int, int]

RANGE = 1 << 50
"""Numbers of at least 2**RANGE in magnitude, or below 2**-RANGE, are out of range."""
FAR = RANGE // 2
"""A smaller exponent keeps a number with few bits in range."""
RADIUS_BITS = 32
KNOWN = 4352
"""The maximum number of bits of a number that is kept exactly, whatever the precision."""

ZERO: Ball = (0, 0, 0)
HALF: Ball = (1, 0, -1)
ONE: Ball = (1, 0, 0)
MINUS_ONE: Ball = (-1, 0, 0)


def trim(m: int, r: int, e: int, p: int) -> Ball:
    """Keep p bits of m and 32 of r.

    m is rounded to the nearest unit and r up; the 1 added to r covers the half unit of m.

    Raises:
        NoNumber: the number is out of range, or the ball is too wide to decide.
    """
    drop = m.bit_length() - p
    if not r and p > KNOWN and m.bit_length() - KNOWN > (m & -m).bit_length() - 1:
        m, r, e, drop = shifted(m, max(0, -drop)), 1, e + min(0, drop), max(0, drop)
    if r:
        drop = max(drop, r.bit_length() - RADIUS_BITS)
    if drop > 0:
        inexact = 0 < (m & -m).bit_length() <= drop
        m = (m >> drop - 1) + 1 >> 1
        r = -(-r >> drop) + (1 if inexact else 0)
        e += drop
    if not m and not r:
        return ZERO
    if not -FAR < e < FAR:
        size = max(m.bit_length(), r.bit_length()) + e  # |x| < 2**(size + 1)
        if not 2 - RANGE < size < RANGE:
            _refuse_at_the_ends(m, r, e)
    return m, r, e


def _refuse_at_the_ends(m: int, r: int, e: int) -> None:
    """Raise unless 2**-RANGE <= |x| < 2**RANGE for certain."""
    low, high = abs(m) - r, abs(m) + r  # of |x|, in units, where low > 0
    if low > 0:
        least, most = low.bit_length() + e, high.bit_length() + e  # 2**(least-1) <= |x| < 2**most
        if least > RANGE or most <= -RANGE:
            raise NoNumber("out_of_range", next_to_0=most <= -RANGE)
        if most <= RANGE and least > -RANGE:
            return
    raise NoNumber("undecided")


def of_double(x: float) -> Ball:
    """Write a finite double exactly, with an odd m."""
    n, denominator = x.as_integer_ratio()
    zeros = (n & -n).bit_length() - 1 if n else 0
    return n >> zeros, 0, zeros + 1 - denominator.bit_length()


def top(a: Ball) -> int:
    """Return t with |x| < 2**t; |x| >= 2**(t - 2) if x is known well. For 0, t < -RANGE."""
    m, r, e = a
    if r:
        return max(m.bit_length(), r.bit_length()) + e + 1
    return m.bit_length() + e if m else -4 * RANGE


def sign(a: Ball) -> int | None:
    """Return -1, 0 or 1, or None if the ball is too wide to decide."""
    m, r, _ = a
    if r == 0:
        return (m > 0) - (m < 0)
    return 1 if m > r else -1 if -m > r else None


def may_be_zero(a: Ball) -> bool:
    """Return whether x may be 0 without being exactly 0."""
    return abs(a[0]) <= a[1] > 0


def magnitude(a: Ball) -> Ball:
    """|x|; if x may have either sign, the ball also contains -|x|."""
    return abs(a[0]), a[1], a[2]


def neg(a: Ball) -> Ball:
    """-x."""
    return -a[0], a[1], a[2]


def halve(a: Ball) -> Ball:
    """x / 2."""
    return (a[0], a[1], a[2] - 1) if a[0] or a[1] else ZERO


def add(a: Ball, b: Ball, p: int) -> Ball:
    """x + y. An addend below the last of p + 4 bits is only counted in the radius."""
    (m1, r1, e1), (m2, r2, e2) = a, b
    if not m1 and not r1:
        return trim(m2, r2, e2, p)
    if not m2 and not r2:
        return trim(m1, r1, e1, p)
    t1, t2 = m1.bit_length() + e1, m2.bit_length() + e2
    if r1:
        t1 = max(t1, r1.bit_length() + e1) + 1
    if r2:
        t2 = max(t2, r2.bit_length() + e2) + 1
    if t1 < t2:
        m1, r1, e1, t1, m2, r2, e2, t2 = m2, r2, e2, t2, m1, r1, e1, t1
    last = t1 - p - 4
    if t2 <= last:  # |y| < 2**last
        if e1 > last:
            m1, r1, e1 = shifted(m1, e1 - last), shifted(r1, e1 - last), last
        return trim(m1, r1 + shifted(1, last - e1), e1, p)
    if e1 > e2:
        m1, r1, e1 = shifted(m1, e1 - e2), shifted(r1, e1 - e2), e2
    elif e2 > e1:
        m2, r2 = shifted(m2, e2 - e1), shifted(r2, e2 - e1)
    return trim(m1 + m2, r1 + r2, e1, p)


def sub(a: Ball, b: Ball, p: int) -> Ball:
    """x - y."""
    return add(a, (-b[0], b[1], b[2]), p)


def mul(a: Ball, b: Ball, p: int) -> Ball:
    """x * y, which is off from m1 m2 by at most |m1| r2 + |m2| r1 + r1 r2."""
    (m1, r1, e1), (m2, r2, e2) = a, b
    if r1 or r2:
        return trim(m1 * m2, abs(m1) * r2 + abs(m2) * r1 + r1 * r2, e1 + e2, p)
    return trim(m1 * m2, 0, e1 + e2, p)


def div(a: Ball, b: Ball, p: int) -> Ball:
    """x / y, for |x / y - m1 / m2| <= (r1 + |m1 / m2| r2) / (m2 - r2) for m2 > r2.

    The quotient q is rounded down, to at least p + 1 bits, or as many as the radius has.
    """
    (m1, r1, e1), (m2, r2, e2) = a, b
    if not m2 and not r2:
        raise NoNumber("domain")
    if abs(m2) <= r2:
        raise NoNumber("undecided")
    if not m1 and not r1:
        return ZERO
    if m2 < 0:
        m1, m2 = -m1, -m2
    s = max(0, p + 2 + m2.bit_length() - max(m1.bit_length(), r1.bit_length()))
    q, rest = divmod(shifted(m1, s), m2)
    r = 1 if rest else 0
    if r1 or r2:
        r -= -(shifted(r1, s) + (abs(q) + 1) * r2) // (m2 - r2)  # rounded up
    return trim(q, r, e1 - e2 - s, p)


def sqrt(a: Ball, p: int) -> Ball:
    """Take the root. That of n' is off from that of n by |n' - n| / (the sum of both roots).

    The smaller root is at least root(n) - |n' - n| / root(n); isqrt rounds root(n) down.
    """
    m, r, e = a
    side = sign(a)
    if side == 0:
        return ZERO
    if side != 1:
        raise NoNumber("domain" if side else "undecided")
    s = max(0, 2 * p + 4 - m.bit_length())
    s += (e - s) & 1
    n = shifted(m, s)
    root = isqrt(n)
    error = 0 if root * root == n else 1
    if r:
        r = shifted(r, s)
        both = 2 * root - r // root - 1
        error += r // (both if both > 0 else root) + 1
    return trim(root, error, (e - s) // 2, p)


def widen(a: Ball, relative: int, p: int) -> Ball:
    """All numbers from x (1 - 2**relative) to x (1 + 2**relative), for a relative < 0."""
    m, r, e = a
    s = max(0, p + 2 - m.bit_length())
    m, r = shifted(m, s), shifted(r, s)
    return trim(m, r + ((abs(m) + r) >> min(-relative, 4 * p)) + 1, e - s, p)


def rounded(a: Ball) -> float | None:
    """The double nearest to x, infinite if x is too large; None if the ball is too wide to decide.

    Among normal doubles one comparison is enough: a ball of less than a quarter of the last place
    that does not contain the midpoint above the kept bits contains no other midpoint, either.
    """
    m, r, e = a
    size = abs(m)
    drop = size.bit_length() - 53
    if drop <= 0:
        if not r and -1074 <= e < 970:
            return ldexp(m, e)
    elif -1022 < drop + e < 970:
        half = shifted(1, drop - 1)
        beyond = (size & half + half - 1) - half
        if r < abs(beyond) and r <= half >> 1:
            kept = (size >> drop) + (beyond > 0)
            return ldexp(kept if m > 0 else -kept, drop + e)
    low = round_to_double(m - r, e) + 0.0
    return low if not r or low == round_to_double(m + r, e) else None


def near_midpoint(a: Ball, bits: int) -> bool | None:
    """Return whether x is nearer than 2**-bits of itself to a midpoint of two doubles.

    None if the ball is too wide to decide. Midpoints are the odd multiples of half a last place,
    which is far above a small x.
    """
    m, r, e = a
    size = abs(m)
    half_place = max(size.bit_length() + e - 54, -1075) - e
    if half_place <= 0:
        return None
    multiple = (size >> half_place - 1) + 1 >> 1
    if multiple % 2 == 0:
        return False if r.bit_length() < half_place else None
    off = abs(size - shifted(multiple, half_place))
    if shifted(off + r, bits) < size - r:
        return True
    return False if shifted(off - r, bits) > size + r else None


def rounded_midpoint(a: Ball) -> float:
    """Round the double or midpoint of two doubles that is nearest to x."""
    m, _, e = a
    half_unit = max(m.bit_length() + e - 54, -1075) - e
    if half_unit <= 0:
        return round_to_double(m, e) + 0.0
    return round_to_double((m >> half_unit - 1) + 1 >> 1, e + half_unit) + 0.0
