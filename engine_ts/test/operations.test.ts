import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, term } from "../src/lab/term.ts";
import { FUNCTIONS, OPERATIONS, operationOf } from "../src/operations.ts";
import { OutsideDomain } from "../src/rows.ts";
import { expansionOf, units } from "./helpers.ts";
import type { Json } from "./helpers.ts";

const STEP = 2 ** -17;

/** Read numbers; one that JSON does not have stands in quotes. */
function doubles(numbers: Json[]): Json[] {
  return numbers.map((number) => (number === null ? null : Number(number)));
}

/** Compute a derived operation as the primitive view does. */
function evaluateExpansion(symbol: string, ...operands: number[]): number {
  const build = (primitive: string, ...numbers: number[]) =>
    operationOf(primitive).rule(...numbers)[0];
  return expansionOf(symbol)(build, ...operands);
}

test("the operators are six rows", () => {
  const rows = [...OPERATIONS.values()].filter(({ form }) => form !== "call");
  assert.deepEqual(
    new Set(rows.map(({ symbol, name, form, arity }) => [symbol, name, form, arity])),
    new Set([
      ["+", "add", "infix", 2],
      ["*", "mul", "infix", 2],
      ["**", "pow", "infix", 2],
      ["-", "sub", "infix", 2],
      ["/", "div", "infix", 2],
      ["neg", "neg", "prefix", 1],
    ]),
  );
  const derived = rows.filter((row) => row.derived);
  assert.deepEqual(
    derived.map(({ symbol }) => symbol),
    ["-", "/", "neg"],
  );
});

test("the other rows are the functions", () => {
  for (const name of ["relu", "exp", "log", "tanh"]) assert.ok(FUNCTIONS.has(name));
  for (const [symbol, row] of OPERATIONS) {
    assert.equal(row.symbol, symbol);
    assert.equal(row.form === "call", FUNCTIONS.get(symbol) === row);
  }
});

units("operations", "points", ({ operation, operands, data, local_grads }) => {
  const computed = operationOf(operation).rule(...doubles(operands));
  assert.deepEqual(computed, doubles([data, ...local_grads]));
});

units("operations", "smooth", ({ operation, operands, third: bounds }) => {
  const { rule } = operationOf(operation);
  const [, ...localGrads] = rule(...operands);
  assert.equal(localGrads.length, operands.length);
  for (const [slot, third] of bounds.entries()) {
    const localGrad = localGrads[slot]!;
    if (third === null) {
      assert.equal(localGrad, null);
      continue;
    }
    // The steps are exact: the operands have few bits.
    const [right] = rule(...operands.with(slot, operands[slot]! + STEP));
    const [left] = rule(...operands.with(slot, operands[slot]! - STEP));
    // Taylor leaves h**2 / 6 times the third derivative; each of the two values is off by half
    // a unit in the last place; the formula itself has at most four roundings.
    const truncated = (STEP ** 2 / 6) * third;
    const rounded =
      2 ** -53 *
      ((Math.abs(right) + Math.abs(left)) / (2 * STEP) + 4 * Math.max(1, Math.abs(localGrad)));
    assert.ok(truncated + rounded < 1e-9);
    const error = Math.abs((right - left) / (2 * STEP) - localGrad);
    assert.ok(error <= truncated + rounded);
  }
});

units("operations", "outside", ({ operation, operands }) => {
  for (const outside of operands) {
    assert.throws(
      () => operationOf(operation).rule(...outside),
      (error) => error instanceof OutsideDomain && /[a-z]+ [a-z]+/.test(error.message),
    );
  }
});

test("a negative base takes every integer exponent", () => {
  for (const exponent of [-3, -2, 0, 1, 2, 2 ** 53, 1e300]) {
    assert.equal(operationOf("**").rule(-1, exponent)[0], exponent % 2 === 0 ? 1 : -1);
  }
});

test("what is a choice at a kink prefers no operand", () => {
  // The mean of both sides is what makes these identities of gradients hold at a tie, too.
  const slopes = (symbol: string, ...operands: number[]) =>
    operationOf(symbol)
      .rule(...operands)
      .slice(1) as number[];
  for (const x of [-2.5, -5e-324, 0, 3]) {
    const [smaller, larger] = [slopes("min", x, 0), slopes("max", x, 0)];
    assert.deepEqual(
      smaller.map((slope, slot) => slope + larger[slot]!),
      [1, 1],
    );
    assert.deepEqual(slopes("min", 0, x), smaller.toReversed());
    assert.deepEqual(slopes("max", 0, x), larger.toReversed());
    const [above, below] = slopes("max", x, -x);
    assert.equal(above! - below!, slopes("abs", x)[0]);
  }
});

test("expansions give sums and negations to the bit", () => {
  const numbers = [0.1, -0.2, 1 / 3, 1e308, -5e-324, 3, 0];
  for (const x of numbers) {
    assert.equal(evaluateExpansion("neg", x), -x);
    for (const y of numbers) assert.equal(evaluateExpansion("-", x, y), x - y);
  }
});

test("an expanded quotient may differ in its last bit", () => {
  assert.equal(evaluateExpansion("/", 6, 3), 2);
  assert.equal(evaluateExpansion("/", 49, 49), 0.9999999999999999);
  assert.equal(operationOf("/").rule(49, 49)[0], 1);
  for (let x = 1; x < 100; x++) {
    for (let y = 1; y < 100; y++) {
      assert.ok(Math.abs(evaluateExpansion("/", x, y) - x / y) <= 2 ** -52 * (x / y));
    }
  }
});

test("signs of zero follow the formulas", () => {
  assert.equal(operationOf("neg").rule(0)[0], -0);
  assert.equal(operationOf("+").rule(0, -0)[0], 0);
  assert.equal(operationOf("*").rule(-1, 0)[0], -0);
});

test("an operation that does not exist is a fault", () => {
  assert.throws(() => operationOf("%"), RangeError);
});

units("operations", "points", ({ operation, operands, data, local_grads }) => {
  if (local_grads.includes("Infinity")) return; // a formula applies operations, which have none
  const terms = operands.map((operand: number) => term(operand));
  const formulas = operationOf(operation).formulas(apply, term(data), ...terms);
  const computed = formulas.map((each) =>
    each !== null && typeof each === "object" ? each.data : each,
  );
  assert.deepEqual(computed, local_grads);
});
