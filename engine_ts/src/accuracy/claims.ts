/**
 * Claimed gradients + exact ones -> verdicts: a claim is compared with the exact one alone.
 */

import { NODES_PER_CHECK } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import { NoNumber } from "../numerics/exact.ts";
import { isZero, magnitude, mul, ofDouble, sign, sub } from "./ball.ts";
import type { Ball } from "./ball.ts";
import { minus } from "./enclosures.ts";
import type { Level } from "./enclosures.ts";
import { backward, countsAsZero, settle } from "./truth.ts";
import type { MaybeBall, Numbers, Passes, BallProgram, Settled, BallStep, Truth } from "./truth.ts";

export type Verdict = "agrees" | "rounding" | "differs" | "at_kink" | "no_truth";

/** Operations with constant slopes. */
const LINEAR: ReadonlySet<string | null> = new Set(["+", "-", "neg"]);
const KINKS: ReadonlySet<string | null> = new Set(["relu", "abs", "min", "max"]);
const MAX_KINKS = 100;

/** The verdict on a claim. */
export interface Judged {
  readonly verdict: Verdict;
  readonly error: Settled | null;
  /** Sum of |product of slopes| over all paths. */
  readonly scale: Settled | null;
  /** The first nodes at a kink on these paths. */
  readonly kinks: readonly number[];
}

const NO_TRUTH: Judged = { verdict: "no_truth", error: null, scale: null, kinks: [] };

/** A claimed gradient of a node. */
export interface Case {
  readonly node: number;
  readonly claim: number;
  /** The document's gradient, if it has one. */
  readonly computed: number | null;
}

/**
 * Judge each claim.
 *
 * @param truth of the numbers; its deadline is checked
 * @param numbers all exact values
 * @param cases the claims
 * @param tolerance allowed error, as a share of the exact gradient or of its scale
 */
export function judge(
  truth: Truth,
  numbers: Numbers,
  cases: readonly Case[],
  tolerance: number,
): Judged[] {
  const { program, deadline } = truth;
  const judged: (Judged | null)[] = cases.map(() => null);
  const doubtful = doubtfulGrads(program, numbers);
  if (cases.length > 0) {
    truth.until((found) => {
      const scales = scalesOf(program, found, deadline);
      const kinks = kinksOf(program, found, deadline);
      for (const [index, { node, ...claim }] of cases.entries()) {
        const { double, reason } = numbers.grads[node]!.true;
        if (reason !== null || doubtful.has(node)) judged[index] = NO_TRUTH;
        else if (judged[index] === null) {
          const answer = judgedOf(found, { node, ...claim }, double, scales[node]!, tolerance);
          judged[index] = answer && atKinks(answer, kinks[node]!);
        }
      }
      return !judged.includes(null);
    });
  }
  return judged.map((each) => each ?? NO_TRUTH);
}

/** Compare over the reals; null if p bits cannot decide it. Kinks are not considered here. */
function judgedOf(
  { level, grads }: Passes,
  { node, claim, computed }: Case,
  nearest: number | null,
  scale: MaybeBall,
  tolerance: number,
): Judged | null {
  const grad = grads[node]!;
  if (typeof grad === "string" || typeof scale === "string") return null;
  const part = ofDouble(tolerance);
  let off: Ball;
  let agrees: boolean | null;
  let lost: boolean | null;
  try {
    off = sub(ofDouble(claim), grad, level.p);
    const room = mul(part, scale, level.p);
    agrees = claim === nearest || within(level, off, mul(part, grad, level.p));
    lost = within(level, off, room);
    if (computed !== null && lost === false) {
      lost = within(level, sub(ofDouble(claim), ofDouble(computed), level.p), room);
    }
  } catch (error) {
    if (!(error instanceof NoNumber)) throw error;
    return null;
  }
  const error = settle(off, level);
  const size = settle(scale, level);
  if (error === null || size === null || agrees === null || lost === null) return null;
  const verdict = agrees ? "agrees" : lost ? "rounding" : "differs";
  return { verdict, error, scale: size, kinks: [] };
}

/** Return whether |x| <= |y|; numbers that the last level cannot order count as equal. */
function within(level: Level, a: Ball, b: Ball): boolean | null {
  const side = sign(sub(magnitude(b), magnitude(a), level.p));
  if (side === null) return level.last ? true : null;
  return side >= 0;
}

/** Add the kinks; at a kink, a differing slope may be a valid choice. */
function atKinks(judged: Judged, kinks: readonly number[]): Judged {
  const isAtKink = kinks.length > 0 && judged.verdict === "differs";
  return { ...judged, verdict: isAtKink ? "at_kink" : judged.verdict, kinks };
}

/** Sum |products| over all paths: a backward pass with all slopes above 0. */
function scalesOf(program: BallProgram, found: Passes, deadline: Deadline): MaybeBall[] {
  const { level, slopes, doubtful } = found;
  const sizes = slopes.map((each) =>
    each.map((slope) => (typeof slope === "string" ? slope : magnitude(slope))),
  );
  return backward(program, level, sizes, doubtful, deadline);
}

/** List for each node the first nodes at a kink that depend on it. */
function kinksOf({ steps }: BallProgram, found: Passes, deadline: Deadline): (readonly number[])[] {
  const above: (readonly number[])[] = steps.map(() => []);
  for (let node = steps.length - 1; node >= 0; node--) {
    if (node % NODES_PER_CHECK === 0) deadline.check();
    const step = steps[node]!;
    const here = isAtKink(step, found) ? [node, ...above[node]!] : above[node]!;
    if (here.length === 0) continue;
    for (const operand of step.operands) {
      const reached = new Set([...above[operand]!, ...here]);
      above[operand] = [...reached].sort((one, other) => one - other).slice(0, MAX_KINKS);
    }
  }
  return above;
}

/** List the first nodes at a kink, once all exact values are computed. */
export function firstKinks({ program, latest, deadline }: Truth): number[] {
  const found: number[] = [];
  for (const [node, step] of deadline.over([...program.steps.entries()], NODES_PER_CHECK)) {
    if (found.length === MAX_KINKS) break;
    if (isAtKink(step, latest)) found.push(node);
  }
  return found;
}

function isAtKink({ operation, operands }: BallStep, { level, data }: Passes): boolean {
  if (!KINKS.has(operation)) return false;
  const [x, y] = operands.map((operand) => data[operand]!);
  if (typeof x !== "object" || typeof y === "string") return false;
  return isZero(y === undefined ? x : minus(level, x, y));
}

/**
 * Find the nodes whose gradients depend on a number treated as 0 that may not be 0.
 */
function doubtfulGrads({ steps }: BallProgram, numbers: Numbers): Set<number> {
  if (countsAsZero(numbers).length === 0) return new Set();
  const { assumedZero } = numbers;
  const data = new Set(assumedZero);
  for (const [node, each] of numbers.data.entries()) if (each.true.counts) data.add(node);
  const grads = new Set<number>();
  for (const [node, each] of numbers.grads.entries()) if (each.true.counts) grads.add(node);
  for (const [node, { operands }] of steps.entries()) {
    if (operands.some((operand) => data.has(operand))) data.add(node);
  }
  for (let node = steps.length - 1; node >= 0; node--) {
    const { operation, operands } = steps[node]!;
    for (const [slot, operand] of operands.entries()) {
      const read = operation === "*" ? operands.filter((_, other) => other !== slot) : operands;
      const steep = !LINEAR.has(operation) && read.some((each) => data.has(each));
      if (grads.has(node) || assumedZero.has(node) || steep) grads.add(operand);
    }
  }
  return grads;
}
