/** Document -> check: each gradient compared with other ways to differentiate. */

import type { Document } from "../document.ts";
import { LimitExceeded } from "../errors.ts";
import { checkNumbers, checkTolerance, variables } from "./conditions.ts";
import { centralDifferences, EVALUATIONS } from "./differences.ts";
import type { Quotient, Silence } from "./differences.ts";
import {
  boundsOfLocalGrads,
  forwardMode,
  magnitudes,
  prepareForward,
  reverseBounds,
} from "./modes.ts";
import { evaluate, programOf } from "./program.ts";
import { variation } from "./variation.ts";

/** Nodes computed for central differences. */
const MOST_EVALUATIONS = 1_000_000;

/** A bound above this part of the gradient's scale decides nothing. */
const COARSE = 1 / 2 ** 10;

export type Verdict = "agrees" | "differs" | "no_double" | Silence;

/** What another way says. A number that is no double, or that does not exist, is null. */
export interface Witness {
  value: number | null;
  difference: number | null;
  bound: number | null;
  verdict: Verdict;
}

/** A central difference, with the step that it took. */
export interface CentralWitness extends Witness {
  step: number | null;
}

/** A variable's gradient beside its witnesses. */
export interface Checked {
  variable: string;
  reverse: number;
  forward: Witness;
  central: CentralWitness;
  claimed: Witness | null;
}

interface Price {
  passes: number;
  multiplications: number;
}

/** What each way takes, in passes over the graph and in multiplications by local gradients. */
export interface Cost {
  variables: number;
  operations: number;
  reverse: Price;
  forward: Price;
  central: Price;
}

/** All variables of a document. `agrees` is false where a witness differs. */
export interface Check {
  document: Document;
  agrees: boolean;
  variables: Checked[];
  cost: Cost;
}

export interface CheckOptions {
  /** Gradients by name that another program computed. */
  readonly claimed?: Readonly<Record<string, number>>;
  /**
   * What these may be off by, as a part of the sum of |products| over all paths: 1e-9 for a program
   * that computes in doubles, 1e-4 for one in single precision.
   */
  readonly tolerance?: number;
}

/**
 * Hold every gradient of a document against other ways to get it (CONTRACT.md R38).
 *
 * Forward mode multiplies the same local gradients in the other direction: only rounding may
 * differ. A central difference knows nothing but the program's result.
 *
 * @throws {GradientError} a member is wrong, or there are too many variables for so large a graph
 */
export function check(document: Document, options: CheckOptions = {}): Check {
  const { claimed = {}, tolerance = 1e-9 } = options;
  const ids = variables(document);
  const claims = checkNumbers(document, "claimed", claimed);
  const tolerated = checkTolerance(tolerance);
  checkSize(document, ids.size);
  const program = programOf(document);
  const here = evaluate(program, document.root, document.result);
  const errors = boundsOfLocalGrads(program, here);
  const bounds = reverseBounds(document, errors);
  const scales = magnitudes(document);
  const forward = prepareForward(document, errors, scales);
  const rows = [...ids].map(([name, leaf]): Checked => {
    const gradient = document.gradients[name]!;
    const bound = bounds[leaf]!;
    const scale = scales[leaf]!;
    const tangent = forwardMode(forward, leaf);
    const quotients = centralDifferences(program, leaf, here, scale);
    const claim = claims.get(leaf);
    return {
      variable: name,
      reverse: gradient,
      forward: witness(gradient, tangent.value, tangent.bound + bound),
      central:
        typeof quotients === "string"
          ? silent(quotients)
          : central(quotients, gradient, bound, scale, (step) => variation(program, leaf, step)),
      claimed: claim === undefined ? null : witness(gradient, claim, bound + tolerated * scale),
    };
  });
  const verdicts = rows.flatMap((row) => [
    row.forward.verdict,
    row.central.verdict,
    row.claimed?.verdict,
  ]);
  return {
    document,
    agrees: !verdicts.includes("differs"),
    variables: rows,
    cost: costOf(document, ids.size),
  };
}

function checkSize({ nodes }: Document, count: number): void {
  const actual = count * nodes.length * EVALUATIONS;
  if (actual > MOST_EVALUATIONS) {
    const message =
      `to check ${count} variables of this graph takes ${actual} evaluations of nodes; ` +
      `at most ${MOST_EVALUATIONS} are made`;
    throw new LimitExceeded(message, null, {
      name: "evaluations",
      limit: MOST_EVALUATIONS,
      actual,
    });
  }
}

function witness(gradient: number, value: number, bound: number): Witness {
  const difference = value - gradient;
  if (!Number.isFinite(difference)) {
    return { value: null, difference: null, bound: null, verdict: "no_double" };
  }
  const known = Number.isFinite(bound) ? bound : null;
  const verdict = Math.abs(difference) <= bound ? "agrees" : "differs";
  return {
    value: value + 0,
    difference: difference + 0,
    bound: known,
    verdict: known === null ? "too_coarse" : verdict,
  };
}

/**
 * Let the most precise quotient speak; it differs only where one does whatever its step hides.
 *
 * @param quotients the most precise one first
 * @param gradient what they are compared with
 * @param bound how far that can be from the true derivative
 * @param scale the sum of |products| over all paths
 * @param varies how much the derivative can vary within a step
 */
function central(
  quotients: readonly Quotient[],
  gradient: number,
  bound: number,
  scale: number,
  varies: (step: number) => number,
): CentralWitness {
  const best = quotients[0]!;
  const found = witness(gradient, best.value, best.bound + bound);
  const least = scale * COARSE;
  if (found.verdict === "agrees" && least > 0 && best.bound + bound > least) {
    found.verdict = "too_coarse";
  }
  if (found.verdict !== "differs") return { ...found, step: best.step };
  for (const { value, bound: error, noise, step } of quotients) {
    const certain = Math.max(error, noise + varies(step));
    const differing = witness(gradient, value, certain + bound);
    if (differing.verdict === "differs") return { ...differing, step };
  }
  return silent("too_coarse");
}

function silent(verdict: Silence): CentralWitness {
  return { value: null, difference: null, bound: null, verdict, step: null };
}

function costOf({ nodes, edges }: Document, count: number): Cost {
  const operations = nodes.filter(({ operation }) => operation !== null).length;
  const multiplications = edges.filter(({ differentiable }) => differentiable).length;
  return {
    variables: count,
    operations,
    reverse: { passes: 2, multiplications },
    forward: { passes: count, multiplications: count * multiplications },
    central: { passes: 2 * count, multiplications: 0 },
  };
}
