/** How much derivatives vary. Expected values are derivatives at two places, worked out by hand. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { introspect } from "../src/introspect.ts";
import { programOf } from "../src/lab/program.ts";
import { variation } from "../src/lab/variation.ts";
import { OPERATIONS } from "../src/operations.ts";

function varies(expression: string, values: Record<string, number>, step: number): number {
  const document = introspect(expression, values);
  const leaf = document.nodes.find(({ label }) => label === "x")!.id;
  return variation(programOf(document), leaf, step);
}

test("the derivative varies by so much", () => {
  const table: [string, number, number, number][] = [
    ["x * 3 + 1", 5, 2, 0],
    ["x * x", 3, 0.5, 7 - 5],
    ["x ** 2", 3, 0.5, 7 - 5],
    ["x ** 3", 0, 1, 3 - 0],
    ["-x ** 2", 1, 1, 4 - 0],
    ["1 / x", 2, 1, 1 - 1 / 9],
    ["x / x", 2, 1, 4 / 3], // 1 / x less 1 / x, which are one number to nobody
    ["x - x", 2, 1, 0],
    ["exp(x)", 1, 0.25, 3.4903429574618414 - 2.117000016612675],
    ["log(x)", 2, 1, 1 - 1 / 3],
    ["sqrt(x)", 4, 3, 1 / 2 - 1 / (2 * Math.sqrt(7))],
    ["tanh(x)", 0, 1, 0.5800256583859738],
    ["relu(x)", 0, 1, 1 - 0],
    ["relu(x)", 2, 1, 0],
    ["relu(x)", 1, 1, 1 - 0], // the end is a kink
    ["abs(x)", 0, 1, 1 - -1],
    ["abs(x)", -2, 1, 0],
    ["max(x, x)", 0, 1, 0],
    ["min(x, 1)", 1, 1, 1 - 0],
    ["max(x, 5)", 1, 1, 0],
    ["relu(y * x)", 3, 1, 0], // y is 0, and nothing moves
    ["sin(x)", 0, 1, 1 - 0], // cos by its steepest slope
    ["sin(x)", 0, 9, 1 - -1],
    ["cos(1000 * x)", 0, 1, 2000],
    ["log(x)", 1, 1, Infinity],
    ["1 / x", 1, 2, Infinity],
    ["sqrt(x)", 1, 1, Infinity], // no finite slope at 0
    ["exp(x)", 709, 1, Infinity],
    ["x ** 0.5", 1, 2, Infinity],
    ["y * 2 + 1 + 0 * x", 1, 1, 0],
  ];
  for (const [expression, x, step, expected] of table) {
    const found = varies(expression, expression.includes("y") ? { x, y: 0 } : { x }, step);
    const near = Math.abs(found - expected) <= 1e-14 * Math.max(1, expected);
    assert.ok(found === expected || near, `${expression}: ${found}, expected ${expected}`);
  }
});

test("what is rounded lies between two doubles", () => {
  const table: [string, number][] = [
    ["x * 0.1 * 0.7", 1e-17], // 0.07 is no double
    ["x * 1e-200 * 1e-200", 1e-323], // neither is 1e-400
  ];
  for (const [expression, least] of table) {
    const found = varies(expression, { x: 1 }, 0.5);
    assert.ok(least <= found && found <= 1e-15, `${expression}: ${found}`);
  }
});

test("no two derivatives of an operation differ by more", () => {
  // A row that turns, and does not say so, is found here.
  for (const { symbol, form, arity } of OPERATIONS.values()) {
    let compared = 0; // with a finite bound
    for (const written of calls(symbol, form, arity)) {
      for (const x of [0.7, -1.3, 2, 3, 0, 1e-3]) {
        for (const step of [0.1, 1, 10]) {
          const slopes = slopesOf(`(${written}) * x`, x, step);
          if (slopes === null) continue; // outside its domain
          const most = varies(`(${written}) * x`, valuesOf(written, x), step);
          const seen = Math.max(...slopes) - Math.min(...slopes);
          assert.ok(seen <= most * (1 + 1e-14), `${written} at ${x}: ${seen}, at most ${most}`);
          if (Number.isFinite(most)) compared += 1;
        }
      }
    }
    assert.ok(compared >= 3, symbol);
  }
});

function calls(symbol: string, form: string, arity: number): string[] {
  if (symbol === "**") return ["2", "3", "-1", "-2", "0.5", "0", "1"].map((to) => `x ** ${to}`);
  if (form === "prefix") return ["-x"];
  if (form === "infix") return [`x ${symbol} y`, `y ${symbol} x`, `x ${symbol} x`];
  if (arity === 1) return [`${symbol}(x)`];
  return [`${symbol}(x, y)`, `${symbol}(y, x)`, `${symbol}(x, x)`];
}

function valuesOf(written: string, x: number): Record<string, number> {
  return /\by\b/u.test(written) ? { x, y: 0.7 } : { x };
}

/** Differentiate at 21 places; null where one is outside the domain. */
function slopesOf(expression: string, x: number, step: number): number[] | null {
  const places = Array.from({ length: 21 }, (_, place) => x + (step * (place - 10)) / 10);
  try {
    return places.map((at) => introspect(expression, valuesOf(expression, at)).gradients["x"]!);
  } catch {
    return null;
  }
}
