/**
 * The double nearest to the exact value: exp, log, tanh, power, sqrt.
 *
 * A quick step gives the value as a pair, high + low, with a bound of its error. Rounding is
 * monotone, so if high + (low - error) and high + (low + error) round to the same double, the value
 * rounds to it, too (A. Ziv, 1991; see `exact`). Otherwise, less than once in a thousand times,
 * integers decide. They are the definition, and decide alone if results overflow, are subnormal or
 * trivial.
 */

import * as exact from "./exact.ts";
import { TINY } from "./exact.ts";
import { expPair, ldexp, logPair, tanhPair, tanhPairNear0, tanhPairNear1 } from "./quick.ts";
import type { Pair } from "./quick.ts";

const SPLIT = 2 ** 27 + 1;
const SHORT_ERROR = 2 ** -98;
const POWER_ERROR = 2 ** -64;
const NORMAL = 2 ** -1022;
const ALMOST_1 = 1 + 2 ** -20;

/** e**x for a finite x; infinity beyond the largest double. */
export function exp(x: number): number {
  if (!(x > -708 && x < 709)) return exact.exp(x);
  const { high, low, error, k } = expPair(x, 0);
  const rounded = high + (low + error);
  return rounded === high + (low - error) ? ldexp(rounded, k) : exact.exp(x);
}

/** Natural logarithm of a finite x > 0. */
export function log(x: number): number {
  if (x < NORMAL) return exact.log(x);
  const { high, low, error } = logPair(x);
  const rounded = high + (low + error);
  return rounded === high + (low - error) ? rounded : exact.log(x);
}

/** Hyperbolic tangent of a finite x. */
export function tanh(x: number): number {
  const size = Math.abs(x);
  let pair: Pair;
  if (size >= 0.03125 && size < 4) pair = tanhPair(size);
  else if (!(size >= TINY && size <= 20)) return exact.tanh(x);
  else pair = size < 1 ? tanhPairNear0(size) : tanhPairNear1(size);
  const { high, low, error } = pair;
  const rounded = high + (low + error);
  if (rounded === high + (low - error)) return x > 0 ? rounded : -rounded;
  return exact.tanh(x);
}

/** x**c for finite x and c, c being an integer where x < 0; infinity beyond the doubles. */
export function power(x: number, c: number): number {
  if (c === 2) return x * x; // the processor's product is rounded once, too
  return c === 0.5 ? sqrt(x) : anyPower(x, c); // short, so that V8 compiles it into its callers
}

function anyPower(x: number, c: number): number {
  const size = Math.abs(x);
  if ((c === 3 || c === 4) && size > 1e-60 && size < 1e60) return shortPower(x, c);
  if (size < NORMAL || size === 1 || c === -1 || c === 0 || c === 1) return exact.power(x, c);
  const ln = logPair(size);
  const total = ln.high + ln.low;
  if (!(c * total > -708 && c * total < 709)) return exact.power(x, c);
  // c ln x = y + rest. y is exact, as its factors have 26 bits each. |rest| < 2**-24.9 |y|, and is
  // rounded three times: less than 2**-67 in all.
  const cHigh = highHalf(c);
  const lnHigh = highHalf(total);
  const rest = (c - cHigh) * lnHigh + c * (ln.high - lnHigh + ln.low);
  const { high, low, k } = expPair(cHigh * lnHigh, rest);
  const error = (POWER_ERROR + Math.abs(c) * ln.error) * high;
  const rounded = high + (low + error);
  if (rounded !== high + (low - error)) return exact.power(x, c);
  const result = ldexp(rounded, k);
  return x < 0 && c % 2 !== 0 ? -result : result;
}

/**
 * Square root of a finite x >= 0.
 *
 * No standard guarantees the last bit of the platform's root, so it is tested. Let the true root be
 * root + d. Then d = (x - high**2) / (root + d + high) - (root - high), and is computed without the
 * d on the right, high being the leading 26 bits of root. The square and the differences are exact,
 * so if root is off by an ulp, the quotient, below 2**-25 root, is off by less than 2**-76 root:
 * 2**-22 of the distance at which rounding leaves root. So if root + d (1 + 2**-20) rounds to root,
 * the true root does, too. A root that is further off has a larger d, and fails.
 */
export function sqrt(x: number): number {
  if (x >= NORMAL) {
    // high**2 would lose bits below
    const root = Math.sqrt(x);
    const high = highHalf(root);
    const d = (x - high * high) / (root + high) - (root - high);
    if (root + ALMOST_1 * d === root) return root;
  }
  return exact.power(x, 0.5);
}

/** x**3 and x**4 for 1e-60 < |x| < 1e60, where no product over- or underflows; a few u**2 off. */
function shortPower(x: number, c: number): number {
  const square = product(x, x);
  const { high, low } = product(square.high, c === 3 ? x : square.high);
  const rest = low + square.low * (c === 3 ? x : 2 * square.high);
  const error = SHORT_ERROR * high;
  const rounded = high + (rest + error);
  if (rounded === high + (rest - error)) return rounded;
  return exact.power(x, c);
}

/** a * b exactly, rounded and the rest (T. J. Dekker, 1971). */
export function product(a: number, b: number): { readonly high: number; readonly low: number } {
  const aHigh = highHalf(a);
  const aLow = a - aHigh;
  const bHigh = highHalf(b);
  const bLow = b - bHigh;
  const high = a * b;
  return { high, low: aHigh * bHigh - high + aHigh * bLow + aLow * bHigh + aLow * bLow };
}

/** The 26 leading bits, rounded. */
export function highHalf(a: number): number {
  const scaled = SPLIT * a;
  return scaled - (scaled - a);
}
