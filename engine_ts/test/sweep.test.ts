/** A sweep has the bits of one request a point. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { GradientError, introspect, sweep } from "../src/index.ts";

const PROGRAMS = [
  "tanh(x * w) + log(y)",
  "x ** -0.5 / (y - w)",
  "z = exp(x * 300); z * relu(y) - w",
  "x / y / w",
];
const Y = [-1, 0, 0.25, 3];
const W = [0.1, 2, -7e-3, 3];

for (const view of ["folded", "primitive"] as const) {
  for (const expression of PROGRAMS) {
    test(`${expression}, ${view}`, () => {
      const x = { from: -1.3, to: 2.9, count: 13 };
      const made = sweep(expression, { x, y: Y, w: W }, { view });
      assert.deepEqual(made.axes[0], { w: W, y: Y });
      const problems = new Map(made.problems.map(({ index, error }) => [index, error]));
      assert.equal(made.count, 52);
      for (let index = 0; index < made.count; index += 1) {
        const row = Math.floor(index / 13);
        const values = { x: made.axes[1]!["x"]![index % 13]!, y: Y[row]!, w: W[row]! };
        const columns = Object.entries(made.gradients);
        const gradients = Object.fromEntries(columns.map(([name, all]) => [name, all[index]]));
        try {
          const document = introspect(expression, values, { view });
          assert.equal(made.results[index], document.result);
          assert.deepEqual(gradients, document.gradients);
          assert.ok(!problems.has(index));
        } catch (error) {
          if (!(error instanceof GradientError)) throw error;
          assert.deepEqual([made.results[index], problems.get(index)], [null, error.toJSON()]);
          assert.deepEqual(new Set(Object.values(gradients)), new Set([null]));
        }
      }
      assert.ok(problems.size > 0 && problems.size < 52);
    });
  }
}

test("no column shares its numbers with another", () => {
  const given = [1, 2];
  const made = sweep("a", { a: given });
  made.axes[0]!["a"]![0] = made.results[0] = 7;
  assert.deepEqual(
    [given, made.gradients["a"]],
    [
      [1, 2],
      [1, 1],
    ],
  );
});

test("a name that objects have from the start is a variable like others", () => {
  const made = sweep("__proto__ * toString", JSON.parse('{"__proto__": [3], "toString": [2]}'));
  assert.equal(JSON.stringify(made.gradients), '{"__proto__":[2],"toString":[3]}');
  assert.equal(JSON.stringify(made.axes), '[{"__proto__":[3],"toString":[2]}]');
});
