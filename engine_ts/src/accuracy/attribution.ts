/**
 * Document + exact values -> the roundings that cause a number's error.
 *
 *     error(out) = rounding + sum over operands of mean slope * error(operand)
 *     error(contribution) = rounding + mean(local) * error(incoming) + mean(incoming) * error(local)
 *     error(local) = rounding + sum over the inputs of R3's formula of second slope * error
 *
 * With the mean slope (f(x) - f(y)) / (x - y), a divided difference between the doubles and the
 * exact values, instead of the slope at a point, the chain rule gives the whole error that an
 * operand passes on, not only its first order, even across a kink. A local gradient is a function
 * of the same numbers: its mean slopes by them are the *second slopes*.
 *
 * So the error is a sum over all roundings, each times a weight: its *share*. The sum is exact.
 */

import { NEVER } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import type { GradientDocument } from "../document.ts";
import { abs } from "../numerics/builtins.ts";
import { NoNumber } from "../numerics/exact.ts";
import {
  add,
  div,
  halve,
  isZero,
  magnitude,
  MINUS_ONE,
  mul,
  neg,
  ofDouble,
  ONE,
  RANGE,
  sign,
  sub,
  top,
  ZERO,
} from "./ball.ts";
import type { Ball } from "./ball.ts";
import { definite, ENCLOSURES, minus, signum } from "./enclosures.ts";
import type { Level } from "./enclosures.ts";
import { final, missing, stepsPerCheck } from "./truth.ts";
import type { MaybeBall, Passes, BallProgram, Reason, BallStep } from "./truth.ts";

type Curve = (x: Ball) => Ball;
type Two = readonly [Ball, Ball];

/** An operation at two points: its operands and result at the doubles, and the exact ones. */
interface TwoPoints {
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

/** Factors from other errors to the error of a local gradient, by slot. */
interface SecondSlopes {
  /** The local gradients by R3's formulas at the doubles, not rounded. */
  readonly formulas: readonly MaybeBall[];
  /**
   * The factor of the error of each operand, and last of the result, in that of a local gradient.
   */
  readonly slopes: readonly (readonly MaybeBall[])[];
}

/**
 * Compute the factor of each operand's error in the error of the result.
 *
 * @throws {NoNumber} it does not exist, or p bits cannot decide, as `secondSlopesOf`
 */
function slopesOf(points: TwoPoints): readonly Ball[] {
  return (SLOPES[points.symbol] ?? slopesOfFunction)(points);
}

/** Compute the same of the local gradients. */
function secondSlopesOf(points: TwoPoints): SecondSlopes {
  return (SECOND_SLOPES[points.symbol] ?? secondSlopesOfFunction)(points);
}

/** (x + y) / 2. */
function mean(a: Ball, b: Ball, p: number): Ball {
  return halve(add(a, b, p));
}

/**
 * (f(x) - f(y)) / (x - y); a slope in between if x and y are too near to divide.
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

/** Compute the same for a function with its only kink or jump at 0. */
function acrossKink(at: Two, slope: Curve, a: Ball, b: Ball, p: number): Ball {
  if (sign(a) === sign(b)) return slope(a);
  return div(sub(...at, p), sub(a, b, p), p);
}

function slopesOfSum({ symbol }: TwoPoints): Two {
  return [ONE, symbol === "+" ? ONE : MINUS_ONE];
}

function secondSlopesOfSum(points: TwoPoints): SecondSlopes {
  const none = [ZERO, ZERO, ZERO];
  return { formulas: slopesOfSum(points), slopes: [none, none] };
}

function slopesOfProduct({ level: { p }, ...points }: TwoPoints): Two {
  const [x, y] = points.x as Two;
  const [trueX, trueY] = points.trueX as Two;
  return [mean(y, trueY, p), mean(x, trueX, p)];
}

function secondSlopesOfProduct(points: TwoPoints): SecondSlopes {
  const [x, y] = points.x as Two;
  const slopes = [
    [ZERO, ONE, ZERO],
    [ONE, ZERO, ZERO],
  ];
  return { formulas: [y, x], slopes };
}

/** 1 / y at the double, its mean with the exact one, and their product. */
function inverses({ level: { p }, x, trueX }: TwoPoints): readonly [Ball, Ball, Ball] {
  const [inverse, trueInverse] = [div(ONE, x[1]!, p), div(ONE, trueX[1]!, p)];
  return [inverse, mean(inverse, trueInverse, p), mul(inverse, trueInverse, p)];
}

function slopesOfQuotient(points: TwoPoints): Two {
  const [, middle, both] = inverses(points);
  const { p } = points.level;
  return [middle, neg(mul(mean(points.x[0]!, points.trueX[0]!, p), both, p))];
}

/** 1 / y, and -out / y as a product of out and 1 / y. */
function secondSlopesOfQuotient(points: TwoPoints): SecondSlopes {
  const [inverse, middle, both] = inverses(points);
  const { p } = points.level;
  const slope = mul(mean(points.out, points.trueOut, p), both, p);
  const formulas = [inverse, neg(div(points.out, points.x[1]!, p))];
  const slopes = [
    [ZERO, neg(both), ZERO],
    [ZERO, slope, neg(middle)],
  ];
  return { formulas, slopes };
}

function leads({ level, ...points }: TwoPoints): Two {
  const [x, trueX] = [points.x as Two, points.trueX as Two];
  return [minus(level, ...x), definite(level, minus(level, ...trueX))];
}

/** max(x, y) = (x + y + |x - y|) / 2; min has a minus. */
function slopesOfChoice(points: TwoPoints): Two {
  const [lead, trueLead] = leads(points);
  const { level, symbol } = points;
  const sizes: Two = [magnitude(lead), magnitude(trueLead)];
  let slope = acrossKink(sizes, (a) => signum(level, a), lead, trueLead, level.p);
  if (symbol === "min") slope = neg(slope);
  return [halve(add(ONE, slope, level.p)), halve(sub(ONE, slope, level.p))];
}

function secondSlopesOfChoice(points: TwoPoints): SecondSlopes {
  const [lead, trueLead] = leads(points);
  const { level, symbol } = points;
  const signs: Two = [signum(level, lead), signum(level, trueLead)];
  let jump = halve(acrossKink(signs, () => ZERO, lead, trueLead, level.p));
  if (symbol === "min") jump = neg(jump);
  const formulas = ENCLOSURES[symbol]!.slopes(level, points.out, ...points.x);
  const slopes = [
    [jump, neg(jump), ZERO],
    [neg(jump), jump, ZERO],
  ];
  return { formulas, slopes };
}

function slopesOfKink(points: TwoPoints): readonly Ball[] {
  const [x, trueX] = [points.x[0]!, definite(points.level, points.trueX[0]!)];
  const at: Two = [points.value, points.trueOut];
  return [acrossKink(at, slopeOf(points), x, trueX, points.level.p)];
}

function secondSlopesOfKink(points: TwoPoints): SecondSlopes {
  const [x, trueX] = [points.x[0]!, definite(points.level, points.trueX[0]!)];
  const formula = formulaOf(points);
  const at: Two = [formula, points.trueSlopes[0]!];
  const slope = acrossKink(at, () => ZERO, x, trueX, points.level.p);
  return { formulas: [formula], slopes: [[slope, ZERO]] };
}

function slopesOfFunction(points: TwoPoints): readonly Ball[] {
  const at: Two = [points.value, points.trueOut];
  return [secant(at, slopeOf(points), points.x[0]!, points.trueX[0]!, points.level.p)];
}

function secondSlopesOfFunction(points: TwoPoints): SecondSlopes {
  const { level, symbol, exponent } = points;
  const [x, trueX, p] = [points.x[0]!, points.trueX[0]!, level.p];
  const row = ENCLOSURES[symbol]!;
  if (row.byResult !== undefined) {
    const [formula, slope] = row.byResult(points.out, points.trueOut, p);
    return { formulas: [formula], slopes: [[ZERO, slope]] };
  }
  const formula = formulaOf(points);
  const at: Two = [formula, points.trueSlopes[0]!];
  const second = orZero((a) => row.second!(level, a, ...exponent));
  const slope = secant(at, second, x, trueX, p);
  return { formulas: [formula], slopes: [[slope, ZERO]] };
}

/** Compute the slope at the double, if R3 computes it from the operand. */
function formulaOf({ level, symbol, value, x, exponent }: TwoPoints): Ball {
  const { slopes } = ENCLOSURES[symbol]!;
  return orZero((a) => slopes(level, value, a, ...exponent)[0]!)(x[0]!);
}

function slopeOf({ level, symbol, exponent }: TwoPoints): Curve {
  const row = ENCLOSURES[symbol]!;
  return orZero((a) => row.slopes(level, row.value(level, a, ...exponent), a, ...exponent)[0]!);
}

/** Return 0 for a slope that is out of range near 0: it passes nothing on. */
function orZero(curve: Curve): Curve {
  return (a) => {
    try {
      return curve(a);
    } catch (error) {
      if (!(error instanceof NoNumber) || !error.nextTo0) throw error;
      return ZERO;
    }
  };
}

const SLOPES: Readonly<Record<string, (points: TwoPoints) => readonly Ball[]>> = {
  "+": slopesOfSum,
  "-": slopesOfSum,
  "*": slopesOfProduct,
  "/": slopesOfQuotient,
  min: slopesOfChoice,
  max: slopesOfChoice,
  relu: slopesOfKink,
  abs: slopesOfKink,
};
const SECOND_SLOPES: Readonly<Record<string, (points: TwoPoints) => SecondSlopes>> = {
  "+": secondSlopesOfSum,
  "-": secondSlopesOfSum,
  "*": secondSlopesOfProduct,
  "/": secondSlopesOfQuotient,
  min: secondSlopesOfChoice,
  max: secondSlopesOfChoice,
  relu: secondSlopesOfKink,
  abs: secondSlopesOfKink,
};
export type RoundingKind = "data" | "local_grad" | "contribution" | "running_grad";
type Edge = GradientDocument["edges"][number];
type Operation = (a: Ball, b: Ball, p: number) => Ball;

/** More bits than the product or sum of any two doubles has. */
const EXACT_BITS = 4400;
/** Contains every number that is out of range near 0; products with it are in range. */
const NEXT_TO_0: Ball = { m: 0n, r: 1n, e: -RANGE / 2 };

/** A rounding of the document, and its weight in the number in question. */
export interface Rounding {
  readonly kind: RoundingKind;
  readonly node: number;
  readonly slot: number | null;
  readonly error: MaybeBall;
  readonly weight: MaybeBall;
}

/** The roundings of a document and all mean slopes, at a level of precision. */
export class ErrorShares {
  readonly data: readonly MaybeBall[];
  readonly grads: readonly MaybeBall[];
  readonly level: Level;
  readonly #steps: readonly BallStep[];
  readonly #found: Passes;
  readonly #deadline: Deadline;
  readonly #p: number;
  /** By node and slot. */
  readonly #edges: readonly (readonly Edge[])[];
  readonly #points: readonly (TwoPoints | null)[];
  /** The running gradient to which a contribution was added, by node and slot. */
  readonly #before: readonly (readonly (number | null)[])[];

  /** Compute all of them once; they are used for every number. */
  constructor(
    { steps }: BallProgram,
    { nodes, edges }: GradientDocument,
    found: Passes,
    deadline: Deadline = NEVER,
  ) {
    this.#steps = steps;
    this.#found = found;
    this.#deadline = deadline;
    this.#p = found.level.p;
    this.level = found.level;
    this.data = nodes.map(({ data }) => exactly(data));
    this.grads = nodes.map(({ grad }) => exactly(grad));
    const slots: Edge[][] = nodes.map(() => []);
    for (const edge of edges) slots[edge.to]![edge.slot] = edge;
    this.#edges = slots;
    this.#points = Array.from(this.#watched([...steps.keys()]), (node) => this.#twoPoints(node));
    this.#before = this.#runningGrads();
  }

  /** Check the deadline at every few nodes. */
  #watched(nodes: readonly number[]): Iterable<number> {
    return this.#deadline.over(nodes, stepsPerCheck(this.#p));
  }

  /**
   * Return an operation at the doubles and at the exact values.
   *
   * Its result is out of range only if it is 0 in the document.
   */
  #twoPoints(node: number): TwoPoints | null {
    const { operation, operands, enclosure, exponent } = this.#steps[node]!;
    if (enclosure === null) return null;
    const { level, ...found } = this.#found;
    const x = operands.map((operand) => this.data[operand] as Ball);
    const trueX = operands.map((operand) => found.data[operand] as Ball);
    const [out, trueOut] = [this.data[node] as Ball, found.data[node] as Ball];
    const trueSlopes = found.slopes[node] as readonly Ball[];
    let value: Ball;
    try {
      value = enclosure.value(level, ...x, ...exponent);
    } catch (error) {
      if (!(error instanceof NoNumber)) throw error;
      value = NEXT_TO_0;
    }
    return { level, symbol: operation!, x, trueX, exponent, value, out, trueOut, trueSlopes };
  }

  /** Compare an operation's doubles with the exact values; else return why there are none. */
  #known<Known>(
    node: number,
    compute: (points: TwoPoints) => Known,
    needed: readonly MaybeBall[] = [],
  ): Known | Reason {
    const points = this.#points[node] ?? null;
    if (points === null) return "depends";
    const reason = missing([...points.trueX, points.trueOut, ...needed]);
    if (reason !== null) return reason;
    try {
      return compute(points);
    } catch (error) {
      return final(points.level, error);
    }
  }

  /** Compute the factor of each operand's error. */
  #slopes(node: number): readonly MaybeBall[] {
    const slopes = this.#known(node, slopesOf);
    return typeof slopes === "string" ? this.#steps[node]!.operands.map(() => slopes) : slopes;
  }

  /** Compute the local gradients at the doubles, and the factors of errors in them. */
  #secondSlopes(node: number): SecondSlopes {
    const slopes = this.#known(node, secondSlopesOf, this.#found.slopes[node]!);
    if (typeof slopes !== "string") return slopes;
    const { operands } = this.#steps[node]!;
    const none = [...operands, node].map(() => slopes);
    return { formulas: none, slopes: operands.map(() => none) };
  }

  /** Find the gradient before each contribution, in R4's order. */
  #runningGrads(): (number | null)[][] {
    const running: (number | null)[] = this.#steps.map(() => 0);
    const before: (number | null)[][] = this.#steps.map(() => []);
    for (const node of this.#watched([...this.#steps.keys()].reverse())) {
      for (const [slot, operand] of this.#steps[node]!.operands.entries()) {
        before[node]!.push(running[operand]!);
        running[operand] = this.#edges[node]![slot]!.running_grad;
      }
    }
    return before;
  }

  /** Yield the roundings in the data of a node. */
  ofData(node: number): Iterable<Rounding> {
    const weights: MaybeBall[] = new Array<MaybeBall>(node + 1).fill(ZERO);
    weights[node] = ONE;
    return this.#ofData(weights);
  }

  *#ofData(weights: MaybeBall[]): Iterable<Rounding> {
    for (const node of this.#watched([...weights.keys()].reverse())) {
      const weight = weights[node]!;
      const points = this.#points[node] ?? null;
      if (isNothing(weight) || points === null) continue;
      const error = this.#less(points.out, points.value);
      yield { kind: "data", node, slot: null, error, weight };
      const slopes = this.#slopes(node);
      for (const [slot, operand] of this.#steps[node]!.operands.entries()) {
        const sent = productOf(weight, slopes[slot]!, this.#p);
        weights[operand] = sumOf(weights[operand]!, sent, this.#p);
      }
    }
  }

  /**
   * Yield the roundings in the gradient of a node.
   *
   * `reach` is the weight of an error in each node's gradient, `weights` that of one in its data.
   */
  *ofGrad(leaf: number): Iterable<Rounding> {
    const p = this.#p;
    const reach: MaybeBall[] = this.#steps.map(() => ZERO);
    reach[leaf] = ONE;
    const weights: MaybeBall[] = this.#steps.map(() => ZERO);
    for (const node of this.#watched([...this.#steps.keys()])) {
      const { operands } = this.#steps[node]!;
      if (operands.every((operand) => isNothing(reach[operand]!))) continue;
      const { formulas, slopes: secondSlopes } = this.#secondSlopes(node);
      for (const [slot, operand] of operands.entries()) {
        let weight = reach[operand]!;
        if (isNothing(weight)) continue;
        const edge = this.#edges[node]![slot]!;
        const [local, sent] = [exactly(edge.local_grad), exactly(edge.contribution)];
        const slope = this.#mean(local, this.#found.slopes[node]![slot]!);
        reach[node] = sumOf(reach[node]!, productOf(weight, slope, p), p);
        const error = this.#less(sent, productOf(this.grads[node]!, local, EXACT_BITS));
        yield { kind: "contribution", node, slot, error, weight };
        const total = sumOf(exactly(this.#before[node]![slot]!), sent, EXACT_BITS);
        const running = this.#less(exactly(edge.running_grad), total);
        yield { kind: "running_grad", node, slot, error: running, weight };
        const incoming = this.#mean(this.grads[node]!, this.#found.grads[node]!);
        weight = productOf(weight, incoming, p);
        const formula = this.#less(local, formulas[slot]!);
        yield { kind: "local_grad", node, slot, error: formula, weight };
        for (const [index, secondSlope] of secondSlopes[slot]!.entries()) {
          const read = operands[index] ?? node;
          weights[read] = sumOf(weights[read]!, productOf(weight, secondSlope, p), p);
        }
      }
    }
    yield* this.#ofData(weights);
  }

  #less(a: MaybeBall, b: MaybeBall): MaybeBall {
    return applied(sub, a, b, this.#p);
  }

  #mean(a: MaybeBall, b: MaybeBall): MaybeBall {
    const total = sumOf(a, b, this.#p);
    return typeof total === "string" ? total : halve(total);
  }

  /** Compute the share of a rounding in the error. */
  share({ weight, error }: Rounding): MaybeBall {
    return productOf(weight, error, this.#p);
  }
}

function exactly(x: number | null): MaybeBall {
  return x === null ? "depends" : ofDouble(x);
}

function isNothing(a: MaybeBall): boolean {
  return typeof a !== "string" && isZero(a);
}

/** Multiply; 0 times an unknown is 0, since it passes nothing on. */
function productOf(a: MaybeBall, b: MaybeBall, p: number): MaybeBall {
  return isNothing(a) || isNothing(b) ? ZERO : applied(mul, a, b, p);
}

function sumOf(a: MaybeBall, b: MaybeBall, p: number): MaybeBall {
  return applied(add, a, b, p);
}

function applied(operation: Operation, a: MaybeBall, b: MaybeBall, p: number): MaybeBall {
  if (typeof a === "string" || typeof b === "string") return missing([a, b])!;
  try {
    return operation(a, b, p);
  } catch (error) {
    if (!(error instanceof NoNumber)) throw error;
    return error.nextTo0 ? ZERO : error.reason;
  }
}
