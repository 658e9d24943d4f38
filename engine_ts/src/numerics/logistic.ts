/**
 * The double nearest to the exact value: sigmoid, softplus.
 *
 * A quick step, and integers if that does not decide, as in `elementary` and `exact`; u is 2**-53
 * here, too. Both steps compute E = e**-|x|, which never overflows.
 */

import { product } from "./elementary.ts";
import { ERROR, expFixed, fixed, nearest, shifted, twiceAtanh } from "./exact.ts";
import { EXP_ERROR, expPair, ldexp, logPair } from "./quick.ts";
import type { Pair } from "./quick.ts";

const SMALL = 2 ** -17;
const SOFTPLUS_ERROR = 2 ** -65;

/** 1 / (1 + e**-x) for a finite x. */
export function sigmoid(x: number): number {
  if (!(x > -600 && x < 40)) return exactSigmoid(x);
  const { high, low, error } = sigmoidPair(x);
  const rounded = high + (low + error);
  return rounded === high + (low - error) ? rounded : exactSigmoid(x);
}

/** ln(1 + e**x) for a finite x. */
export function softplus(x: number): number {
  if (!(x > -600 && x < 40)) return exactSoftplus(x);
  const { high, low, error } = softplusPair(x);
  const rounded = high + (low + error);
  return rounded === high + (low - error) ? rounded : exactSoftplus(x);
}

/**
 * 1 / (1 + E) or E / (1 + E) for -600 < x < 40.
 *
 * With n and d, the double next to 1 + E, n - high * d is exact. Each low half is below 2 u of its
 * high half, so all roundings after E together cost less than 2**-100 of the result. E is off by
 * 2**-66.1 of itself, and the result by no larger part.
 */
export function sigmoidPair(x: number): Pair {
  const e = powerOfE(x);
  const d = 1 + e.high;
  const dLow = e.high - (d - 1) + e.low;
  const n = x > 0 ? 1 : e.high;
  const nLow = x > 0 ? 0 : e.low;
  const high = n / d;
  const back = product(high, d);
  const low = (n - back.high - back.low + (nLow - high * dLow)) / d;
  return { high, low, error: EXP_ERROR * high };
}

/**
 * ln(1 + E), and x on top of it where x > 0, for -600 < x < 40.
 *
 * For E < 2**-17 it is E - E**2 / 2 + ... The errors, as parts of E: E itself 2**-66.1, what
 * follows it, rounded six times, 2**-68.4, E**5 / 5 and later terms 2**-70.3.
 * Else it is ln d + dLow / d, d being the double next to 1 + E, and dLow**2 < 2**-106 left out. The
 * errors are 2**-66.1 of E, that of the logarithm, and that of the sum of the low halves, which is
 * below 2**-20, or z**2 / 2 next to 1: at most a quarter of the logarithm's error.
 * Adding x costs u times that sum twice: less than 2**-71 of a result above 0.69.
 */
export function softplusPair(x: number): Pair {
  const e = powerOfE(x);
  let { high, low } = e;
  let error = SOFTPLUS_ERROR * high;
  if (high < SMALL) low = e.low - high * high * (0.5 - high * (1 / 3 - high * 0.25));
  else {
    const d = 1 + e.high;
    const ln = logPair(d);
    high = ln.high;
    low = ln.low + (e.high - (d - 1) + e.low) / d;
    error = 1.25 * ln.error + error;
  }
  if (x > 0) {
    const total = x + high;
    low += x > high ? high - (total - x) : x - (total - high);
    high = total;
    error += EXP_ERROR * total;
  }
  return { high, low, error };
}

/** e**-|x| for |x| < 600, as a double and the rest, which is below u times it. */
function powerOfE(x: number): { readonly high: number; readonly low: number } {
  const { high, low, k } = expPair(-Math.abs(x), 0);
  const e = high + low;
  return { high: ldexp(e, k), low: ldexp(low - (e - high), k) };
}

// By integers

/** 1 / (1 + e**-x) for a finite x. */
export function exactSigmoid(x: number): number {
  if (x > 40) return 1; // 1 - e**-40 lies nearer to 1 than to any other double
  if (x < -746) return 0; // less than e**x, which is less than half of the smallest
  return nearest((q) => {
    // 1 / E = e**|x| = n * 2**k with n in [1, 2), off by less than 2**29 units. The result is off
    // by no larger part of itself, and is below 1, or 2**-k where x < 0.
    const [n, k] = expFixed(fixed(Math.abs(x), q), q);
    const one = shifted(1n, q);
    const whole = shifted(n, k) + one;
    const part = shifted(x > 0 ? n : one, k + q);
    return [part / whole, ERROR, x > 0 ? -q : -q - k];
  });
}

/** ln(1 + e**x) for a finite x. */
export function exactSoftplus(x: number): number {
  if (x > 40) return x; // x + e**-40 lies nearer to x than to any other double
  if (x < -746) return 0; // less than e**x, which is less than half of the smallest
  return nearest((q) => {
    // ln(1 + E) = 2 atanh(E / (2 + E)) = 2 atanh(1 / (2 / E + 1)), with k bits more, as it is below
    // 2**-k. 1 / E is as in the sigmoid, and its error only shrinks on the way.
    const [n, k] = expFixed(fixed(Math.abs(x), q), q);
    const one = shifted(1n, q);
    const total = twiceAtanh(one, shifted(n, k + 1n) + one, q + k);
    return [total + (x > 0 ? fixed(x, q + k) : 0n), ERROR, -q - k];
  });
}
