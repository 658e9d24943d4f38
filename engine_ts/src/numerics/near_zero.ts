/**
 * The double nearest to the exact value: log1p, expm1 and atan, which are near x for a small x.
 *
 * A quick step, and integers if that does not decide, as in `elementary` and `exact`; u is 2**-53
 * here, too. The loop of `nearest` ends, as these functions of a double other than 0 are
 * transcendental.
 */

import { bitLength, floorDiv, isqrt } from "./builtins.ts";
import { highHalf, product } from "./elementary.ts";
import {
  ERROR,
  exactly,
  expFixed,
  fixed,
  logFixed,
  nearest,
  shifted,
  TINY,
  twiceAtanh,
} from "./exact.ts";
import {
  BITS_30,
  EIGHT_U,
  EXP_ERROR,
  expPair,
  ldexp,
  log1pPairNear0,
  logPair,
  ONE,
  pair,
  Q,
} from "./quick.ts";
import type { Pair } from "./quick.ts";
import { halfPi } from "./wave.ts";

/** Below this, log1p and expm1 (x -+ x**2 / 2) lie nearer to x than to any other double. */
const LEAST = 2 ** -54;
/** Leading zeros of an operand that is not below LEAST. */
const SMALL_BITS = 54n;
const REST_ERROR = 2 ** -100;
const ATAN_ERROR = 2 ** -48;
const ATAN_LEAST = 2 ** -80;
/** From here on, the arctangent needs the table. */
const ATAN_FROM = 2 ** -8;
/** Entries of ATAN in a unit. */
const STEPS = 128;
/** From here on, pi / 2 - 1 / x lies nearest to the double next to pi / 2. */
const LARGE = 2 ** 53;

/**
 * atan(j/128) for j in 0..128, two numbers each; the high half has 52 bits after the point. Zeros
 * until its first use, as the other tables are.
 */
export const ATAN = new Float64Array(2 * (STEPS + 1));

/** ln(1 + x) for a finite x > -1. */
export function log1p(x: number): number {
  if (Math.abs(x) < LEAST) return x;
  const { high, low, error } = log1pPair(x);
  const rounded = high + (low + error);
  return rounded === high + (low - error) ? rounded : exactLog1p(x);
}

/** e**x - 1 for a finite x; infinity beyond the largest double. */
export function expm1(x: number): number {
  if (Math.abs(x) < LEAST) return x;
  if (!(x > -40 && x < 709)) return exactExpm1(x);
  const { high, low, error } = x > -0.0625 && x < 0.0625 ? expm1PairNear0(x) : expm1Pair(x);
  const rounded = high + (low + error);
  return rounded === high + (low - error) ? rounded : exactExpm1(x);
}

/** Arctangent of a finite x, in radians. */
export function atan(x: number): number {
  const size = Math.abs(x);
  if (size < TINY) return x; // x - x**3/3 lies nearer to x than to any other double
  if (size < ATAN_FROM) return rounded(atanPairNear0(size), x);
  if (size <= 1) return rounded(atanPair(size), x);
  if (size < LARGE) return rounded(atanPairAbove1(size), x);
  return x > 0 ? HALF_PI_HIGH : -HALF_PI_HIGH;
}

/** Round the arctangent of |x|, a pair, and give it the sign of x. */
function rounded({ high, low, error }: Pair, x: number): number {
  const result = high + (low + error);
  if (result !== high + (low - error)) return exactAtan(x);
  return x > 0 ? result : -result;
}

/**
 * ln(1 + x) for x > -1 that is not below LEAST.
 *
 * Else it is ln d + dLow / d, d being the double next to 1 + x, and (dLow / d)**2 < 2**-106 left
 * out. The errors are that of the logarithm and that of the sum of the low halves, as in
 * `softplusPair`: at most a quarter of the logarithm's error.
 */
export function log1pPair(x: number): Pair {
  if (x >= -0.00048828125 && x < 0.0009765625) return log1pPairNear0(x); // -2**-11, 2**-10
  const d = 1 + x;
  const { high, low, error } = logPair(d);
  const dLow = x < 1 ? x - (d - 1) : 1 - (d - x);
  return { high, low: low + dLow / d, error: 1.25 * error };
}

/**
 * E - 1, E being e**x, for -40 < x < 709 and |x| >= 1/16.
 *
 * E is off by 2**-66.1 of itself. Both differences and the halves of E are exact, and the sum of
 * the rests, below 2**-19 E and 2**-53, is rounded.
 */
export function expm1Pair(x: number): Pair {
  const { high, low, k } = expPair(x, 0);
  const e = ldexp(high, k);
  const total = e - 1;
  const rest = e > 1 ? e - total - 1 : e - (total + 1);
  return { high: total, low: rest + ldexp(low, k), error: EXP_ERROR * e + REST_ERROR };
}

/**
 * e**x - 1 for LEAST <= |x| < 1/16: x + x**2 / 2 + rest.
 *
 * The sum and the square are exact, as two doubles each. The rest is rounded six times, the low
 * halves three times, less than 2 u |x| each; x**12 / 12! and later terms are left out.
 */
export function expm1PairNear0(x: number): Pair {
  const square = product(x, x);
  const half = 0.5 * square.high;
  const high = x + half;
  const low = half - (high - x) + 0.5 * square.low;
  const series =
    1 / 5040 + x * (1 / 40320 + x * (1 / 362880 + x * (1 / 3628800 + x * (1 / 39916800))));
  const rest =
    square.high * x * (1 / 6 + x * (1 / 24 + x * (1 / 120 + x * (1 / 720 + x * series))));
  return { high, low: low + rest, error: EIGHT_U * Math.abs(rest) + REST_ERROR * Math.abs(x) };
}

/** Arctangent for 2**-28 <= x < 2**-8. Six roundings, one of them in the test: less than 8 u |low|. */
export function atanPairNear0(x: number): Pair {
  const low = atanRest(x);
  return { high: x, low, error: EIGHT_U * low };
}

/** Arctangent for 2**-8 <= x <= 1: that of t = j/128 and of r = (x - t) / (1 + t x). */
export function atanPair(x: number): Pair {
  if (ATAN[2] === 0) fillAtan();
  const j = (x * STEPS + 0.5) | 0;
  const t = j / STEPS;
  const xHigh = highHalf(x);
  const more = t * xHigh;
  const moreLow = t * (x - xHigh);
  const bottom = 1 + (more + moreLow);
  const bottomHigh = highHalf(bottom);
  const bottomLow = 1 - bottomHigh + more + moreLow;
  return atanSum(ATAN[2 * j]!, ATAN[2 * j + 1]!, x - t, bottom, bottomHigh, bottomLow);
}

/** Arctangent for 1 < x < 2**53: pi / 2 - atan t + atan r, r being (t x - 1) / (x + t). */
export function atanPairAbove1(x: number): Pair {
  if (ATAN[2] === 0) fillAtan();
  const j = ((1 / x) * STEPS + 0.5) | 0;
  const t = j / STEPS;
  const base = HALF_PI_HIGH - ATAN[2 * j]!;
  const baseLow = HALF_PI_LOW - ATAN[2 * j + 1]!;
  const xHigh = highHalf(x);
  const top = t * xHigh - 1 + t * (x - xHigh);
  const bottom = x + t;
  const bottomHigh = highHalf(bottom);
  return atanSum(base, baseLow, top, bottom, bottomHigh, x - bottomHigh + t);
}

/**
 * base + baseLow + the arctangent of r = top / bottom, |r| < 2**-7.9.
 *
 * Exact: top, bottom as two halves, rHigh * bottomHigh (23 + 26 bits), its difference from top, and
 * high, a multiple of 2**-52 below 2. The errors:
 *     r is rounded four times, which is cubed in rest                     12 u |rest|
 *     rest is rounded four times more, and in two sums and the test        8 u |rest|
 *     rLow < 2**-30.9, rounded five times, and in two sums and the test    2**-80.9
 *     the table's low half, and terms left out                             2**-90
 */
function atanSum(
  base: number,
  baseLow: number,
  top: number,
  bottom: number,
  bottomHigh: number,
  bottomLow: number,
): Pair {
  const inverse = 1 / bottom;
  const r = top * inverse;
  const rHigh = r + BITS_30 - BITS_30;
  const rLow = (top - rHigh * bottomHigh - rHigh * bottomLow) * inverse;
  const rest = atanRest(r);
  const error = ATAN_ERROR * Math.abs(rest) + ATAN_LEAST;
  return { high: base + rHigh, low: baseLow + rLow + rest, error };
}

/** atan r - r for |r| < 2**-7.9; r**11 / 11 and later terms, 2**-64 of it, are left out. */
function atanRest(r: number): number {
  const q = r * r;
  return r * q * (q * (1 / 5 - q * (1 / 7 - q * (1 / 9))) - 1 / 3);
}

// By integers

/** ln(1 + x) for a finite x > -1, |x| >= 2**-54. */
export function exactLog1p(x: number): number {
  const [n, d] = ratio(x);
  return nearest((q) => {
    // Up to 1/2, 2 atanh(x / (2 + x)), else (and for NaN, which must end) the log of an exact sum.
    if (!(Math.abs(x) <= 0.5)) return [logFixed(n + d, BigInt(1 - bitLength(d)), q), ERROR, -q];
    const p = q + SMALL_BITS;
    return [twiceAtanh(n, 2n * d + n, p), ERROR, -p];
  });
}

/** e**x - 1 for a finite x, |x| >= 2**-54; infinity beyond the largest double. */
export function exactExpm1(x: number): number {
  if (x > 710) return Infinity; // e**709.79 is beyond the largest double
  if (x < -40) return -1; // -1 + e**-40 lies nearer to -1 than to any other double
  return nearest((q) => {
    // e**x = n * 2**k is off by less than 2**29 * 2**k units.
    const p = q + SMALL_BITS;
    const [n, k] = expFixed(fixed(x, p), p);
    return [n - shifted(1n, p - k), ERROR, k - p];
  });
}

/** Arctangent of a finite x, |x| >= 2**-28. */
export function exactAtan(x: number): number {
  const [n, d] = ratio(Math.abs(x));
  const result = nearest((q) => {
    const p = q + 32n;
    const [top, bottom] = n <= d ? [n, d] : [d, n];
    const value = atanFixed(shifted(top, p) / bottom, p);
    return [n <= d ? value : halfPi(p) - value, ERROR, -p];
  });
  return x > 0 ? result : -result;
}

/** [n, d] with x = n / d, d being a power of two. */
function ratio(x: number): [n: bigint, d: bigint] {
  const [n, e] = exactly(x);
  return e > 0n ? [shifted(n, e), 1n] : [n, shifted(1n, -e)];
}

/**
 * Arctangent of z for |z| < 2. Off by less than 16 q + 128 units, plus the error of z.
 *
 * atan z = 2 atan(z / (1 + sqrt(1 + z**2))), three times: z is then below 1/7, and off by three
 * units each time.
 */
export function atanFixed(z: bigint, q: bigint): bigint {
  const one = shifted(1n, q);
  for (let i = 0; i < 3; i++) {
    z = floorDiv(shifted(z, q), one + isqrt(shifted(one, q) + z * z));
  }
  return 8n * atanSeries(z, q);
}

/** Arctangent of z for |z| < 1/4: z - z**3 / 3 + ... Each of at most q/4 + 2 terms is off by three units. */
export function atanSeries(z: bigint, q: bigint): bigint {
  const square = -((z * z) >> q);
  let total = 0n;
  for (let k = 1n; z !== 0n && z !== -1n; k += 2n) {
    total += floorDiv(z, k);
    z = (z * square) >> q;
  }
  return total;
}

// The table and its constants

const [HALF_PI_HIGH, HALF_PI_LOW] = pair(halfPi(Q), 52);

/** Make ATAN upwards: atan(j/128) less the one before is atan(128 / (128**2 + j (j - 1))). */
export function fillAtan(): void {
  const step = BigInt(STEPS);
  for (let [j, total] = [1n, 0n]; j <= step; j++) {
    total += atanSeries((step * ONE) / (step * step + j * (j - 1n)), Q);
    ATAN.set(pair(total, 52), 2 * Number(j));
  }
}
