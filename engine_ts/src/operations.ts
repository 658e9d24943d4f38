/**
 * The calculus, one row per operation: (operands) -> (data, local_grads).
 *
 * A local gradient is d data / d operand at these operands, each step rounded once (CONTRACT.md
 * R3). null marks an operand that no gradient flows into: the exponent of `**`.
 */

import * as numerics from "./numerics.ts";

export type LocalGrads = readonly (number | null)[];
export type Rule = (...operands: number[]) => [data: number, localGrads: LocalGrads];

/** The operation has no value at these operands; the message says why. */
export class OutsideDomain extends Error {}

/** A row of the table. `expansion` builds a derived operation from primitives, in postfix. */
export interface Operation {
  readonly symbol: string;
  readonly name: string;
  readonly arity: number;
  readonly rule: Rule;
  readonly expansion: readonly (string | number)[];
  /** True where the operation can be built from others. */
  readonly derived: boolean;
}

function pow(x: number, c: number): [number, LocalGrads] {
  if (x === 0 && c < 0) throw new OutsideDomain("0 has no negative power");
  if (x < 0 && c % 1 !== 0) throw new OutsideDomain("a negative base has no fractional power");
  const localGrad = c !== 0 ? c * numerics.power(x, c - 1) : 0;
  return [numerics.power(x, c), [localGrad, null]];
}

function div(x: number, y: number): [number, LocalGrads] {
  if (y === 0) throw new OutsideDomain("division by 0");
  const out = x / y;
  return [out, [1 / y, -(out / y)]];
}

function exp(x: number): [number, LocalGrads] {
  const out = numerics.exp(x);
  return [out, [out]];
}

function log(x: number): [number, LocalGrads] {
  if (x <= 0) throw new OutsideDomain("the logarithm exists for numbers above 0 only");
  return [numerics.log(x), [1 / x]];
}

function tanh(x: number): [number, LocalGrads] {
  const out = numerics.tanh(x);
  return [out, [1 - out * out]];
}

// prettier-ignore
const TABLE: readonly Operation[] = [
  // symbol name    arity  data and local gradients
  row("+",    "add",  2, (x, y) => [x + y, [1, 1]]),
  row("*",    "mul",  2, (x, y) => [x * y, [y, x]]),
  row("**",   "pow",  2, pow),
  row("relu", "relu", 1, (x) => (x > 0 ? [x, [1]] : [0, [0]])),
  row("exp",  "exp",  1, exp),
  row("log",  "log",  1, log),
  row("tanh", "tanh", 1, tanh),
  // derived: one operation each, and how to build it from the ones above
  row("-",    "sub",  2, (x, y) => [x - y, [1, -1]], ["x", "y", -1, "*", "+"]),
  row("/",    "div",  2, div,                        ["x", "y", -1, "**", "*"]),
  row("neg",  "neg",  1, (x) => [-x, [-1]],          ["x", -1, "*"]),
];

export const OPERATIONS: ReadonlyMap<string, Operation> = new Map(
  TABLE.map((operation) => [operation.symbol, operation]),
);

/** The operations that are written as calls. */
export const FUNCTIONS: readonly string[] = ["relu", "exp", "log", "tanh"];

/** Look an operation up that is known to exist. */
export function operationOf(symbol: string): Operation {
  const operation = OPERATIONS.get(symbol);
  if (operation === undefined) throw new RangeError(`there is no operation ${symbol}`);
  return operation;
}

function row(
  symbol: string,
  name: string,
  arity: number,
  rule: Rule,
  expansion: readonly (string | number)[] = [],
): Operation {
  return { symbol, name, arity, rule, expansion, derived: expansion.length > 0 };
}
