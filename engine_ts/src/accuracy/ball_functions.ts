/**
 * Balls of exp, log, sin, cos, atan and powers, as narrow as their operands and p bits allow.
 *
 * First come exp, log and the constants in fixed point: an integer n stands for n * 2**-q, and a
 * *unit* is 2**-q. `shifted`, `>>` and `floorDiv` round down, so each of them costs at most one unit.
 *
 * A ball is computed to `q` bits after the point: p and a guard, more where the result is small.
 */

import { abs, bitLength, divmod, floorDiv, isqrt } from "../numerics/builtins.ts";
import * as exact from "../numerics/exact.ts";
import { expBySquarings, NoNumber, shifted, twiceAtanh } from "../numerics/exact.ts";
import * as nearZero from "../numerics/near_zero.ts";
import * as exactWave from "../numerics/wave.ts";
import {
  div,
  FAR,
  isZero,
  KNOWN,
  magnitude,
  mul,
  neg,
  ofDouble,
  ONE,
  sign,
  sqrt,
  sub,
  top,
  trim,
  widen,
  ZERO,
} from "./ball.ts";
import type { Ball } from "./ball.ts";

/** Extra bits with which a constant is computed. */
const GUARD_OF_CONSTANTS = 24;
/** Up to this many bits a logarithm is a series; beyond, it corrects a shorter one. */
const SHORT = 320;
const GUARD = 20;
/** e**x is out of range for |x| >= 2**51 > 2**50 ln 2. */
const TOP_OF_EXP = 52;
/** Sines and cosines of 2**4200 and more are out of range: they would cost as many bits. */
const TOP_OF_SINE = 4200;
/** Above the bits of log2 |x| for any x in range. */
const TOP_OF_LOG = 52;
/** Largest exponent for which a power is computed by products. */
const MAX_MULTIPLICATIONS = 1024n;
/** Powers of x ** (1/16) are computed by roots and products; of further roots, by exp and log. */
const LEAST_ROOT = 16n;

/** ln 2. The series is off by 4g < 2**17 of the smaller units; with the shift less than 2. */
function ln2(q: number): bigint {
  const g = kept(q);
  return exact.ln2(BigInt(g)) >> BigInt(g - q);
}

/** pi / 2. The series is off by 10g < 2**19 of the smaller units; with the shift less than 2. */
function halfPi(q: number): bigint {
  const g = kept(q);
  return exactWave.halfPi(BigInt(g)) >> BigInt(g - q);
}

/** Few precisions occur: 256, 512, 1024, ...; rarely more than 2**15. */
function kept(q: number): number {
  return 1 << Math.max(8, 32 - Math.clz32(q + GUARD_OF_CONSTANTS - 1));
}

/**
 * [n, k] with e**y = n * 2**k, n in [1, 2) up to the error. Off by less than 2 units.
 *
 * y = k ln 2 + r, and e**r by s squarings of e**(r / 2**s). With |y| < 2**w, |k| < 2**(w + 1).
 * In units of 2**-g: k ln 2 is off by 2**(w + 2), r / 2**s by 2**(w + 2 - s) + 1; the series has
 * less than 2**11 terms, each off by less than 2: all less than 2**12 + 2**(w + 3 - s) + 2. A
 * squaring doubles the relative error and adds a unit: 2**(s + 14) + 2**(w + 5) in the end, which
 * is less than a unit of 2**-q.
 */
function expFixed(y: bigint, q: number): [n: bigint, k: number] {
  const w = Math.max(0, bitLength(y) - q);
  const s = Math.floor(Number(isqrt(BigInt(q))) / 2) + 2;
  const g = q + s + w + 16;
  const [k, r] = divmod(shifted(y, g - q), ln2(g));
  return [expBySquarings(r, s, BigInt(g)) >> BigInt(g - q), Number(k)];
}

/**
 * ln n for n from 2/3 to 4/3. Off by less than 3 units.
 *
 * ln n = y + ln(n e**-y) for any y; a y of a third of the bits leaves a short series. n e**-y is
 * off by less than 5 of the smaller units, its logarithm by 4g < 2**16 - 5 more: less than one unit.
 */
function logFixed(n: bigint, q: number): bigint {
  const g = q + 16;
  const one = shifted(1n, q);
  if (q <= SHORT) return twiceAtanh(n - one, n + one, BigInt(g)) >> 16n;
  const w = Math.floor(q / 3) + 16;
  const y = shifted(logFixed(n >> BigInt(q - w), w), q - w);
  const [m, k] = expFixed(-y << 16n, g);
  const rest = ((n * shifted(m, k)) >> BigInt(q)) - shifted(1n, g);
  return y + (twiceAtanh(rest, shifted(2n, g) + rest, BigInt(g)) >> 16n);
}

/**
 * Arctangent of n for |n| < 2. Off by less than 3 units.
 *
 * atan n = y + atan((n - tan y) / (1 + n tan y)) for any y; a y of a third of the bits leaves a short
 * series. The quotient is off by less than 4 g of the smaller units, an arctangent by 16 g + 128:
 * less than one unit.
 */
function atanFixed(n: bigint, q: number): bigint {
  const more = bitLength(BigInt(q)) + 8;
  const g = BigInt(q + more);
  if (q <= SHORT) return nearZero.atanFixed(shifted(n, more), g) >> BigInt(more);
  const w = Math.floor(q / 3) + 16;
  const y = shifted(atanFixed(n >> BigInt(q - w), w), q - w);
  const angle = shifted(y, more);
  const [s, c] = [exactWave.sinFixed(angle, g), exactWave.cosFixed(angle, g)];
  const rest = floorDiv(shifted(n * c - shifted(s, q), g), shifted(c, q) + n * s);
  return y + (nearZero.atanSeries(rest, g) >> BigInt(more));
}

/** [n, error] in units of 2**-q. A shift rounds the midpoint down and the radius up. */
function fixed({ m, r, e }: Ball, q: number): [n: bigint, error: bigint] {
  const s = e + q;
  if (s >= 0) return [shifted(m, s), shifted(r, s)];
  return [m >> BigInt(-s), r !== 0n ? (r >> BigInt(-s)) + 2n : 1n];
}

/** e**x. e**(y + d) is off from e**y by less than |d| + d**2 of it, for |d| < 1. */
export function exp(a: Ball, p: number): Ball {
  if (isZero(a)) return ONE;
  if (top(a) > TOP_OF_EXP) {
    // |x| >= 2**51 if x is known well
    const known = a.r << 2n < abs(a.m);
    throw new NoNumber(known ? "out_of_range" : "undecided", known && a.m < 0n);
  }
  const q = p + GUARD;
  const [y, off] = fixed(a, q);
  if (bitLength(off) > q - 4) throw new NoNumber("undecided");
  const [n, k] = expFixed(y, q);
  const error = ((off + ((off * off) >> BigInt(q)) + 1n) * n) >> BigInt(q); // with a unit for each shift
  return trim(n, error + 4n, k - q, p);
}

/**
 * ln x = ln n + k ln 2 with n from 2/3 to 4/3.
 *
 * If x is near 1, extra bits are computed, as many as the logarithm has leading zeros. Errors: 3
 * units from the series; one unit of n, which is 3/2 of its logarithm; 3 from k ln 2; and r / (m -
 * r) from the radius.
 */
export function log(a: Ball, p: number): Ball {
  const { m, r, e } = a;
  const side = sign(a);
  if (side !== 1) throw new NoNumber(side === null ? "undecided" : "domain");
  const bits = bitLength(3n * m) - 2; // m / 2**bits is from 2/3 to 4/3
  const k = bits + e;
  let near = 0;
  if (k === 0) {
    const rest = abs(m - shifted(1n, bits));
    if (rest === 0n && r === 0n) return ZERO;
    near = bits - bitLength(rest);
  }
  const q = p + GUARD + near;
  const n = shifted(m, q - bits);
  const w = bitLength(BigInt(k));
  const value = logFixed(n, q) + ((BigInt(k) * ln2(q + w)) >> BigInt(w));
  return trim(value, 8n + (r !== 0n ? shifted(r, q) / (m - r) + 1n : 0n), -q, p);
}

/**
 * sin(x + ahead pi / 2), by the sine or the cosine of the rest x - j pi / 2.
 *
 * j < 2**(t + 1) multiplies the error of pi / 2, which is 2 units that are 2**(t + 8) times
 * smaller: less than one unit. Roundings add two more, and a series is off by less than q.
 */
export function wave(a: Ball, p: number, ahead: number): Ball {
  if (isZero(a)) return [ZERO, ONE, ZERO, neg(ONE)][ahead % 4]!;
  refuseLarge(a);
  const t = top(a);
  const odd = ahead % 2 === 1;
  if (t < -p && !odd) return widen(ahead % 4 === 0 ? a : neg(a), 2 * t, p); // |sin x - x| < |x| x**2
  const q = p + GUARD + (odd ? 0 : Math.max(0, -t));
  const g = q + Math.max(0, t) + 8;
  let [y, off] = fixed(a, g);
  off = (off >> BigInt(g - q)) + 4n;
  if (bitLength(off) > q - 2) throw new NoNumber("undecided");
  const quarter = halfPi(g);
  const j = floorDiv(2n * y + quarter, 2n * quarter);
  const x = (y - j * quarter) >> BigInt(g - q);
  const quarters = Number(BigInt.asUintN(2, j + BigInt(ahead)));
  const n =
    quarters % 2 === 0 ? exactWave.sinFixed(x, BigInt(q)) : exactWave.cosFixed(x, BigInt(q));
  return trim(quarters < 2 ? n : -n, off + BigInt(q), -q, p);
}

/** Throw unless |x| < 2**4200 for certain. */
function refuseLarge({ m, r, e }: Ball): void {
  if (bitLength(abs(m) + r) + e > TOP_OF_SINE) {
    const known = bitLength(abs(m) - r) + e > TOP_OF_SINE && abs(m) > r;
    throw new NoNumber(known ? "out_of_range" : "undecided");
  }
}

/**
 * Arctangent, whose slope is at most 1; from 2 on pi / 2 less that of 1 / x.
 *
 * A small x has an error of |x| x**2.
 */
export function atan(a: Ball, p: number): Ball {
  if (isZero(a)) return ZERO;
  if (a.m < 0n) return neg(atan(neg(a), p));
  const t = top(a);
  if (t < -p) return widen(a, 2 * t, p);
  const q = p + GUARD + Math.max(0, -t);
  if (bitLength(a.m) + a.e > 1) {
    return sub({ m: halfPi(q), r: 2n, e: -q }, atan(div(ONE, a, q), q), p);
  }
  const [n, off] = fixed(a, q);
  return trim(atanFixed(n, q), off + 3n, -q, p);
}

/** x**c for a double c, by products and roots if they are few or exact, else e**(c ln |x|). */
export function power(a: Ball, c: number, p: number): Ball {
  if (c === 0) return ONE;
  const side = sign(a);
  if (side === 0) {
    if (c < 0) throw new NoNumber("domain");
    return ZERO;
  }
  const scale = ofDouble(c);
  const n = shifted(scale.m, Math.max(0, scale.e)); // c = n / d
  const d = shifted(1n, Math.max(0, -scale.e));
  if (d > 1n && side !== 1) throw new NoNumber(side === null ? "undecided" : "domain");
  if (side === null && c < 0) throw new NoNumber("undecided");
  if (d <= LEAST_ROOT && abs(n) <= MAX_MULTIPLICATIONS) return shortPower(a, n, d, p);
  if (side === null) return largePowerNear0(a, n);
  const known = knownPower(a, n, d, p);
  if (known !== null) return known;
  // c ln |x| has as many bits after the point as its exponential needs.
  const large = top(scale) + Math.min(TOP_OF_LOG, bitLength(BigInt(top(a))) + 1);
  const g = p + GUARD + Math.min(TOP_OF_EXP, Math.max(0, large));
  const out = exp(mul(log(magnitude(a), g), scale, g), p);
  return side < 0 && (n & 1n) === 1n ? neg(out) : out;
}

/** x**n for an x that may be 0, as a ball around 0 if that of x is one. */
function largePowerNear0(a: Ball, n: bigint): Ball {
  if (top(a) >= 0) throw new NoNumber("undecided");
  const m = a.m === 0n ? 0n : 1n;
  return { m, r: m + 1n, e: Math.max(top(a) * Number(n), -FAR) };
}

/** x**(n / d), if x and that are exact, with at most `KNOWN` bits; else null. */
function knownPower({ m, r, e }: Ball, n: bigint, d: bigint, p: number): Ball | null {
  const zeros = bitLength(m & -m) - 1;
  [m, e] = [m >> BigInt(zeros), e + zeros];
  for (; r === 0n && d > 1n && (m !== 1n || e !== 0); [e, d] = [e / 2, d >> 1n]) {
    const root = isqrt(m);
    if (e % 2 !== 0 || root * root !== m) return null;
    m = root;
  }
  const size = bitLength(m) - 1; // x**n has more than `size` * n bits
  if (r !== 0n || size * Number(abs(n)) > KNOWN || (size > 0 && n < 0n)) return null;
  return shortPower({ m, r, e: n > 0n ? e : -e }, abs(n), 1n, p);
}

/** x**(n / d) for d = 1, 2, 4, 8 or 16. */
function shortPower(a: Ball, n: bigint, d: bigint, p: number): Ball {
  const g = p + GUARD + 2 * bitLength(n);
  for (; d > 1n; d >>= 1n) a = sqrt(a, g);
  let out = ONE;
  for (let left = abs(n); left !== 0n;) {
    if ((left & 1n) === 1n) out = mul(out, a, g);
    left >>= 1n;
    if (left !== 0n) a = mul(a, a, g);
  }
  return n > 0n ? trim(out.m, out.r, out.e, p) : div(ONE, out, p);
}
