/**
 * One row per operation: balls that enclose its result and its exact derivatives.
 *
 * From 4,352 bits on, a number so near to 0 that it counts as 0 (CONTRACT.md R38) is a ball around
 * 0: `near` replaces such a sum by one, and `definite` decides on it and records that.
 */

import { abs } from "../numerics/builtins.ts";
import { NoNumber } from "../numerics/exact.ts";
import {
  add,
  div,
  HALF,
  isZero,
  KNOWN,
  magnitude,
  mayBeZero,
  MINUS_ONE,
  mul,
  neg,
  ofDouble,
  ONE,
  RANGE,
  sign,
  sqrt,
  sub,
  top,
  trim,
  widen,
  ZERO,
} from "./ball.ts";
import type { Ball } from "./ball.ts";
import { atan, exp, log, power, wave } from "./ball_functions.ts";

/** A sum below 2**-COUNTS of its larger operand counts as 0. */
export const COUNTS = 4096;
/** Extra bits of that bound if numbers that count as 0 entered the sum. */
export const SLACK = 64;
const FOUR: Ball = { m: 1n, r: 0n, e: 2 };
/** A number from 0 to 2**-RANGE. */
const TINY: Ball = { m: 1n, r: 1n, e: -RANGE - 1 };

/**
 * A precision, and what is known about the operation computed with it.
 *
 * There is no level after the `last` one.
 */
export class Level {
  readonly p: number;
  readonly last: boolean;
  /** Whether there are enough bits for a sum to count as 0. */
  readonly counts: boolean;
  /** Whether a decision treated as 0 a number that may not be 0. */
  assumedZero = false;
  /**
   * Whether a number here depends on one that was treated as 0, so more precision may not decide
   * it.
   */
  doubtful = false;
  /** Whether more bits will decide what this level cannot. */
  waits = false;

  constructor(p: number, last: boolean) {
    this.p = p;
    this.last = last;
    this.counts = last || p >= KNOWN;
  }
}

/** How to enclose an operation's result and its exact derivatives. An exponent is a double. */
export interface Enclosure {
  /** The result. */
  value(level: Level, ...operands: (Ball | number)[]): Ball;
  /** d result / d operand for each; at a kink, R3's choice. */
  slopes(level: Level, out: Ball, ...operands: (Ball | number)[]): readonly Ball[];
  /** The derivative of the slope, if R3 computes it from the operand. */
  second?(level: Level, ...operands: (Ball | number)[]): Ball;
  /** A local gradient that R3 computes from the result, and its mean slope to the exact one. */
  byResult?(out: Ball, trueOut: Ball, p: number): readonly [Ball, Ball];
  /** The number of exponentials that the result and the slope cost. */
  readonly exponentials?: number;
}

/**
 * Replace a number that counts as 0 by a ball around 0, if there are enough bits for that.
 *
 * A number counts as 0 if it is below 2**-COUNTS of its operands, or below a somewhat larger bound
 * if it may be 0 because an operand counts as 0. If it may be 0 because its operands lost their
 * bits, its midpoint is not 0: then nothing can be decided.
 *
 * @throws {NoNumber} more bits will decide it
 */
function near(level: Level, a: Ball, of: Ball): Ball {
  if (!level.counts || a.r === 0n) return a;
  const bound = { m: abs(of.m), r: of.r, e: of.e - COUNTS };
  const side = sign(sub(magnitude(a), bound, level.p));
  if (side === null && !level.last && !level.doubtful) throw new NoNumber("undecided");
  const largest = { m: abs(a.m) + a.r, r: 0n, e: a.e };
  const most = { m: bound.m + bound.r, r: 0n, e: bound.e };
  const isLarger = side !== -1 && sign(sub(largest, most, level.p)) === 1;
  if (side === -1 || (mayBeZero(a) && isBelow(largest, most, SLACK, level.p))) {
    level.doubtful = true;
    const { m, e } = isLarger ? largest : most;
    return trim(0n, m, e, level.p);
  }
  return a.m !== 0n ? a : { m: 1n, r: a.r + 1n, e: a.e };
}

/** Return whether x < y * 2**times. */
function isBelow(a: Ball, b: Ball, times: number, p: number): boolean {
  return sign(sub(a, { ...b, e: b.e + times }, p)) === -1;
}

/**
 * Return a ball whose sign is known.
 *
 * @throws {NoNumber} its sign is unknown, and it does not count as 0
 */
export function definite(level: Level, a: Ball): Ball {
  if (!mayBeZero(a)) return a;
  if (a.m !== 0n || !level.counts) throw new NoNumber("undecided");
  level.assumedZero = true;
  return ZERO;
}

/** x + y, a ball around 0 if both are. */
export function plus(level: Level, x: Ball, y: Ball): Ball {
  const out = add(x, y, level.p);
  if (!level.counts || (x.m === 0n && y.m === 0n)) return out;
  return near(level, out, top(x) > top(y) ? x : y);
}

/** x - y, which is 0 if both are the same number, also passed on by relu, min or max. */
export function minus(level: Level, x: Ball, y: Ball): Ball {
  return x === y ? ZERO : plus(level, x, neg(y));
}

function overSlopes(level: Level, out: Ball, _x: Ball, y: Ball): [Ball, Ball] {
  const inverse = div(ONE, y, level.p);
  return [inverse, neg(mul(out, inverse, level.p))];
}

function powerOf(level: Level, x: Ball, c: number): Ball {
  try {
    return power(x, c, level.p);
  } catch (error) {
    if (!(error instanceof NoNumber) || error.reason !== "undecided") throw error;
  }
  return power(definite(level, x), c, level.p);
}

function powerSlope(level: Level, _out: Ball, x: Ball, c: number): [Ball] {
  if (c === 0) return [ZERO];
  return [mul(ofDouble(c), powerLess(level, x, c, 1), level.p)];
}

/** x**(c - k), as x**c / x**k if c - k is not a double (it is one if adding k gives c again). */
function powerLess(level: Level, x: Ball, c: number, k: number): Ball {
  if (c - k + k === c && Math.abs(c) < 2 ** 53) return powerOf(level, x, c - k);
  // c / 2 is whole, and x**(c / 2) farther from 0
  if (c >= 2 ** 53 && mayBeZero(x)) return powerOf(level, x, c / 2);
  x = definite(level, x);
  if (isZero(x)) return power(x, c > k ? 1 : -1, level.p);
  return div(powerOf(level, x, c), power(x, k, level.p), level.p);
}

/** c (c - 1) x**(c - 2). c - 1 is exact: a double has fewer than 2,100 bits around its point. */
function secondSlopeOfPower(level: Level, a: Ball, c: number): Ball {
  if (c === 0 || c === 1) return ZERO;
  const factor = mul(ofDouble(c), sub(ofDouble(c), ONE, 2200), level.p);
  return mul(factor, powerLess(level, a, c, 2), level.p);
}

/** e**-|x|, by the sign of the midpoint: the formulas that use it hold on both sides of 0. */
function decay(level: Level, x: Ball): Ball {
  return exp({ m: -abs(x.m), r: x.r, e: x.e }, level.p + 8);
}

/** Compute e**-|x| to be added to 1, so it may be arbitrarily small. */
function decayNextTo1(level: Level, x: Ball): Ball {
  try {
    return decay(level, x);
  } catch (error) {
    if (!(error instanceof NoNumber) || error.reason !== "out_of_range") throw error;
    return TINY;
  }
}

/** (1 - e**-2x) / (1 + e**-2x); near 0 with more bits, or x with an error of |x| x**2. */
function tanh(level: Level, x: Ball): Ball {
  if (isZero(x)) return ZERO;
  const t = top(x);
  if (t < -level.p) return widen(x, 2 * t, level.p);
  const more = new Level(level.p + Math.max(0, -t), false);
  const e = decayNextTo1(more, twice(x));
  const out = div(sub(ONE, e, more.p + 8), add(ONE, e, more.p + 8), level.p);
  return x.m >= 0n ? out : neg(out);
}

/** 1 - out**2 if that loses few bits, else 4 e**-2x / (1 + e**-2x)**2. */
function tanhSlope(level: Level, out: Ball, x: Ball): [Ball] {
  if (top(x) <= 1) return [sub(ONE, mul(out, out, level.p + 8), level.p)];
  return [mul(FOUR, bell(level, twice(x)), level.p)];
}

/** 1 / (1 + e**-x), and e**x / (1 + e**x) below 0. */
function sigmoid(level: Level, x: Ball): Ball {
  if (x.m >= 0n) return div(ONE, add(ONE, decayNextTo1(level, x), level.p + 8), level.p);
  const e = decay(level, x);
  return div(e, add(ONE, e, level.p + 8), level.p);
}

/** out (1 - out) if that loses few bits, else e**-x / (1 + e**-x)**2, for x or -x. */
function sigmoidSlope(level: Level, out: Ball, x: Ball): [Ball] {
  if (top(x) <= 1) return [mul(out, sub(ONE, out, level.p + 8), level.p)];
  return [bell(level, x)];
}

function bell(level: Level, x: Ball): Ball {
  const [e, p] = [decay(level, x), level.p + 8];
  const d = add(ONE, e, p);
  return div(e, mul(d, d, p), level.p);
}

/**
 * max(x, 0) + ln(1 + e**-|x|), whose logarithm is e**-|x| up to a part of e**-|x|.
 *
 * Above 0 it is computed at the midpoint of the ball: no slope is above 1. A tiny ball is its own
 * logarithm.
 */
function softplus(level: Level, x: Ball): Ball {
  const { m } = x;
  const e = m < 0n ? decay(level, x) : decayNextTo1(level, { m, r: 0n, e: x.e });
  const t = top(e);
  const p = level.p + 8;
  let rest = e;
  if (e !== TINY) rest = t < -level.p ? widen(e, t, p) : log(add(ONE, e, p - t), p);
  return m < 0n ? trim(rest.m, rest.r, rest.e, level.p) : add(x, rest, level.p);
}

function twice({ m, r, e }: Ball): Ball {
  return { m, r, e: e + 1 };
}

function logOf(level: Level, x: Ball): Ball {
  return near(level, log(definite(level, x), level.p), ONE);
}

/** ln(1 + x); near 0 with more bits, or x with an error of x**2. */
function log1p(level: Level, x: Ball): Ball {
  if (isZero(x)) return ZERO;
  const t = top(x);
  if (t < -level.p) return widen(x, t, level.p);
  if (t < 0) return log(add(ONE, x, level.p + 8 - t), level.p);
  return log(oneMore(level, x), level.p);
}

function oneMore(level: Level, x: Ball): Ball {
  return definite(level, plus(level, ONE, x));
}

/** e**x - 1; near 0 with more bits, or x with an error of x**2. */
function expm1(level: Level, x: Ball): Ball {
  if (isZero(x)) return ZERO;
  const t = top(x);
  if (t < -level.p) return widen(x, t, level.p);
  const more = new Level(level.p + 8 + Math.max(0, -t), false);
  return sub(x.m >= 0n ? exp(x, more.p) : decayNextTo1(more, x), ONE, level.p);
}

/** 1 / (1 + x**2), computed from the inverse of a large x. */
function atanSlope(level: Level, x: Ball): Ball {
  const p = level.p + 8;
  if (top(x) <= 1) return div(ONE, add(ONE, mul(x, x, p), p), level.p);
  const inverse = div(ONE, x, p);
  const square = mul(inverse, inverse, p);
  return div(square, add(ONE, square, p), level.p);
}

function secondSlopeOfAtan(level: Level, x: Ball): Ball {
  const slope = atanSlope(level, x);
  return neg(mul(twice(x), mul(slope, slope, level.p + 8), level.p));
}

/** sin(x + ahead pi / 2), computed from x if x is small, else from numbers below 1. */
function waveOf(ahead: number): (level: Level, x: Ball) => Ball {
  return (level, x) => {
    const out = wave(x, level.p, ahead);
    if (ahead % 2 === 0 && x.m === 0n) return out; // it counts as 0, too
    return near(level, out, ahead % 2 === 1 || top(x) > 0 ? ONE : x);
  };
}

/** Return the sign of x. */
function side(level: Level, x: Ball): number {
  return sign(definite(level, x)) ?? 0;
}

/** Return the sign of x as a number. */
export function signum(level: Level, x: Ball): Ball {
  const s = side(level, x);
  return s > 0 ? ONE : s < 0 ? MINUS_ONE : ZERO;
}

/** Return the sign of x - y. */
function lead(level: Level, x: Ball, y: Ball): number {
  return side(level, minus(level, x, y));
}

/** Return 1 for the selected operand and 0 for the other, or half for each. */
function halves(lead: number): [Ball, Ball] {
  return lead > 0 ? [ONE, ZERO] : lead < 0 ? [ZERO, ONE] : [HALF, HALF];
}

const [sin, cos, lessSin] = [waveOf(0), waveOf(1), waveOf(2)];

export const ENCLOSURES: Readonly<Record<string, Enclosure>> = {
  "+": { value: plus, slopes: () => [ONE, ONE] },
  "-": { value: minus, slopes: () => [ONE, MINUS_ONE] },
  "*": {
    value: (level, x: Ball, y: Ball) => mul(x, y, level.p),
    slopes: (_level, _out, x: Ball, y: Ball) => [y, x],
  },
  "/": {
    value: (level, x: Ball, y: Ball) => div(x, definite(level, y), level.p),
    slopes: overSlopes,
  },
  "**": { value: powerOf, slopes: powerSlope, second: secondSlopeOfPower, exponentials: 4 },
  neg: {
    value: (_level, x: Ball) => neg(x),
    slopes: () => [MINUS_ONE],
    byResult: () => [MINUS_ONE, ZERO],
  },
  relu: {
    value: (level, x: Ball) => (side(level, x) > 0 ? x : ZERO),
    slopes: (level, _out, x: Ball) => [side(level, x) > 0 ? ONE : ZERO],
  },
  abs: {
    value: (_level, x: Ball) => magnitude(x),
    slopes: (level, _out, x: Ball) => [signum(level, x)],
  },
  min: {
    value: (level, x: Ball, y: Ball) => (lead(level, x, y) <= 0 ? x : y),
    slopes: (level, _out, x: Ball, y: Ball) => halves(lead(level, y, x)),
  },
  max: {
    value: (level, x: Ball, y: Ball) => (lead(level, x, y) >= 0 ? x : y),
    slopes: (level, _out, x: Ball, y: Ball) => halves(lead(level, x, y)),
  },
  exp: {
    value: (level, x: Ball) => exp(x, level.p),
    slopes: (_level, out) => [out],
    byResult: (out) => [out, ONE],
    exponentials: 1,
  },
  log: {
    value: logOf,
    slopes: (level, _out, x: Ball) => [div(ONE, x, level.p)],
    second: (level, x: Ball) => neg(div(ONE, mul(x, x, level.p), level.p)),
    exponentials: 1,
  },
  sqrt: {
    value: (level, x: Ball) => sqrt(definite(level, x), level.p),
    slopes: (level, out) => [div(HALF, out, level.p)],
    byResult: (out, trueOut, p) => [div(HALF, out, p), neg(div(HALF, mul(out, trueOut, p), p))],
  },
  sin: {
    value: sin,
    slopes: (level, _out, x: Ball) => [cos(level, x)],
    second: (level, x: Ball) => wave(x, level.p, 2),
    exponentials: 4,
  },
  cos: {
    value: cos,
    slopes: (level, _out, x: Ball) => [lessSin(level, x)],
    second: (level, x: Ball) => wave(x, level.p, 3),
    exponentials: 4,
  },
  tanh: {
    value: tanh,
    slopes: tanhSlope,
    byResult: (out, trueOut, p) => [sub(ONE, mul(out, out, p), p), neg(add(out, trueOut, p))],
    exponentials: 2,
  },
  sigmoid: {
    value: sigmoid,
    slopes: sigmoidSlope,
    byResult: (out, trueOut, p) => [
      mul(out, sub(ONE, out, p), p),
      sub(ONE, add(out, trueOut, p), p),
    ],
    exponentials: 2,
  },
  softplus: {
    value: softplus,
    slopes: (level, _out, x: Ball) => [sigmoid(level, x)],
    second: (level, x: Ball) => sigmoidSlope(level, sigmoid(level, x), x)[0],
    exponentials: 4,
  },
  log1p: {
    value: log1p,
    slopes: (level, _out, x: Ball) => [div(ONE, oneMore(level, x), level.p)],
    second: (level, x: Ball) => neg(power(oneMore(level, x), -2, level.p)),
    exponentials: 1,
  },
  expm1: {
    value: expm1,
    slopes: (level, _out, x: Ball) => [exp(x, level.p)],
    second: (level, x: Ball) => exp(x, level.p),
    exponentials: 2,
  },
  atan: {
    value: (level, x: Ball) => atan(x, level.p),
    slopes: (level, _out, x: Ball) => [atanSlope(level, x)],
    second: secondSlopeOfAtan,
    exponentials: 4,
  },
};
