/**
 * Outline + values -> the double nearest to each exact value: bits are added until all round.
 *
 * At each level of precision, a forward and a backward pass compute balls of all data, slopes and
 * gradients.
 */

import { NEVER, NODES_PER_CHECK } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import type { GradientDocument, Outline } from "../document.ts";
import { LimitExceeded } from "../errors.ts";
import { bitLength } from "../numerics/builtins.ts";
import { NoNumber } from "../numerics/exact.ts";
import type { WhyNone } from "../numerics/exact.ts";
import { CUSTOM, NO_GRADIENT, staleCustom } from "../operations.ts";
import { nearMidpoint, KNOWN, mul, ofDouble, ONE } from "./ball.ts";
import { rounded, roundedMidpoint, sub, ZERO } from "./ball.ts";
import type { Ball } from "./ball.ts";
import { COUNTS, ENCLOSURES, Level, plus, SLACK } from "./enclosures.ts";
import type { Enclosure } from "./enclosures.ts";

/**
 * Bits. From KNOWN on, a sum of well-known numbers counts as 0 or has bits to lose; further levels
 * are for numbers that have lost some. The last level is the one after the first at which no number
 * needs more bits.
 */
export const LEVELS: readonly number[] = [
  ...[128, 256, 512, 1280],
  ...[1, 2, 4, 8, 16, 32, 64].map((times) => KNOWN * times),
];
/**
 * A number nearer than 2**-MIDPOINT of itself to the midpoint of two doubles counts as the midpoint.
 */
const MIDPOINT = COUNTS + 128;

/** Why there is no number; "undecided" only while bits are added. */
export type Reason = WhyNone | "depends";
export type MaybeBall = Ball | Reason;

/** A node: an operation on earlier nodes, or a leaf. */
export interface BallStep {
  readonly operation: string | null;
  /** Operands that a gradient flows into. */
  readonly operands: readonly number[];
  readonly enclosure: Enclosure | null;
  /** The exponent of `**`, else null. */
  readonly exponent: readonly number[];
}

/** Steps in topological order, and the balls of the leaves. */
export interface BallProgram {
  readonly steps: readonly BallStep[];
  /** Those of operations are 0. */
  readonly leaves: readonly Ball[];
  readonly root: number;
}

/** The results of a forward and a backward pass, by node; slopes by slot. */
export interface Passes {
  readonly level: Level;
  readonly data: readonly MaybeBall[];
  readonly slopes: readonly (readonly MaybeBall[])[];
  readonly grads: readonly MaybeBall[];
  /** Nodes that treated as 0 a number that may not be 0. */
  readonly assumedZero: ReadonlySet<number>;
  /** Whether a node's data depends on a number that counts as 0. */
  readonly doubtful: readonly boolean[];
}

/**
 * Take the graph of an outline or a document; `values` has the data of variables by name.
 *
 * @param outline of the program; only nodes and edges are read
 * @param values a document's own, or those of the request
 * @param deadline of the computation
 */
export function ballProgram(
  { nodes, edges, root }: Outline | GradientDocument,
  values: ReadonlyMap<string, number>,
  deadline: Deadline = NEVER,
): BallProgram {
  const slots: number[][] = nodes.map(() => []);
  for (const { from, to } of edges) slots[to]!.push(from);
  const steps: BallStep[] = [];
  const leaves: Ball[] = [];
  for (const { id, kind, operation, label, data } of deadline.over(nodes, NODES_PER_CHECK)) {
    const operands = slots[id]!;
    if (operation === null) {
      leaves.push(ofDouble(kind === "constant" ? data! : values.get(label!)!));
      steps.push({ operation, operands, enclosure: null, exponent: [] });
    } else {
      if (operation === CUSTOM) {
        const numbers = operands.map((operand) => nodes[operand]!.data!);
        throw staleCustom((nodes[id] as { name?: string }).name!, id, numbers);
      }
      const count = operation === NO_GRADIENT.symbol ? NO_GRADIENT.slot : operands.length;
      const exponent = operands.splice(count).map((operand) => nodes[operand]!.data!);
      leaves.push(ZERO);
      steps.push({ operation, operands, enclosure: ENCLOSURES[operation]!, exponent });
    }
  }
  return { steps, leaves, root };
}

/**
 * Compute everything with p bits.
 *
 * @throws {DeadlineExceeded} the deadline has passed
 */
function passes(
  program: BallProgram,
  p: number,
  last: boolean,
  deadline: Deadline = NEVER,
): Passes {
  const level = new Level(p, last);
  const assumedZero = new Set<number>();
  const data: MaybeBall[] = [...program.leaves];
  const slopes: (readonly MaybeBall[])[] = data.map(() => []);
  const doubtful = data.map(() => false);
  const watched = deadline.over([...program.steps.entries()], stepsPerCheck(p));
  for (const [node, { operands, enclosure, exponent }] of watched) {
    if (enclosure === null) continue;
    level.assumedZero = false;
    level.doubtful = operands.some((operand) => doubtful[operand]);
    const numbers = operands.map((operand) => data[operand]!);
    const reason = missing(numbers);
    if (reason === null) {
      const known = exponent.length > 0 ? [...(numbers as Ball[]), ...exponent] : numbers;
      [data[node], slopes[node]] = enclosed(level, enclosure, known as Ball[], operands.length);
    } else {
      data[node] = reason;
      slopes[node] = operands.map(() => reason);
    }
    doubtful[node] = level.doubtful;
    if (level.assumedZero) assumedZero.add(node);
  }
  const grads = backward(program, level, slopes, doubtful, deadline);
  return { level, data, slopes, grads, assumedZero, doubtful };
}

/** Return how many steps with p bits fit between two deadline checks: a few milliseconds. */
export function stepsPerCheck(p: number): number {
  return Math.max(1, Math.floor(8192 / p));
}

/** Compute the result and the slopes, or the reason why there are none. */
function enclosed(
  level: Level,
  enclosure: Enclosure,
  operands: readonly (Ball | number)[],
  count: number,
): [MaybeBall, readonly MaybeBall[]] {
  let out: Ball;
  try {
    out = existing(level, enclosure.value(level, ...operands));
  } catch (error) {
    const reason = final(level, error);
    return [reason, new Array<Reason>(count).fill(missing([reason])!)];
  }
  try {
    return [out, enclosure.slopes(level, out, ...operands)];
  } catch (error) {
    return [out, new Array<Reason>(count).fill(final(level, error))];
  }
}

/** Return a number that can be rounded, once sums count as 0. */
function existing(level: Level, number: Ball): Ball {
  if (level.counts && number.r !== 0n) {
    const settled = settle(number, level);
    if (settled === null || settled.reason === "out_of_range") throw new NoNumber("undecided");
  }
  return number;
}

/** Return why a result of these numbers does not exist, or null if all of them exist. */
export function missing(numbers: readonly MaybeBall[]): Reason | null {
  let found: Reason | null = null;
  for (const number of numbers) {
    if (typeof number !== "string") continue;
    if (number !== "undecided") return "depends";
    found = number;
  }
  return found;
}

/**
 * Return a reason: a number that the last level cannot decide is out of range.
 *
 * @throws {Error} the error is not about a missing number
 */
export function final(level: Level, error: unknown): Reason {
  if (!(error instanceof NoNumber)) throw error;
  if (error.reason !== "undecided") return error.reason;
  level.waits ||= !level.doubtful;
  return level.last ? "out_of_range" : "undecided";
}

/** Sum up the gradients in the order of R4; gradients of doubtful data are doubtful, too. */
export function backward(
  program: BallProgram,
  level: Level,
  slopes: readonly (readonly MaybeBall[])[],
  doubtful: readonly boolean[],
  deadline: Deadline = NEVER,
): MaybeBall[] {
  const grads: MaybeBall[] = slopes.map(() => ZERO);
  grads[program.root] = ONE;
  const doubtfulGrads = slopes.map(() => false);
  for (let node = slopes.length - 1; node >= 0; node--) {
    if (node % NODES_PER_CHECK === 0) deadline.check();
    const { operands } = program.steps[node]!;
    level.doubtful = doubtfulGrads[node]!;
    const incoming = (grads[node] = existingGrad(level, grads[node]!));
    const sendsDoubt =
      level.doubtful || doubtful[node]! || operands.some((operand) => doubtful[operand]);
    for (const [slot, operand] of operands.entries()) {
      const slope = slopes[node]![slot]!;
      const before = grads[operand]!;
      level.doubtful = sendsDoubt || doubtfulGrads[operand]!;
      if (typeof before === "string" || typeof incoming === "string" || typeof slope === "string") {
        grads[operand] = reasonOfSum(before, incoming, slope);
      } else {
        try {
          const sent = slope === ONE ? incoming : mul(incoming, slope, level.p);
          grads[operand] = before === ZERO ? sent : plus(level, before, sent);
        } catch (error) {
          grads[operand] = final(level, error);
        }
      }
      doubtfulGrads[operand] = level.doubtful;
    }
  }
  level.doubtful = true; // results computed from these numbers are unknown
  return grads;
}

/** Return a gradient that can be rounded, or why there is none. */
function existingGrad(level: Level, grad: MaybeBall): MaybeBall {
  try {
    return typeof grad === "string" ? grad : existing(level, grad);
  } catch (error) {
    return final(level, error);
  }
}

/** Keep the first reason, once all are known. */
function reasonOfSum(before: MaybeBall, incoming: MaybeBall, slope: MaybeBall): Reason {
  const sent = missing([incoming]) ?? slope;
  if (before === "undecided" || sent === "undecided") return "undecided";
  return typeof before === "string" ? before : (sent as Reason);
}

/** For a double. */
export const BITS = 53;

/** A number, rounded once; or null and the reason. */
export interface Settled {
  readonly double: number | null;
  readonly reason: Exclude<Reason, "undecided"> | "too_large" | null;
  /** Whether it was treated as 0 or as a midpoint of two doubles without being known to be. */
  readonly counts: boolean;
}

const RIGHT: Settled = { double: 0, reason: null, counts: false };
const OUT_OF_RANGE: Settled = { double: null, reason: "out_of_range", counts: false };

/** The passes of a program, each level computed once. */
export class Truth {
  readonly program: BallProgram;
  readonly deadline: Deadline;
  readonly #mostWork: number;
  readonly #passes = new Map<number, Passes>();

  /** Compute nothing until it is needed. */
  constructor(program: BallProgram, mostWork = Infinity, deadline: Deadline = NEVER) {
    this.program = program;
    this.deadline = deadline;
    this.#mostWork = mostWork;
  }

  /**
   * Return the passes with p bits.
   *
   * @throws {LimitExceeded} that would be too much work
   * @throws {DeadlineExceeded} the deadline has passed
   */
  at(p: number): Passes {
    let found = this.#passes.get(p);
    if (found === undefined) {
      this.#refuseWork(p);
      found = passes(this.program, p, this.#isLast(p), this.deadline);
      this.#passes.set(p, found);
    }
    return found;
  }

  /** Return whether the level before left only numbers that count as 0 undecided. */
  #isLast(p: number): boolean {
    if (p === LEVELS.at(-1)) return true;
    const before = this.#passes.get(LEVELS[LEVELS.indexOf(p) - 1]!)?.level;
    return before !== undefined && before.counts && !before.waits;
  }

  #refuseWork(p: number): void {
    const actual = truthWork(this.program, p);
    if (actual > this.#mostWork) {
      const message =
        `computing the exact values takes ${p} bits and ${actual} units of work; ` +
        `at most ${this.#mostWork} are accepted`;
      const data = { name: "truth_work", limit: this.#mostWork, actual };
      throw new LimitExceeded(message, null, data);
    }
  }

  /** The passes with most bits, of those that were needed. */
  get latest(): Passes {
    return [...this.#passes.values()].at(-1)!;
  }

  /** Return the nodes that had to treat as 0 a number that may not be 0. */
  assumedZero(): Set<number> {
    const counting = [...this.#passes.values()].filter(({ level }) => level.counts);
    return new Set(counting.at(-1)?.assumedZero);
  }

  /** Add bits until it is decided; the last level decides everything. */
  until(decided: (found: Passes) => boolean, first = 0): void {
    for (const p of LEVELS.slice(first)) {
      const found = this.at(p);
      if (decided(found) || found.level.last) return;
    }
  }
}

/** Estimate the work of p bits: p / 64 for each node, p**2 / 2**14 for each exponential. */
function truthWork({ steps }: BallProgram, p: number): number {
  let exponentials = 0;
  for (const { enclosure } of steps) exponentials += enclosure?.exponentials ?? 0;
  return steps.length * (p >> 6) + exponentials * Math.floor((p * p) / 2 ** 14);
}

/** Round a number; null if p bits cannot decide it. */
export function settle(number: MaybeBall, level: Level): Settled | null {
  if (typeof number === "string") {
    if (number !== "undecided") return { double: null, reason: number, counts: false };
    return level.last ? OUT_OF_RANGE : null;
  }
  if (!level.counts || number.r === 0n) {
    const double = rounded(number);
    return double === null ? null : settledOf(double, false);
  }
  return settleCounting(number, level.last);
}

/** Treat a number that may be 0 as 0, and one next to a midpoint as the midpoint. */
function settleCounting(a: Ball, last: boolean): Settled | null {
  const double = rounded(a);
  if (a.m === 0n) return settledOf(0, double === null);
  let near = nearMidpoint(a, MIDPOINT);
  if (near === null && last) near = double === null && nearMidpoint(a, COUNTS - SLACK);
  if (near) return settledOf(roundedMidpoint(a), true);
  if (double !== null && near === false) return settledOf(double, false);
  return last ? OUT_OF_RANGE : null;
}

/** Choose the double, which may be infinite. */
function settledOf(double: number, counts: boolean): Settled {
  if (Number.isFinite(double)) return { double, reason: null, counts };
  return { double: null, reason: "too_large", counts: false };
}

/** A number of a document: its exact value, and the error of the double, if both exist. */
export interface Compared {
  readonly true: Settled;
  readonly error: Settled | null;
}

/** Whether there is a real number, even one too large for a double. */
function exists({ true: { double, reason } }: Compared): boolean {
  return double !== null || reason === "too_large";
}

const EXACT: Compared = { true: RIGHT, error: RIGHT };

/** The data and gradients of all nodes. */
export interface Numbers {
  readonly data: readonly Compared[];
  readonly grads: readonly Compared[];
  /** Nodes where a decision treated as 0 a number that may not be 0. */
  readonly assumedZero: ReadonlySet<number>;
}

/** List these nodes, and those with a number that was treated as 0 or as a midpoint. */
export function countsAsZero({ data, grads, assumedZero }: Numbers): number[] {
  const nodes = data.keys();
  return [...nodes].filter(
    (node) => assumedZero.has(node) || data[node]!.true.counts || grads[node]!.true.counts,
  );
}

/**
 * Return all exact data and gradients, and the errors of the document's.
 *
 * A number is decided once all numbers that it depends on are, so the answer does not depend on how
 * fast bits are added.
 */
export function trueNumbers(truth: Truth, document: GradientDocument | null): Numbers {
  const { deadline } = truth;
  const { steps } = truth.program;
  const data: (Compared | null)[] = steps.map(() => null);
  const grads = [...data];
  const nodes = document?.nodes;
  truth.until((found) => {
    for (const [node, { operands }] of deadline.over([...steps.entries()], NODES_PER_CHECK)) {
      if (data[node] !== null) continue;
      const madeOf = operands.map((operand) => data[operand] ?? null);
      if (!madeOf.includes(null)) {
        data[node] = comparedOf(found, found.data[node]!, nodes?.[node]!.data ?? null);
      }
    }
    // A number that a gradient depends on and that is undecided or does not exist.
    const waits: (Compared | null)[] = steps.map(() => EXACT);
    for (let node = steps.length - 1; node >= 0; node--) {
      if (node % NODES_PER_CHECK === 0) deadline.check();
      if (grads[node] === null && waits[node] !== null) {
        grads[node] = comparedOf(found, found.grads[node]!, nodes?.[node]!.grad ?? null);
      }
      for (const each of [data[node]!, grads[node]!]) {
        if (each !== null && exists(each)) continue;
        for (const operand of steps[node]!.operands) waits[operand] &&= each;
      }
    }
    return !data.includes(null) && !grads.includes(null);
  });
  // The last level decides everything.
  return { data: data as Compared[], grads: grads as Compared[], assumedZero: truth.assumedZero() };
}

/** Round a number, and its error. */
function comparedOf({ level }: Passes, number: MaybeBall, double: number | null): Compared | null {
  const real = settle(number, level);
  if (real === null || real.double === null || double === null || typeof number === "string") {
    return real && { true: real, error: null };
  }
  if (double === real.double && number.r === 0n && bitLength(number.m) <= BITS) {
    return { true: real, error: RIGHT };
  }
  const error = settle(sub(ofDouble(double), number, level.p), level);
  return error && { true: real, error };
}
