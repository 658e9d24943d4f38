/** Gradients beside their witnesses. Expected values are derivatives worked out by hand. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Document } from "../src/document.ts";
import { introspect } from "../src/introspect.ts";
import { check } from "../src/lab/check.ts";
import type { Check } from "../src/lab/check.ts";
import { refusal } from "./helpers.ts";
import type { Json } from "./helpers.ts";

const PRODUCT = introspect("(a + b) * c", { a: 2, b: -3, c: 10 });

function verdicts({ variables }: Check): string[][] {
  return variables.map(({ variable, forward, central }) => [
    variable,
    forward.verdict,
    central.verdict,
  ]);
}

test("three ways agree", () => {
  const result = check(PRODUCT);
  assert.equal(result.document, PRODUCT);
  assert.equal(result.agrees, true);
  assert.deepEqual(
    verdicts(result),
    ["a", "b", "c"].map((name) => [name, "agrees", "agrees"]),
  );
  for (const [place, gradient] of [10, 10, -1].entries()) {
    const { reverse, forward, central, claimed } = result.variables[place]!;
    assert.deepEqual([reverse, forward.value, claimed], [gradient, gradient, null]);
    assert.ok(Math.abs(central.value! - gradient) < 1e-9);
    assert.ok(central.bound! > 0 && central.bound! < 1e-9);
  }
});

test("a central difference is within its bound", () => {
  // The bound holds against the true derivative, not only against the engine's.
  const table: [string, number, number][] = [
    ["x ** 3", 2, 12],
    ["1 / x", 4, -0.0625],
    ["exp(x)", 1, 2.718281828459045],
    ["log(x)", 1e-300, 1e300],
    ["tanh(x)", 0, 1],
    ["x ** 0.5", 0.25, 1],
    ["exp(1e5 * x)", 0, 1e5],
    ["relu(x)", 1e-9, 1],
    ["x * 0", 3, 0],
    ["tanh(1000 * (x - 1))", 1.0001, 990.0662908474398],
  ];
  for (const [expression, x, derivative] of table) {
    const [row] = check(introspect(expression, { x })).variables;
    const { value, bound, verdict } = row!.central;
    assert.deepEqual([expression, row!.forward.verdict, verdict], [expression, "agrees", "agrees"]);
    assert.ok(Math.abs(value! - derivative) <= bound!);
    assert.ok(bound! <= 1e-5 * Math.abs(derivative) + 1e-9);
  }
});

test("what a difference cannot say is no failure", () => {
  const table: [string, number, string][] = [
    ["relu(x)", 0, "not_differentiable_here"],
    ["relu(x - 2) * 3", 2, "not_differentiable_here"],
    ["relu(x * x)", 0, "agrees"], // on neither side of 0 does relu get a negative operand
    ["relu(x * 0)", 5, "agrees"],
    ["relu(x - 1e-12)", 1, "agrees"],
    ["relu(x - 1)", 1.0000000000000002, "kink_nearby"],
    ["sin(1e9 * x)", 1, "too_coarse"], // every step goes over turns of the wave
    ["cos(x)", 1e15, "too_coarse"],
    ["sin(x * 1.1)", 1e17, "too_coarse"], // rounding alone goes over turns
    ["sin(1000 * x)", 1, "agrees"],
    ["1e10 * x / (1 + (1e10 * x) ** 2)", 0, "too_coarse"], // every step goes over both hills
    ["1e10 * x * exp(-x * x * 1e20)", 0, "too_coarse"],
    ["min(1e300 * x ** 4, sin(2 * x))", 0, "too_coarse"], // the kink is at 0 and at 1e-100
    ["abs(x)", 0, "not_differentiable_here"],
    ["abs(x - 3)", 1, "agrees"],
    ["min(x, 2)", 2, "not_differentiable_here"],
    ["max(x, 2 * x)", 0, "not_differentiable_here"],
    ["max(x, x)", 5, "agrees"],
    ["max(x, 1 - x)", 0.5000000000000001, "kink_nearby"],
    ["sin(1e9 * x) + relu(x - 1.0005)", 1, "too_coarse"], // only the longest step has a kink
    ["relu((x - 1 - 1e-8) * (x - 1 - 2e-8) * 1e16)", 1, "agrees"], // only the shortest has
    ["(x + 4e12) - 4e12", 1000, "agrees"], // with a step that rounding does not drown
    ["log(x - 1)", 1.0000000000000002, "no_value_nearby"],
    ["exp(x)", 709.782712893384, "no_value_nearby"], // every step overflows
    ["log(x) ** -2", 0.9999999999999999, "too_coarse"], // the pole is one double away
    ["(x + 1e300) - 1e300", 1, "too_coarse"],
    ["1 / (x - 1) ** 2", 1.0000000000000002, "too_coarse"],
  ];
  for (const [expression, x, verdict] of table) {
    const result = check(introspect(expression, { x }));
    assert.deepEqual([expression, ...verdicts(result)], [expression, ["x", "agrees", verdict]]);
    assert.equal(result.agrees, true);
  }
});

test("a curve does not hide a wrong gradient", () => {
  const table: [string, number][] = [
    ["exp(sin(x)) * x", 0.3],
    ["tanh(1000 * (x - 1))", 1.0001],
    ["max(x, x) / (1 + x * x)", 2],
    ["relu(x - 1e-3) ** 3 + sqrt(x)", 1],
  ];
  for (const [expression, x] of table) {
    const document = introspect(expression, { x });
    for (const part of [1.001, 0.999, -1]) {
      const gradients = { x: document.gradients["x"]! * part };
      const result = check({ ...document, gradients });
      assert.deepEqual(
        [expression, ...verdicts(result)],
        [expression, ["x", "differs", "differs"]],
      );
      const { difference, bound } = result.variables[0]!.central;
      assert.ok(Math.abs(difference!) > bound!);
    }
  }
});

test("a wrong gradient is found by both witnesses", () => {
  for (const [name, gradient] of [
    ["c", 1],
    ["a", 10.00000001],
  ] as const) {
    const gradients = { ...PRODUCT.gradients, [name]: gradient };
    const wrong: Document = { ...PRODUCT, gradients };
    const result = check(wrong);
    assert.equal(result.agrees, false);
    assert.deepEqual(
      verdicts(result).filter(([, forward]) => forward !== "agrees"),
      [[name, "differs", "differs"]],
    );
  }
});

test("claimed gradients are judged", () => {
  const result = check(PRODUCT, { claimed: { a: 10.000000001, c: 1 } });
  const [a, b, c] = result.variables.map((row) => row.claimed);
  assert.deepEqual([a!.verdict, b, c!.verdict, c!.difference], ["agrees", null, "differs", 2]);
  assert.equal(result.agrees, false);
});

test("the tolerance is of the sum over all paths", () => {
  // x * x - x at 0.5 is 0.5 + 0.5 - 1: the gradient is 0, the magnitudes of its paths are 2.
  const document = introspect("x * x - x", { x: 0.5 });
  for (const [off, verdict] of [
    [1.9e-4, "agrees"],
    [2.1e-4, "differs"],
  ] as const) {
    const [row] = check(document, { claimed: { x: off }, tolerance: 1e-4 }).variables;
    assert.equal(row!.claimed!.verdict, verdict);
  }
});

test("the cost of each way", () => {
  // Two operations with four local gradients: reverse mode does it once, forward mode thrice.
  assert.deepEqual(check(PRODUCT).cost, {
    variables: 3,
    operations: 2,
    reverse: { passes: 2, multiplications: 4 },
    forward: { passes: 3, multiplications: 12 },
    central: { passes: 6, multiplications: 0 },
  });
});

test("work is bounded", () => {
  const names = Array.from({ length: 250 }, (_, place) => `x${place}`);
  const values = Object.fromEntries(names.map((name) => [name, 1]));
  const document = introspect(names.join(" + "), values);
  assert.deepEqual(
    refusal(() => check(document)),
    {
      code: "limit_exceeded",
      span: null,
      name: "evaluations",
      limit: 1_000_000,
      actual: 250 * 499 * 17,
    },
  );
});

test("wrong members are refused", () => {
  const table: [Json, string][] = [
    [{ claimed: [] }, "/claimed"],
    [{ claimed: null }, "/claimed"],
    [{ claimed: { a: null } }, "/claimed/a"],
    [{ claimed: { z: 1 } }, "/claimed/z"],
    [{ tolerance: -1 }, "/tolerance"],
    [{ tolerance: 1.5 }, "/tolerance"],
    [{ tolerance: "1" }, "/tolerance"],
  ];
  for (const [options, pointer] of table) {
    const error = refusal(() => check(PRODUCT, options));
    assert.deepEqual([options, error.pointer], [options, pointer]);
  }
});
