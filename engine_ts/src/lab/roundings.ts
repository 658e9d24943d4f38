/**
 * Numbers with a bound of their error: how far rounding can have carried them.
 *
 * The result of an operation is off by half a unit in its last place, at most u times itself, or by
 * half of the smallest double where it underflows. What its operands are off by arrives through the
 * local gradients, to first order (running error analysis: Higham, Accuracy and Stability of
 * Numerical Algorithms, 3.3).
 */

import { operationOf } from "../operations.ts";
import { OutsideDomain } from "../rows.ts";
import type { Operation } from "../rows.ts";

export const U = 1 / 2 ** 53;
/** An error of one rounding is at most U of the result, or TINY. */
export const TINY = 5e-324;
/** The bounds are rounded themselves, and of first order: twice as much is allowed. */
export const SAFE = 2;

/** A double and a bound of its distance from the true number. */
export interface Rounded {
  readonly data: number;
  readonly bound: number;
}

/** Bound the error of one rounding. */
export function rounding(result: number): number {
  return Math.abs(result) * U + TINY;
}

/**
 * Apply an operation.
 *
 * @throws {OutsideDomain} it has no value at these operands
 */
export function compute(operation: Operation, operands: readonly Rounded[]): Rounded {
  const [data, ...localGrads] = operation.rule(...operands.map((operand) => operand.data));
  let bound = rounding(data);
  for (const [slot, local] of localGrads.entries()) {
    const operand = operands[slot]!;
    if (local !== null && operand.bound !== 0) bound += Math.abs(local) * operand.bound;
  }
  return { data, bound };
}

/** Bound the errors of the local gradients, from the formulas that compute them. */
export function localBounds(
  operation: Operation,
  out: Rounded,
  operands: readonly Rounded[],
): number[] {
  function apply(symbol: string, ...terms: (Rounded | number)[]): Rounded {
    const rounded = terms.map((term) =>
      typeof term === "number" ? { data: term, bound: 0 } : term,
    );
    return compute(operationOf(symbol), rounded);
  }
  try {
    const formulas = operation.formulas(apply, out, ...operands);
    return formulas.map((formula) =>
      formula !== null && typeof formula === "object" ? formula.bound : 0,
    );
  } catch (reason) {
    if (reason instanceof OutsideDomain) return operands.map(() => Infinity);
    throw reason;
  }
}
