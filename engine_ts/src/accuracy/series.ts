/**
 * exp, log and the constants in fixed point: an integer n stands for n * 2**-q.
 *
 * A *unit* is 2**-q. `>>` and `floorDiv` round down, so each of them costs at most one unit.
 */

import * as exact from "../numerics/exact.ts";
import { twiceAtanh } from "../numerics/exact.ts";
import { bitLength, divmod, isqrt } from "../numerics/builtins.ts";
import * as wave from "../numerics/wave.ts";

/** Bits by which a constant is computed more precisely than it is asked for. */
const GUARD = 24;
/** Bits up to which a logarithm is its series, and beyond which it is a correction to a shorter. */
const SHORT = 320;

/** ln 2. The series is off by 4g < 2**17 of the smaller units; with the shift less than 2. */
export function ln2(q: number): bigint {
  const g = kept(q);
  return exact.ln2(BigInt(g)) >> BigInt(g - q);
}

/** pi / 2. The series is off by 10g < 2**19 of the smaller units; with the shift less than 2. */
export function halfPi(q: number): bigint {
  const g = kept(q);
  return wave.halfPi(BigInt(g)) >> BigInt(g - q);
}

/** Few precisions are kept: 256, 512, 1024, ..., of which no more than 2**15 is asked for. */
function kept(q: number): number {
  return 1 << Math.max(8, 32 - Math.clz32(q + GUARD - 1));
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
export function expFixed(y: bigint, q: number): [n: bigint, k: number] {
  const w = Math.max(0, bitLength(y) - q);
  const s = Math.floor(Number(isqrt(BigInt(q))) / 2) + 2;
  const g = q + s + w + 16;
  const by = BigInt(g);
  let [k, r] = divmod(y << BigInt(g - q), ln2(g));
  r >>= BigInt(s);
  let term = 1n << by;
  let total = term;
  for (let i = 1n; term !== 0n; i++) {
    term = ((term * r) >> by) / i;
    total += term;
  }
  for (let i = 0; i < s; i++) total = (total * total) >> by;
  return [total >> BigInt(g - q), Number(k)];
}

/**
 * ln n for n from 2/3 to 4/3. Off by less than 3 units.
 *
 * ln n = y + ln(n e**-y) for any y; a y of a third of the bits leaves a short series. n e**-y is
 * off by less than 5 of the smaller units, its logarithm by 4g < 2**16 - 5 more: less than one unit.
 */
export function logFixed(n: bigint, q: number): bigint {
  const g = q + 16;
  const one = 1n << BigInt(q);
  if (q <= SHORT) return twiceAtanh(n - one, n + one, BigInt(g)) >> 16n;
  const w = Math.floor(q / 3) + 16;
  const y = logFixed(n >> BigInt(q - w), w) << BigInt(q - w);
  let [m, k] = expFixed(-y << 16n, g);
  m = k >= 0 ? m << BigInt(k) : m >> BigInt(-k);
  const rest = ((n * m) >> BigInt(q)) - (1n << BigInt(g));
  return y + (twiceAtanh(rest, (2n << BigInt(g)) + rest, BigInt(g)) >> 16n);
}
