/**
 * The calculus on columns: columns of operands -> column of data, columns of local gradients.
 *
 * A row of the table without a form for columns here is computed element by element. Outside its
 * domain an operation is NaN.
 */

import * as elementary from "../../numerics/elementary.ts";
import { sigmoid, softplus } from "../../numerics/logistic.ts";
import { cos, sin } from "../../numerics/wave.ts";
import { OutsideDomain } from "../../operations.ts";
import type { Operation, Rule } from "../../operations.ts";

export type Column = Float64Array;

/** Fills `out`, and a column for each operand; that of an exponent stays 0. */
export type ColumnRule = (out: Column, localGrads: readonly Column[], x: Column, y: Column) => void;

/** Give the form for columns of a row. */
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

const pow: ColumnRule = (out, [left], x, exponents) => {
  const c = exponents[0]!; // a number in the text, so the same at every point
  for (let i = 0; i < out.length; i++) {
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
  return (out, [left], x) => {
    for (let i = 0; i < out.length; i++) {
      const known = isFinite(x[i]!);
      out[i] = known ? f(x[i]!) : NaN;
      left![i] = known ? slope(x[i]!, out[i]!) : NaN;
    }
  };
}

/** The first operand where it leads, else the second, and what flows into each of them. */
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

/** Compute a row that has no form for columns. */
function oneByOne(rule: Rule, arity: number): ColumnRule {
  return (out, localGrads, ...operands) => {
    for (let i = 0; i < out.length; i++) {
      const row = operands.slice(0, arity).map((column) => column[i]!);
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
