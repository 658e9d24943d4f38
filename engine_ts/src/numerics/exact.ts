/**
 * The double nearest to the exact value: exp, log, tanh, power.
 *
 * Each function gives `nearest` a recipe: called with q, the bits after the point, it returns
 * integers [n, error, e] that promise |true value - n * 2**e| <= error * 2**e. When both ends of
 * that interval round to one double, that double is the answer; otherwise the recipe is called again
 * with twice the bits (A. Ziv, "Fast evaluation of elementary mathematical functions with correctly
 * rounded last bit", 1991). The loop ends because an exact value is never halfway between two
 * doubles: exp, log and tanh of a double are transcendental except exp(0), log(1) and tanh(0), and
 * `power` computes the powers that can be halfway exactly. Integers alone are used, so the answer
 * depends on no processor, libm or language. No double is known to need q > 256; the bounds below
 * hold for q <= 4096.
 *
 * Fixed point: an integer n stands for n * 2**-q, and a *unit* is 2**-q. `shifted`, `>>` and
 * `floorDiv` round down, and so does `/` of a non-negative number, so each of them costs at most one
 * unit.
 *
 * An integer gets longer in `shifted` alone, which has a bound, or by the bits of a factor.
 */

import { abs, bitLength, BITS, cached, DOUBLE, floorDiv, isqrt } from "./builtins.ts";

type Recipe = (q: bigint) => [n: bigint, error: bigint, e: bigint];

/**
 * Units. Above every bound derived in this file (the largest is 2**31; `power` adds its own), and
 * small compared with 2**128.
 */
export const ERROR = 1n << 40n;

/** 2**-28. */
export const TINY = 3.725290298461914e-9;

/** Twice the largest precision used; 256 KiB of memory. */
const MAX_BITS = 1 << 21;

/** Why there is no number; "undecided": these bits are too few. */
export type WhyNone = "domain" | "out_of_range" | "undecided";

export class NoNumber extends Error {
  readonly reason: WhyNone;
  /** Whether it is out of range near 0, and not a large number. */
  readonly nextTo0: boolean;

  constructor(reason: WhyNone, nextTo0 = false) {
    super(reason);
    this.reason = reason;
    this.nextTo0 = nextTo0;
  }
}

/**
 * n * 2**by, rounded down.
 *
 * @throws {NoNumber} that would be MAX_BITS longer, so its result is undecided
 */
export function shifted(n: bigint, by: bigint | number): bigint {
  if (by <= 0) return n >> BigInt(-by);
  if (by > MAX_BITS) throw new NoNumber("undecided");
  return n << BigInt(by);
}

/** Round n * 2**e once: nearest, ties to even, gradual underflow, overflow to infinity. */
export function roundToDouble(n: bigint, e: bigint): number {
  const sign = n < 0n ? -1 : 1;
  let magnitude = abs(n);
  const top = BigInt(bitLength(magnitude)) + e; // |n * 2**e| is in [2**(top-1), 2**top)
  if (n === 0n || top < -1074n) return sign * 0;
  if (top > 1024n) return sign * Infinity;
  const drop = (top - 53n > -1074n ? top - 53n : -1074n) - e; // bits below the double's last
  if (drop > 0n) {
    const kept = magnitude >> drop;
    const half = shifted(1n, drop - 1n);
    const rest = magnitude & (2n * half - 1n);
    magnitude = rest > half || (rest === half && kept & 1n) ? kept + 1n : kept;
    e += drop;
  }
  return sign * scaled(magnitude, e);
}

/** Call a recipe with more bits until its interval rounds to a single double. */
export function nearest(recipe: Recipe): number {
  for (let q = 128n; ; q *= 2n) {
    const [n, error, e] = recipe(q);
    const low = roundToDouble(n - error, e);
    const high = roundToDouble(n + error, e);
    if (low === high) return low;
  }
}

/** e**x for a finite x; infinity beyond the largest double. */
export function exp(x: number): number {
  if (x > 710) return Infinity; // e**709.79 is beyond the largest double
  if (x < -746) return 0; // e**-745.14 is less than half of the smallest

  return nearest((q) => {
    const [n, k] = expFixed(fixed(x, q), q);
    return [n, ERROR, k - q];
  });
}

/** Natural logarithm of a finite x > 0. */
export function log(x: number): number {
  if (x === 1) return 0;
  const [n, e] = split(x);
  return nearest((q) => [logFixed(n, e, q), ERROR, -q]);
}

/** Hyperbolic tangent of a finite x. */
export function tanh(x: number): number {
  const size = Math.abs(x);
  if (size < TINY) return x; // x - x**3/3 lies nearer to x than to any other double
  if (size > 20) return x < 0 ? -1 : 1; // 1 - 2/e**40 lies nearer to 1

  const result = nearest((q) => {
    // tanh|x| = (E - 1) / (E + 1) with E = e**(2|x|) >= 2**k >= 1. E is off by less than
    // 2**29 * 2**k units and the slope is at most 2 / E**2: less than 2**30 units, and one more.
    const [n, k] = expFixed(fixed(2 * size, q), q);
    const powerOfE = shifted(n, k);
    const one = shifted(1n, q);
    return [shifted(powerOfE - one, q) / (powerOfE + one), ERROR, -q];
  });
  return x < 0 ? -result : result;
}

/** x**c for finite x and c, c being an integer where x < 0; infinity beyond the doubles. */
export function power(x: number, c: number): number {
  if (c === 0 || x === 1) return 1;
  if (c === 1) return x;
  if (x === 0) return c > 0 ? 0 : Infinity;
  if (c === -1) return 1 / x; // the processor's quotient is rounded once, too
  const negative = x < 0 && split(c)[1] === 0n; // an odd exponent keeps the sign
  return negative ? -positivePower(-x, c) : positivePower(Math.abs(x), c);
}

/** x**c for x > 0, c != 0, with x = n * 2**e and c = a * 2**f, n and a odd. */
function positivePower(x: number, c: number): number {
  let [n, e] = split(x);
  let [a, f] = split(c);
  for (let root = isqrt(n); f < 0n && e % 2n === 0n && root ** 2n === n; root = isqrt(n)) {
    [n, e, f] = [root, e / 2n, f + 1n]; // x**c = sqrt(x)**(2c)
  }
  if (f >= 0n) {
    // A result that could be halfway, or a double, is a power of the odd n with at most 54 bits:
    // n is 1, or the exponent is at most 34 because 3**35 has 56. With a negative exponent and
    // n > 1, or with f < 0 here, the result is not a binary fraction at all.
    const exponent = shifted(a, f);
    if (n === 1n) return roundToDouble(1n, e * exponent);
    if (0n <= exponent && exponent <= 34n) return roundToDouble(n ** exponent, e * exponent);
  }
  if (abs(shifted(logFixed(n, e, 128n) * a, f)) >> 128n > 800n) {
    return c > 0 === x > 1 ? Infinity : 0; // |c ln x| > 800: far outside
  }

  return nearest((q) => {
    // The logarithm is off by at most 2**26 units, so y is by at most |c| * 2**26 + 1, and e**y
    // (n in [1, 2)) by less than three times that, in addition to the error of `expFixed`.
    const y = shifted(logFixed(n, e, q) * a, f);
    const [m, k] = expFixed(y, q);
    return [m, ERROR + ((shifted(abs(a), f) + 1n) << 28n), k - q];
  });
}

// The two series

/**
 * 2 atanh(a/b) = ln((b + a) / (b - a)) for |a/b| <= 1/3. Off by less than 4q units.
 *
 * Each of at most q/3 + 2 terms is off by less than 3 units: its z by 2, its quotient by 1. What
 * is left out is less than one unit.
 */
export function twiceAtanh(a: bigint, b: bigint, q: bigint): bigint {
  let z = floorDiv(shifted(a, q), b);
  const square = (z * z) >> q;
  let total = 0n;
  for (let k = 1n; z !== 0n && z !== -1n; k += 2n) {
    total += floorDiv(z, k);
    z = (z * square) >> q;
  }
  return 2n * total;
}

/** ln 2, off by less than 4q <= 2**14 units. */
export const ln2 = cached((q: bigint) => twiceAtanh(1n, 3n, q));

/** ln(n * 2**e) for n > 0. Off by less than 4q + 1100 * 4q < 2**26 units. */
export function logFixed(n: bigint, e: bigint, q: bigint): bigint {
  const k = BigInt(bitLength(3n * n) - 2); // n / 2**k is in [2/3, 4/3)
  const one = shifted(1n, k);
  return twiceAtanh(n - one, n + one, q) + (k + e) * ln2(q);
}

/**
 * [n, k] with e**y = n * 2**k, n in [1, 2) up to the error. |k| is at most 1200.
 *
 * y = k ln 2 + r, and e**r = (e**(r/256))**256 by eight squarings. r is off by k * 4q < 2**25
 * units, so r/256 by 2**17 + 1; the series has at most q/8 + 1 terms, each off by less than 2
 * units; a squaring doubles the relative error and adds a unit. In all less than
 * 2 * 256 * (2**17 + 1 + q/4 + 2 + 1) < 2**28 units, plus twice the error of y.
 */
export function expFixed(y: bigint, q: bigint): [n: bigint, k: bigint] {
  const k = floorDiv(y, ln2(q));
  return [expBySquarings(y - k * ln2(q), 8, q), k];
}

/**
 * e**r for r >= 0, by s squarings of the series of e**(r / 2**s). The caller bounds the error.
 *
 * It rounds down: each term of the series twice, r and each square once.
 */
export function expBySquarings(r: bigint, s: number, q: bigint): bigint {
  r >>= BigInt(s);
  let term = shifted(1n, q);
  let total = term;
  for (let i = 1n; term !== 0n; i += 1n) {
    term = ((term * r) >> q) / i;
    total += term;
  }
  for (let i = 0; i < s; i++) total = (total * total) >> q;
  return total;
}

// Doubles as integers

/** The finite x != 0 exactly, as n * 2**e with n odd. */
export function split(x: number): [n: bigint, e: bigint] {
  const [n, e] = exactly(x);
  const zeros = BigInt(bitLength(n & -n) - 1);
  return [n >> zeros, e + zeros];
}

/** x in units, rounded down. */
export function fixed(x: number, q: bigint): bigint {
  const [n, e] = exactly(x);
  return shifted(n, q + e);
}

/** The finite x exactly, as n * 2**e. */
export function exactly(x: number): [n: bigint, e: bigint] {
  DOUBLE[0] = x;
  const bits = BITS[0]!;
  const exponent = (bits >> 52n) & 0x7ffn;
  const fraction = bits & ((1n << 52n) - 1n);
  const n = exponent === 0n ? fraction : fraction | (1n << 52n);
  return [x < 0 ? -n : n, (exponent === 0n ? 1n : exponent) - 1075n];
}

/** n * 2**e where that is a double already (or infinity, by rounding up the largest). */
function scaled(n: bigint, e: bigint): number {
  if (BigInt(bitLength(n)) + e > 1024n) return Infinity;
  BITS[0] = e >= -1022n ? (e + 1023n) << 52n : shifted(1n, e + 1074n);
  return Number(n) * DOUBLE[0]!; // exact: both factors are doubles, and so is the product
}
