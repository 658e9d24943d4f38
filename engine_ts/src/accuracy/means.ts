/**
 * An operation at its doubles and at the true numbers -> slopes between the two.
 *
 * With the mean slope (f(x) - f(y)) / (x - y) in place of the slope at a point, the chain rule gives
 * the whole error that an operand hands on, not its first order alone, and across a kink, too. A local
 * gradient is a function of the same numbers: its mean slopes by them are *bends*.
 */

import { abs } from "../numerics/builtins.ts";
import {
  add,
  div,
  HALF,
  halve,
  isZero,
  magnitude,
  MINUS_ONE,
  mul,
  neg,
  ofDouble,
  ONE,
  sign,
  sub,
  top,
  ZERO,
} from "./ball.ts";
import type { Ball } from "./ball.ts";
import { wave } from "./functions.ts";
import { definite, minus, powerLess, ROWS, sigmoid, sigmoidSlope, signum } from "./rows.ts";
import type { Level } from "./rows.ts";

type Curve = (x: Ball) => Ball;
type Two = readonly [Ball, Ball];

/** An operation, its operands and its result: first the doubles, then what is true. */
export interface Place {
  readonly level: Level;
  readonly symbol: string;
  readonly x: readonly Ball[];
  readonly trueX: readonly Ball[];
  readonly exponent: readonly number[];
  readonly out: Ball;
  readonly trueOut: Ball;
}

/** What leads from errors to errors, by slot. */
export interface Means {
  readonly slopes: readonly Ball[];
  /** The local gradients by R3's formulas at the doubles, not rounded. */
  readonly formulas: readonly Ball[];
  /** What a local gradient is off by, for an error of each operand and, last, of the result. */
  readonly bends: readonly (readonly Ball[])[];
}

/**
 * Compute them.
 *
 * @throws {NoNumber} one does not exist, or p bits do not tell
 */
export function means(place: Place): Means {
  return (MEANS[place.symbol] ?? ofFunction)(place);
}

/** (x + y) / 2. */
function mean(a: Ball, b: Ball, p: number): Ball {
  return halve(add(a, b, p));
}

/** (f(x) - f(y)) / (x - y); a slope between where they are too near to each other to divide. */
function secant(f: Curve, slope: Curve, a: Ball, b: Ball, p: number): Ball {
  const difference = sub(a, b, p);
  if (isZero(difference)) return slope(a);
  const close = Math.max(top(a), top(b)) - top(difference);
  if (sign(difference) !== null && close < p >> 1) return div(sub(f(a), f(b), p), difference, p);
  const { m, r, e } = difference;
  return slope(add(a, { m: 0n, r: abs(m) + r, e }, p)); // by the mean value theorem
}

/** Give the same of what has its only kink, or jump, at 0. */
function across(f: Curve, slope: Curve, a: Ball, b: Ball, p: number): Ball {
  if (sign(a) === sign(b)) return slope(a);
  return div(sub(f(a), f(b), p), sub(a, b, p), p);
}

function ofSum({ symbol }: Place): Means {
  const ones = [ONE, symbol === "+" ? ONE : MINUS_ONE];
  const none = [ZERO, ZERO, ZERO];
  return { slopes: ones, formulas: ones, bends: [none, none] };
}

function ofProduct({ level: { p }, ...place }: Place): Means {
  const [x, y] = place.x as Two;
  const [trueX, trueY] = place.trueX as Two;
  const slopes = [mean(y, trueY, p), mean(x, trueX, p)];
  const bends = [
    [ZERO, ONE, ZERO],
    [ONE, ZERO, ZERO],
  ];
  return { slopes, formulas: [y, x], bends };
}

/** 1 / y, and -out / y as a product of out and 1 / y. */
function ofQuotient({ level: { p }, out, trueOut, ...place }: Place): Means {
  const [x, y] = place.x as Two;
  const [trueX, trueY] = place.trueX as Two;
  const inverse = div(ONE, y, p);
  const trueInverse = div(ONE, trueY, p);
  const both = mul(inverse, trueInverse, p);
  const inverses = mean(inverse, trueInverse, p);
  const slopes = [inverses, neg(mul(mean(x, trueX, p), both, p))];
  const bend = mul(mean(out, trueOut, p), both, p);
  const bends = [
    [ZERO, neg(both), ZERO],
    [ZERO, bend, neg(inverses)],
  ];
  return { slopes, formulas: [inverse, neg(div(out, y, p))], bends };
}

/** max(x, y) = (x + y + |x - y|) / 2; min has a minus. */
function ofChoice({ level, symbol, out, ...place }: Place): Means {
  const { p } = level;
  const sideOf = (a: Ball) => signum(level, a);
  const lead = minus(level, ...(place.x as Two));
  const trueLead = definite(level, minus(level, ...(place.trueX as Two)));
  let slope = across(magnitude, sideOf, lead, trueLead, p);
  let jump = halve(across(sideOf, () => ZERO, lead, trueLead, p));
  if (symbol === "min") [slope, jump] = [neg(slope), neg(jump)];
  const slopes = [halve(add(ONE, slope, p)), halve(sub(ONE, slope, p))];
  const formulas = ROWS[symbol]!.slopes(level, out, ...place.x);
  const bends = [
    [jump, neg(jump), ZERO],
    [neg(jump), jump, ZERO],
  ];
  return { slopes, formulas, bends };
}

function ofKink(place: Place): Means {
  const [f, slope, p] = [functionOf(place), slopeOf(place), place.level.p];
  const x = place.x[0]!;
  const trueX = definite(place.level, place.trueX[0]!);
  const jump = across(slope, () => ZERO, x, trueX, p);
  return { slopes: [across(f, slope, x, trueX, p)], formulas: [slope(x)], bends: [[jump, ZERO]] };
}

function ofFunction(place: Place): Means {
  const [f, slope, p] = [functionOf(place), slopeOf(place), place.level.p];
  const x = place.x[0]!;
  const trueX = place.trueX[0]!;
  const slopes = [secant(f, slope, x, trueX, p)];
  const byResult = BY_RESULT[place.symbol];
  if (byResult !== undefined) {
    const [formula, bend] = byResult(place.out, place.trueOut, p);
    return { slopes, formulas: [formula], bends: [[ZERO, bend]] };
  }
  let bend: Ball;
  if (place.symbol === "log") bend = neg(div(ONE, mul(x, trueX, p), p));
  else {
    const second = SECOND[place.symbol]!;
    bend = secant(slope, (a) => second(place.level, a, ...place.exponent), x, trueX, p);
  }
  return { slopes, formulas: [slope(x)], bends: [[bend, ZERO]] };
}

function functionOf({ level, symbol, exponent }: Place): Curve {
  const row = ROWS[symbol]!;
  return (a) => row.value(level, a, ...exponent);
}

function slopeOf({ level, symbol, exponent }: Place): Curve {
  const row = ROWS[symbol]!;
  return (a) => row.slopes(level, row.value(level, a, ...exponent), a, ...exponent)[0]!;
}

/** c (c - 1) x**(c - 2). c - 1 is exact: no double has more than 2,100 bits around its point. */
function powerBend(level: Level, a: Ball, c: number): Ball {
  if (c === 0 || c === 1) return ZERO;
  const factor = mul(ofDouble(c), sub(ofDouble(c), ONE, 2200), level.p);
  return mul(factor, powerLess(level, a, c, 2), level.p);
}

const MEANS: Readonly<Record<string, (place: Place) => Means>> = {
  "+": ofSum,
  "-": ofSum,
  "*": ofProduct,
  "/": ofQuotient,
  min: ofChoice,
  max: ofChoice,
  relu: ofKink,
  abs: ofKink,
};
/** A local gradient that R3 computes from the result, and its bend. */
const BY_RESULT: Readonly<Record<string, (out: Ball, trueOut: Ball, p: number) => Two>> = {
  neg: () => [MINUS_ONE, ZERO],
  exp: (out) => [out, ONE],
  tanh: (out, trueOut, p) => [sub(ONE, mul(out, out, p), p), neg(add(out, trueOut, p))],
  sqrt: (out, trueOut, p) => [div(HALF, out, p), neg(div(HALF, mul(out, trueOut, p), p))],
  sigmoid: (out, trueOut, p) => [mul(out, sub(ONE, out, p), p), sub(ONE, add(out, trueOut, p), p)],
};
/** Second derivatives of the others. */
const SECOND: Readonly<Record<string, (level: Level, a: Ball, ...exponent: number[]) => Ball>> = {
  sin: (level, a) => wave(a, level.p, 2),
  cos: (level, a) => wave(a, level.p, 3),
  softplus: (level, a) => sigmoidSlope(level, sigmoid(level, a), a)[0],
  "**": (level, a, c) => powerBend(level, a, c!),
};
