/** Terms with a tangent: numbers, and how they change along a direction. */

import { operationOf } from "../operations.ts";

/** The data of an operand or a result. `tangent` is null where the direction does not reach. */
export interface Dual {
  readonly data: number;
  readonly tangent: number | null;
}

/**
 * Apply an operation; its tangent is a sum, slot by slot, of local_grad * tangent.
 *
 * @throws {OutsideDomain} the operation has no value at these operands
 */
export function apply(symbol: string, ...operands: (Dual | number)[]): Dual {
  const duals = operands.map((each) =>
    typeof each === "number" ? { data: each, tangent: null } : each,
  );
  const [data, ...localGrads] = operationOf(symbol).rule(...duals.map((dual) => dual.data));
  let tangent: number | null = null;
  for (const [slot, dual] of duals.entries()) {
    const local = localGrads[slot] ?? null;
    if (local !== null && dual.tangent !== null) tangent = (tangent ?? 0) + local * dual.tangent;
  }
  return { data, tangent };
}
