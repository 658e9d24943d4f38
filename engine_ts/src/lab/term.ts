/** Terms: numbers that the formulas of local gradients are computed with. */

import { operationOf } from "../operations.ts";

/** The data of an operand or a result. */
export interface Term {
  readonly data: number;
}

export function term(data: number): Term {
  return { data };
}

/**
 * Apply an operation.
 *
 * @throws {OutsideDomain} the operation has no value at these operands
 */
export function apply(symbol: string, ...operands: (Term | number)[]): Term {
  const numbers = operands.map((each) => (typeof each === "number" ? each : each.data));
  return term(operationOf(symbol).rule(...numbers)[0]);
}
