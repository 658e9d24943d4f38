/**
 * The calculus, one row per operation: operands -> data and local gradients, stored at the node.
 *
 * A local gradient is d data / d operand at these operands, each step rounded once (CONTRACT.md
 * R3). An operand that no gradient flows into has none: the exponent of `**`.
 *
 * schemas/OPERATIONS.md lists what else a new row needs.
 */

import { DomainError, StaleCustom } from "./errors.ts";
import type { GradientError, Span } from "./errors.ts";
import * as elementary from "./numerics/elementary.ts";
import * as logistic from "./numerics/logistic.ts";
import * as nearZero from "./numerics/near_zero.ts";
import * as wave from "./numerics/wave.ts";
import { EXPANSIONS } from "./tables.ts";

// The parts of a row

export type LocalGrads = readonly (number | null)[];
/** data, then a local gradient for each operand, left to right. */
type Computed = readonly [data: number, ...localGrads: LocalGrads];
export type Rule = (...operands: number[]) => Computed;

/**
 * data, and the local gradients of the left and of the right operand, by node.
 *
 * Plain arrays: V8 keeps doubles in them as they are, and makes three of ten numbers in a tenth of
 * the time of three typed ones.
 */
export class Cells {
  readonly data: number[];
  readonly lefts: number[];
  readonly rights: number[];

  /** Take the data of the leaves, which have no local gradients. */
  constructor(data: number[]) {
    this.data = data;
    this.lefts = new Array<number>(data.length);
    this.rights = new Array<number>(data.length);
  }

  at(node: number): number {
    return this.data[node]!;
  }

  /** Store the result of an operation; the local gradient of an exponent is 0. */
  put(node: number, data: number, left: number, right = 0): void {
    this.data[node] = data;
    this.lefts[node] = left;
    this.rights[node] = right;
  }
}

/**
 * Computes an operation on the nodes left and right, and stores data and local gradients at its
 * node.
 *
 * A function that took and returned doubles would make an object of each, which takes longer than
 * the arithmetic. One of a single operand ignores right.
 */
export type Write = (cells: Cells, node: number, left: number, right: number) => void;

/** How an operation is written: `x + y`, `-x`, `exp(x)`. */
type Form = "infix" | "prefix" | "call";

/** The operation has no value at these operands; the message says why. */
export class OutsideDomain extends Error {
  /** Return the error of a node. */
  error(span: Span | null, where: Where): GradientError {
    const message = `${this.message}, at node ${where.node} (\`${where.operation}\`)`;
    return new DomainError(message, span, { ...where });
  }
}

/** A node of a document, and the data of its operands. */
export interface Where {
  readonly node: number;
  readonly operation: string | null;
  readonly operands: readonly number[];
}

/**
 * A row of the table.
 *
 * `write` is the calculus itself; `rule` calls it for one operation and returns its result.
 */
export interface Operation {
  readonly symbol: OperationName;
  readonly name: string;
  readonly form: Form;
  readonly arity: number;
  readonly write: Write;
  readonly rule: Rule;
  /** True if the operation can be built from primitives (CONTRACT.md R26). */
  readonly derived: boolean;
}

// A row that is written as a call is a method of `Value`, too.

/** The calls as methods: `exp(x)` is `x.exp()`, and the second operand may be a number. */
export type Methods<Calls, X> = {
  [Name in keyof Calls]: Method<Calls[Name], X>;
};

type Method<W, X> = W extends (
  cells: Cells,
  node: number,
  left: number,
  ...others: infer Others
) => void
  ? (...others: { [Slot in keyof Others]: X | number }) => X
  : never;

// The rows

/** The one operand that no gradient flows into (CONTRACT.md R24). */
export const NO_GRADIENT = { symbol: "**", slot: 1 };

function pow(cells: Cells, node: number, left: number, right: number): void {
  const x = cells.at(left);
  const c = cells.at(right);
  if (x === 0 && c < 0) throw new OutsideDomain("0 has no negative power");
  if (x < 0 && c % 1 !== 0) {
    throw new OutsideDomain(`a negative base has no fractional power${realRoot(c)}`);
  }
  cells.put(node, elementary.power(x, c), slopeOfPower(x, c));
}

/** Suggest the real root of a negative number, if c is k/3, k/5, k/7 or k/9. */
function realRoot(c: number): string {
  for (const order of [3, 5, 7, 9]) {
    const times = Math.floor(c * order + 0.5);
    if (times / order === c) {
      return `; where x < 0 the real one is \`${times % 2 !== 0 ? "-" : ""}(-x) ** ${c}\``;
    }
  }
  return "";
}

/** Return c * x**(c - 1), 0 if c is 0. */
export function slopeOfPower(x: number, c: number): number {
  if (c === 0) return 0;
  const slope = c * elementary.power(Math.abs(x), c - 1);
  return x < 0 && c % 2 === 0 ? -slope : slope; // c - 1 rounds, and is even then, too
}

function div(cells: Cells, node: number, left: number, right: number): void {
  const x = cells.at(left);
  const y = cells.at(right);
  if (y === 0) throw new OutsideDomain("division by 0");
  const out = x / y;
  cells.put(node, out, 1 / y, -(out / y));
}

function relu(cells: Cells, node: number, left: number): void {
  const x = cells.at(left);
  cells.put(node, x > 0 ? x : 0, x > 0 ? 1 : 0);
}

function exp(cells: Cells, node: number, left: number): void {
  const x = cells.at(left);
  const out = elementary.exp(x);
  cells.put(node, out, out);
}

function log(cells: Cells, node: number, left: number): void {
  const x = cells.at(left);
  if (x <= 0) throw new OutsideDomain("the logarithm exists for numbers above 0 only");
  cells.put(node, elementary.log(x), 1 / x);
}

function tanh(cells: Cells, node: number, left: number): void {
  const x = cells.at(left);
  const out = elementary.tanh(x);
  cells.put(node, out, 1 - out * out);
}

function abs(cells: Cells, node: number, left: number): void {
  const x = cells.at(left);
  cells.put(node, x > 0 ? x : x < 0 ? -x : 0, slopeOfAbs(x));
}

/** Return the sign of x, 0 for 0. */
export function slopeOfAbs(x: number): number {
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

function min(cells: Cells, node: number, left: number, right: number): void {
  const x = cells.at(left);
  const y = cells.at(right);
  const share = shareOf(y - x);
  cells.put(node, y < x ? y : x, share, 1 - share);
}

function max(cells: Cells, node: number, left: number, right: number): void {
  const x = cells.at(left);
  const y = cells.at(right);
  const share = shareOf(x - y);
  cells.put(node, y > x ? y : x, share, 1 - share);
}

/** The first operand's share: 1 if it leads, 0 if the second does, else a half. */
export function shareOf(lead: number): number {
  return lead > 0 ? 1 : lead < 0 ? 0 : 0.5;
}

function sin(cells: Cells, node: number, left: number): void {
  const x = cells.at(left);
  cells.put(node, wave.sin(x), wave.cos(x));
}

function cos(cells: Cells, node: number, left: number): void {
  const x = cells.at(left);
  cells.put(node, wave.cos(x), -wave.sin(x));
}

function atan(cells: Cells, node: number, left: number): void {
  const x = cells.at(left);
  cells.put(node, nearZero.atan(x), 1 / (1 + x * x));
}

function sqrt(cells: Cells, node: number, left: number): void {
  const x = cells.at(left);
  if (x < 0) throw new OutsideDomain("a negative number has no square root");
  const out = elementary.sqrt(x);
  cells.put(node, out, out !== 0 ? 0.5 / out : Infinity);
}

function sigmoid(cells: Cells, node: number, left: number): void {
  const x = cells.at(left);
  const out = logistic.sigmoid(x);
  cells.put(node, out, out * (1 - out));
}

function softplus(cells: Cells, node: number, left: number): void {
  const x = cells.at(left);
  cells.put(node, logistic.softplus(x), logistic.sigmoid(x));
}

function log1p(cells: Cells, node: number, left: number): void {
  const x = cells.at(left);
  if (x <= -1) throw new OutsideDomain("ln(1 + x) exists for x above -1 only");
  cells.put(node, nearZero.log1p(x), 1 / (1 + x));
}

function expm1(cells: Cells, node: number, left: number): void {
  const x = cells.at(left);
  cells.put(node, nearZero.expm1(x), elementary.exp(x));
}

// prettier-ignore
const OPERATORS: readonly Operation[] = [
  // symbol name   form    arity  data and local gradients
  row("+",   "add", "infix",  2, (to, node, l, r) => to.put(node, to.at(l) + to.at(r), 1, 1)),
  row("*",   "mul", "infix",  2, (to, node, l, r) => to.put(node, to.at(l) * to.at(r), to.at(r), to.at(l))),
  row("**",  "pow", "infix",  2, pow),
  row("-",   "sub", "infix",  2, (to, node, l, r) => to.put(node, to.at(l) - to.at(r), 1, -1)),
  row("/",   "div", "infix",  2, div),
  row("neg", "neg", "prefix", 1, (to, node, l) => to.put(node, -to.at(l), -1)),
];

/** The operations that are written as calls; a Value has them as methods. */
export const CALLS = {
  /** Return x where x > 0, else 0. */
  relu,
  /** Return e**x. */
  exp,
  /** Return the natural logarithm. */
  log,
  /** Return the hyperbolic tangent. */
  tanh,
  /** Return x without its sign. */
  abs,
  /** Return the smaller of x and y. */
  min,
  /** Return the larger of x and y. */
  max,
  /** Return the sine of x in radians. */
  sin,
  /** Return the cosine of x in radians. */
  cos,
  /** Return the arctangent, in radians. */
  atan,
  /** Return the square root. */
  sqrt,
  /** Return 1 / (1 + e**-x). */
  sigmoid,
  /** Return ln(1 + e**x). */
  softplus,
  /** Return ln(1 + x), with all digits also where x is near 0. */
  log1p,
  /** Return e**x - 1, with all digits also where x is near 0. */
  expm1,
};

/** An operation's name in a document. */
export type OperationName =
  "+" | "*" | "**" | "-" | "/" | "neg" | keyof typeof CALLS | typeof CUSTOM;

/** The operations that are written as calls, by name. */
export const FUNCTIONS: ReadonlyMap<string, Operation> = bySymbol(
  (Object.entries(CALLS) as [keyof typeof CALLS, Write][]).map(([name, write]) =>
    row(name, name, "call", write.length - 2, write),
  ),
);

export const OPERATIONS: ReadonlyMap<string, Operation> = new Map([
  ...bySymbol(OPERATORS),
  ...FUNCTIONS,
]);

/** Return an operation that is known to exist. */
export function operationOf(symbol: string): Operation {
  const operation = OPERATIONS.get(symbol);
  if (operation === undefined) throw new RangeError(`there is no operation ${symbol}`);
  return operation;
}

function bySymbol(rows: readonly Operation[]): Map<string, Operation> {
  return new Map(rows.map((operation) => [operation.symbol, operation]));
}

function row(
  symbol: OperationName,
  name: string,
  form: Form,
  arity: number,
  write: Write,
): Operation {
  const rule = ruleOf(write, arity, symbol);
  const derived = Object.hasOwn(EXPANSIONS, symbol);
  return { symbol, name, form, arity, write, rule, derived };
}

/** Compute an operation by itself: node 0, on nodes 1 and 2. */
function ruleOf(write: Write, arity: number, symbol: string): Rule {
  return (x, y) => {
    const cells = new Cells([0, x!, y ?? 0]);
    write(cells, 0, 1, 2);
    const [data, left, right] = [cells.at(0), cells.lefts[0]!, cells.rights[0]!];
    if (arity === 1) return [data, left];
    return [data, left, symbol === NO_GRADIENT.symbol ? null : right];
  };
}

// Custom operations: the caller gives data and local gradients. Such a row is valid at one point
// only: at the operands for which it was made.

/** Symbol of these operations in a document; each has a `name`, too. */
export const CUSTOM = "custom";

/** The operands of a custom operation, which the message names, have changed. */
export class StaleRow extends OutsideDomain {
  override error(_span: unknown, { node, operands }: Where): GradientError {
    return staleCustom(this.message, node, operands);
  }
}

/** Make the row of an operation with this data and these local gradients at `operands`. */
export function customRow(
  name: string,
  operands: readonly number[],
  data: number,
  localGrads: readonly (number | null)[],
): Operation {
  const [left, right = 0] = localGrads;

  function rule(...at: number[]): Computed {
    if (at.some((number, slot) => number !== operands[slot])) throw new StaleRow(name);
    return [data, ...localGrads];
  }

  function write(cells: Cells, node: number, x: number, y: number): void {
    rule(...[cells.at(x), cells.at(y)].slice(0, operands.length));
    cells.put(node, data, left!, right!);
  }

  const arity = operands.length;
  return { symbol: CUSTOM, name, form: "call", arity, write, rule, derived: false };
}

/** Return the error for a custom operation whose operands have changed. */
export function staleCustom(name: string, node: number, operands: readonly number[]): StaleCustom {
  const message =
    `\`${name}\` at node ${node} is an operation of your own: its data and local gradients are ` +
    "known only where it was made, so it cannot be recomputed";
  return new StaleCustom(message, null, { node, name, operands: operands.map((x) => x + 0) });
}
