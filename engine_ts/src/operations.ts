/**
 * The calculus, one row per operation: (operands) -> (data, *local_grads).
 *
 * A local gradient is d data / d operand at these operands, each step rounded once (CONTRACT.md
 * R3). null marks an operand that no gradient flows into: the exponent of `**`.
 *
 * schemas/OPERATIONS.md says what a new row needs elsewhere.
 */

import * as numerics from "./numerics.ts";
import * as logistic from "./numerics_logistic.ts";
import * as wave from "./numerics_wave.ts";
import { call, OutsideDomain } from "./rows.ts";
import type { Computed, Expansion, Form, Formulas, Kink, Operation, Rule } from "./rows.ts";

function pow(x: number, c: number): Computed {
  if (x === 0 && c < 0) throw new OutsideDomain("0 has no negative power");
  if (x < 0 && c % 1 !== 0) throw new OutsideDomain("a negative base has no fractional power");
  const localGrad = c !== 0 ? c * numerics.power(x, c - 1) : 0;
  return [numerics.power(x, c), localGrad, null];
}

function div(x: number, y: number): Computed {
  if (y === 0) throw new OutsideDomain("division by 0");
  const out = x / y;
  return [out, 1 / y, -(out / y)];
}

function relu(x: number): Computed {
  return x > 0 ? [x, 1] : [0, 0];
}

function exp(x: number): Computed {
  const out = numerics.exp(x);
  return [out, out];
}

function log(x: number): Computed {
  if (x <= 0) throw new OutsideDomain("the logarithm exists for numbers above 0 only");
  return [numerics.log(x), 1 / x];
}

function tanh(x: number): Computed {
  const out = numerics.tanh(x);
  return [out, 1 - out * out];
}

function abs(x: number): Computed {
  return x > 0 ? [x, 1] : x < 0 ? [-x, -1] : [0, 0];
}

function min(x: number, y: number): Computed {
  return [y < x ? y : x, ...shares(y - x)];
}

function max(x: number, y: number): Computed {
  return [y > x ? y : x, ...shares(x - y)];
}

/** All to the first where it leads, all to the second where that does, else half each. */
function shares(lead: number): [number, number] {
  return lead > 0 ? [1, 0] : lead < 0 ? [0, 1] : [0.5, 0.5];
}

function sin(x: number): Computed {
  return [wave.sin(x), wave.cos(x)];
}

function cos(x: number): Computed {
  return [wave.cos(x), -wave.sin(x)];
}

function sqrt(x: number): Computed {
  if (x < 0) throw new OutsideDomain("a negative number has no square root");
  const out = numerics.power(x, 0.5);
  return [out, out !== 0 ? 0.5 / out : Infinity];
}

function sigmoid(x: number): Computed {
  const out = logistic.sigmoid(x);
  return [out, out * (1 - out)];
}

function softplus(x: number): Computed {
  return [logistic.softplus(x), logistic.sigmoid(x)];
}

// prettier-ignore
const OPERATORS: readonly Operation[] = [
  // symbol name   form    arity  data and local gradients; these as formulas
  row("+",   "add", "infix",  2, (x, y) => [x + y, 1, 1],
      () => [1, 1]),
  row("*",   "mul", "infix",  2, (x, y) => [x * y, y, x],
      (_apply, _out, x, y) => [y!, x!]),
  row("**",  "pow", "infix",  2, pow,
      (apply, _out, x, c) => [
        c!.data !== 0 ? apply("*", c!, apply("**", x!, c!.data - 1)) : 0, null]),
  // derived: one operation each, and how to build it from the ones above
  row("-",   "sub", "infix",  2, (x, y) => [x - y, 1, -1],
      () => [1, -1],
      (build, x, y) => build("+", x, build("*", y, -1))),
  row("/",   "div", "infix",  2, div,
      (apply, out, _x, y) => [apply("/", 1, y!), apply("neg", apply("/", out, y!))],
      (build, x, y) => build("*", x, build("**", y, -1))),
  row("neg", "neg", "prefix", 1, (x) => [-x, -1],
      () => [-1],
      (build, x) => build("*", x, -1)),
];

/** The operations that are written as calls; a Value has them as methods. */
export const CALLS = {
  /** Give x where x > 0, else 0. */
  relu: call(relu, (_apply, _out, x) => [x!.data > 0 ? 1 : 0], { kink: (x) => x }),
  /** Give e**x. */
  exp: call(exp, (_apply, out) => [out]),
  /** Give the natural logarithm. */
  log: call(log, (apply, _out, x) => [apply("/", 1, x!)]),
  /** Give the hyperbolic tangent. */
  tanh: call(tanh, (apply, out) => [apply("-", 1, apply("*", out, out))]),
  /** Give x without its sign. */
  abs: call(abs, (_apply, _out, x) => [abs(x!.data)[1]!], { kink: (x) => x }),
  /** Give the smaller of x and y. */
  min: call(min, (_apply, _out, x, y) => shares(y!.data - x!.data), { kink: (x, y) => x - y }),
  /** Give the larger of x and y. */
  max: call(max, (_apply, _out, x, y) => shares(x!.data - y!.data), { kink: (x, y) => x - y }),
  /** Give the sine of x in radians. */
  sin: call(sin, (apply, _out, x) => [apply("cos", x!)], { wave: true }),
  /** Give the cosine of x in radians. */
  cos: call(cos, (apply, _out, x) => [apply("neg", apply("sin", x!))], { wave: true }),
  // derived
  /** Give the square root. */
  sqrt: call(sqrt, (apply, out) => [apply("/", 0.5, out)], {
    expansion: (build, x) => build("**", x, 0.5),
  }),
  /** Give 1 / (1 + e**-x). */
  sigmoid: call(sigmoid, (apply, out) => [apply("*", out, apply("-", 1, out))], {
    expansion: (build, x) => build("**", build("+", build("exp", build("*", x, -1)), 1), -1),
  }),
  /** Give ln(1 + e**x). */
  softplus: call(softplus, (apply, _out, x) => [apply("sigmoid", x!)], {
    expansion: (build, x) => build("log", build("+", build("exp", x), 1)),
  }),
};

/** The one operand that no gradient flows into (CONTRACT.md R24). */
export const NO_GRADIENT = { symbol: "**", slot: 1 };

/** The operations that are written as calls, by name. */
export const FUNCTIONS: ReadonlyMap<string, Operation> = bySymbol(
  Object.entries(CALLS).map(([name, { rule, formulas, expansion, kink, wave }]) =>
    row(name, name, "call", rule.length, rule, formulas, expansion, kink, wave),
  ),
);

export const OPERATIONS: ReadonlyMap<string, Operation> = new Map([
  ...bySymbol(OPERATORS),
  ...FUNCTIONS,
]);

/** Look an operation up that is known to exist. */
export function operationOf(symbol: string): Operation {
  const operation = OPERATIONS.get(symbol);
  if (operation === undefined) throw new RangeError(`there is no operation ${symbol}`);
  return operation;
}

function bySymbol(rows: readonly Operation[]): Map<string, Operation> {
  return new Map(rows.map((operation) => [operation.symbol, operation]));
}

function row(
  symbol: string,
  name: string,
  form: Form,
  arity: number,
  rule: Rule,
  formulas: Formulas,
  expansion: Expansion | null = null,
  kink: Kink | null = null,
  wave = false,
): Operation {
  const derived = expansion !== null;
  return { symbol, name, form, arity, rule, formulas, expansion, kink, wave, derived };
}
