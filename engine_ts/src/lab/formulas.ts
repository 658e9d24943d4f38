/**
 * The local gradients again, as formulas of the calculus itself.
 *
 * They are bit-identical to the table's, but can be computed from operands other than those of
 * `out`, and can be differentiated, too.
 */

import { CUSTOM, StaleRow, shareOf, slopeOfAbs, slopeOfPower } from "../operations.ts";
import type { Operation, OperationName } from "../operations.ts";
import { apply } from "./tape.ts";
import type { Dual } from "./tape.ts";

type Formula = Dual | number | null;
/** (out, *operands) -> local gradients; null as in LocalGrads. */
type Formulas = (out: Dual, x: Dual, y: Dual) => readonly Formula[];

/**
 * Compute the local gradients of an operation; those of a custom one are plain numbers.
 *
 * @throws {StaleRow} a custom operation has other operands, or its second derivative is needed
 * @throws {OutsideDomain} a formula has no value at these operands
 */
export function formulasOf(
  { symbol, name, rule }: Operation,
  out: Dual,
  operands: readonly Dual[],
): readonly Formula[] {
  if (symbol !== CUSTOM) return FORMULAS[symbol](out, operands[0]!, operands[1]!);
  if (operands.some(({ tangent }) => tangent !== null)) throw new StaleRow(name);
  const [, ...localGrads] = rule(...operands.map(({ data }) => data));
  return localGrads;
}

function power(_out: Dual, x: Dual, c: Dual): readonly Formula[] {
  if (c.data === 0 || (x.data === 0 && c.data > 0 && c.data < 1)) {
    return [slopeOfPower(x.data, c.data), null];
  }
  const size = x.data < 0 ? apply("neg", x) : x;
  const slope = apply("*", c, apply("**", size, c.data - 1));
  return [x.data < 0 && c.data % 2 === 0 ? apply("neg", slope) : slope, null];
}

function shares(first: Dual, second: Dual): readonly Formula[] {
  const share = shareOf(first.data - second.data);
  return [share, 1 - share];
}

const FORMULAS: Readonly<Record<Exclude<OperationName, typeof CUSTOM>, Formulas>> = {
  "+": () => [1, 1],
  "*": (_, x, y) => [y, x],
  "**": power,
  "-": () => [1, -1],
  "/": (out, _x, y) => [apply("/", 1, y), apply("neg", apply("/", out, y))],
  neg: () => [-1],
  relu: (_, x) => [x.data > 0 ? 1 : 0],
  exp: (out) => [out],
  log: (_, x) => [apply("/", 1, x)],
  tanh: (out) => [apply("-", 1, apply("*", out, out))],
  abs: (_, x) => [slopeOfAbs(x.data)],
  min: (_, x, y) => shares(y, x),
  max: (_, x, y) => shares(x, y),
  sin: (_, x) => [apply("cos", x)],
  cos: (_, x) => [apply("neg", apply("sin", x))],
  atan: (_, x) => [apply("/", 1, apply("+", 1, apply("*", x, x)))],
  sqrt: (out) => [apply("/", 0.5, out)],
  sigmoid: (out) => [apply("*", out, apply("-", 1, out))],
  softplus: (_, x) => [apply("sigmoid", x)],
  log1p: (_, x) => [apply("/", 1, apply("+", 1, x))],
  expm1: (_, x) => [apply("exp", x)],
};
