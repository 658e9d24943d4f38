import assert from "node:assert/strict";
import { test } from "node:test";
import { apply, term } from "../src/lab/term.ts";
import { FUNCTIONS, OPERATIONS, operationOf } from "../src/operations.ts";
import { OutsideDomain } from "../src/rows.ts";
import type { LocalGrads } from "../src/rows.ts";
import { expansionOf } from "./helpers.ts";

const STEP = 2 ** -17;

type Point = [symbol: string, operands: number[], data: number, localGrads: LocalGrads];

const POINTS: Point[] = [
  // symbol, operands, data and local gradients by the literal formulas of CONTRACT.md R3
  ["+", [2, 3], 5, [1, 1]],
  ["+", [0.1, 0.2], 0.30000000000000004, [1, 1]],
  ["*", [2, -3], -6, [-3, 2]],
  ["*", [5e-324, 0.5], 0, [0.5, 5e-324]],
  ["-", [5, 2], 3, [1, -1]],
  ["/", [6, 3], 2, [0.3333333333333333, -0.6666666666666666]],
  // 17/3 is 5.666666666666667, whose third rounds to ...89; -17/9 would round to ...888.
  ["/", [17, 3], 5.666666666666667, [0.3333333333333333, -1.888888888888889]],
  ["neg", [2], -2, [-1]],
  ["relu", [3.5], 3.5, [1]],
  ["relu", [5e-324], 5e-324, [1]],
  ["relu", [0], 0, [0]],
  ["relu", [-0], 0, [0]],
  ["relu", [-3.5], 0, [0]],
  ["exp", [0], 1, [1]],
  ["exp", [1], 2.718281828459045, [2.718281828459045]],
  ["exp", [-800], 0, [0]],
  ["log", [1], 0, [1]],
  ["log", [2], 0.6931471805599453, [0.5]],
  ["log", [5e-324], -744.4400719213812, [Infinity]],
  ["tanh", [0], 0, [1]],
  ["tanh", [-20.5], -1, [0]],
  // 1 - out * out; (1 - out) * (1 + out) would round to ...933.
  ["tanh", [0.125], 0.12435300177159621, [0.9845363309503934]],
  ["abs", [2.5], 2.5, [1]],
  ["abs", [-5e-324], 5e-324, [-1]],
  ["abs", [0], 0, [0]],
  ["abs", [-0], 0, [0]],
  ["min", [-2, 5], -2, [1, 0]],
  ["min", [5, -2], -2, [0, 1]],
  ["min", [3, 3], 3, [0.5, 0.5]],
  ["min", [-1.7e308, 1.7e308], -1.7e308, [1, 0]],
  ["max", [-2, 5], 5, [0, 1]],
  ["max", [5, -2], 5, [1, 0]],
  ["max", [0, -0], 0, [0.5, 0.5]],
  ["max", [5e-324, 0], 5e-324, [1, 0]],
  ["sqrt", [9], 3, [0.16666666666666666]],
  ["sqrt", [5e-324], 2 ** -537, [2 ** 536]],
  ["sqrt", [0], 0, [Infinity]],
  ["sqrt", [-0], 0, [Infinity]],
  ["sin", [0], 0, [1]],
  ["sin", [-0], -0, [1]],
  ["sin", [1], 0.8414709848078965, [0.5403023058681398]],
  ["sin", [1e22], -0.8522008497671888, [0.523214785395139]],
  ["cos", [0], 1, [-0]],
  ["cos", [1], 0.5403023058681398, [-0.8414709848078965]],
  ["cos", [1e22], 0.523214785395139, [0.8522008497671888]],
  ["sigmoid", [0], 0.5, [0.25]],
  ["sigmoid", [40.5], 1, [0]],
  ["sigmoid", [-800], 0, [0]],
  ["sigmoid", [1], 0.7310585786300049, [0.19661193324148185]],
  ["softplus", [0], 0.6931471805599453, [0.5]],
  ["softplus", [800], 800, [1]],
  ["softplus", [-800], 0, [0]],
  ["**", [2, 3], 8, [12, null]],
  ["**", [-2, 3], -8, [12, null]],
  ["**", [-2, -1], -0.5, [-0.25, null]],
  ["**", [3, -1], 0.3333333333333333, [-0.1111111111111111, null]],
  ["**", [4, 0.5], 2, [0.25, null]],
  // c * x ** (c - 1); c * out / x would round to ...6.
  ["**", [5, 0.5], 2.23606797749979, [0.22360679774997896, null]],
  ["**", [7, 1], 7, [1, null]],
  ["**", [7, 0], 1, [0, null]],
  ["**", [0, 0], 1, [0, null]],
  ["**", [0, 1], 0, [1, null]],
  ["**", [0, 2], 0, [0, null]],
  ["**", [0, 0.5], 0, [Infinity, null]],
];

const SMOOTH: [symbol: string, operands: number[], thirdDerivatives: LocalGrads][] = [
  // symbol, operands, a bound of the third derivative by each operand near there
  ["+", [3, -2], [0, 0]],
  ["*", [3, -2.5], [0, 0]],
  ["-", [3, -2.5], [0, 0]],
  ["/", [3, -2], [0, (6 * 3) / 1.9 ** 4]],
  ["/", [-1.5, 4], [0, (6 * 1.5) / 3.9 ** 4]],
  ["neg", [0.75], [0]],
  ["relu", [2.5], [0]],
  ["relu", [-2.5], [0]],
  ["exp", [0.5], [2]],
  ["exp", [-3], [1]],
  ["log", [0.5], [2 / 0.4 ** 3]],
  ["log", [4], [2 / 3.9 ** 3]],
  ["tanh", [0], [2]],
  ["tanh", [0.5], [2]],
  ["tanh", [-1.25], [2]],
  ["abs", [2.5], [0]],
  ["abs", [-2.5], [0]],
  ["min", [2.5, 3.5], [0, 0]],
  ["max", [2.5, 3.5], [0, 0]],
  ["sqrt", [2], [0.375 / 1.9 ** 2.5]],
  ["sin", [0.5], [1]],
  ["sin", [-2], [1]],
  ["cos", [0.5], [1]],
  ["cos", [100], [1]],
  ["sigmoid", [0], [0.25]],
  ["sigmoid", [-3], [0.25]],
  ["softplus", [-1], [0.25]],
  ["**", [1.5, 3], [6, null]],
  ["**", [-1.5, 3], [6, null]],
  ["**", [1.5, 2], [0, null]],
  ["**", [1.5, 1], [0, null]],
  ["**", [1.5, 0], [0, null]],
  ["**", [1.5, -2], [24 / 1.4 ** 5, null]],
  ["**", [-1.5, -1], [6 / 1.4 ** 4, null]],
  ["**", [2, 0.5], [0.375 / 1.9 ** 2.5, null]],
  ["**", [2, 2.5], [1.875 / 1.9 ** 0.5, null]],
];

const OUTSIDE: [symbol: string, operands: number[]][] = [
  ["log", [0]],
  ["log", [-0]],
  ["log", [-1]],
  ["log", [-5e-324]],
  ["sqrt", [-5e-324]],
  ["sqrt", [-4]],
  ["/", [1, 0]],
  ["/", [1, -0]],
  ["/", [0, 0]],
  ["**", [0, -1]],
  ["**", [-0, -0.5]],
  ["**", [0, -5e-324]],
  ["**", [-2, 0.5]],
  ["**", [-2, -1.5]],
  ["**", [-5e-324, 5e-324]],
];

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

test("data and local gradients are the literal formulas", () => {
  for (const [symbol, operands, data, localGrads] of POINTS) {
    const point = `${symbol} at ${operands.join(", ")}`;
    const computed = operationOf(symbol).rule(...operands);
    assert.deepEqual([point, ...computed], [point, data, ...localGrads]);
  }
});

test("local gradients agree with central differences", () => {
  for (const [symbol, operands, thirdDerivatives] of SMOOTH) {
    const { rule } = operationOf(symbol);
    const [, ...localGrads] = rule(...operands);
    assert.equal(localGrads.length, operands.length);
    for (const [slot, third] of thirdDerivatives.entries()) {
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
      assert.ok(error <= truncated + rounded, `${symbol} at ${operands.join(", ")}`);
    }
  }
});

test("no gradient flows into an exponent", () => {
  for (const [x, c] of [
    [2, 3],
    [2, 0],
    [0, 0],
    [-2, 2],
  ]) {
    assert.equal(operationOf("**").rule(x!, c!)[2], null);
  }
});

test("an operation is refused outside its domain", () => {
  for (const [symbol, operands] of OUTSIDE) {
    assert.throws(
      () => operationOf(symbol).rule(...operands),
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

test("the formulas are the local gradients", () => {
  let compared = 0;
  for (const [symbol, operands, data, localGrads] of POINTS) {
    // A formula applies operations, which have no infinities.
    if (localGrads.some((local) => local !== null && !Number.isFinite(local))) continue;
    const terms = operands.map((operand) => term(operand));
    const formulas = operationOf(symbol).formulas(apply, term(data), ...terms);
    const computed = formulas.map((each) =>
      each !== null && typeof each === "object" ? each.data : each,
    );
    assert.deepEqual([symbol, operands, ...computed], [symbol, operands, ...localGrads]);
    compared += 1;
  }
  assert.ok(compared >= POINTS.length - 4);
});
