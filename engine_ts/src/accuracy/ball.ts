/**
 * Real numbers as balls of integers: {m, r, e} guarantees |x - m * 2**e| <= r * 2**e.
 *
 * r = 0 is an exact number: sums, products, quotients and roots stay exact as long as they are
 * integers of at most p bits times a power of two. m = 0 with r > 0 is a number that may be 0.
 *
 * Each operation takes the precision p of its result. A `unit` is the last bit of an m.
 */

import { NoNumber, roundToDouble, shifted } from "../numerics/exact.ts";
import { abs, bitLength, divmod, frexp, isqrt } from "../numerics/builtins.ts";

export interface Ball {
  readonly m: bigint;
  readonly r: bigint;
  readonly e: number;
}

/** Numbers of at least 2**RANGE in magnitude, or below 2**-RANGE, are out of range. */
export const RANGE = 2 ** 50;
/** A smaller exponent keeps a number with few bits in range. */
export const FAR = RANGE / 2;
const RADIUS_BITS = 32;
/** The maximum number of bits of a number that is kept exactly, whatever the precision. */
export const KNOWN = 4352;
const NORMAL = 2 ** -1022;

export const ZERO: Ball = { m: 0n, r: 0n, e: 0 };
export const HALF: Ball = { m: 1n, r: 0n, e: -1 };
export const ONE: Ball = { m: 1n, r: 0n, e: 0 };
export const MINUS_ONE: Ball = { m: -1n, r: 0n, e: 0 };

/**
 * Keep p bits of m and 32 of r.
 *
 * m is rounded to the nearest unit and r up; the 1 added to r covers the half unit of m.
 *
 * @throws {NoNumber} the number is out of range, or the ball is too wide to decide
 */
export function trim(m: bigint, r: bigint, e: number, p: number): Ball {
  let drop = bitLength(m) - p;
  if (r === 0n && p > KNOWN && bitLength(m) - KNOWN > bitLength(m & -m) - 1) {
    if (drop < 0) {
      m = shifted(m, -drop);
      e += drop;
      drop = 0;
    }
    r = 1n;
  }
  if (r !== 0n) drop = Math.max(drop, bitLength(r) - RADIUS_BITS);
  if (drop > 0) {
    const by = BigInt(drop);
    const inexact = BigInt.asUintN(drop, m) !== 0n;
    m = ((m >> (by - 1n)) + 1n) >> 1n;
    r = -(-r >> by) + (inexact ? 1n : 0n);
    e += drop;
  }
  if (m === 0n && r === 0n) return ZERO;
  if (!(-FAR < e && e < FAR)) {
    const size = Math.max(bitLength(m), bitLength(r)) + e; // |x| < 2**(size + 1)
    if (!(2 - RANGE < size && size < RANGE)) refuseAtTheEnds(m, r, e);
  }
  return { m, r, e };
}

/** Throw unless 2**-RANGE <= |x| < 2**RANGE for certain. */
function refuseAtTheEnds(m: bigint, r: bigint, e: number): void {
  const [low, high] = [abs(m) - r, abs(m) + r]; // of |x|, in units, where low > 0
  if (low > 0n) {
    const [least, most] = [bitLength(low) + e, bitLength(high) + e]; // 2**(least-1) <= |x| < 2**most
    if (least > RANGE || most <= -RANGE) throw new NoNumber("out_of_range", most <= -RANGE);
    if (most <= RANGE && least > -RANGE) return;
  }
  throw new NoNumber("undecided");
}

/** Write a finite double exactly, with an odd m. */
export function ofDouble(x: number): Ball {
  if (x === 0) return ZERO;
  const [part, exponent] = frexp(x);
  const n = part * 2 ** 53;
  const low = n % 2 ** 32;
  const zeros = low !== 0 ? trailingZeros(low) : 32 + trailingZeros(n / 2 ** 32);
  const size = BigInt(n / 2 ** zeros);
  return { m: x < 0 ? -size : size, r: 0n, e: exponent - 53 + zeros };
}

function trailingZeros(n: number): number {
  return 31 - Math.clz32(n & -n);
}

/** Return t with |x| < 2**t; |x| >= 2**(t - 2) if x is known well. For 0, t < -RANGE. */
export function top({ m, r, e }: Ball): number {
  if (r !== 0n) return Math.max(bitLength(m), bitLength(r)) + e + 1;
  return m !== 0n ? bitLength(m) + e : -4 * RANGE;
}

/** Return -1, 0 or 1, or null if the ball is too wide to decide. */
export function sign({ m, r }: Ball): number | null {
  if (r === 0n) return m > 0n ? 1 : m < 0n ? -1 : 0;
  return m > r ? 1 : -m > r ? -1 : null;
}

/** Return whether x may be 0 without being exactly 0. */
export function mayBeZero({ m, r }: Ball): boolean {
  return r > 0n && abs(m) <= r;
}

/** |x|; if x may have either sign, the ball also contains -|x|. */
export function magnitude({ m, r, e }: Ball): Ball {
  return { m: abs(m), r, e };
}

/** -x. */
export function neg({ m, r, e }: Ball): Ball {
  return { m: -m, r, e };
}

/** x / 2. */
export function halve(a: Ball): Ball {
  return isZero(a) ? ZERO : { m: a.m, r: a.r, e: a.e - 1 };
}

/** Return whether x is exactly 0. */
export function isZero({ m, r }: Ball): boolean {
  return m === 0n && r === 0n;
}

/** x + y. An addend below the last of p + 4 bits is only counted in the radius. */
export function add(a: Ball, b: Ball, p: number): Ball {
  let { m: m1, r: r1, e: e1 } = a;
  let { m: m2, r: r2, e: e2 } = b;
  if (isZero(a)) return trim(m2, r2, e2, p);
  if (isZero(b)) return trim(m1, r1, e1, p);
  let t1 = bitLength(m1) + e1;
  let t2 = bitLength(m2) + e2;
  if (r1 !== 0n) t1 = Math.max(t1, bitLength(r1) + e1) + 1;
  if (r2 !== 0n) t2 = Math.max(t2, bitLength(r2) + e2) + 1;
  if (t1 < t2) return add(b, a, p);
  const last = t1 - p - 4;
  if (t2 <= last) {
    // |y| < 2**last
    if (e1 > last) [m1, r1, e1] = [shifted(m1, e1 - last), shifted(r1, e1 - last), last];
    return trim(m1, r1 + shifted(1n, last - e1), e1, p);
  }
  if (e1 > e2) [m1, r1, e1] = [shifted(m1, e1 - e2), shifted(r1, e1 - e2), e2];
  else if (e2 > e1) [m2, r2] = [shifted(m2, e2 - e1), shifted(r2, e2 - e1)];
  return trim(m1 + m2, r1 + r2, e1, p);
}

/** x - y. */
export function sub(a: Ball, b: Ball, p: number): Ball {
  return add(a, neg(b), p);
}

/** x * y, which is off from m1 m2 by at most |m1| r2 + |m2| r1 + r1 r2. */
export function mul(a: Ball, b: Ball, p: number): Ball {
  const { m: m1, r: r1, e: e1 } = a;
  const { m: m2, r: r2, e: e2 } = b;
  if (r1 === 0n && r2 === 0n) return trim(m1 * m2, 0n, e1 + e2, p);
  return trim(m1 * m2, abs(m1) * r2 + abs(m2) * r1 + r1 * r2, e1 + e2, p);
}

/**
 * x / y, for |x / y - m1 / m2| <= (r1 + |m1 / m2| r2) / (m2 - r2) for m2 > r2.
 *
 * The quotient q is rounded down, to at least p + 1 bits, or as many as the radius has.
 */
export function div(a: Ball, b: Ball, p: number): Ball {
  let { m: m1, r: r1, e: e1 } = a;
  let { m: m2, r: r2, e: e2 } = b;
  if (isZero(b)) throw new NoNumber("domain");
  if (abs(m2) <= r2) throw new NoNumber("undecided");
  if (isZero(a)) return ZERO;
  if (m2 < 0n) [m1, m2] = [-m1, -m2];
  const s = Math.max(0, p + 2 + bitLength(m2) - Math.max(bitLength(m1), bitLength(r1)));
  const [q, rest] = divmod(shifted(m1, s), m2);
  let r = rest !== 0n ? 1n : 0n;
  if (r1 !== 0n || r2 !== 0n) {
    const n = shifted(r1, s) + (abs(q) + 1n) * r2;
    r += (n + m2 - r2 - 1n) / (m2 - r2); // rounded up
  }
  return trim(q, r, e1 - e2 - s, p);
}

/**
 * Take the root. That of n' is off from that of n by |n' - n| / (the sum of both roots).
 *
 * The smaller root is at least root(n) - |n' - n| / root(n); isqrt rounds root(n) down.
 */
export function sqrt(a: Ball, p: number): Ball {
  const { m, r, e } = a;
  const side = sign(a);
  if (side === 0) return ZERO;
  if (side !== 1) throw new NoNumber(side === null ? "undecided" : "domain");
  let s = Math.max(0, 2 * p + 4 - bitLength(m));
  if ((e - s) % 2 !== 0) s += 1;
  const n = shifted(m, s);
  const root = isqrt(n);
  let error = root * root === n ? 0n : 1n;
  if (r !== 0n) {
    const off = shifted(r, s);
    const both = 2n * root - off / root - 1n;
    error += off / (both > 0n ? both : root) + 1n;
  }
  return trim(root, error, (e - s) / 2, p);
}

/**
 * All numbers from x (1 - 2**relative) to x (1 + 2**relative), for a relative < 0.
 */
export function widen(a: Ball, relative: number, p: number): Ball {
  const s = Math.max(0, p + 2 - bitLength(a.m));
  const [m, r] = [shifted(a.m, s), shifted(a.r, s)];
  const more = (abs(m) + r) >> BigInt(Math.min(-relative, 4 * p));
  return trim(m, r + more + 1n, a.e - s, p);
}

/**
 * The double nearest to x, infinite if x is too large; null if the ball is too wide to decide.
 *
 * Among normal doubles one comparison is enough: `Number` rounds to the nearest, ties to even, and
 * the product with a power of two is exact.
 */
export function rounded({ m, r, e }: Ball): number | null {
  if (m === 0n && r === 0n) return 0;
  if (e >= -1022 && e < 1024) {
    const middle = Number(m - r);
    const double = middle * 2 ** e;
    const size = Math.abs(double);
    const isNormal = size > NORMAL && size < Infinity;
    if (isNormal && (r === 0n || middle === Number(m + r))) return double;
  }
  const low = roundToDouble(m - r, BigInt(e)) + 0;
  return r === 0n || low === roundToDouble(m + r, BigInt(e)) ? low : null;
}

/**
 * Return whether x is nearer than 2**-bits of itself to a midpoint of two doubles.
 *
 * Null if the ball is too wide to decide. Midpoints are the odd multiples of half a last place,
 * which is far above a small x.
 */
export function nearMidpoint({ m, r, e }: Ball, bits: number): boolean | null {
  const size = abs(m);
  const halfPlace = Math.max(bitLength(size) + e - 54, -1075) - e;
  if (halfPlace <= 0) return null;
  const multiple = ((size >> BigInt(halfPlace - 1)) + 1n) >> 1n;
  if (multiple % 2n === 0n) return bitLength(r) < halfPlace ? false : null;
  const off = abs(size - shifted(multiple, halfPlace));
  if (shifted(off + r, bits) < size - r) return true;
  return shifted(off - r, bits) > size + r ? false : null;
}

/** Round the double or midpoint of two doubles that is nearest to x. */
export function roundedMidpoint({ m, e }: Ball): number {
  const halfUnit = Math.max(bitLength(m) + e - 54, -1075) - e;
  if (halfUnit <= 0) return roundToDouble(m, BigInt(e)) + 0;
  return roundToDouble(((m >> BigInt(halfUnit - 1)) + 1n) >> 1n, BigInt(e + halfUnit)) + 0;
}
