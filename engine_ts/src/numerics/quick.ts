/**
 * A double -> the function's value as an unrounded pair, with a bound of its error.
 *
 * A value near a table's argument is a table entry times or plus something short, which is exact,
 * and terms at least 2**-16 smaller, which alone are rounded: the pair has at least 61 good bits.
 * Only + - * / and scalings by powers of two are used, so the pairs have the same bits in every
 * language.
 *
 * In the derivations u = 2**-53: one rounding costs at most u times its result. *Exact* is what
 * needs at most 53 bits. The caller adds the error to the low half and subtracts it, which costs
 * another u * |low|, and is counted in each bound.
 */

import { exponentOf } from "./builtins.ts";
import { expFixed, ln2, shifted, twiceAtanh } from "./exact.ts";

// Adding and subtracting BITS_n rounds to n bits after the point.
export const BITS_0 = 1.5 * 2 ** 52;
export const BITS_26 = 1.5 * 2 ** 26;
export const BITS_30 = 1.5 * 2 ** 22;

export const EXP_ERROR = 2 ** -66;
const LOG_ERROR = 2 ** -70;
const TANH_ERROR = 2 ** -64;
const FOUR_U = 2 ** -51;
export const EIGHT_U = 2 ** -50;

/** high, low and the error: the value is in (high + low - |error|, high + low + |error|). */
export interface Pair {
  readonly high: number;
  readonly low: number;
  readonly error: number;
}

// The tables and constants of the quick steps, as pairs of doubles: a short high half, so that
// products with it are exact, and a low half, which is the rest rounded to a double. They are made
// of the integers of `exact` with 128 bits after the point. At most 513 steps of less than 2**29
// units each leave them off by less than 2**39 units, or 2**-89.
//
// A table is zero until its first use, which takes about a millisecond.

export const Q = 128n;
export const ONE = 1n << Q;

/** Rows [high, low] of 2**(j/256) for j in 0..255; the high half has 25 bits after the point. */
export const EXP = new Float64Array(2 * 256);

/**
 * Rows [r, high, low] for j in 512..1024: r, near 1024/j with 12 bits after the point, and -ln r; its
 * high half has 42.
 */
export const LOG = new Float64Array(3 * 513);

/**
 * Rows [T high, T low, D high, D low]: T = tanh(j/128) for j in 0..512, 53 bits after the point, and
 * D = 1 - T**2, 26 bits.
 */
export const TANH = new Float64Array(4 * 513);

/** Split n * 2**-128 into a multiple of 2**-bits and the rest. */
export function pair(n: bigint, bits: number): [high: number, low: number] {
  const drop = Q - BigInt(bits);
  const high = ((n >> (drop - 1n)) + 1n) >> 1n;
  return [Number(high) * 2 ** -bits, double(n - shifted(high, drop))];
}

/** n * 2**-128, rounded once. */
export function double(n: bigint): number {
  return Number(n) * 2 ** -128;
}

export const [LN2_HIGH, LN2_LOW] = pair(ln2(Q), 42);
/** ln 2 / 256, the step of EXP: 34 bits, and the rest, below 2**-43. */
export const [STEP_HIGH, STEP_LOW] = pair(ln2(Q) >> 8n, 42);
/** 256 / ln 2: steps in a unit. */
export const STEPS = double(((256n * ONE) << Q) / ln2(Q));

/** Make EXP by products with 2**(1/256). */
export function fillExp(): void {
  const [factor] = expFixed(ln2(Q) >> 8n, Q);
  for (let [j, power] = [0, ONE]; j < 256; j++, power = (power * factor) >> Q) {
    EXP.set(pair(power, 25), 2 * j);
  }
}

/** Make LOG downwards: ln r is the one before it and ln(r / the r before it). */
export function fillLog(): void {
  for (let [j, total, last] = [1024, 0n, 4096]; j > 511; j--) {
    const n = Math.floor((2 * 4096 * 1024 + j) / (2 * j));
    total -= twiceAtanh(BigInt(n - last), BigInt(n + last), Q);
    last = n;
    LOG.set([n / 4096, ...pair(total, 42)], 3 * (j - 512));
  }
}

/** Make TANH of powers of e**(2/128): tanh t = (e**2t - 1) / (e**2t + 1). */
export function fillTanh(): void {
  const [factor] = expFixed(ONE >> 6n, Q);
  for (let [j, power] = [0, ONE]; j < 513; j++, power = (power * factor) >> Q) {
    const t = ((power - ONE) << Q) / (power + ONE);
    TANH.set([...pair(t, 53), ...pair(ONE - ((t * t) >> Q), 26)], 4 * j);
  }
}

// The functions

/**
 * high, low and k: e**(y + rest) is (high + low) * 2**k up to EXP_ERROR * high.
 *
 * For -708 < y < 709 and |rest| < 2**-15.4. y = steps * ln 2 / 256 + r with |steps| < 2**18;
 * steps * STEP_HIGH (18 + 34 bits) and r are exact. s = r - steps * STEP_LOW + rest is below
 * 2**-9.5, and e**s = 1 + s + q. Exact again: rHigh (17 bits), tHigh * rHigh (26 + 17), and
 * high, a multiple of 2**-51 below 4. The errors, as parts of the result:
 *     s**6 / 720 and later terms left out                                    2**-66.4
 *     q < 2**-20: 4 u q; the three sums of it, product and test: 6 u q       2**-69.6
 *     STEP_LOW, the table's low half, tLow * (s + q)                        2**-75
 *     rest in three sums, the product and the test                           5 u |rest|
 * In all less than 2**-66.1 without a rest, and 2**-65.1 with the largest.
 */
export function expPair(y: number, rest: number): Pair & { readonly k: number } {
  if (EXP[0] === 0) fillExp();
  const steps = y * STEPS + BITS_0 - BITS_0;
  const r = y - steps * STEP_HIGH;
  const less = steps * STEP_LOW - rest;
  const s = r - less;
  const q = s * s * (0.5 + s * (1 / 6 + s * (1 / 24 + s * (1 / 120))));
  const rHigh = r + BITS_26 - BITS_26;
  const j = steps | 0;
  const tHigh = EXP[2 * (j & 255)]!;
  const tLow = EXP[2 * (j & 255) + 1]!;
  const high = tHigh + tHigh * rHigh;
  const low = tLow + (tLow * (s + q) + tHigh * (r - rHigh + (q - less)));
  return { high, low, error: EXP_ERROR * high, k: j >> 8 };
}

/**
 * Natural logarithm of a finite x > 0.
 *
 * x = m * 2**k and z = m r - 1, |z| < 1.13 * 2**-10, so that ln x = k ln 2 - ln r + ln(1 + z).
 * Exact: mHigh * r (31 + 14 bits), zHigh, (m - mHigh) * r, and high, a multiple of 2**-42
 * below 2**10. ln(1 + z) = z - square / 2 + ... The errors:
 *     z is rounded: u |z|, times the slope |z|                               u square
 *     square, the bracket, their product, the last sum and the test     2.5 u square
 *     what follows in the bracket, rounded                             2**-7 u square
 *     z**7 / 7 and later terms left out                              z**5 / 7 square
 *     k * LN2_LOW, the table's low half, and their sums                         2**-81
 * In all less than 2**-70.1.
 */
export function logPair(x: number): Pair {
  // 1 - 2**-11, 1 + 2**-10; the difference is exact
  if (x >= 0.99951171875 && x < 1.0009765625) return log1pPairNear0(x - 1);
  if (LOG[0] === 0) fillLog();
  const k = exponentOf(x);
  const m = ldexp(x, -k);
  const row = 3 * (((m * 1024 + 0.5) | 0) - 512);
  const r = LOG[row]!;
  const mHigh = m + BITS_30 - BITS_30;
  const zHigh = mHigh * r - 1;
  const zLow = (m - mHigh) * r;
  const z = zHigh + zLow;
  const rest = z * z * (z * (1 / 3 + z * (-0.25 + z * (0.2 + z * (-1 / 6)))) - 0.5);
  const high = k * LN2_HIGH + LOG[row + 1]! + zHigh;
  return { high, low: zLow + (k * LN2_LOW + LOG[row + 2]!) + rest, error: LOG_ERROR };
}

/**
 * ln(1 + z) for -2**-11 <= z < 2**-10: no table.
 *
 * The errors are those above without the first and the last line: less than 3.7 u square.
 */
export function log1pPairNear0(z: number): Pair {
  const square = z * z;
  return {
    high: z,
    low: square * (z * (1 / 3 + z * (-0.25 + z * (0.2 + z * (-1 / 6)))) - 0.5),
    error: FOUR_U * square,
  };
}

/**
 * Hyperbolic tangent for 1/32 <= x < 4.
 *
 * With t = j/128 and |r| <= 2**-8, tanh(t + r) = T + D tR / (1 + T tR) = T + D (r + rest), where
 * tanh r = tR = r + v, w = T tR, and rest = v - w tR / (1 + w) is below T 2**-16 + 2**-25.5.
 * Exact: r (49 bits), dHigh * rHigh (27 + 18 bits), and high, a multiple of 2**-53 below 1. The
 * errors:
 *     rest, rounded at most seven times, three sums, the product and the test   12 u |rest|
 *     r**9 * 62 / 2835 and later terms left out                                 2**-77
 *     dLow * (r + rest), the table's low halves                                2**-86
 * In all less than 2**-65.2 of T, as T > 2**-5.01, and less than 2**-65 of high > 0.9 T.
 */
export function tanhPair(x: number): Pair {
  if (TANH[2] === 0) fillTanh();
  const j = (x * 128 + 0.5) | 0;
  const r = x - j * 0.0078125;
  const tHigh = TANH[4 * j]!;
  const dHigh = TANH[4 * j + 2]!;
  const square = r * r;
  const v = r * square * (-1 / 3 + square * (2 / 15 - square * (17 / 315)));
  const tR = r + v;
  const w = tHigh * tR;
  const rest = v - (w * tR) / (1 + w);
  const rHigh = r + BITS_26 - BITS_26;
  const high = tHigh + dHigh * rHigh;
  const low = TANH[4 * j + 1]! + (TANH[4 * j + 3]! * (r + rest) + dHigh * (r - rHigh + rest));
  return { high, low, error: TANH_ERROR * high };
}

/**
 * Hyperbolic tangent for 2**-28 <= x < 1/32: x - x**3 / 3 + ...
 *
 * Six roundings, one of them in the test; the terms left out are 2**-56 of low: less than 8 u
 * |low|.
 */
export function tanhPairNear0(x: number): Pair {
  const q = x * x;
  const low =
    x * q * (-1 / 3 + q * (2 / 15 + q * (-17 / 315 + q * (62 / 2835 - q * (1382 / 155925)))));
  return { high: x, low, error: EIGHT_U * low };
}

/**
 * Hyperbolic tangent for 4 <= x <= 20: 1 - q with q = 2 / (e**2x + 1) < 2**-10.5.
 *
 * q is rounded three times, the rest is exact: less than 4 u q.
 */
export function tanhPairNear1(x: number): Pair {
  const e = expPair(x + x, 0);
  const q = 2 / (ldexp(e.high + e.low, e.k) + 1);
  const high = 1 - q;
  return { high, low: 1 - high - q, error: FOUR_U * q };
}

const FIRST = -1024;
const POWERS_OF_TWO = Float64Array.from({ length: 2048 }, (_, k) => 2 ** (k + FIRST));

/** x * 2**k where that and 2**k are doubles. */
export function ldexp(x: number, k: number): number {
  return x * POWERS_OF_TWO[k - FIRST]!;
}
