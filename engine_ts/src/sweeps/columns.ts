/**
 * Graph + order + columns of values -> results and gradients at many points, as columns.
 *
 * Each operation is computed for all points at once, in the order in which `forward` and `backward`
 * compute one point, so every element has the same bits. An element that an operation makes
 * infinite or NaN marks its point as suspect: the point is then computed by itself, which gives the
 * error.
 */

import { NEVER, NODES_PER_CHECK } from "../deadline.ts";
import type { Deadline } from "../deadline.ts";
import type { Graph } from "../graph.ts";
import * as elementary from "../numerics/elementary.ts";
import { sigmoid, softplus } from "../numerics/logistic.ts";
import { cos, sin } from "../numerics/wave.ts";
import { OutsideDomain } from "../operations.ts";
import type { Operation, Rule } from "../operations.ts";

type Column = Float64Array;

/** Fills `out`, and a column for each operand; an exponent's stays 0. */
type ColumnRule = (
  out: Column,
  localGrads: readonly Column[],
  x: Column,
  y: Column,
  deadline: Deadline,
) => void;

/** A function takes a millisecond or two for all points of a block. */
const COLUMNS_PER_CHECK = 8;

/** An operation of the graph with its columns. */
interface ColumnStep {
  readonly rule: ColumnRule;
  readonly out: Column;
  readonly grad: Column;
  readonly operands: readonly Column[];
  readonly localGrads: readonly Column[];
  /** The gradients of the operands. An exponent gets 0, which is not used. */
  readonly grads: readonly Column[];
}

/** The columns of a program, reused for each block of points. */
export interface Workspace {
  readonly size: number;
  readonly variables: readonly number[];
  /** By node. */
  readonly data: ReadonlyMap<number, Column>;
  readonly grads: ReadonlyMap<number, Column>;
  readonly steps: readonly ColumnStep[];
  /** 1 at suspect points. */
  readonly suspect: Uint8Array;
}

/** Allocate columns for `count` points, and write the constants. */
export function makeWorkspace(
  graph: Graph,
  order: readonly number[],
  size: number,
  deadline: Deadline = NEVER,
): Workspace {
  const columns = () => new Map(order.map((node) => [node, new Float64Array(size)]));
  const [data, grads] = [columns(), columns()];
  const steps: ColumnStep[] = [];
  for (const node of deadline.over(order, NODES_PER_CHECK)) {
    const operation = graph.operations[node] ?? null;
    data.get(node)!.fill(graph.literals[node]!);
    if (operation === null) continue;
    const operands = graph.operands[node]!;
    steps.push({
      rule: columnRule(operation),
      out: data.get(node)!,
      grad: grads.get(node)!,
      operands: operands.map((operand) => data.get(operand)!),
      localGrads: operands.map(() => new Float64Array(size)),
      grads: operands.map((operand) => grads.get(operand)!),
    });
  }
  const variables = [...graph.variables.values()];
  return { size, variables, data, grads, steps, suspect: new Uint8Array(size) };
}

/**
 * Compute data and gradients of all nodes from the data of the variables, and mark suspect points.
 *
 * A sum with infinity or NaN stays so down to the leaves, where it is detected: only in variables,
 * since elsewhere it is not an error (CONTRACT.md R5).
 */
export function differentiateColumns(
  { variables, grads, steps, suspect }: Workspace,
  deadline: Deadline = NEVER,
): void {
  suspect.fill(0);
  for (const { rule, out, operands, localGrads } of deadline.over(steps, COLUMNS_PER_CHECK)) {
    rule(out, localGrads, operands[0]!, operands[1] ?? operands[0]!, deadline);
    mark(suspect, out);
  }
  for (const column of grads.values()) column.fill(0);
  [...grads.values()].at(-1)!.fill(1);
  for (const step of deadline.over(steps.toReversed(), NODES_PER_CHECK)) {
    for (const [slot, column] of step.grads.entries()) {
      addProducts(column, step.grad, step.localGrads[slot]!);
    }
  }
  for (const node of variables) mark(suspect, grads.get(node)!);
}

/** Write the numbers of an axis that changes every `stride` points, from point `first` on. */
export function fillColumn(
  out: Column,
  numbers: ArrayLike<number>,
  stride: number,
  first: number,
): void {
  const { length } = numbers;
  let place = ((first - (first % stride)) / stride) % length;
  let left = stride - (first % stride);
  for (let i = 0; i < out.length; i++) {
    out[i] = numbers[place]!;
    left -= 1;
    if (left > 0) continue;
    left = stride;
    place = place + 1 < length ? place + 1 : 0;
  }
}

function addProducts(sums: Column, left: Column, right: Column): void {
  for (let i = 0; i < sums.length; i++) sums[i]! += left[i]! * right[i]!;
}

function mark(suspect: Uint8Array, column: Column): void {
  for (let i = 0; i < column.length; i++) if (column[i]! - column[i]! !== 0) suspect[i] = 1;
}

/** Return the column form of a row, or one that computes it element by element. */
export function columnRule(operation: Operation): ColumnRule {
  return RULES.get(operation.symbol) ?? oneByOne(operation.rule, operation.arity);
}

const add: ColumnRule = (out, [left, right], x, y) => {
  for (let i = 0; i < out.length; i++) out[i] = x[i]! + y[i]!;
  left!.fill(1);
  right!.fill(1);
};

const sub: ColumnRule = (out, [left, right], x, y) => {
  for (let i = 0; i < out.length; i++) out[i] = x[i]! - y[i]!;
  left!.fill(1);
  right!.fill(-1);
};

const mul: ColumnRule = (out, [left, right], x, y) => {
  for (let i = 0; i < out.length; i++) out[i] = x[i]! * y[i]!;
  left!.set(y);
  right!.set(x);
};

const div: ColumnRule = (out, [left, right], x, y) => {
  for (let i = 0; i < out.length; i++) {
    out[i] = x[i]! / y[i]!;
    left![i] = 1 / y[i]!;
    right![i] = -(out[i]! / y[i]!);
  }
};

const pow: ColumnRule = (out, [left], x, exponents, deadline) => {
  const c = exponents[0]!; // a number in the text, so the same at every point
  for (let i = 0; i < out.length; i++) {
    if (i % NODES_PER_CHECK === 0 && out.length > NODES_PER_CHECK) deadline.check();
    const base = x[i]!;
    const outside = (base === 0 && c < 0) || (base < 0 && c % 1 !== 0) || !isFinite(base);
    out[i] = outside ? NaN : elementary.power(base, c);
    const slope = outside || c === 0 ? 0 : c * elementary.power(Math.abs(base), c - 1);
    left![i] = base < 0 && c % 2 === 0 ? -slope : slope;
  }
};

/** A function of one operand that exists at finite operands, and its slope at x. */
function functionOf(
  f: (x: number) => number,
  slope: (x: number, out: number) => number,
): ColumnRule {
  return (out, [left], x, _, deadline) => {
    for (let i = 0; i < out.length; i++) {
      if (i % NODES_PER_CHECK === 0 && out.length > NODES_PER_CHECK) deadline.check();
      const known = isFinite(x[i]!);
      out[i] = known ? f(x[i]!) : NaN;
      left![i] = known ? slope(x[i]!, out[i]!) : NaN;
    }
  };
}

/** The selected operand, and the part of the gradient that flows into each of them. */
function leading(lead: (x: number, y: number) => number): ColumnRule {
  return (out, [left, right], x, y) => {
    for (let i = 0; i < out.length; i++) {
      const ahead = lead(x[i]!, y[i]!);
      out[i] = ahead > 0 ? x[i]! : y[i]!;
      left![i] = ahead > 0 ? 1 : ahead < 0 ? 0 : 0.5;
      right![i] = 1 - left![i]!;
    }
  };
}

/** Compute a row without a column form. */
function oneByOne(rule: Rule, arity: number): ColumnRule {
  return (out, localGrads, x, y, deadline) => {
    const operands = [x, y].slice(0, arity);
    for (let i = 0; i < out.length; i++) {
      if (i % NODES_PER_CHECK === 0 && out.length > NODES_PER_CHECK) deadline.check();
      const row = operands.map((column) => column[i]!);
      out[i] = NaN;
      if (!row.every(isFinite)) continue;
      try {
        const [data, ...found] = rule(...row);
        out[i] = data;
        localGrads.forEach((column, slot) => (column[i] = found[slot]!));
      } catch (reason) {
        if (!(reason instanceof OutsideDomain)) throw reason;
      }
    }
  };
}

const RULES: ReadonlyMap<string, ColumnRule> = new Map([
  ["+", add],
  ["-", sub],
  ["*", mul],
  ["/", div],
  [
    "neg",
    functionOf(
      (x) => -x,
      () => -1,
    ),
  ],
  ["**", pow],
  [
    "relu",
    functionOf(
      (x) => (x > 0 ? x : 0),
      (x) => (x > 0 ? 1 : 0),
    ),
  ],
  ["min", leading((x, y) => y - x)],
  ["max", leading((x, y) => x - y)],
  [
    "abs",
    functionOf(
      (x) => (x < 0 ? -x : x),
      (x) => (x > 0 ? 1 : x < 0 ? -1 : 0),
    ),
  ],
  [
    "sqrt",
    functionOf(
      (x) => (x < 0 ? NaN : elementary.sqrt(x)),
      (_x, out) => 0.5 / out,
    ),
  ],
  ["exp", functionOf(elementary.exp, (_x, out) => out)],
  [
    "log",
    functionOf(
      (x) => (x > 0 ? elementary.log(x) : NaN),
      (x) => 1 / x,
    ),
  ],
  ["tanh", functionOf(elementary.tanh, (_x, out) => 1 - out * out)],
  ["sin", functionOf(sin, (x) => cos(x))],
  ["cos", functionOf(cos, (x) => -sin(x))],
  ["sigmoid", functionOf(sigmoid, (_x, out) => out * (1 - out))],
  ["softplus", functionOf(softplus, sigmoid)],
]);

function isFinite(x: number): boolean {
  return x - x === 0;
}
