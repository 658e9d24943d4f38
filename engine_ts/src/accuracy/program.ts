/** Outline + values -> balls of all data, slopes and gradients, at a level of precision. */

import { CUSTOM, NO_GRADIENT, staleCustom } from "../operations.ts";
import type { Document, Outline } from "../document.ts";
import { mul, NoNumber, ofDouble, ONE, ZERO } from "./ball.ts";
import type { Ball, NoBall } from "./ball.ts";
import { COUNTS, Level, plus, ROWS } from "./rows.ts";
import type { Row } from "./rows.ts";

/** Bits. At the last level a sum that does not count as 0 has bits to lose. */
export const LEVELS: readonly number[] = [128, 256, 512, 1280, COUNTS + 256];

/** Why there is no number; "undecided" only while bits are added. */
export type Reason = NoBall | "depends";
export type MaybeBall = Ball | Reason;

/** A node: an operation on earlier nodes, or a leaf. */
export interface Step {
  readonly operation: string | null;
  /** Those that a gradient flows into. */
  readonly operands: readonly number[];
  readonly row: Row | null;
  /** Of `**`; else there is none. */
  readonly exponent: readonly number[];
}

/** What is computed: steps in topological order, and the balls of the leaves. */
export interface Program {
  readonly steps: readonly Step[];
  /** Those of operations are 0. */
  readonly leaves: readonly Ball[];
  readonly root: number;
}

/** What a forward and a backward pass give, by node; slopes by slot. */
export interface Passes {
  readonly level: Level;
  readonly data: readonly MaybeBall[];
  readonly slopes: readonly (readonly MaybeBall[])[];
  readonly grads: readonly MaybeBall[];
  /** Nodes that took for 0 what may be none. */
  readonly asked: ReadonlySet<number>;
}

/**
 * Take the graph of an outline or a document; `values` has the data of variables by name.
 *
 * @param outline its nodes and edges are read
 * @param values a document's own, or those of the request
 */
export function programOf(
  { nodes, edges, root }: Outline | Document,
  values: ReadonlyMap<string, number>,
): Program {
  const slots: number[][] = nodes.map(() => []);
  for (const { from, to } of edges) slots[to]!.push(from);
  const steps: Step[] = [];
  const leaves: Ball[] = [];
  for (const [id, { kind, operation, label, data }] of nodes.entries()) {
    const operands = slots[id]!;
    if (operation === null) {
      leaves.push(ofDouble(kind === "constant" ? data! : values.get(label!)!));
      steps.push({ operation, operands, row: null, exponent: [] });
    } else {
      if (operation === CUSTOM) {
        const numbers = operands.map((operand) => nodes[operand]!.data!);
        throw staleCustom((nodes[id] as { name?: string }).name!, id, numbers);
      }
      const count = operation === NO_GRADIENT.symbol ? NO_GRADIENT.slot : operands.length;
      const exponent = operands.splice(count).map((operand) => nodes[operand]!.data!);
      leaves.push(ZERO);
      steps.push({ operation, operands, row: ROWS[operation]!, exponent });
    }
  }
  return { steps, leaves, root };
}

/** Compute everything with p bits. */
export function passes(program: Program, p: number, last: boolean): Passes {
  const level = new Level(p, last);
  const asked = new Set<number>();
  const data: MaybeBall[] = [...program.leaves];
  const slopes: (readonly MaybeBall[])[] = data.map(() => []);
  for (const [node, { operands, row, exponent }] of program.steps.entries()) {
    if (row === null) continue;
    level.asked = false;
    const numbers = operands.map((operand) => data[operand]!);
    const reason = missing(numbers);
    if (reason === null) {
      const known = exponent.length > 0 ? [...(numbers as Ball[]), ...exponent] : numbers;
      [data[node], slopes[node]] = computed(level, row, known as Ball[], operands.length);
    } else {
      data[node] = reason;
      slopes[node] = operands.map(() => reason);
    }
    if (level.asked) asked.add(node);
  }
  return { level, data, slopes, grads: backward(program, level, slopes), asked };
}

/** Give the result and the slopes, or why there are none. */
function computed(
  level: Level,
  row: Row,
  operands: readonly (Ball | number)[],
  count: number,
): [MaybeBall, readonly MaybeBall[]] {
  let out: Ball;
  try {
    out = row.value(level, ...operands);
  } catch (error) {
    const reason = final(level, error);
    return [reason, new Array<Reason>(count).fill(missing([reason])!)];
  }
  try {
    return [out, row.slopes(level, out, ...operands)];
  } catch (error) {
    return [out, new Array<Reason>(count).fill(final(level, error))];
  }
}

/** Give the reason of what takes these numbers, or null if all exist. */
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
 * Give a reason: what the last level does not tell is out of range.
 *
 * @throws {Error} what is thrown is not for want of a number
 */
export function final(level: Level, error: unknown): Reason {
  if (!(error instanceof NoNumber)) throw error;
  return level.last && error.reason === "undecided" ? "out_of_range" : error.reason;
}

/** Sum up the gradients in the order of R4. */
export function backward(
  program: Program,
  level: Level,
  slopes: readonly (readonly MaybeBall[])[],
): MaybeBall[] {
  const grads: MaybeBall[] = slopes.map(() => ZERO);
  grads[program.root] = ONE;
  for (let node = slopes.length - 1; node >= 0; node--) {
    const incoming = grads[node]!;
    for (const [slot, operand] of program.steps[node]!.operands.entries()) {
      const slope = slopes[node]![slot]!;
      const before = grads[operand]!;
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
    }
  }
  return grads;
}

/** Keep the first reason, once all are known. */
function reasonOfSum(before: MaybeBall, incoming: MaybeBall, slope: MaybeBall): Reason {
  const sent = missing([incoming]) ?? slope;
  if (before === "undecided" || sent === "undecided") return "undecided";
  return typeof before === "string" ? before : (sent as Reason);
}
