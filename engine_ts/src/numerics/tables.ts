/**
 * Integers -> the tables and constants of the quick steps, as pairs of doubles.
 *
 * A pair is a short high half, so that products with it are exact, and a low half, which is the rest
 * rounded to a double. The integers are those of `exact` with 128 bits after the point. At
 * most 513 steps of less than 2**29 units each leave them off by less than 2**39 units, or 2**-89.
 *
 * A table is zero until its first use, which takes about a millisecond.
 */

import { expFixed, ln2, twiceAtanh } from "./exact.ts";

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
  const high = (n + (1n << (drop - 1n))) >> drop;
  return [Number(high) * 2 ** -bits, double(n - (high << drop))];
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
