/** Dual numbers: data with a tangent, on the same table of operations. */

import { operationOf } from "../operations.ts";

/** A number and its derivative in one direction. */
export interface Dual {
  readonly data: number;
  readonly tangent: number;
}

export function dual(data: number, tangent = 0): Dual {
  return { data, tangent };
}

/**
 * Apply an operation: local gradients times tangents, added up slot by slot (CONTRACT.md R38).
 *
 * @throws {OutsideDomain} the operation has no value at these operands
 */
export function apply(symbol: string, ...operands: (Dual | number)[]): Dual {
  const duals = operands.map((term) => (typeof term === "number" ? dual(term) : term));
  const [data, localGrads] = operationOf(symbol).rule(...duals.map((term) => term.data));
  let tangent = 0;
  for (const [slot, local] of localGrads.entries()) {
    if (local !== null) tangent += local * duals[slot]!.tangent;
  }
  return { data, tangent };
}
