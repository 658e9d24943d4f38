/** Ends and count -> the points of a grid, each the double nearest to the true one. */

import { exactly, roundToDouble } from "../numerics/exact.ts";

/** Bits of a quotient beyond its first: more than a double has, so one rounding decides. */
const BITS = 128n;

/**
 * Give `count` points from start to end, evenly spaced; of one point, the start.
 *
 * Point i is start + (end - start) * i / (count - 1), rounded once (CONTRACT.md R39). So the ends
 * are exact, a grid read backwards is the same, and from 0 to 1 in tenths has 0.3, where adding or
 * multiplying steps has 0.30000000000000004.
 */
export function grid(start: number, end: number, count: number): number[] {
  if (count === 1) return [start + 0];
  const [[from, one], [to, other]] = [exactly(start), exactly(end)];
  const e = one < other ? one : other; // of the unit, 2**e, both are multiples
  const [first, last] = [from << (one - e), to << (other - e)];
  const steps = BigInt(count - 1);
  return Array.from({ length: count }, (_, index) => {
    const i = BigInt(index);
    return rounded(first * (steps - i) + last * i, steps, e);
  });
}

/** Round n / d * 2**e once. */
function rounded(n: bigint, d: bigint, e: bigint): number {
  const shifted = (n < 0n ? -n : n) << BITS;
  // A last bit that says "and some more" keeps what is left out from looking like nothing.
  const quotient = ((shifted / d) << 1n) | (shifted % d === 0n ? 0n : 1n);
  return roundToDouble(n < 0n ? -quotient : quotient, e - BITS - 1n) + 0;
}
