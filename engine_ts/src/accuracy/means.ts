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
import type { MaybeBall } from "./program.ts";
import { definite, minus, powerLess, ROWS, sigmoid, sigmoidSlope, signum } from "./rows.ts";
import type { Level } from "./rows.ts";

type Curve = (x: Ball) => Ball;
type Two = readonly [Ball, Ball];
type Second = (level: Level, a: Ball, ...exponent: number[]) => Ball;

/** An operation, its operands and its result: first the doubles, then what is true. */
export interface Place {
  readonly level: Level;
  readonly symbol: string;
  readonly x: readonly Ball[];
  readonly trueX: readonly Ball[];
  readonly exponent: readonly number[];
  /** The exact result at the doubles. */
  readonly value: Ball;
  readonly out: Ball;
  readonly trueOut: Ball;
  readonly trueSlopes: readonly Ball[];
}

/** What leads from errors to one of a local gradient, by slot. */
export interface Bends {
  /** The local gradients by R3's formulas at the doubles, not rounded. */
  readonly formulas: readonly MaybeBall[];
  /** What a local gradient is off by, for an error of each operand and, last, of the result. */
  readonly bends: readonly (readonly MaybeBall[])[];
}

/**
 * Give what an error of each operand is multiplied by in the result.
 *
 * @throws {NoNumber} that does not exist, or p bits do not tell, as `bendsOf`
 */
export function slopesOf(place: Place): readonly Ball[] {
  return (SLOPES[place.symbol] ?? slopesOfFunction)(place);
}

/** Give the same of the local gradients. */
export function bendsOf(place: Place): Bends {
  return (BENDS[place.symbol] ?? bendsOfFunction)(place);
}

/** (x + y) / 2. */
function mean(a: Ball, b: Ball, p: number): Ball {
  return halve(add(a, b, p));
}

/**
 * (f(x) - f(y)) / (x - y); a slope between where they are too near to each other to divide.
 *
 * `at` has f(x) and f(y).
 */
function secant(at: Two, slope: Curve, a: Ball, b: Ball, p: number): Ball {
  const difference = sub(a, b, p);
  if (isZero(difference)) return slope(a);
  const close = Math.max(top(a), top(b)) - top(difference);
  if (sign(difference) !== null && close < p >> 1) return div(sub(...at, p), difference, p);
  const { m, r, e } = difference;
  return slope(add(a, { m: 0n, r: abs(m) + r, e }, p)); // by the mean value theorem
}

/** Give the same of what has its only kink, or jump, at 0. */
function across(at: Two, slope: Curve, a: Ball, b: Ball, p: number): Ball {
  if (sign(a) === sign(b)) return slope(a);
  return div(sub(...at, p), sub(a, b, p), p);
}

function slopesOfSum({ symbol }: Place): Two {
  return [ONE, symbol === "+" ? ONE : MINUS_ONE];
}

function bendsOfSum(place: Place): Bends {
  const none = [ZERO, ZERO, ZERO];
  return { formulas: slopesOfSum(place), bends: [none, none] };
}

function slopesOfProduct({ level: { p }, ...place }: Place): Two {
  const [x, y] = place.x as Two;
  const [trueX, trueY] = place.trueX as Two;
  return [mean(y, trueY, p), mean(x, trueX, p)];
}

function bendsOfProduct(place: Place): Bends {
  const [x, y] = place.x as Two;
  const bends = [
    [ZERO, ONE, ZERO],
    [ONE, ZERO, ZERO],
  ];
  return { formulas: [y, x], bends };
}

/** 1 / y at the double, the mean with the true one, and the product. */
function inverses({ level: { p }, x, trueX }: Place): readonly [Ball, Ball, Ball] {
  const [inverse, trueInverse] = [div(ONE, x[1]!, p), div(ONE, trueX[1]!, p)];
  return [inverse, mean(inverse, trueInverse, p), mul(inverse, trueInverse, p)];
}

function slopesOfQuotient(place: Place): Two {
  const [, middle, both] = inverses(place);
  const { p } = place.level;
  return [middle, neg(mul(mean(place.x[0]!, place.trueX[0]!, p), both, p))];
}

/** 1 / y, and -out / y as a product of out and 1 / y. */
function bendsOfQuotient(place: Place): Bends {
  const [inverse, middle, both] = inverses(place);
  const { p } = place.level;
  const bend = mul(mean(place.out, place.trueOut, p), both, p);
  const formulas = [inverse, neg(div(place.out, place.x[1]!, p))];
  const bends = [
    [ZERO, neg(both), ZERO],
    [ZERO, bend, neg(middle)],
  ];
  return { formulas, bends };
}

function leads({ level, ...place }: Place): Two {
  const [x, trueX] = [place.x as Two, place.trueX as Two];
  return [minus(level, ...x), definite(level, minus(level, ...trueX))];
}

/** max(x, y) = (x + y + |x - y|) / 2; min has a minus. */
function slopesOfChoice(place: Place): Two {
  const [lead, trueLead] = leads(place);
  const { level, symbol } = place;
  const sizes: Two = [magnitude(lead), magnitude(trueLead)];
  let slope = across(sizes, (a) => signum(level, a), lead, trueLead, level.p);
  if (symbol === "min") slope = neg(slope);
  return [halve(add(ONE, slope, level.p)), halve(sub(ONE, slope, level.p))];
}

function bendsOfChoice(place: Place): Bends {
  const [lead, trueLead] = leads(place);
  const { level, symbol } = place;
  const signs: Two = [signum(level, lead), signum(level, trueLead)];
  let jump = halve(across(signs, () => ZERO, lead, trueLead, level.p));
  if (symbol === "min") jump = neg(jump);
  const formulas = ROWS[symbol]!.slopes(level, place.out, ...place.x);
  const bends = [
    [jump, neg(jump), ZERO],
    [neg(jump), jump, ZERO],
  ];
  return { formulas, bends };
}

function slopesOfKink(place: Place): readonly Ball[] {
  const [x, trueX] = [place.x[0]!, definite(place.level, place.trueX[0]!)];
  const at: Two = [place.value, place.trueOut];
  return [across(at, slopeOf(place), x, trueX, place.level.p)];
}

function bendsOfKink(place: Place): Bends {
  const [x, trueX] = [place.x[0]!, definite(place.level, place.trueX[0]!)];
  const formula = formulaOf(place);
  const at: Two = [formula, place.trueSlopes[0]!];
  const bend = across(at, () => ZERO, x, trueX, place.level.p);
  return { formulas: [formula], bends: [[bend, ZERO]] };
}

function slopesOfFunction(place: Place): readonly Ball[] {
  const at: Two = [place.value, place.trueOut];
  return [secant(at, slopeOf(place), place.x[0]!, place.trueX[0]!, place.level.p)];
}

function bendsOfFunction(place: Place): Bends {
  const { level, symbol, exponent } = place;
  const [x, trueX, p] = [place.x[0]!, place.trueX[0]!, level.p];
  const byResult = BY_RESULT[symbol];
  if (byResult !== undefined) {
    const [formula, bend] = byResult(place.out, place.trueOut, p);
    return { formulas: [formula], bends: [[ZERO, bend]] };
  }
  const formula = formulaOf(place);
  let bend: Ball;
  if (symbol === "log") bend = neg(div(ONE, mul(x, trueX, p), p));
  else {
    const [second, at]: [Second, Two] = [SECOND[symbol]!, [formula, place.trueSlopes[0]!]];
    bend = secant(at, (a) => second(level, a, ...exponent), x, trueX, p);
  }
  return { formulas: [formula], bends: [[bend, ZERO]] };
}

/** Give the slope at the double, where R3 computes it from the operand. */
function formulaOf({ level, symbol, value, x, exponent }: Place): Ball {
  return ROWS[symbol]!.slopes(level, value, ...x, ...exponent)[0]!;
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

const SLOPES: Readonly<Record<string, (place: Place) => readonly Ball[]>> = {
  "+": slopesOfSum,
  "-": slopesOfSum,
  "*": slopesOfProduct,
  "/": slopesOfQuotient,
  min: slopesOfChoice,
  max: slopesOfChoice,
  relu: slopesOfKink,
  abs: slopesOfKink,
};
const BENDS: Readonly<Record<string, (place: Place) => Bends>> = {
  "+": bendsOfSum,
  "-": bendsOfSum,
  "*": bendsOfProduct,
  "/": bendsOfQuotient,
  min: bendsOfChoice,
  max: bendsOfChoice,
  relu: bendsOfKink,
  abs: bendsOfKink,
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
const SECOND: Readonly<Record<string, Second>> = {
  sin: (level, a) => wave(a, level.p, 2),
  cos: (level, a) => wave(a, level.p, 3),
  softplus: (level, a) => sigmoidSlope(level, sigmoid(level, a), a)[0],
  "**": (level, a, c) => powerBend(level, a, c!),
};
