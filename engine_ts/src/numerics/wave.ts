/**
 * The double nearest to the exact value: sin, cos.
 *
 * A quick step up to 200, and integers beyond or if that does not decide, as in `elementary` and
 * `exact`; u is 2**-53 here, too. Integers subtract multiples of pi / 2 exactly enough for every
 * double: with 1,100 bits more than the recipe needs. The loop of `nearest` ends, as the sine and
 * the cosine of a double other than 0 are transcendental.
 */

import { ERROR, fixed, nearest, shifted, TINY } from "./exact.ts";
import { cached, floorDiv } from "./builtins.ts";
import { BITS_0, BITS_26, double, EIGHT_U, ONE, pair, Q } from "./quick.ts";
import type { Pair } from "./quick.ts";

/** Steps in pi / 2. */
const QUARTER = 256;
const TURN = 4 * QUARTER;
const WAVE_ERROR = 2 ** -67;
const WAVE_LEAST = 2 ** -75;

/**
 * Rows [high, low] of sin(j pi / 512) for j in 0..1023; the high half has 52 bits after the point.
 * Zero until its first use, as the other tables are.
 */
const WAVE = new Float64Array(2 * TURN);

/** Sine of a finite x. */
export function sin(x: number): number {
  const size = Math.abs(x);
  if (size < TINY) return x; // x - x**3/6 lies nearer to x than to any other double
  if (size >= 200) return exactWave(x, 0n);
  const { high, low, error } = size < 0.015625 ? sinPairNear0(x) : wavePair(x, 0);
  const rounded = high + (low + error);
  return rounded === high + (low - error) ? rounded : exactWave(x, 0n);
}

/** Cosine of a finite x. */
export function cos(x: number): number {
  const size = Math.abs(x);
  if (size < TINY) return 1; // 1 - x**2/2 lies nearer to 1
  if (size >= 200) return exactWave(x, 1n);
  const { high, low, error } = wavePair(x, QUARTER);
  const rounded = high + (low + error);
  return rounded === high + (low - error) ? rounded : exactWave(x, 1n);
}

/**
 * sin(x + ahead * pi / 512) for |x| < 200.
 *
 * x = steps * pi / 512 + t, |t| < 2**-8.34 and |steps| < 2**15. With S and C, the sine and cosine of
 * the steps, the value is S + S w + C (t + v), where w = cos t - 1 and v = sin t - t. Exact:
 * steps * STEP_HIGH (15 + 38 bits), r, cHigh * rHigh (27 + 18 bits), and high, a multiple of 2**-52
 * below 2. t = r - less is s up to one rounding. The errors:
 *     w < 2**-17.6, rounded five times, and its product with S        2**-67.8 |S|
 *     three sums of S w, with the test                                2**-69.1 |S|
 *     v < 2**-27.6, rounded eight times                               2**-77.6
 *     less < 2**-31, and seven sums and products below 2**-26         2**-76.6
 *     s**8 / 40320, s**9 / 362880 and later terms left out            2**-82 |S|, 2**-93
 * In all less than 2**-67.3 |S| + 2**-75.9.
 */
export function wavePair(x: number, ahead: number): Pair {
  if (WAVE[2] === 0) fillWave();
  const steps = x * STEPS + BITS_0 - BITS_0;
  const r = x - steps * STEP_HIGH;
  const less = steps * STEP_LOW;
  const s = r - less;
  const q = s * s;
  const w = q * (q * (1 / 24 - q * (1 / 720)) - 0.5);
  const v = s * q * (q * (1 / 120 - q * (1 / 5040)) - 1 / 6);
  const row = 2 * (((steps | 0) + ahead) & (TURN - 1));
  const sHigh = WAVE[row]!;
  const sLow = WAVE[row + 1]!;
  const other = (row + 2 * QUARTER) & (2 * TURN - 1);
  const cosine = WAVE[other]!;
  const cHigh = cosine + BITS_26 - BITS_26;
  const cLow = WAVE[other + 1]! + (cosine - cHigh);
  const rHigh = r + BITS_26 - BITS_26;
  const high = sHigh + cHigh * rHigh;
  const low = sLow + ((sHigh + sLow) * w + (cLow * (s + v) + cHigh * (r - rHigh + (v - less))));
  return { high, low, error: WAVE_ERROR * Math.abs(sHigh) + WAVE_LEAST };
}

/**
 * Sine for 2**-28 <= |x| < 2**-6: x - x**3 / 6 + ...
 *
 * Six roundings, one of them in the test; the terms left out are 2**-70 of low: less than 8 u
 * |low|.
 */
export function sinPairNear0(x: number): Pair {
  const q = x * x;
  const low = x * q * (q * (1 / 120 - q * (1 / 5040 - q * (1 / 362880))) - 1 / 6);
  return { high: x, low, error: EIGHT_U * low };
}

// By integers

/** sin(x + ahead * pi / 2) for a finite x, |x| >= 2**-28. */
export function exactWave(x: number, ahead: bigint): number {
  const result = nearest((q) => {
    const [whole, r] = reduced(Math.abs(x), q);
    const quarters = whole + ahead;
    const n = quarters % 2n === 0n ? sinFixed(r, q) : cosFixed(r, q);
    return [quarters % 4n < 2n ? n : -n, ERROR, -q];
  });
  return x < 0 && ahead === 0n ? -result : result;
}

/**
 * [j, r] with x = j pi / 2 + r and |r| <= pi / 4 for x > 0. r is off by less than 3 units.
 *
 * j < 2**1024 multiplies the error of pi / 2, less than 2**16 of the smaller units; j < 2**32 needs
 * fewer of those.
 */
function reduced(x: number, q: bigint): [j: bigint, r: bigint] {
  const p = q + (x < 2 ** 32 ? 64n : 1100n);
  const y = fixed(x, p);
  const quarter = halfPi(p);
  const j = (2n * y + quarter) / (2n * quarter);
  return [j, (y - j * quarter) >> (p - q)];
}

/** sin r for |r| < 1. Off by less than q units, plus the error of r. */
export function sinFixed(r: bigint, q: bigint): bigint {
  return series(r, 2n, r, q);
}

/** cos r for |r| < 1. Off by less than q units, plus the error of r. */
export function cosFixed(r: bigint, q: bigint): bigint {
  return series(shifted(1n, q), 1n, r, q);
}

/** first - first r**2 / (i (i + 1)) + ... Each of at most q/4 + 4 terms is off by two units. */
function series(first: bigint, i: bigint, r: bigint, q: bigint): bigint {
  const square = (r * r) >> q;
  let total = first;
  for (let term = first; term !== 0n; i += 2n) {
    term = floorDiv(-((term * square) >> q), i * (i + 1n));
    total += term;
  }
  return total;
}

/** pi / 2 = 8 arctan(1/5) - 2 arctan(1/239) (J. Machin). Off by less than 10q < 2**16 units. */
export const halfPi = cached((q: bigint) => 8n * arctan(5n, q) - 2n * arctan(239n, q));

/** arctan(1/n) for n >= 5. Each of at most q/4 + 1 terms is off by less than 3 units. */
function arctan(n: bigint, q: bigint): bigint {
  let total = 0n;
  let z = shifted(1n, q) / n;
  for (let k = 1n; z !== 0n; k += 2n) {
    total += k % 4n === 1n ? z / k : -(z / k);
    z /= n * n;
  }
  return total;
}

// The table and its constants

/** pi / 512, the step of WAVE: 38 bits, and the rest, below 2**-46. */
const [STEP_HIGH, STEP_LOW] = pair(halfPi(Q) >> 8n, 45);
/** 512 / pi: steps in a unit. */
const STEPS = double(((BigInt(QUARTER) * ONE) << Q) / halfPi(Q));

/** Make WAVE by turning a step at a time. */
export function fillWave(): void {
  const step = halfPi(Q) >> 8n;
  const [sine, cosine] = [sinFixed(step, Q), cosFixed(step, Q)];
  for (let [j, s, c] = [0, 0n, ONE]; j < TURN; j++) {
    WAVE.set(pair(s, 52), 2 * j);
    [s, c] = [(s * cosine + c * sine) >> Q, (c * cosine - s * sine) >> Q];
  }
}
