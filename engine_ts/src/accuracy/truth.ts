/** Program -> the double nearest to each true number: bits are added until every number rounds. */

import type { Document } from "../document.ts";
import { LimitExceeded } from "../errors.ts";
import { abs, bitLength } from "../numerics/builtins.ts";
import { ofDouble, rounded, roundedMiddle, sub } from "./ball.ts";
import type { Ball } from "./ball.ts";
import { LEVELS, passes } from "./program.ts";
import type { MaybeBall, Passes, Program, Reason } from "./program.ts";

/** Of a double. */
export const BITS = 53;
/** What takes long: how many exponentials the result and the slope cost. */
const CALLS: Readonly<Record<string, number>> = {
  exp: 1,
  log: 1,
  tanh: 2,
  sigmoid: 2,
  softplus: 4,
  sin: 4,
  cos: 4,
  "**": 4,
};
const BITS_OF_A_MIDDLE = 60n;

/** A number, rounded once; or null and why. */
export interface Settled {
  readonly double: number | null;
  readonly reason: Exclude<Reason, "undecided"> | "too_large" | null;
  /** Whether it was taken for 0, or for the middle of two doubles, where it may be none. */
  readonly counts: boolean;
}

const RIGHT: Settled = { double: 0, reason: null, counts: false };
const OUT_OF_RANGE: Settled = { double: null, reason: "out_of_range", counts: false };

/** The passes of a program, each level computed once. */
export class Truth {
  readonly program: Program;
  readonly levels: readonly number[];
  readonly #mostWork: number;
  readonly #passes = new Map<number, Passes>();

  /** Compute nothing yet. */
  constructor(program: Program, levels: readonly number[] = LEVELS, mostWork = Infinity) {
    this.program = program;
    this.levels = levels;
    this.#mostWork = mostWork;
  }

  /**
   * Give the passes with p bits.
   *
   * @throws {LimitExceeded} they would be too much work
   */
  at(p: number): Passes {
    let found = this.#passes.get(p);
    if (found === undefined) {
      this.#refuseWork(p);
      found = passes(this.program, p, p === this.levels.at(-1));
      this.#passes.set(p, found);
    }
    return found;
  }

  #refuseWork(p: number): void {
    const actual = truthWork(this.program, p);
    if (actual > this.#mostWork) {
      const message =
        `to tell the true numbers takes ${p} bits, and ${actual} units of work for them; ` +
        `at most ${this.#mostWork} are done`;
      const data = { name: "truth_work", limit: this.#mostWork, actual };
      throw new LimitExceeded(message, null, data);
    }
  }

  /** Give the nodes that took for 0 what may be none, if that had to be. */
  asked(): Set<number> {
    return new Set(this.#passes.get(this.levels.at(-1)!)?.asked);
  }

  /** Add bits until it is told; the last level tells everything. */
  until(told: (found: Passes) => boolean, first = 0): void {
    for (const p of this.levels.slice(first)) {
      if (told(this.at(p))) return;
    }
  }
}

/** Estimate the work of p bits: p / 64 for each node, p**2 / 2**14 for each exponential. */
export function truthWork({ steps }: Program, p: number): number {
  let exponentials = 0;
  for (const { operation } of steps) exponentials += CALLS[operation ?? ""] ?? 0;
  return steps.length * (p >> 6) + exponentials * ((p * p) >> 14);
}

/** Round a number; null where these bits do not tell. */
export function settle(number: MaybeBall, last: boolean): Settled | null {
  if (typeof number === "string") {
    if (number !== "undecided") return { double: null, reason: number, counts: false };
    return last ? OUT_OF_RANGE : null;
  }
  const double = rounded(number);
  if (double === null) return last ? settleLast(number) : null;
  return settledOf(double, false);
}

/** Take what may be 0 for 0, and what is known well for the middle of two doubles. */
function settleLast(a: Ball): Settled {
  if (a.m === 0n) return { double: 0, reason: null, counts: true };
  if (abs(a.m) >> BITS_OF_A_MIDDLE <= a.r) {
    return OUT_OF_RANGE;
  }
  return settledOf(roundedMiddle(a), true);
}

/** Give a double that may be infinite. */
function settledOf(double: number, counts: boolean): Settled {
  if (Number.isFinite(double)) return { double, reason: null, counts };
  return { double: null, reason: "too_large", counts };
}

/** A number of a document: the true one, and how far the double is from it, where both exist. */
export interface Told {
  readonly true: Settled;
  readonly error: Settled | null;
}

/** Tell a real number, too large for a double or not, from none. */
function exists({ true: { double, reason } }: Told): boolean {
  return double !== null || reason === "too_large";
}

const EXACT: Told = { true: RIGHT, error: RIGHT };

/** The data and gradients of all nodes. */
export interface Numbers {
  readonly data: readonly Told[];
  readonly grads: readonly Told[];
  /** Nodes where a decision took for 0 what may be none. */
  readonly asked: ReadonlySet<number>;
}

/** Give these nodes, and those with a number that was taken for 0, or for a middle. */
export function countsAsZero({ data, grads, asked }: Numbers): number[] {
  const nodes = data.keys();
  return [...nodes].filter(
    (node) => asked.has(node) || data[node]!.true.counts || grads[node]!.true.counts,
  );
}

/**
 * Tell all data and gradients, and what those of the document are off by.
 *
 * A number is told once all that it is made of is, and depends on it, so that the answer does not
 * depend on how fast bits are added.
 */
export function trueNumbers(truth: Truth, document: Document | null): Numbers {
  const { steps } = truth.program;
  const data: (Told | null)[] = steps.map(() => null);
  const grads = [...data];
  const nodes = document?.nodes;
  truth.until((found) => {
    for (const [node, { operands }] of steps.entries()) {
      if (data[node] !== null) continue;
      const madeOf = operands.map((operand) => data[operand] ?? null);
      if (!madeOf.includes(null)) {
        data[node] = toldOf(found, found.data[node]!, madeOf, nodes?.[node]!.data ?? null);
      }
    }
    // A number that a gradient is made of and that is not told, or does not exist.
    const waits: (Told | null)[] = steps.map(() => EXACT);
    for (let node = steps.length - 1; node >= 0; node--) {
      const wait = waits[node]!;
      if (grads[node] === null && wait !== null) {
        grads[node] = toldOf(found, found.grads[node]!, [wait], nodes?.[node]!.grad ?? null);
      }
      for (const each of [data[node]!, grads[node]!]) {
        if (each !== null && exists(each)) continue;
        for (const operand of steps[node]!.operands) waits[operand] &&= each;
      }
    }
    return !data.includes(null) && !grads.includes(null);
  });
  // The last level tells all.
  return { data: data as Told[], grads: grads as Told[], asked: truth.asked() };
}

/** Round a number that is made of others, and its error. */
function toldOf(
  { level }: Passes,
  number: MaybeBall,
  madeOf: readonly (Told | null)[],
  double: number | null,
): Told | null {
  const lost = level.last && madeOf.some((each) => each !== null && !exists(each));
  if (lost && typeof number !== "string") number = "depends";
  const real = settle(number, level.last);
  if (real === null || real.double === null || double === null || typeof number === "string") {
    return real && { true: real, error: null };
  }
  if (double === real.double && number.r === 0n && bitLength(number.m) <= BITS) {
    return { true: real, error: RIGHT };
  }
  const error = settle(sub(ofDouble(double), number, level.p), level.last);
  return error && { true: real, error };
}
